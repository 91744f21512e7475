// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts hangs by kind of case (suite and operator), and decides which cases are left out after too many hangs. Chooses
// the limits of a second look, and writes its message.

#include "conformance/run/hang_limit.h"

#include <utility>

#include <fmt/format.h>

namespace conformance {

void HangLimit::CountHang(const SuiteCase& suite_case) {
  const std::lock_guard lock(mutex_);
  ++hangs_;
  Kind& kind = kinds_[KeyOf(suite_case)];
  ++kind.hangs;
  if (kind.asked != 0) ++kind.sample_hangs;
}

bool HangLimit::AllowsSecondLook() {
  const std::lock_guard lock(mutex_);
  return most_ == 0 || second_looks_++ < most_;
}

bool HangLimit::ShouldSkip(const SuiteCase& suite_case) {
  const std::lock_guard lock(mutex_);
  // The steps of the class comment: hangs_ reaches most_, 2 * most_ and 3 * most_.
  if (most_ == 0 || hangs_ < most_) return false;
  Kind& kind = kinds_[KeyOf(suite_case)];
  if (kind.hangs == 0 && hangs_ / 2 < most_) return false;
  const bool in_sample = kind.asked++ % kSampleStep == kFirstOfSample;  // calls 2, 22, 42, ... from 0
  return !in_sample || kind.sample_hangs >= kMostSampleHangs || hangs_ / 3 >= most_;
}

std::string HangLimit::ReasonFor(const SuiteCase& suite_case) const {
  return fmt::format(
      "the run had hung {} times or more, and of {} in suite {} only a sample was run then (--max-hangs changes the "
      "limit)",
      most_, oracle::OperatorKindName(suite_case.test_case.op.kind), suite_case.suite);
}

namespace {

// The factor by which a second look extends limits. The usual limit of 10 s grows to a minute, which is long for a
// compiler of one operator. The ten second looks of a run (--max-hangs) cost ten minutes at most.
constexpr double kPatience = 6;

}  // namespace

bool NeedsSecondLook(const CaseResult& first, HangLimit& limit) {
  return first.verdict.failure == FailureClass::kHang && first.verdict.facts.still_computing &&
         limit.AllowsSecondLook();
}

JudgeLimits LimitsOfSecondLook(JudgeLimits limits) {
  limits.patience *= kPatience;
  return limits;
}

CaseResult VerdictOfSecondLook(const CaseResult& first, CaseResult second) {
  const std::string look = fmt::format("with {:g} times the time limit", kPatience);
  if (second.verdict.failure == FailureClass::kHang) {
    second.verdict.message += fmt::format("; this was the second look, {}", look);
  } else {
    second.verdict.message += fmt::format("{}slow: judged again {}, because at first: {}",
                                          second.verdict.message.empty() ? "" : "; ", look, first.verdict.message);
  }
  return second;
}

}  // namespace conformance
