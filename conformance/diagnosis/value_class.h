// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of defect that the wrong values of one failure show: how sums are rounded, whether subnormal numbers are
// flushed, and what overflow gives.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_VALUE_CLASS_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_VALUE_CLASS_H_

#include <string_view>

#include "conformance/diagnosis/likeness.h"

namespace conformance {

/// The class that nearly all wrong outputs of a failure of a floating type show, or "". N1: they are neighbours of the
/// right ones. E1: they are neighbours, and all nearer to zero. N3: the right ones are subnormal. N2: infinities take
/// the place of finite numbers or the reverse, or outputs without a product hold the number next to zero.
std::string_view ClassOfValues(const Trial& trial);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_VALUE_CLASS_H_
