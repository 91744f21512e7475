// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A sweep is one case that stands for many small operators: all operators within bounds, or a part of them. Each
// operator has a number. conformance/verdict/exhaustive/exhaustive.md documents the bounds, and
// conformance/case/case_line.md documents the line of a sweep.

#ifndef DECONV_CONFORMANCE_CASE_SWEEP_H_
#define DECONV_CONFORMANCE_CASE_SWEEP_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/case/property/property.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// The set of operators that a sweep tries, and what it compares.
enum class SweepOf {
  kGeometry,  ///< all attributes of one axis; compares refusals, output size and pads_begin
  kAxes,      ///< operators with one resolved axis (its pads_begin and output size are known); compares values
  kPairs,     ///< operators with an ordered pair of resolved axes; compares values
  kPlanes,    ///< two axes, drawn at random from those of kGeometry; compares refusals, output sizes and pads_begin
  kDense,     ///< small operators with about the same kernel and stride along all axes; compares values
};

/// The largest values of a sweep. The smallest value of data, kernel, stride and dilation is 1, that of the others 0.
struct SweepBounds {
  std::string_view name;
  std::int64_t data;
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t dilation;
  std::int64_t pad;  ///< pad on either side
  std::int64_t output_padding;
  std::int64_t shape_excess;  ///< an output shape exceeds natural size + output_padding by at most this

  bool operator==(const SweepBounds&) const = default;
};

// A sweep of `full` takes minutes, one of `small` about a second. Sweeps of pairs use `small`, because the number of
// pairs is the square of the number of axes.
inline constexpr std::array kSweepBounds = {SweepBounds{.name = "small",
                                                        .data = 3,
                                                        .kernel = 3,
                                                        .stride = 3,
                                                        .dilation = 2,
                                                        .pad = 1,
                                                        .output_padding = 1,
                                                        .shape_excess = 2},
                                            SweepBounds{.name = "full",
                                                        .data = 6,
                                                        .kernel = 5,
                                                        .stride = 4,
                                                        .dilation = 3,
                                                        .pad = 4,
                                                        .output_padding = 4,
                                                        .shape_excess = 5}};

/// The meanings of auto_pad in valid operators. Each dialect has its own spelling of them.
inline constexpr std::array kAutoPadStates = {AutoPadClass::kAbsent, AutoPadClass::kExplicit, AutoPadClass::kSameUpper,
                                              AutoPadClass::kSameLower, AutoPadClass::kValid};

/// The fields of a sweep's line.
struct Sweep {
  SweepOf of = SweepOf::kGeometry;
  SweepBounds bounds = kSweepBounds[0];  ///< unused in dense
  oracle::OperatorKind kind = oracle::OperatorKind::kConvolutionBackpropData;
  oracle::Dialect dialect = oracle::Dialect::kOpenvinoSpec;
  oracle::ElementType type = oracle::ElementType::kF32;
  std::optional<AutoPadClass> auto_pad = std::nullopt;  ///< geometry alone; absent: all modes
  std::optional<std::int64_t> stride = std::nullopt;    ///< of the (first) axis; absent: all, but not of dense
  std::optional<std::int64_t> kernel = std::nullopt;    ///< of the (first) axis; absent: all, but not of dense
  std::int64_t axes = 0;                                ///< dense alone: the number of axes
  std::uint64_t sample = 0;                             ///< planes alone: the number of operators
  std::uint64_t seed = 0;                               ///< planes alone: another seed gives other operators
  std::uint64_t from = 0;                          ///< first number, among the operators that the fields above select
  std::optional<std::uint64_t> to = std::nullopt;  ///< absent: to the last one

  /// Whether the sweep compares resolved geometries, not values.
  bool resolves() const { return of == SweepOf::kGeometry || of == SweepOf::kPlanes; }

  bool operator==(const Sweep&) const = default;
};

/// The first word of a sweep's line. Other case lines have the operator there.
inline constexpr std::string_view kSweepWord = "sweep";

/// The most operators of a sample.
inline constexpr std::uint64_t kMostSampled = 10'000'000;

/// "sweep:of=geometry:bounds=full:operator=ConvTranspose:dialect=onnx-11:auto_pad=valid:stride=2".
std::string ToLine(const Sweep& sweep);

/// Returns the sweep, or what is wrong with the line.
std::variant<Sweep, std::string> ParseSweep(std::string_view line);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_SWEEP_H_
