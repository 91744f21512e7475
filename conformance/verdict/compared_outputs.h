// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of comparing a backend's outputs with the oracle's: the number of wrong outputs, the first of them, their
// positions, and how near the right outputs are to the error bound.

#ifndef DECONV_CONFORMANCE_VERDICT_COMPARED_OUTPUTS_H_
#define DECONV_CONFORMANCE_VERDICT_COMPARED_OUTPUTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/operator.h"

namespace conformance {

/// The first output that is wrong, or imprecise.
struct WrongOutput {
  oracle::Dims coordinate;  ///< coordinate in the operator's layout
  std::string expected;
  std::string got;
  double error = 0;  ///< distance to the exact sum
  double bound = 0;  ///< largest error that was allowed
  std::int64_t taps = 0;
  double probable = 0;  ///< imprecise outputs: OutputJudgement::probable
};

/// The counts of wrong outputs on a grid. The grid covers the plane of the last two spatial axes in which the first
/// wrong output lies. A large plane is made coarser, so that a grid has at most 24 x 48 cells
/// (conformance/verdict/picture.h).
struct WrongGrid {
  oracle::Dims plane;        ///< the first wrong coordinate; its entries at the grid's axes mean nothing
  std::size_t row_axis = 0;  ///< axis of the output's dims; with one spatial axis equal to column_axis, and rows is 1
  std::size_t column_axis = 0;
  std::int64_t rows = 0;  ///< outputs
  std::int64_t columns = 0;
  std::int64_t row_step = 1;  ///< outputs a cell
  std::int64_t column_step = 1;
  std::vector<std::uint32_t> wrong;  ///< wrong outputs of each cell, row after row

  std::int64_t CellRows() const { return (rows + row_step - 1) / row_step; }
  std::int64_t CellColumns() const { return (columns + column_step - 1) / column_step; }
};

/// The tolerance that a test |y - s| <= atol + rtol * |s| would have needed to accept the finite outputs of a floating
/// type. y is an output, s its exact sum. An output cancels if |s| is below half the sum of its products' magnitudes,
/// or below the smallest normal number; its rtol would be meaningless. An output whose products are all 0 does not
/// cancel. Each atol is divided by the case's largest |s|, so that cases with large and small values can be compared.
struct NeededTolerance {
  oracle::ElementType type = oracle::ElementType::kF32;
  double rtol = 0;              ///< with atol 0: the largest |y - s| / |s| of outputs that do not cancel
  double atol = 0;              ///< with rtol 0: the largest |y - s| of all outputs, divided by the largest |s|
  double atol_beside = 0;       ///< with rtol 2 units in the last place: the atol needed in addition, divided likewise
  double ulps = 0;              ///< distance of y from s rounded to nearest, of outputs that do not cancel
  std::int64_t outputs = 0;     ///< outputs that were counted: finite outputs with a finite exact sum
  std::int64_t cancelling = 0;  ///< how many of these outputs cancel

  /// Extends this tolerance so that it also accepts the outputs of `other`.
  void Include(const NeededTolerance& other);
};

/// The comparison of a case's outputs with the oracle's sums. A comparison or a judge fills in what it measures.
struct ComparedOutputs {
  std::int64_t count = 0;
  std::int64_t wrong = 0;
  double largest_error = 0;  ///< largest error of the wrong outputs
  std::optional<WrongOutput> first_wrong;
  std::optional<WrongGrid> wrong_grid;  ///< set with first_wrong, if the case was judged by the oracle's values
  std::int64_t imprecise = 0;           ///< right outputs with an improbably large error (conformance/verdict/bound.md)
  std::optional<WrongOutput> first_imprecise;
  double worst_ratio = 0;    ///< largest OutputJudgement::ratio of a right output
  std::int64_t excused = 0;  ///< outputs explained by a deviation that the backend declares; not counted as wrong
  std::int64_t negative_zero_gaps = 0;    ///< outputs of floating types without products that are -0.0, which is right
  std::optional<NeededTolerance> needed;  ///< set for floating types; absent where no output was compared
};

/// "[0,3,17,5]"
inline std::string DimsText(const oracle::Dims& dims) {
  std::string text;
  for (const std::int64_t dim : dims) text += (text.empty() ? "" : ",") + std::to_string(dim);
  return "[" + text + "]";
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_COMPARED_OUTPUTS_H_
