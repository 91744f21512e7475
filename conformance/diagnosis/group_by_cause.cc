// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups failures by explanation. Failures without one are grouped by failure class, clause and common attributes.

#include "conformance/diagnosis/group_by_cause.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/measured_coverage/classify.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

// A common property explains nothing if this share of the passing cases has it too.
constexpr double kCommonInPasses = 0.5;
constexpr std::size_t kFeatures = 3;

std::string_view ClassNameOf(Parameter parameter, std::uint8_t value) { return ClassNames(parameter)[value]; }

std::optional<ClassRow> RowOf(const CaseResult& result) {
  const Case test_case = SuiteCaseOf(result).test_case;
  const auto dialect = oracle::ParseDialect(result.dialect);
  if (test_case.sweep || !dialect) return std::nullopt;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, *dialect);
  return resolution.ok() ? Classify(test_case.op, *resolution.geometry) : std::nullopt;
}

/// The properties that all failures of a cause have and few passing cases have: "auto_pad=valid, rank=5".
class CommonFeatures {
 public:
  explicit CommonFeatures(std::span<const CaseResult> results) : results_(results) {}

  std::string Of(const std::vector<std::size_t>& failures) {
    std::optional<ClassRow> common;
    for (const std::size_t i : failures) {
      const auto row = RowOf(results_[i]);
      if (!row) return {};
      if (!common) common = row;
      for (std::size_t p = 0; p < kParameters; ++p) {
        const auto parameter = static_cast<Parameter>(p);
        if ((*common)[parameter] != (*row)[parameter]) (*common)[parameter] = ClassRow::kNone;
      }
    }
    if (!common || failures.size() < 2) return {};  // a single one has everything in common with itself
    std::vector<std::pair<double, Parameter>> shares;
    for (std::size_t p = 0; p < kParameters; ++p) {
      const auto parameter = static_cast<Parameter>(p);
      if (!common->Has(parameter)) continue;
      const double share = ShareOfPasses(parameter, (*common)[parameter]);
      if (share < kCommonInPasses) shares.emplace_back(share, parameter);
    }
    std::ranges::sort(shares);
    std::string text;
    for (std::size_t i = 0; i < std::min(kFeatures, shares.size()); ++i) {
      const Parameter parameter = shares[i].second;
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", ParameterName(parameter),
                          ClassNameOf(parameter, (*common)[parameter]));
    }
    return text;
  }

 private:
  double ShareOfPasses(Parameter parameter, std::uint8_t value) {
    if (!passes_) {
      passes_.emplace();
      for (const CaseResult& result : results_) {
        if (!IsRight(result.status) || result.refused) continue;
        if (const auto row = RowOf(result)) passes_->push_back(*row);
      }
    }
    if (passes_->empty()) return 0;
    const auto count = std::ranges::count_if(*passes_, [&](const ClassRow& row) { return row[parameter] == value; });
    return static_cast<double>(count) / static_cast<double>(passes_->size());
  }

  std::span<const CaseResult> results_;
  std::optional<std::vector<ClassRow>> passes_;  ///< found when first needed
};

std::string NameAndClass(const faults::Fault& fault) {
  return fmt::format("{}, class {}: {}", fault.name, fault.mutant_class, ClassTitle(fault.mutant_class));
}

// If this many different faults all give the answer, none of them explains it.
constexpr std::size_t kMostEqual = 12;

Cause CauseOf(const Explanation& explanation) {
  Cause cause;
  cause.failures = explanation.failures;
  if (explanation.hypotheses.size() > kMostEqual) {
    cause.title = fmt::format("{} planted faults give the same answers; the cases are too few to tell them apart",
                              explanation.hypotheses.size());
    cause.details.push_back("run more cases: passing cases help as much as failing ones");
    return cause;
  }
  for (const faults::Fault* fault : explanation.hypotheses) cause.hypotheses.emplace_back(fault->name);
  const faults::Fault& first = *explanation.hypotheses.front();
  if (explanation.reproduces) {
    cause.explained = true;
    cause.title = fmt::format("the backend answers like one that {} ({}) on {} of {} failures", first.sentence,
                              NameAndClass(first), explanation.failures.size(), explanation.tried);
    for (std::size_t i = 1; i < explanation.hypotheses.size(); ++i) {
      cause.details.push_back(fmt::format("or like one that {} ({}): the answers are the same on all {} compared cases",
                                          explanation.hypotheses[i]->sentence, explanation.hypotheses[i]->name,
                                          explanation.compared));
    }
    cause.details.push_back(explanation.contradictions == 0
                                ? fmt::format("none of the {} passing cases contradicts this", explanation.passes)
                                : fmt::format("{} of the {} passing cases contradict this: they would have failed",
                                              explanation.contradictions, explanation.passes));
  } else {
    cause.title = fmt::format(
        "no planted fault gives these answers; the most similar ({:.0f} %, by which cases fail and where) is a backend "
        "that {} ({})",
        100 * explanation.likeness, first.sentence, NameAndClass(first));
    for (std::size_t i = 1; i < explanation.hypotheses.size(); ++i) {
      cause.details.push_back(fmt::format("next most similar: {} ({})", explanation.hypotheses[i]->sentence,
                                          explanation.hypotheses[i]->name));
    }
  }
  if (!explanation.mutant_class.empty() && explanation.mutant_class != first.mutant_class) {
    cause.details.push_back(fmt::format("which cases fail, where and how points to class {} instead: {}",
                                        explanation.mutant_class, ClassTitle(explanation.mutant_class)));
  }
  if (!first.link.empty()) cause.details.push_back(fmt::format("a known bug of this kind: {}", first.link));
  return cause;
}

/// The number of products is unknown for a law or a sweep, so a short line counts as a small case.
std::size_t SmallestOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  return *std::ranges::min_element(failures, {}, [&](std::size_t i) {
    std::int64_t elements = 1;
    const bool sweep = results[i].line.starts_with(kSweepWord);
    const Case test_case = sweep ? Case() : SuiteCaseOf(results[i]).test_case;
    for (const std::int64_t size : results[i].output_dims) elements *= std::max<std::int64_t>(size, 1);
    return std::tuple(sweep, test_case.op.data.dims.size(), elements, results[i].line.size());
  });
}

/// Unexplained failures with the same key form one cause.
std::pair<FailureClass, std::string> SortOf(const CaseResult& result) {
  const bool invalid = result.output_dims.empty() && !result.clauses.empty();
  return {result.failure, invalid ? result.clauses.front() : std::string()};
}

Cause UnexplainedCause(std::span<const CaseResult> results, std::vector<std::size_t> failures,
                       const std::pair<FailureClass, std::string>& sort, std::string_view mutant_class,
                       CommonFeatures& features) {
  Cause cause;
  cause.title = fmt::format("{}: cause unknown", FailureClassNameOf(sort.first));
  if (!mutant_class.empty()) {
    cause.details.push_back(fmt::format("points to class {}: {}", mutant_class, ClassTitle(mutant_class)));
  }
  if (!sort.second.empty()) {
    const oracle::Clause* clause = oracle::FindClause(sort.second);
    cause.title += fmt::format(", all under clause {} ({})", sort.second, clause == nullptr ? "" : clause->title);
  }
  if (const std::string common = features.Of(failures); !common.empty()) {
    cause.title += fmt::format("; all have {} in common", common);
  }
  cause.failures = std::move(failures);
  cause.smallest = SmallestOf(results, cause.failures);
  return cause;
}

/// By indices of results.
std::vector<Cause> GroupByExplanation(std::span<const CaseResult> results, const Diagnosis& diagnosis) {
  std::vector<Cause> causes;
  std::set<std::size_t> placed;
  // Of each failure class, how many of those that were tried each cause holds.
  std::map<FailureClass, std::map<std::size_t, std::size_t>> held;
  std::map<FailureClass, std::size_t> tried;
  for (const std::size_t i : diagnosis.unexplained) ++tried[results[i].failure];
  for (const Explanation& explanation : diagnosis.explanations) {
    for (const std::size_t i : explanation.failures) {
      if (i >= results.size() || results[i].status != Status::kFail) continue;
      ++held[results[i].failure][causes.size()];
      ++tried[results[i].failure];
      placed.insert(i);
    }
    causes.push_back(CauseOf(explanation));
    // A case that passed in the run and failed when it was run again is no failure of the run.
    std::erase_if(causes.back().failures, [&](std::size_t i) { return results[i].status != Status::kFail; });
  }
  std::map<std::pair<FailureClass, std::string>, std::vector<std::size_t>> rest;
  if (!diagnosis.vanished.empty()) {
    Cause& vanished = causes.emplace_back();
    vanished.title = "failed in the run but passed when run again; the failure depends on earlier cases or on chance";
    vanished.failures = diagnosis.vanished;
    placed.insert(diagnosis.vanished.begin(), diagnosis.vanished.end());
  }
  const std::set<std::size_t> in_vain(diagnosis.unexplained.begin(), diagnosis.unexplained.end());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].status != Status::kFail || placed.contains(i)) continue;
    const FailureClass failure = results[i].failure;
    const auto most = std::ranges::max_element(held[failure], {}, [](const auto& entry) { return entry.second; });
    // If most tried failures of a class have one cause, the untried ones of the class are presumed to have it too.
    if (!in_vain.contains(i) && most != held[failure].end() && 2 * most->second > tried[failure]) {
      causes[most->first].failures.push_back(i);
      ++causes[most->first].presumed;
    } else {
      rest[SortOf(results[i])].push_back(i);
    }
  }
  std::erase_if(causes, [](const Cause& cause) { return cause.failures.empty(); });
  for (Cause& cause : causes) cause.smallest = SmallestOf(results, cause.failures);
  CommonFeatures features(results);
  for (auto& [sort, failures] : rest) {
    // It was found from all of them together.
    const bool most = 2 * failures.size() > in_vain.size();
    causes.push_back(UnexplainedCause(results, std::move(failures), sort,
                                      most ? diagnosis.unexplained_class : std::string_view(), features));
  }
  std::ranges::sort(causes, [](const Cause& one, const Cause& other) {
    const std::size_t count = one.failures.size();
    return count != other.failures.size() ? count > other.failures.size() : one.smallest < other.smallest;
  });
  return causes;
}

}  // namespace

FailureCauses CausesOf(std::span<const CaseResult> results, const Diagnosis& diagnosis) {
  FailureCauses causes{.causes = GroupByExplanation(results, diagnosis),
                       .failures = diagnosis.failures,
                       .tried = diagnosis.tried,
                       .seconds = diagnosis.seconds,
                       .out_of_time = diagnosis.out_of_time,
                       .not_looked_for = {}};
  for (Cause& cause : causes.causes) {
    for (std::size_t& failure : cause.failures) failure = results[failure].place;
    std::ranges::sort(cause.failures);
    cause.smallest = results[cause.smallest].place;
  }
  return causes;
}

}  // namespace conformance
