// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The operators of a dense sweep, that is a case which stands for many small operators. A dense sweep fixes one kernel
// and one stride, and takes every combination of batches, layouts, channels and sizes with them. In a further dimension
// of the combinations, the kernel or the stride of one axis is larger by 1. The suite judges thousands of such small
// operators in a second.

#ifndef DECONV_CONFORMANCE_CASE_DENSE_OPERATORS_H_
#define DECONV_CONFORMANCE_CASE_DENSE_OPERATORS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/operator_draft.h"

namespace conformance {

/// Limits of a dense sweep's fields.
inline constexpr std::int64_t kMostDenseAxes = 3;
inline constexpr std::int64_t kMostDenseExtent = 16;  ///< largest kernel and stride
inline constexpr std::int64_t kMostDenseTaps = 128;   ///< largest kernel^axes, and largest stride^axes

/// The most multiply-adds of an operator. A combination, which includes the size along the last axis, is left out if it
/// has more even with data of size 1 along all other axes.
inline constexpr std::int64_t kMostDenseProducts = 3072;

/// The largest size of data along the last axis. The sizes along the other axes are drawn: from 1 to 3 for operators
/// with two axes, from 1 to 2 for operators with three.
inline constexpr std::int64_t kMostDenseSize = 9;

class DenseOperators {
 public:
  /// `sweep.of` must be kDense.
  explicit DenseOperators(const Sweep& sweep);

  std::uint64_t count() const { return rows_.size(); }
  /// Writes operator `number` of 0 to count() - 1 and its data set into `into`. Dilation, pads, output size and data
  /// set are pseudo-random functions of `number`: over the sweep, each value of the other fields occurs with each of
  /// them. If the drawn operator is invalid or open (the specification does not define it), `into` gets it without pads
  /// and output shape.
  void Get(std::uint64_t number, Case& into) const;

 private:
  struct Row {
    std::uint8_t axis_pattern = 0;  ///< which axis has a larger kernel or stride
    std::uint8_t batch = 1;
    std::uint8_t layout = 0;    ///< index of a pair of data format and weights format
    std::uint8_t channels = 0;  ///< index into the channel counts that the kind of operator allows
    std::uint8_t size = 1;      ///< of data along the last axis
  };

  OperatorDraft DraftOf(const Row& row, std::uint64_t key) const;

  Sweep sweep_;
  std::vector<Row> rows_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_DENSE_OPERATORS_H_
