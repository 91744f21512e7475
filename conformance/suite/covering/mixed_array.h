// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a covering array over numbered factors, for the cases of suite `common`: a few rows that together contain
// every possible combination of values of any two, three or four factors. A row has a value of each factor. Some pairs
// of values exclude each other. Example: two values of each of three factors have 8 rows, but 000, 011, 101, 110
// contain all 12 pairs of values.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_MIXED_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_MIXED_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace conformance {

/// A value of each factor.
using FactorRow = std::vector<std::uint8_t>;

/// Factors, the number of values of each (at most 64), and the pairs of values that no row may have.
class FactorModel {
 public:
  explicit FactorModel(const std::vector<std::size_t>& sizes);

  std::size_t factors() const { return sizes_.size(); }
  std::size_t values(std::size_t factor) const { return sizes_[factor]; }
  /// Forbids rows with these two values of two factors.
  void Exclude(std::size_t factor, std::size_t value, std::size_t other_factor, std::size_t other_value);

  /// Replaces values kUnknown so that no pair is excluded. False if an exhaustive search shows that this is impossible.
  bool Complete(FactorRow& row) const;
  static constexpr std::uint8_t kUnknown = 0xff;

  /// The values of a factor that no known value of the row excludes, one bit each.
  std::uint64_t Allowed(const FactorRow& row, std::size_t factor) const;

 private:
  std::vector<std::size_t> sizes_;
  std::vector<std::vector<std::vector<std::uint64_t>>>
      allowed_;  ///< [factor][value][other]: bit i: value i of `other` may be beside it
};

/// Returns rows that contain every possible combination of the values of any `strength` factors (2 to 4). The result
/// begins with the rows of `begin`; the further rows contain the missing combinations. It is the same on every machine.
std::vector<FactorRow> CoveringRows(const FactorModel& model, std::size_t strength, std::vector<FactorRow> begin = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_MIXED_ARRAY_H_
