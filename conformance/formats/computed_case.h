// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the values of a case for an export: its operands, the exact outputs, and a tolerance for each output. The
// outputs come from the oracle, the slow reference implementation of this project. With the exported values, a program
// outside of this project can judge a backend (the library under test) without the oracle.

#ifndef DECONV_CONFORMANCE_FORMATS_COMPUTED_CASE_H_
#define DECONV_CONFORMANCE_FORMATS_COMPUTED_CASE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/formats/export_case.h"
#include "oracle/resolve.h"

namespace conformance::formats {

/// The largest case that a format exports. A larger case is refused, with a sentence that says why.
struct ExportLimits {
  std::uint64_t elements = 0;  ///< elements of data, filter and output together
  std::uint64_t products = 0;  ///< products that the oracle has to sum
};

/// For formats that are folders of files: the oracle needs some seconds for 2^30 products, and a folder stays below 1
/// GiB.
inline constexpr ExportLimits kFolderLimits = {.elements = std::uint64_t{1} << 26, .products = std::uint64_t{1} << 30};
/// For source code: a file that people can read and compilers can compile in seconds.
inline constexpr ExportLimits kSourceLimits = {.elements = std::uint64_t{1} << 14, .products = std::uint64_t{1} << 24};

/// A case with its values. The three tensors are in the operator's own layouts, little-endian.
struct ComputedCase {
  Case test_case;
  oracle::Geometry geometry;            ///< sizes, strides and pads that follow from the attributes
  std::vector<oracle::OpenPoint> open;  ///< questions that the case's specification does not answer
  std::vector<std::byte> data;
  std::vector<std::byte> filter;
  std::vector<std::byte> output;  ///< the exact sums, each rounded once; integers modulo 2^bits
  /// For each output the largest |y - expected| of a right answer y. It holds for backends that sum in f32 (f64 for
  /// f64) in any order and keep subnormals. It is never stricter than the verdict of `deconv-cts`; infinite if any y
  /// may be right; 0 for integers.
  std::vector<double> tolerance;
  double largest_tolerance = 0;

  const oracle::Operator& op() const { return test_case.op; }
};

/// Resolves a case, for formats without values. If the case is a sweep (many operators) or its dialect refuses it,
/// returns the reason.
std::variant<oracle::Resolution, std::string> ResolutionOf(const Case& test_case);

/// Computes a case. Returns the reason if ResolutionOf() has one, the case exceeds `limits`, or a file with its values
/// cannot be read.
std::variant<ComputedCase, std::string> ComputeCase(const Case& test_case, const ExportLimits& limits);

// case.json describes an exported case beside its tensors. It holds the case line, the resolved geometry, and the
// tolerances by which a program can judge a result.

/// Adds case.json and tolerance_0.npy (the tolerance of each output) in the folder `name` to `files`.
void AddCaseFiles(const std::string& name, const ComputedCase& computed, std::vector<ExportedFile>& files);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_COMPUTED_CASE_H_
