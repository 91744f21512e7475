// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a covering array over numbered factors whose values exclude each other in pairs: a few rows that together hold
// every possible combination of the values of any two, three or four factors.

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
  /// No row has value `a` of factor `f` and value `b` of another factor `g`.
  void Exclude(std::size_t f, std::size_t a, std::size_t g, std::size_t b);

  /// Completes a row whose unknown values are kUnknown. False if there is no such row: the search tries all.
  bool Complete(FactorRow& row) const;
  static constexpr std::uint8_t kUnknown = 0xff;

  /// The values that a factor may have beside the row's known ones, as bits.
  std::uint64_t Allowed(const FactorRow& row, std::size_t factor) const;

 private:
  std::vector<std::size_t> sizes_;
  std::vector<std::vector<std::vector<std::uint64_t>>> allowed_;  ///< [f][a][g]: values of g beside value a of f
};

/// Rows that hold every possible combination of `strength` factors (2 to 4): `begin` first, as it is, then what is
/// missing. The same rows on every machine.
std::vector<FactorRow> CoveringRows(const FactorModel& model, std::size_t strength, std::vector<FactorRow> begin = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_MIXED_ARRAY_H_
