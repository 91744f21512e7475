// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers the cases of a sweep. Runner and worker use the same numbers, so that a range of numbers describes a part.

#ifndef DECONV_CONFORMANCE_CASE_SWEEP_CASES_H_
#define DECONV_CONFORMANCE_CASE_SWEEP_CASES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/resolved_axes.h"

namespace conformance {

class SweepCases {
 public:
  explicit SweepCases(const Sweep& sweep);

  const Sweep& sweep() const { return sweep_; }
  /// Tuples [begin(), end()) are the sweep's: what its fields leave, cut to its range.
  std::uint64_t begin() const;
  std::uint64_t end() const;

  /// `into` is an object that lives from case to case, so that its memory does.
  void Get(std::uint64_t number, Case& into) const;

 private:
  /// What is fixed for a run of consecutive numbers: of geometry data, kernel, stride, dilation and output_padding; of
  /// pairs the first axis.
  struct Cell {
    ResolvedAxis axis;
    std::int64_t output_padding = 0;
    std::uint64_t first = 0;            ///< number
    std::size_t first_of_partners = 0;  ///< in axes_
  };

  void CountGeometry();
  void CountAxes();
  void CountPairs();
  const Cell& CellOf(std::uint64_t number) const;
  void GetGeometry(std::uint64_t number, Case& into) const;

  Sweep sweep_;
  std::vector<Cell> cells_;
  std::vector<ResolvedAxis> axes_;  ///< of values
  std::uint64_t count_ = 0;
};

/// A case that stands for the sweep: its first valid operator, and the sweep itself.
Case CaseOf(const Sweep& sweep);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_SWEEP_CASES_H_
