// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// JUnit XML, as CI systems show it: a testsuite for each backend and suite, a testcase for each case.

#ifndef DECONV_CONFORMANCE_REPORT_JUNIT_H_
#define DECONV_CONFORMANCE_REPORT_JUNIT_H_

#include <span>
#include <string>

#include "conformance/runner.h"

namespace conformance {

std::string JunitReport(std::span<const RunRecord> runs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_JUNIT_H_
