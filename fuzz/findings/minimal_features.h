// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Separates several defects that no planted fault explains, by the features that their minimized cases cannot lose.

#ifndef DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_
#define DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_

#include "conformance/case/case.h"

namespace fuzz {

/// Whether a case has all that a minimized case has beyond the plainest case: sizes, strides, dilations, pads,
/// output_padding and groups at least as large, in any order of the axes, and the same inputs and attributes. If not,
/// the case fails for another reason; if so, the reason may be the same.
bool HasFeaturesOf(const conformance::Case& minimized, const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_
