// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the fuzz target of campaigns. A campaign searches a backend for wrong answers by letting libFuzzer make
// inputs, and the target is the function that gets each input: it judges the input's case and writes wrong answers
// ("findings") to a file. settings.h lists the environment variables that change it.

#ifndef DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_
#define DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_

#include "fuzz/cases/case_input.h"

namespace fuzz {

/// Judges the input's case on the backend that the settings name. If the settings name a file of findings, writes those
/// findings to it that KeptFindings keeps (kept_findings.h). Without such a file, aborts at a finding. Returns 0, or
/// kNoCase if the input is no case or too large a case (case_input.h).
/// A program with this target may start itself a second time as a worker, a process that runs the backend.
int JudgeInputOfCampaign(Input input);

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_CAMPAIGN_TARGET_H_
