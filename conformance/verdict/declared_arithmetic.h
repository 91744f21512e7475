// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges outputs by arithmetic that few backends declare: types that are computed in f32, clamped infinities,
// transforms, and inserted zeros that are multiplied. Each class has a file of its own.

#ifndef DECONV_CONFORMANCE_VERDICT_DECLARED_ARITHMETIC_H_
#define DECONV_CONFORMANCE_VERDICT_DECLARED_ARITHMETIC_H_

#include <cstdint>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/expected.h"
#include "oracle/evaluate.h"

namespace conformance {

/// Judges f64 and integer outputs of a backend that declares to compute these types in f32. The operands are rounded to
/// f32. Then the error bound of f32 sums applies (conformance/verdict/bound.md).
class InF32 {
 public:
  /// `operands` are of f64 or of an integer type, which `declared` computes in f32.
  InF32(const oracle::Operands& operands, const Capabilities& declared);

  /// Judges the output with the flat index `flat`. `bits` is the element that the backend wrote, in its own type.
  OutputJudgement Judge(std::uint64_t bits, std::int64_t flat);
  /// Whether any value of the output would be right.
  bool AllowsAnything(std::int64_t flat);
  /// The operands, rounded to f32. Those beyond its range are infinite.
  const oracle::Operands& operands() const { return sums_.operands(); }
  const Arithmetic& arithmetic() const { return arithmetic_; }
  const oracle::FloatSum& SumAt(std::int64_t flat) { return sums_.At(flat); }

 private:
  /// Whether every value is right. For integers that wrap around in w bits, this is so if the range of right sums is at
  /// least 2^w wide: then it holds a number for each remainder modulo 2^w.
  bool IsAnything(const Bound& bound) const;
  OutputJudgement JudgeInteger(const oracle::FloatSum& sum, std::uint64_t bits) const;

  oracle::ElementType type_;
  bool saturates_;
  Arithmetic arithmetic_;
  SlabOfSums sums_;  ///< of the operands, rounded to f32
};

/// Judges outputs of a backend that declares clamped infinities, where an operand is infinite. A library may convert
/// its operands to another type and clamp them then. An infinity of the data, of the filter, or of both counts as the
/// largest finite number of its sign. So zero times infinity becomes 0, and not NaN.
class ClampedOperands {
 public:
  /// `operands` have a floating type. `arithmetic` is that of the sums of these operands.
  ClampedOperands(const oracle::Operands& operands, const Arithmetic& arithmetic);

  /// Whether the output is right for clamped operands. `bits` is the element that the backend wrote.
  bool Explains(std::uint64_t bits, std::int64_t flat);

 private:
  Arithmetic arithmetic_;
  double largest_;                   ///< the number that stands for an infinity
  std::vector<SlabOfSums> clamped_;  ///< the data alone, the filter alone, both; empty if no operand is infinite
};

/// Bounds the error of an output if the backend declares that it computes by transforms (FFT). A transform mixes all
/// elements of a channel, so the error depends on the norms of data and filter, not on the output's own products. The
/// derivation is in conformance/verdict/bound.md.
class TransformErrors {
 public:
  /// `operands` must have a floating type.
  TransformErrors(const oracle::Operands& operands, const Arithmetic& arithmetic);

  /// The error bound of the output at index `flat`, in the operator's layout; infinite where every value is right.
  double Of(std::int64_t flat) const;

 private:
  bool channels_last_;
  std::int64_t channels_;       ///< channels of the output
  std::int64_t positions_;      ///< positions of each channel
  std::vector<double> errors_;  ///< one error bound for each sample and output channel
};

/// Finds the outputs that zero insertion makes NaN. An implementation may insert structural zeros: between and around
/// the data elements, or between the filter taps. If it multiplies these zeros, a NaN or infinite operand times 0 gives
/// NaN (clause V2).
class StructuralZeros {
 public:
  /// Stores the positions of NaN and infinite operands. Integers have none.
  explicit StructuralZeros(const oracle::Operands& operands);

  /// Whether a dense loop with inserted zeros multiplies one of these operands by a zero of padding, stride or dilation
  /// for the output at `coordinate` (in the operator's layout).
  bool OverlapsSpecial(const oracle::Dims& coordinate) const;

 private:
  struct SpecialTap {
    std::int64_t channel;  ///< channel of the output, counted over all groups
    oracle::Dims at;       ///< position in the kernel
  };
  struct SpecialData {
    std::int64_t batch;
    std::int64_t group;
    oracle::Dims at;
  };
  bool OverlapsZero(const SpecialTap& tap, const oracle::Dims& output) const;
  bool OverlapsZero(const SpecialData& data, const oracle::Dims& output) const;

  oracle::Geometry geometry_;
  std::vector<SpecialTap> taps_;
  std::vector<SpecialData> data_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_DECLARED_ARITHMETIC_H_
