// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The key of a run: a hash of all inputs that determine its verdicts. --resume continues a run from its journal only if
// both runs have the same key.

#ifndef DECONV_CONFORMANCE_CLI_RUN_KEY_H_
#define DECONV_CONFORMANCE_CLI_RUN_KEY_H_

#include <string>
#include <vector>

#include "conformance/cli/run_arguments.h"

namespace conformance {

/// Returns the key. It depends on the suite, the case list, the limits, and the current files of the backends and of
/// the cases' values. It does not depend on files that the command of a backend reads but does not name.
std::string KeyOf(const RunArguments& arguments, const std::vector<SuiteCase>& case_list, const Shard& shard);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_RUN_KEY_H_
