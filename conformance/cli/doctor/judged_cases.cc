// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the verdicts of one step of `deconv-cts doctor`, and writes the counts and the first failure as a sentence.

#include "conformance/cli/doctor/judged_cases.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cli/doctor/advice.h"

namespace conformance {

std::string NamesText(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 12;
  const std::vector<std::string_view> shown(names.begin(), names.begin() + std::min(names.size(), kShown));
  return fmt::format("{}{}", fmt::join(shown, "; "),
                     names.size() == shown.size() ? "" : fmt::format("; and {} more", names.size() - shown.size()));
}

void JudgedCases::Add(const SuiteCase& suite_case, CaseResult result) {
  if (result.verdict.status == Status::kFail) {
    if (failures_.empty()) first_failure_ = results_.size();
    failures_.push_back(&suite_case);
    failed_.push_back(results_.size());
  } else if (IsRight(result.verdict.status)) {
    ++right_;
  } else {
    (result.verdict.status == Status::kUnsupported ? unsupported_ : undeclared_).push_back(suite_case.name);
  }
  results_.push_back(std::move(result));
}

std::vector<const SuiteCase*> JudgedCases::PossibleLimitFailures() const {
  std::vector<const SuiteCase*> cases;
  for (std::size_t i = 0; i < failures_.size(); ++i) {
    const FailureClass failure = results_[failed_[i]].verdict.failure;
    // A library may end or hang where it should refuse.
    const bool died = failure == FailureClass::kCrash || failure == FailureClass::kHang;
    if (died || MayBeUndeclaredLimit(failure)) cases.push_back(failures_[i]);
  }
  return cases;
}

std::string JudgedCases::Text(std::string_view what, bool names_rest) const {
  const auto names = [&](const std::vector<std::string_view>& left) {
    return names_rest ? ": " + NamesText(left) : std::string();
  };
  std::string text =
      failures_.empty()
          ? fmt::format("{} {}", right_, what)
          : fmt::format("{} of {} fail; {}: {}: {}", failures_.size(), results_.size(), failures_.front()->name,
                        FailureClassNameOf(first_failure().verdict.failure), first_failure().verdict.message);
  if (!failures_.empty() && !names_rest) return text;
  if (!undeclared_.empty()) {
    text += fmt::format("; {} lie outside the declared capabilities{}", undeclared_.size(), names(undeclared_));
  }
  if (!unsupported_.empty()) {
    text += fmt::format("; {} are not supported, as the backend says{}", unsupported_.size(), names(unsupported_));
  }
  if (!undefined_.empty()) {
    text += fmt::format("; {} are not defined by the declared dialects{}", undefined_.size(), names(undefined_));
  }
  return text;
}

std::string JudgedCases::OtherFailures() const {
  std::vector<std::string_view> names;
  for (std::size_t i = 1; i < failures_.size(); ++i) names.emplace_back(failures_[i]->name);
  return names.empty() ? "" : "these fail too: " + NamesText(names);
}

}  // namespace conformance
