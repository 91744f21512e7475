// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes a finding: what a fuzz target reports if the backend under test answers a case wrongly. It has the class of
// the failure and a text that names the wrong answer.

#ifndef DECONV_FUZZ_CASES_FINDING_H_
#define DECONV_FUZZ_CASES_FINDING_H_

#include <optional>
#include <string>
#include <string_view>

#include "conformance/case/case.h"
#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/result.h"

namespace fuzz {

/// A wrong answer of a backend, or the end of its process.
struct Finding {
  conformance::FailureClass failure = conformance::FailureClass::kNone;
  std::string text;  ///< "wrong-value: output [0,0,3]: expected 4, got 5 ..."
};

/// Makes a finding with the text "CLASS: DETAILS".
Finding MakeFinding(conformance::FailureClass failure, std::string_view details);
/// The finding for a failure of the comparison with the oracle, the reference implementation; nothing if there is no
/// failure.
std::optional<Finding> FindingOfFailure(const std::optional<conformance::AnswerFailure>& failure);

/// The text that a fuzzer prints before it aborts: the finding, the case as one line of text, and the command that
/// shows the finding again on the backend `backend_name`.
std::string FindingText(const Finding& finding, const conformance::Case& test_case, const std::string& backend_name);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_FINDING_H_
