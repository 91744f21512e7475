// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The key of a run: a hash of all inputs from which its verdicts follow. --resume takes up a journal only if the keys
// are equal.

#ifndef DECONV_CONFORMANCE_CLI_RUN_KEY_H_
#define DECONV_CONFORMANCE_CLI_RUN_KEY_H_

#include <string>
#include <vector>

#include "conformance/cli/run_arguments.h"

namespace conformance {

/// Covers the suite, the case list, the limits, and the backends' files as they are now. Files that a command reads
/// without naming them are not covered.
std::string KeyOf(const RunArguments& arguments, const std::vector<SuiteCase>& case_list, const Shard& shard);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_RUN_KEY_H_
