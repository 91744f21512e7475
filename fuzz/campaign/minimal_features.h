// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Separates several defects that no planted fault explains, by the features that their minimized cases cannot lose.

#ifndef DECONV_FUZZ_CAMPAIGN_MINIMAL_FEATURES_H_
#define DECONV_FUZZ_CAMPAIGN_MINIMAL_FEATURES_H_

#include "conformance/case/case.h"

namespace fuzz {

/// Whether a case has what a minimized one has beyond the plainest case: sizes, strides, dilations, pads,
/// output_padding and groups as large, in any order of the axes, and the inputs and attributes that were left. Where it
/// has not, it fails for another reason; where it has, the reason may be the same.
bool HasFeaturesOf(const conformance::Case& minimized, const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_MINIMAL_FEATURES_H_
