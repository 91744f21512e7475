// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Works out a case: its operands, the oracle's output, and the tolerance of each output.

#ifndef DECONV_CONFORMANCE_FORMATS_WORKED_CASE_H_
#define DECONV_CONFORMANCE_FORMATS_WORKED_CASE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace conformance::formats {

/// The most work that a format takes; a larger case is refused with a sentence.
struct WorkLimits {
  std::uint64_t elements = 0;  ///< elements of data, filter and output together
  std::uint64_t products = 0;  ///< products that the oracle has to sum
};

/// The oracle needs some seconds for as many products, and a folder of values stays below 1 GiB.
inline constexpr WorkLimits kFolderLimits = {.elements = std::uint64_t{1} << 26, .products = std::uint64_t{1} << 30};
/// A source file that people read and compilers take without trouble.
inline constexpr WorkLimits kSourceLimits = {.elements = std::uint64_t{1} << 14, .products = std::uint64_t{1} << 24};

struct WorkedCase {
  Case test_case;
  oracle::Geometry geometry;
  std::vector<oracle::OpenPoint> open;  ///< points that the dialect leaves open
  std::vector<std::byte> data;          ///< all three tensors are in the operator's own layouts, little-endian
  std::vector<std::byte> filter;
  std::vector<std::byte> output;  ///< the exact sums, each rounded once; integers modulo 2^bits
  /// For each output the largest |y - expected| of a right y, for a backend that sums in f32 (f64 for f64) in any order
  /// and keeps subnormals. Never stricter than the suite; infinite where every y may be right; 0 for integers.
  std::vector<double> tolerance;
  double largest_tolerance = 0;

  const oracle::Operator& op() const { return test_case.op; }
};

/// The resolution of a case, for formats without values; or a sentence: a sweep, or a refusal of its dialect.
std::variant<oracle::Resolution, std::string> ResolutionOf(const Case& test_case);

/// Computes the case. Or returns a sentence: that of ResolutionOf, too large, or a filter's file that cannot be read.
std::variant<WorkedCase, std::string> WorkOut(const Case& test_case, const WorkLimits& limits);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_WORKED_CASE_H_
