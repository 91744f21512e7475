// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the NaN and infinities that zero insertion would multiply: those that an implementation meets if it puts zeros
// between and around the data elements, or between the filter taps, and multiplies all of them (clause V2).

#ifndef DECONV_CONFORMANCE_VERDICT_STRUCTURAL_ZERO_H_
#define DECONV_CONFORMANCE_VERDICT_STRUCTURAL_ZERO_H_

#include "oracle/evaluate.h"

namespace conformance {

/// Whether a NaN or infinite operand would meet a zero of padding, stride or dilation on the way to the output at
/// `coordinate` (in the operator's layout), given that no product of that output has such an operand. False for
/// integers.
bool StructuralZeroMeetsSpecial(const oracle::Operands& operands, const oracle::Dims& coordinate);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_STRUCTURAL_ZERO_H_
