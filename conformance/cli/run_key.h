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

/// The key depends on the suite, the case list, the limits, and the current files of the backends. It does not depend
/// on files that the command of a backend reads but does not name.
std::string KeyOf(const RunArguments& arguments, const std::vector<SuiteCase>& case_list, const Shard& shard);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_RUN_KEY_H_
