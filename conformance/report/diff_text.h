// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The difference of two reports, as text for people and as JSON for programs.

#ifndef DECONV_CONFORMANCE_REPORT_DIFF_TEXT_H_
#define DECONV_CONFORMANCE_REPORT_DIFF_TEXT_H_

#include <string>

#include "conformance/report/diff.h"

namespace conformance {

/// For each kind of change that occurs: the number of cases, and the first of them.
std::string DiffText(const ReportDiff& diff);

/// One JSON object with every case that changed.
std::string DiffJson(const ReportDiff& diff, int exit_code);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_DIFF_TEXT_H_
