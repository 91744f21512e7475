// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges outputs of a backend that declares clamped infinities, where an operand is infinite. A library may convert its
// operands to another type and clamp them then. An infinity of the data, of the filter, or of both counts as the
// largest finite number of its sign. So zero times infinity becomes 0, and not NaN.

#ifndef DECONV_CONFORMANCE_VERDICT_CLAMPED_OPERANDS_H_
#define DECONV_CONFORMANCE_VERDICT_CLAMPED_OPERANDS_H_

#include <cstdint>
#include <vector>

#include "conformance/verdict/bound.h"
#include "conformance/verdict/slab_of_sums.h"

namespace conformance {

class ClampedOperands {
 public:
  /// `operands` have a floating type. `arithmetic` is that of the sums of these operands.
  ClampedOperands(const oracle::Operands& operands, const Arithmetic& arithmetic);

  /// Whether the output is right for clamped operands. `bits` is the element that the backend wrote.
  bool Explains(std::uint64_t bits, std::int64_t flat);

 private:
  Arithmetic arithmetic_;
  double largest_;                   ///< the number that stands for an infinity
  std::vector<SlabOfSums> clamped_;  ///< the data alone, the filter alone, both; empty if no operand is infinite
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_CLAMPED_OPERANDS_H_
