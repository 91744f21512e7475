// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes exact sums when they are needed. Keeps the sums of one slab, which is a run of neighbouring outputs.

#ifndef DECONV_CONFORMANCE_VERDICT_SLAB_OF_SUMS_H_
#define DECONV_CONFORMANCE_VERDICT_SLAB_OF_SUMS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/evaluate.h"

namespace conformance {

class SlabOfSums {
 public:
  explicit SlabOfSums(oracle::Operands operands) : operands_(std::move(operands)) {}

  const oracle::Operands& operands() const { return operands_; }
  /// The sum of the output with the flat index `flat`. It is valid until the next call.
  const oracle::FloatSum& At(std::int64_t flat) {
    constexpr std::int64_t kSlab = 1 << 12;  // outputs whose sums are computed together; a guess
    if (flat < held_.begin || flat >= held_.begin + held_.count) {
      held_.begin = flat - flat % kSlab;
      held_.count = std::min(kSlab, operands_.geometry().OutputCount() - held_.begin);
      sums_.resize(static_cast<std::size_t>(held_.count));
      oracle::Gather(operands_, held_, sums_);
    }
    return sums_[static_cast<std::size_t>(flat - held_.begin)];
  }

 private:
  oracle::Operands operands_;
  std::vector<oracle::FloatSum> sums_;
  oracle::OutputRange held_;  ///< the outputs of `sums_`
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_SLAB_OF_SUMS_H_
