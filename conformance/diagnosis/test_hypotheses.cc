// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests hypotheses (planted faults that may explain failures). It makes new cases that are similar to the failures, and
// compares each hypothesis with the backend on them.

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "conformance/diagnosis/conditions/training_set.h"
#include "conformance/diagnosis/explanation_steps.h"
#include "conformance/diagnosis/known_cases.h"

namespace conformance {
namespace {

// New cases on each side: cases that the hypothesis fails, and cases that it passes. A small budget allows fewer.
constexpr std::size_t kNewCases = 20;
constexpr std::uint64_t kSeedOfTest = 7;

/// Counts one new case for the hypothesis. Returns whether the hypothesis gives the same answer as the backend.
bool Compare(const Trial& trial, bool failed, const TestResources& resources, TestedHypothesis& tested) {
  if (tested.refuted) return false;
  if (!tested.fails) {
    tested.counts.Add(false, failed);
    return false;
  }
  Hypothesis& hypothesis = resources.evidence.hypothesis(tested.hypothesis);
  const bool same = failed && ReproductionOf(trial, hypothesis, resources.evidence.declared()) != Similarity::kNone;
  tested.counts.Add(true, same);
  const std::size_t otherwise = tested.counts.inside - tested.counts.inside_failed;
  tested.refuted = !failed || otherwise > resources.most_otherwise;
  return same;
}

}  // namespace

void TestOnNewCases(std::span<const KnownCase> known, const TestResources& resources,
                    std::vector<TestedHypothesis>& candidates) {
  Evidence& evidence = resources.evidence;
  QuestionBudget& budget = resources.budget;
  const Capabilities& declared = evidence.declared();
  const std::size_t each_side = std::min(kNewCases, budget.questions / 32);
  const std::vector<ResolvedCase> cases = ResolvedCases(known);
  if (cases.empty()) return;
  TrainingSet training_set(cases, {.plain = PlainDataSuffice(cases), .declared = declared, .seed = kSeedOfTest});
  std::vector<std::size_t> failing;
  for (std::size_t i = 0; i < training_set.rows().size(); ++i) {
    if (training_set.rows()[i].fails) failing.push_back(i);
  }
  if (failing.empty()) return;
  // An implementation that ran no known failure may be right where the others are wrong.
  std::set<std::string> implementations;
  for (const KnownCase& one : known) {
    if (one.fails && !one.implementation.empty()) implementations.insert(one.implementation);
  }
  std::size_t separating = 0, skipped = 0;
  for (std::size_t tries = 0; tries < 200 * each_side && budget.left() > 0; ++tries) {
    const auto first = std::ranges::find(candidates, false, &TestedHypothesis::refuted);
    if (first == candidates.end()) return;
    const bool enough = first->counts.inside >= each_side && first->counts.outside >= each_side;
    const bool alone = std::ranges::count(candidates, false, &TestedHypothesis::refuted) == 1;
    if (enough && (alone || separating == each_side)) return;
    auto row = training_set.Make(training_set.Parent(failing), false);
    auto prepared = row ? PrepareCase(row->test_case, declared) : nullptr;
    if (prepared == nullptr || AnyFails(resources.confirmed, *prepared, evidence)) continue;
    bool differ = false;
    for (TestedHypothesis& candidate : candidates) {
      if (candidate.refuted) continue;
      Hypothesis& hypothesis = evidence.hypothesis(candidate.hypothesis);
      candidate.fails = !IsRight(*prepared, hypothesis.Run(*prepared, kFirstPoison), declared);
      differ = differ || candidate.fails != first->fails;
    }
    const bool full = (first->fails ? first->counts.inside : first->counts.outside) >= each_side;
    if ((full && (!differ || separating == each_side)) || !budget.Ask()) continue;
    separating += full ? 1 : 0;
    SuiteCase suite_case;
    suite_case.test_case = row->test_case;
    Behaviour behaviour = resources.judge.Observe(suite_case);
    const auto failed = HasFailed(behaviour.verdict);
    if (!failed || budget.interrupted()) continue;
    const std::string& name = behaviour.verdict.answer.implementation;
    const bool is_other = !implementations.empty() && !name.empty() && !implementations.contains(name);
    if (is_other && !*failed) {
      for (TestedHypothesis& candidate : candidates) candidate.others_pass |= candidate.fails;
      if (++skipped > 2 * each_side) return;
      continue;
    }
    const Trial trial = TrialOf(0, std::move(prepared), std::move(behaviour), declared);
    bool reproduced = false;
    for (TestedHypothesis& candidate : candidates) reproduced |= Compare(trial, *failed, resources, candidate);
    // If one hypothesis gives the same answer as the backend, the hypotheses that pass the case are refuted.
    for (TestedHypothesis& candidate : candidates) candidate.refuted |= reproduced && !candidate.fails;
  }
}

bool AnyFails(const std::vector<std::size_t>& hypotheses, const PreparedCase& prepared, Evidence& evidence) {
  return std::ranges::any_of(hypotheses, [&](std::size_t h) {
    return !IsRight(prepared, evidence.hypothesis(h).Run(prepared, kFirstPoison), evidence.declared());
  });
}

}  // namespace conformance
