// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers the operators of a sweep (one case that stands for many small operators), and makes each operator from its
// number. The runner and the worker (the process that runs the backend) use the same numbers, so that a range of
// numbers names a part of a sweep.

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
  /// As above, but spells auto_pad as `dialect` does. It is the dialect that judges a backend which does not have the
  /// sweep's own dialect.
  SweepCases(const Sweep& sweep, oracle::Dialect dialect);

  const Sweep& sweep() const { return sweep_; }
  /// The sweep has the numbers [begin(), end()): its fields `from` and `to`, cut to the existing numbers.
  std::uint64_t begin() const;
  std::uint64_t end() const;

  /// Writes case `number` into `into`. Use one object for many calls: its memory is reused.
  void Get(std::uint64_t number, Case& into) const;

 private:
  /// The values that are equal in a block of consecutive numbers. In geometry and planes: data, kernel, stride,
  /// dilation and output_padding. In pairs: the first axis.
  struct Cell {
    ResolvedAxis axis;
    std::int64_t output_padding = 0;
    std::uint64_t first = 0;            ///< first number of the block
    std::size_t first_of_partners = 0;  ///< pairs: index in axes_ of the first axis that is paired with `axis`
  };

  /// The attributes of one axis.
  struct AxisTuple {
    const Cell* cell = nullptr;
    std::int64_t output = 0;  ///< size in the output shape; 0: no output shape
    std::int64_t pads = 0;    ///< 0: no pads; else 1 + pads_begin * (bounds.pad + 1) + pads_end
    AutoPadClass auto_pad = AutoPadClass::kAbsent;

    /// Whether one operator can have both axes. An attribute is given for all axes or is absent.
    bool IsCompatibleWith(const AxisTuple& other) const {
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
  std::vector<ResolvedAxis> axes_;  ///< sweeps of axes and pairs
  std::optional<DenseOperators> dense_;
  std::uint64_t count_ = 0;
  std::uint64_t tuples_ = 0;  ///< planes alone: the number of axis tuples from which planes are drawn
};

/// A case that stands for the sweep: its first valid operator, and the sweep itself.
Case CaseOf(const Sweep& sweep);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_SWEEP_CASES_H_
