// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of cases that the filters of GoogleTest and other tools accept. In a filter, '-' starts the excluded tests.

#ifndef DECONV_CONFORMANCE_CLI_GTEST_GTEST_NAME_H_
#define DECONV_CONFORMANCE_CLI_GTEST_GTEST_NAME_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

/// "spec-examples" becomes "spec_examples": whatever is no letter or digit becomes '_'.
std::string TestWord(std::string_view name);

/// A test's name for each case: its own as TestWord() has it, with a number behind it where an earlier case of its
/// suite took that already.
std::vector<std::string> TestNames(const std::vector<SuiteCase>& case_list);

/// Whether --gtest_filter may let through a test of the suite; if not, its cases need not be made.
bool MayMatch(std::string_view filter, std::string_view suite);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_GTEST_GTEST_NAME_H_
