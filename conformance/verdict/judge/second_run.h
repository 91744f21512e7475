// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The second run of a case. Before each run the output is filled with a poison: a byte that shows whether an output was
// written. The second run uses another poison. Its buffers begin behind a guard page (inaccessible memory), those of
// the first run end before one. After a right first run it finds results that vary. After a wrong first run it finds
// outputs that keep their old contents or add to them. The refusal of an open operator is repeated, too.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_SECOND_RUN_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_SECOND_RUN_H_

#include "conformance/verdict/judge/case_trial.h"

namespace conformance {

/// Whether the backend promises equal bits for two runs, with equal or with other numbers of threads.
bool PromisesSameBits(const Capabilities& declared, bool other_threads);

/// Repeats a right first run. A backend that can be asked for a number of threads is asked for another number.
void CheckRepeatedRun(CaseTrial& trial);

/// Sets the failure of a backend that computed an open operator in one run and refused it in the other.
void FailOnOtherChoice(CaseTrial& trial);

/// Repeats a first run in which the backend refused an open operator: it must refuse the operator again.
void RepeatRefusal(CaseTrial& trial);

/// Repeats a wrong first run if the old contents of the buffer may explain its first wrong output. The second run
/// starts with other contents. If the wrong output follows them, the verdict names this fault.
void CheckForOldContents(CaseTrial& trial);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_SECOND_RUN_H_
