// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the outputs that zero insertion makes NaN. An implementation may insert structural zeros: between and around
// the data elements, or between the filter taps. If it multiplies these zeros, a NaN or infinite operand times 0 gives
// NaN (clause V2).

#ifndef DECONV_CONFORMANCE_VERDICT_STRUCTURAL_ZERO_H_
#define DECONV_CONFORMANCE_VERDICT_STRUCTURAL_ZERO_H_

#include <cstdint>
#include <vector>

#include "oracle/evaluate.h"

namespace conformance {

class StructuralZeros {
 public:
  /// Stores the positions of NaN and infinite operands. Integers have none.
  explicit StructuralZeros(const oracle::Operands& operands);

  /// Whether a dense loop with inserted zeros multiplies one of these operands by a zero of padding, stride or dilation
  /// for the output at `coordinate` (in the operator's layout).
  bool OverlapsSpecial(const oracle::Dims& coordinate) const;

 private:
  struct SpecialTap {
    std::int64_t channel;  ///< channel of the output, counted over all groups
    oracle::Dims at;       ///< position in the kernel
  };
  struct SpecialData {
    std::int64_t batch;
    std::int64_t group;
    oracle::Dims at;
  };
  bool OverlapsZero(const SpecialTap& tap, const oracle::Dims& output) const;
  bool OverlapsZero(const SpecialData& data, const oracle::Dims& output) const;

  oracle::Geometry geometry_;
  std::vector<SpecialTap> taps_;
  std::vector<SpecialData> data_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_STRUCTURAL_ZERO_H_
