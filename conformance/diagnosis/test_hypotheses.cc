// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes cases around the failures, and compares what each hypothesis and the backend do on them.

#include "conformance/diagnosis/test_hypotheses.h"

#include <algorithm>
#include <utility>

#include "conformance/diagnosis/conditions/pool.h"
#include "conformance/diagnosis/known_cases.h"

namespace conformance {
namespace {

// New cases on each side. A budget of few questions allows fewer.
constexpr std::size_t kNewCases = 20;
constexpr std::uint64_t kSeedOfTest = 7;

void Compare(const Trial& trial, bool failed, Evidence& evidence, Candidate& candidate) {
  if (candidate.refuted) return;
  if (!candidate.fails) return candidate.tested.Add(false, failed);
  Hypothesis& hypothesis = evidence.hypothesis(candidate.hypothesis);
  const bool same = failed && ReproductionOf(trial, hypothesis, evidence.declared()) != Likeness::kNone;
  candidate.tested.Add(true, same);
  candidate.refuted = !failed || candidate.tested.inside_failed + 1 < candidate.tested.inside;
}

}  // namespace

void TestOnNewCases(std::span<const KnownCase> known, const TestMeans& means, std::vector<Candidate>& candidates) {
  Evidence& evidence = means.evidence;
  QuestionBudget& budget = means.budget;
  const Capabilities& declared = evidence.declared();
  const std::size_t each_side = std::min(kNewCases, budget.questions / 32);
  const std::vector<ResolvedCase> cases = ResolvedCases(known);
  if (cases.empty()) return;
  Pool pool(cases, {.plain = PlainIsEnough(cases), .declared = declared, .seed = kSeedOfTest});
  std::vector<std::size_t> failing;
  for (std::size_t i = 0; i < pool.rows().size(); ++i) {
    if (pool.rows()[i].fails) failing.push_back(i);
  }
  if (failing.empty()) return;
  std::size_t separating = 0;
  for (std::size_t tries = 0; tries < 200 * each_side && budget.left() > 0; ++tries) {
    const auto first = std::ranges::find(candidates, false, &Candidate::refuted);
    if (first == candidates.end()) return;
    const bool enough = first->tested.inside >= each_side && first->tested.outside >= each_side;
    const bool alone = std::ranges::count(candidates, false, &Candidate::refuted) == 1;
    if (enough && (alone || separating == each_side)) return;
    auto row = pool.Make(pool.Parent(failing), false);
    auto prepared = row ? PrepareCase(row->test_case, declared) : nullptr;
    if (prepared == nullptr) continue;
    bool differ = false;
    for (Candidate& candidate : candidates) {
      if (candidate.refuted) continue;
      Hypothesis& hypothesis = evidence.hypothesis(candidate.hypothesis);
      candidate.fails = !IsRight(*prepared, hypothesis.Run(*prepared, kFirstPoison), declared);
      differ = differ || candidate.fails != first->fails;
    }
    const bool full = (first->fails ? first->tested.inside : first->tested.outside) >= each_side;
    if ((full && (!differ || separating == each_side)) || !budget.Ask()) continue;
    separating += full ? 1 : 0;
    SuiteCase suite_case;
    suite_case.test_case = row->test_case;
    Behaviour behaviour = means.judge.Observe(suite_case);
    const auto failed = FailsOf(behaviour.verdict);
    if (!failed || budget.interrupted()) continue;
    const Trial trial = TrialOf(0, std::move(prepared), std::move(behaviour), declared);
    for (Candidate& candidate : candidates) Compare(trial, *failed, evidence, candidate);
  }
}

}  // namespace conformance
