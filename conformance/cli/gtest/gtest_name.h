// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes names of cases that the filters of GoogleTest and other tools accept. In a filter, '-' begins the list of
// excluded tests.

#ifndef DECONV_CONFORMANCE_CLI_GTEST_GTEST_NAME_H_
#define DECONV_CONFORMANCE_CLI_GTEST_GTEST_NAME_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

/// Replaces every character that is no letter or digit by '_': "spec-examples" becomes "spec_examples".
std::string TestWord(std::string_view name);

/// The name of a test for each case: TestWord() of the case's name. If an earlier case of the suite has the same name,
/// a number is added.
std::vector<std::string> TestNames(const std::vector<SuiteCase>& case_list);

/// Whether --gtest_filter may select a test of the suite. If not, the cases of the suite need not be generated.
bool MayMatch(std::string_view filter, std::string_view suite);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_GTEST_GTEST_NAME_H_
