// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The operators of a dense sweep: the full product of shapes, batches, layouts, channels and sizes around one uniform
// kernel and stride. All of them are small, so that thousands of them are judged in a second.

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
inline constexpr std::int64_t kMostDenseTaps = 128;   ///< the product of either along all axes

/// An operator has at most so many multiply-adds. Combinations that have more, with data of 1 along all axes but the
/// last, are left out of the product.
inline constexpr std::int64_t kMostDenseProducts = 3072;

/// Sizes of data along the last axis are 1 to this. Along the other axis of two they are drawn from 1 to 3, along the
/// other two of three from 1 and 2.
inline constexpr std::int64_t kMostDenseSize = 9;

class DenseOperators {
 public:
  /// `sweep` has of=dense.
  explicit DenseOperators(const Sweep& sweep);

  std::uint64_t count() const { return rows_.size(); }
  /// The operator and its values. Dilation, pads, output size and data set are drawn by `number`, so that each factor
  /// of the product meets all of them.
  void Get(std::uint64_t number, Case& into) const;

 private:
  struct Row {
    std::uint8_t shape = 0;
    std::uint8_t batch = 1;
    std::uint8_t layout = 0;
    std::uint8_t channels = 0;  ///< index among those that the operator can have
    std::uint8_t size = 1;
  };

  OperatorDraft DraftOf(const Row& row, std::uint64_t key) const;

  Sweep sweep_;
  std::vector<Row> rows_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_DENSE_OPERATORS_H_
