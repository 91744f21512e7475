// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See sample.h.

#include "conformance/diagnosis/sample.h"

#include <algorithm>
#include <compare>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "conformance/diagnosis/prepared_case.h"
#include "conformance/judge/judge.h"

namespace conformance {
namespace {

struct Candidate {
  double products = 0;
  std::size_t result = 0;

  auto operator<=>(const Candidate&) const = default;
};

/// Takes one of each sort in turn, the smallest first.
class Sorts {
 public:
  void Add(const CaseResult& result, const Case& test_case, const Candidate& candidate) {
    const oracle::Operator& op = test_case.op;
    // What refuses it says more about an invalid case than its type.
    const std::string clause = result.refused && !result.clauses.empty() ? result.clauses.front() : std::string();
    sorts_[{result.failure, op.kind, op.data.type, clause}].push_back(candidate);
  }

  std::vector<std::size_t> InTurn() {
    std::size_t longest = 0;
    for (auto& [sort, candidates] : sorts_) {
      std::ranges::sort(candidates);
      longest = std::max(longest, candidates.size());
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < longest; ++i) {
      for (const auto& [sort, candidates] : sorts_) {
        if (i < candidates.size()) order.push_back(candidates[i].result);
      }
    }
    return order;
  }

 private:
  std::map<std::tuple<FailureClass, oracle::OperatorKind, oracle::ElementType, std::string>, std::vector<Candidate>>
      sorts_;
};

}  // namespace

SuiteCase SuiteCaseOf(const CaseResult& result) {
  SuiteCase planned;
  planned.suite = result.suite;
  planned.name = result.name;
  planned.reason = result.reason;
  auto parsed = ParseCaseLine(result.line);
  planned.test_case = std::get<Case>(std::move(parsed));  // a line that this program has printed
  planned.test_case.law.reset();
  return planned;
}

Sample SampleOf(std::span<const CaseResult> results, const Capabilities& declared, const SampleLimits& limits) {
  Sample sample;
  Sorts failures;
  Sorts computed;
  Sorts refused;
  std::vector<SuiteCase> planned(results.size());
  std::vector<bool> usable(results.size());
  std::vector<Candidate> passed;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const CaseResult& result = results[i];
    const bool failed = result.status == Status::kFail;
    sample.all_failures += failed ? 1 : 0;
    if (!failed && !IsRight(result.status)) continue;
    // Of the file or of the suite, not of the backend.
    if (result.failure == FailureClass::kWrongDeclaredOutput || result.failure == FailureClass::kSuiteError) continue;
    planned[i] = SuiteCaseOf(result);
    const Case& test_case = planned[i].test_case;
    if (test_case.sweep) continue;
    const Candidate candidate{DemandOf(test_case, declared).products, i};
    usable[i] = candidate.products <= kMostPreparedProducts;
    if (!usable[i]) {
      sample.large_failures += failed ? 1 : 0;
      continue;
    }
    if (failed) {
      failures.Add(result, test_case, candidate);
    } else {
      (result.refused ? refused : computed).Add(result, test_case, candidate);
      passed.push_back(candidate);
    }
  }
  std::vector<bool> taken(results.size());
  const auto take = [&](std::vector<SampledCase>& cases, std::size_t index) {
    taken[index] = true;
    cases.push_back({index, planned[index]});
  };
  std::size_t hangs = 0;
  std::size_t crashes = 0;
  for (const std::size_t index : failures.InTurn()) {
    if (sample.failures.size() == limits.failures) break;
    if (results[index].failure == FailureClass::kHang && hangs++ >= limits.hangs) continue;
    if (results[index].failure == FailureClass::kCrash && crashes++ >= limits.crashes) continue;
    take(sample.failures, index);
  }
  // What ran just before a failure may be what it needs to happen.
  std::vector<std::size_t> before;
  for (const SampledCase& failure : sample.failures) {
    if (failure.result == 0 || before.size() == limits.before) continue;
    if (usable[failure.result - 1] && !taken[failure.result - 1]) before.push_back(failure.result - 1);
  }
  for (const std::size_t index : before) take(sample.passes, index);
  for (auto& [sorts, most] : {std::pair{&computed, limits.computed}, {&refused, limits.refused}}) {
    std::vector<std::size_t> order = sorts->InTurn();
    order.resize(std::min(order.size(), most));
    for (const std::size_t index : order) {
      if (!taken[index]) take(sample.passes, index);
    }
  }
  std::ranges::sort(passed);
  for (const Candidate& candidate : passed) {
    if (!taken[candidate.result]) sample.others.push_back(candidate.result);
  }
  return sample;
}

}  // namespace conformance
