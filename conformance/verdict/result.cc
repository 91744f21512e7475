// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets a case together with its text line, and finds a case's result in a list by binary search.

#include "conformance/verdict/result.h"

#include <algorithm>
#include <utility>

namespace conformance {

void JudgedCase::Set(Case judged) {
  line = ToLine(judged);
  test_case = std::make_shared<const Case>(std::move(judged));
}

const CaseResult* ResultAt(std::span<const CaseResult> results, std::size_t case_index) {
  const auto found = std::ranges::lower_bound(results, case_index, {}, CaseIndexOf);
  return found != results.end() && CaseIndexOf(*found) == case_index ? &*found : nullptr;
}

}  // namespace conformance
