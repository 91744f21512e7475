// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the fuzz target of campaigns, which judges a case and writes findings to a file. settings.h lists the
// environment variables that change it.

#ifndef DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_
#define DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_

#include "fuzz/cases/case_input.h"

namespace fuzz {

/// Judges the case of the input on the backend that the settings name. Writes a finding to the file that the settings
/// name, if KeptFindings keeps it (kept_findings.h). Without such a file, aborts at a finding. Returns 0, or
/// kNoCase if the input is no case or too large a case (case_input.h).
/// A program with this target can start itself again as a worker process for the backend.
int JudgeInputOfCampaign(Input input);

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_
