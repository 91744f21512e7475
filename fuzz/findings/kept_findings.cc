// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which failing cases of a campaign are kept. The checks run in the order of their cost: first known failures
// and duplicates, then kinds and features, then causes.

#include "fuzz/findings/kept_findings.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/failure_signature.h"
#include "oracle/resolve.h"

namespace fuzz {
namespace {

using conformance::Case;
using conformance::FailureClass;

// The most case lines (cases as text) that are remembered to find duplicates; a line has some hundred bytes. When there
// are more, all are forgotten: the search has moved on to other cases.
constexpr std::size_t kMostLines = 100'000;

}  // namespace

conformance::CaseResult FailedResultOf(const Case& test_case, FailureClass failure,
                                       const conformance::Capabilities& declared) {
  conformance::CaseResult result;
  result.origin.suite = "fuzz";
  result.origin.name = "input";
  result.judged.Set(test_case);
  result.verdict.status = conformance::Status::kFail;
  result.verdict.failure = failure;
  const auto dialect = declared.JudgingDialect(test_case.op, test_case.EffectiveDialect());
  if (!dialect) return result;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, *dialect);
  if (resolution.refusal) {
    result.judged.clauses.emplace_back(resolution.refusal->clause);
  } else {
    for (const oracle::Step& step : resolution.steps) result.judged.clauses.emplace_back(step.clause);
  }
  return result;
}

/// Whether the case was met before. Remembers it.
bool KeptFindings::IsDuplicate(const Case& test_case) {
  if (lines_.size() >= kMostLines) lines_.clear();
  return !lines_.insert(ToLine(test_case)).second;
}

bool KeptFindings::IsExpected(const Case& test_case, const JudgedInput& judged) const {
  if (expected_.empty()) return false;
  conformance::CaseResult result = FailedResultOf(test_case, judged.finding->failure, judge_.declared());
  result.outputs = judged.behaviour.verdict.outputs;
  MarkExpected(expected_, result);
  return !result.verdict.known_failure.empty();
}

/// Whether the last marked case (MarkFeatures) has a feature that no failing case had before. Remembers its features.
bool KeptFindings::AddsFeature() {
  bool adds = false;
  const auto& marked = MarkedFeatures();
  for (std::size_t feature = 0; feature < marked.size(); ++feature) {
    if (marked[feature] == 0 || features_[feature]) continue;
    features_.set(feature);
    adds = true;
  }
  return adds;
}

/// Counts a failing case that is not kept. `reason` is the member of NotKept to increase.
void KeptFindings::Count(std::uint64_t NotKept::* reason) {
  NotKept one;
  one.*reason = 1;
  not_kept_ += one;
  NoteDiscarded(one);
}

std::vector<KeptFindings::Kept> KeptFindings::Add(const Case& test_case, const JudgedInput& judged) {
  if (!judged.finding) {
    explanations_.NotePassed(test_case);
    return {};
  }
  const Finding& finding = *judged.finding;
  if (IsExpected(test_case, judged)) {
    Count(&NotKept::expected);
    return {};
  }
  if (IsDuplicate(test_case)) {
    Count(&NotKept::duplicates);
    return {};
  }
  // Does the case belong to the first ones of its kind, or have a new feature?
  const bool is_valid = judge_.IsValid(test_case);
  Kind& kind =
      kinds_[is_valid ? fmt::format("{} {} {}", static_cast<int>(finding.failure), static_cast<int>(test_case.op.kind),
                                    static_cast<int>(test_case.op.data.type))
                      : conformance::PatternOf(finding.text)];
  const bool is_first = ++kind.cases <= kFirstOfKind;
  const bool by_feature = AddsFeature() && is_valid && kind.by_feature < kMostByFeature;
  // Does a known cause explain it? Hangs are not compared with causes: each run would take the whole time limit.
  std::vector<Kept> kept;
  auto answer = Explanations::Answer::kExplained;
  if (is_valid && finding.failure != FailureClass::kHang) {
    std::optional<Case> smaller;
    answer = kind.unexplained < kMostUnexplained ? explanations_.ExplainOrLearn(test_case, judged, smaller)
                                                 : Explanations::Answer::kNoTime;
    if (smaller && !IsDuplicate(*smaller)) {
      JudgedInput of_smaller = judge_.JudgeAgain(*smaller);
      if (of_smaller.finding && !IsExpected(*smaller, of_smaller)) {
        kept.push_back({*smaller, *std::move(of_smaller.finding), true});
      }
    }
  }
  // Keep or count the case.
  const bool unexplained = answer == Explanations::Answer::kNew;
  kind.unexplained += unexplained ? 1 : 0;
  if (!is_first && by_feature && !unexplained) ++kind.by_feature;
  if (is_first || by_feature || unexplained) {
    kept.push_back({test_case, finding, unexplained});
  } else {
    Count(answer == Explanations::Answer::kNoTime ? &NotKept::untried : &NotKept::explained);
  }
  return kept;
}

}  // namespace fuzz
