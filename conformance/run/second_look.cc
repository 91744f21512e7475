// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the limits of a second look, and writes its message. A second look is a second try of a case, with a longer
// time limit, on a backend that still computed at the usual limit.

#include "conformance/run/second_look.h"

#include <utility>

#include <fmt/format.h>

namespace conformance {
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
