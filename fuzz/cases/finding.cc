// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes findings (reports of wrong answers) from failures, and formats the text that a fuzzer prints for a finding.

#include "fuzz/cases/finding.h"

namespace fuzz {

Finding MakeFinding(conformance::FailureClass failure, std::string_view details) {
  return {failure, std::string(conformance::FailureClassNameOf(failure)) + ": " + std::string(details)};
}

std::optional<Finding> FindingOfFailure(const std::optional<conformance::AnswerFailure>& failure) {
  if (!failure) return std::nullopt;
  return MakeFinding(failure->failure, failure->message);
}

std::string FindingText(const Finding& finding, const conformance::Case& test_case, const std::string& backend_name) {
  const std::string line = ToLine(test_case);
  return finding.text + "\ncase: " + line + "\nreplay: deconv-cts replay --backend " + backend_name + " " + line + "\n";
}

}  // namespace fuzz
