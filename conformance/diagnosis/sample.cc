// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the cases of a run that a diagnosis runs again. It divides the results into kinds, by failure class, operator
// and type, and chooses the smallest case of each kind in turn.

#include "conformance/diagnosis/sample.h"

#include <algorithm>
#include <compare>
#include <map>
#include <tuple>
#include <utility>

#include "conformance/diagnosis/prepared_case.h"
#include "conformance/verdict/judge/judge.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

struct Candidate {
  double products = 0;
  std::size_t result = 0;

  auto operator<=>(const Candidate&) const = default;
};

/// Divides results into kinds. InTurn returns the smallest case of each kind, then the next smallest of each, and so
/// on.
class CasesByKind {
 public:
  void Add(const CaseResult& result, const Case& test_case, const Candidate& candidate) {
    const oracle::Operator& op = test_case.op;
    // Invalid cases are also told apart by the clause that refuses them.
    const std::string clause =
        result.answer.refused && !result.judged.clauses.empty() ? result.judged.clauses.front() : std::string();
    kinds_[{result.verdict.failure, op.kind, op.data.type, clause}].push_back(candidate);
  }

  std::vector<std::size_t> InTurn() {
    std::size_t longest = 0;
    for (auto& [kind, candidates] : kinds_) {
      std::ranges::sort(candidates);
      longest = std::max(longest, candidates.size());
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < longest; ++i) {
      for (const auto& [kind, candidates] : kinds_) {
        if (i < candidates.size()) order.push_back(candidates[i].result);
      }
    }
    return order;
  }

 private:
  std::map<std::tuple<FailureClass, oracle::OperatorKind, oracle::ElementType, std::string>, std::vector<Candidate>>
      kinds_;
};

}  // namespace

SuiteCase SuiteCaseOf(const CaseResult& result) {
  SuiteCase suite_case;
  suite_case.suite = result.origin.suite;
  suite_case.name = result.origin.name;
  suite_case.reason = result.origin.reason;
  suite_case.test_case = *result.judged.test_case;
  suite_case.test_case.law.reset();
  return suite_case;
}

namespace {

/// Chooses the sample of one run: first divides the results into kinds, then chooses cases of every kind in turn.
class Sampler {
 public:
  Sampler(std::span<const CaseResult> results, const Capabilities& declared, const SampleLimits& limits)
      : results_(results),
        declared_(declared),
        limits_(limits),
        cases_(results.size()),
        usable_(results.size()),
        is_chosen_(results.size()) {}

  Sample ChooseAll() {
    for (std::size_t i = 0; i < results_.size(); ++i) SortResult(i);
    ChooseFailures();
    ChooseCasesBeforeFailures();
    ChoosePasses(computed_, limits_.computed);
    ChoosePasses(refused_, limits_.refused);
    std::ranges::sort(passed_);
    for (const Candidate& candidate : passed_) {
      if (!is_chosen_[candidate.result]) sample_.others.push_back(candidate.result);
    }
    return std::move(sample_);
  }

 private:
  void SortResult(std::size_t i) {
    const CaseResult& result = results_[i];
    const bool failed = result.verdict.status == Status::kFail;
    // Failures that the user expects have a known reason, so that they need no diagnosis.
    if (result.verdict.IsKnownFailure()) return;
    sample_.all_failures += failed ? 1 : 0;
    if (!failed && !IsRight(result.verdict.status)) return;
    // A passing case without outputs: the backend refused an open operator, which it may. (answer.refused is set for
    // invalid operators only.) Such a case says nothing about hypotheses.
    if (!failed && !result.answer.refused && result.outputs.count == 0) return;
    if (result.judged.test_case == nullptr || result.judged.test_case->sweep) return;
    if (!failed && result.judged.test_case->repeats) return;  // it would cost more than it tells
    // Failures that a file or the suite causes are not the backend's.
    if (result.verdict.failure == FailureClass::kWrongDeclaredOutput ||
        result.verdict.failure == FailureClass::kSuiteError)
      return;
    cases_[i] = SuiteCaseOf(result);
    const Case& test_case = cases_[i].test_case;
    const Candidate candidate{EstimateResources(test_case, declared_).products, i};
    usable_[i] = candidate.products <= kMostPreparedProducts;
    if (!usable_[i]) return;
    if (failed) {
      failures_.Add(result, test_case, candidate);
    } else {
      (result.answer.refused ? refused_ : computed_).Add(result, test_case, candidate);
      passed_.push_back(candidate);
    }
  }

  void ChooseFailures() {
    std::size_t hangs = 0;
    std::size_t crashes = 0;
    std::size_t repeats = 0;
    for (const std::size_t index : failures_.InTurn()) {
      if (sample_.failures.size() == limits_.failures) break;
      if (results_[index].verdict.failure == FailureClass::kHang && hangs++ >= limits_.hangs) continue;
      if (results_[index].verdict.failure == FailureClass::kCrash && crashes++ >= limits_.crashes) continue;
      if (cases_[index].test_case.repeats && repeats++ >= limits_.repeats) continue;
      Choose(sample_.failures, index);
    }
  }

  /// Chooses the cases that ran just before failures, because a failure may depend on the case before it.
  void ChooseCasesBeforeFailures() {
    std::vector<std::size_t> before;
    for (const SampledCase& failure : sample_.failures) {
      if (failure.result == 0 || before.size() == limits_.before) continue;
      if (usable_[failure.result - 1] && !is_chosen_[failure.result - 1]) before.push_back(failure.result - 1);
    }
    for (const std::size_t index : before) Choose(sample_.passes, index);
  }

  void ChoosePasses(CasesByKind& cases, std::size_t most) {
    std::vector<std::size_t> order = cases.InTurn();
    order.resize(std::min(order.size(), most));
    for (const std::size_t index : order) {
      if (!is_chosen_[index]) Choose(sample_.passes, index);
    }
  }

  void Choose(std::vector<SampledCase>& cases, std::size_t index) {
    is_chosen_[index] = true;
    cases.push_back({index, cases_[index]});
  }

  std::span<const CaseResult> results_;
  const Capabilities& declared_;
  const SampleLimits& limits_;
  Sample sample_;
  CasesByKind failures_;
  CasesByKind computed_;
  CasesByKind refused_;
  std::vector<SuiteCase> cases_;  ///< for each result that may be in the sample
  std::vector<bool> usable_;      ///< whether the case is small enough
  std::vector<bool> is_chosen_;
  std::vector<Candidate> passed_;
};

}  // namespace

SampleLimits Scaled(SampleLimits limits, std::size_t questions) {
  const auto most = [&](std::size_t& limit, std::size_t share, std::size_t least) {
    limit = std::min(limit, std::max(least, questions / share));
  };
  most(limits.failures, 8, 12);
  most(limits.computed, 16, 8);
  most(limits.refused, 32, 4);
  most(limits.before, 32, 4);
  return limits;
}

Sample SampleOf(std::span<const CaseResult> results, const Capabilities& declared, const SampleLimits& limits) {
  return Sampler(results, declared, limits).ChooseAll();
}

}  // namespace conformance
