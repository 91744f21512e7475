// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the results of a run by status, and the right answers that show conformance. Refusals and empty outputs
// show nothing, because a backend that computes nothing could give them too.

#include "conformance/run/run_record.h"

namespace conformance {

Tally TallyOf(const RunRecord& record) {
  Tally tally;
  for (const CaseResult& result : record.results) {
    switch (result.verdict.status) {
      case Status::kPass:
        ++tally.passed;
        tally.answers += record.replay || (!result.answer.refused && result.outputs.count != 0) ? 1 : 0;
        break;
      case Status::kImprecise:
        ++tally.imprecise;
        ++tally.answers;
        break;
      case Status::kVacuous:
        ++tally.vacuous;
        tally.answers += record.replay ? 1 : 0;
        break;
      case Status::kFail:
        ++tally.failed;
        tally.expected += result.verdict.IsKnownFailure() ? 1 : 0;
        tally.suite_errors +=
            result.verdict.IsNewFailure() && result.verdict.failure == FailureClass::kSuiteError ? 1 : 0;
        break;
      case Status::kUndeclared:
        ++tally.undeclared;
        break;
      case Status::kUnsupported:
        ++tally.unsupported;
        break;
      case Status::kTooLarge:
        ++tally.too_large;
        break;
      case Status::kUndefined:
        ++tally.undefined;
        break;
      case Status::kNotJudged:
        ++tally.not_judged;
        break;
      case Status::kInapplicable:
        ++tally.inapplicable;
        break;
      case Status::kSkippedAfterHangs:
        ++tally.skipped_after_hangs;
        break;
    }
  }
  return tally;
}

}  // namespace conformance
