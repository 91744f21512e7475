// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The causes of a run's failures as text.

#ifndef DECONV_CONFORMANCE_REPORT_CAUSES_TEXT_H_
#define DECONV_CONFORMANCE_REPORT_CAUSES_TEXT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/failure_causes.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// "2 for 14 failures (14 run again, 1.2 s)", or why there are none.
std::string CausesHeadline(const FailureCauses& causes);

/// The sentences behind a cause's title: its details, and how many of its failures are presumed.
std::vector<std::string> CauseNotes(const Cause& cause);

/// "causes: ..." and a few lines for each, to be printed behind a run's failures.
std::string CausesText(const FailureCauses& causes, std::span<const CaseResult> results, std::string_view backend);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_CAUSES_TEXT_H_
