// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells whether a failing case may have the same defect as a minimized case, from which everything was removed that the
// failure does not need. What is left are the features that the defect needs. So a case without one of these features
// fails by another defect.

#ifndef DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_
#define DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_

#include "conformance/case/case.h"

namespace fuzz {

/// Whether `test_case` has all features of the minimized case. Its sizes, strides, dilations, pads, output_padding and
/// groups must be at least as large, in any order of the axes. It must have an output shape if the minimized case has
/// one, and the same auto_pad unless that is explicit or absent. It must have an empty tensor if the minimized case has
/// one.
/// Example: a minimized case with strides 1,4 needs a stride of at least 4 on some axis.
bool HasFeaturesOf(const conformance::Case& minimized, const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_
