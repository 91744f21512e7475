// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The target of campaigns. settings.h lists what the environment changes about it.

#ifndef DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_
#define DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_

#include "fuzz/cases/input_text.h"

namespace fuzz {

/// Judges the case of the input on the backend of the settings. A finding goes to the file of the settings, if it is
/// worth it (kept_findings.h). Without such a file it aborts. Whoever links it can run the backend in another process
/// of its own program.
int RunCampaignTarget(Input input);

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_
