// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers the cases of a sweep. Runner and worker use the same numbers, so that a range of numbers describes a part.

#ifndef DECONV_CONFORMANCE_CASE_SWEEP_CASES_H_
#define DECONV_CONFORMANCE_CASE_SWEEP_CASES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/dense_operators.h"
#include "conformance/case/resolved_axes.h"

namespace conformance {

class SweepCases {
 public:
  explicit SweepCases(const Sweep& sweep) : SweepCases(sweep, sweep.dialect) {}
  /// auto_pad is spelled so that `dialect` can read it: what judges a backend that does not declare the sweep's own.
  SweepCases(const Sweep& sweep, oracle::Dialect dialect);

  const Sweep& sweep() const { return sweep_; }
  /// Tuples [begin(), end()) are the sweep's: what its fields leave, cut to its range.
  std::uint64_t begin() const;
  std::uint64_t end() const;

  /// `into` is an object that lives from case to case, so that its memory does.
  void Get(std::uint64_t number, Case& into) const;

 private:
  /// The numbers that are fixed for a run of consecutive tuples. Of geometry and planes: data, kernel, stride, dilation
  /// and output_padding. Of pairs: the first axis.
  struct Cell {
    ResolvedAxis axis;
    std::int64_t output_padding = 0;
    std::uint64_t first = 0;            ///< number
    std::size_t first_of_partners = 0;  ///< index in axes_
  };

  /// The attributes of one axis.
  struct AxisTuple {
    const Cell* cell = nullptr;
    std::int64_t output = 0;  ///< asked for; 0: no output shape
    std::int64_t pads = 0;    ///< 0: absent; else a number of both
    AutoPadClass auto_pad = AutoPadClass::kAbsent;

    /// Whether one operator can have both axes: a list stands for all axes or is absent.
    bool Joins(const AxisTuple& other) const {
      return auto_pad == other.auto_pad && (pads == 0) == (other.pads == 0) && (output == 0) == (other.output == 0);
    }
  };

  void CountGeometry();
  void CountAxes();
  void CountPairs();
  const Cell& CellOf(std::uint64_t number) const;
  AxisTuple TupleOf(std::uint64_t number) const;
  std::array<AxisTuple, 2> PlaneOf(std::uint64_t number) const;
  void SetOperator(std::span<const AxisTuple> axes, Case& into) const;

  Sweep sweep_;
  oracle::Dialect spelled_for_;
  std::vector<Cell> cells_;
  std::vector<ResolvedAxis> axes_;  ///< axes of sweeps of values
  std::optional<DenseOperators> dense_;
  std::uint64_t count_ = 0;
  std::uint64_t tuples_ = 0;  ///< planes alone: the number of tuples of one axis, from which it draws
};

/// A case that stands for the sweep: its first valid operator, and the sweep itself.
Case CaseOf(const Sweep& sweep);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_SWEEP_CASES_H_
