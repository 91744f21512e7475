// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups failures by explanation, and what the backend declines by its own words. Failures without an explanation are
// grouped by failure class, clause, message and law.

#include "conformance/diagnosis/group_by_cause.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/property/property.h"
#include "conformance/diagnosis/failure_sort.h"
#include "conformance/verdict/result_of_case.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

// A common property explains nothing if this share of the passing cases has it too.
constexpr double kCommonInPasses = 0.5;
constexpr std::size_t kFeatures = 3;

std::optional<ClassRow> RowOf(const CaseResult& result) {
  const std::optional<oracle::Geometry> geometry = GeometryOf(result);
  return geometry ? Classify(result.test_case->op, *geometry) : std::nullopt;
}

/// The classes of the cases that the backend computed rightly.
std::vector<ClassRow> RowsOfPasses(std::span<const CaseResult> results) {
  std::vector<ClassRow> rows;
  for (const CaseResult& result : results) {
    if (!IsRight(result.status) || result.refused) continue;
    if (const auto row = RowOf(result)) rows.push_back(*row);
  }
  return rows;
}

double ShareOf(const std::vector<ClassRow>& rows, Property property, std::uint8_t value) {
  const auto count = std::ranges::count_if(rows, [&](const ClassRow& row) { return row[property] == value; });
  return rows.empty() ? 0 : static_cast<double>(count) / static_cast<double>(rows.size());
}

/// The properties that all failures of a cause have and few passing cases have: "auto_pad=valid, rank=5".
std::string InCommon(std::span<const CaseResult> results, const std::vector<std::size_t>& failures,
                     const std::vector<ClassRow>& passes) {
  if (failures.size() < 2) return {};  // a single one has everything in common with itself
  std::vector<ClassRow> rows;
  for (const std::size_t i : failures) {
    const auto row = RowOf(results[i]);
    if (!row) return {};
    rows.push_back(*row);
  }
  std::vector<std::pair<double, Property>> rare;
  for (std::size_t p = 0; p < kParameters; ++p) {
    const auto property = static_cast<Property>(p);
    const std::uint8_t value = rows.front()[property];
    if (!rows.front().Has(property) || ShareOf(rows, property, value) != 1) continue;
    const double share = ShareOf(passes, property, value);
    if (share < kCommonInPasses) rare.emplace_back(share, property);
  }
  std::ranges::sort(rare);
  std::string text;
  for (const auto& [share, property] : rare | std::views::take(kFeatures)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", PropertyName(property),
                        ClassName(property, rows.front()[property]));
  }
  return text;
}

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

/// How many bits an operator's sizes and attributes take: large numbers count, also beside a size of 0.
double MagnitudeOf(const oracle::Operator& op) {
  double bits = 0;
  ForEachNumber(op, [&bits](std::int64_t value) { bits += std::log2(1 + std::abs(static_cast<double>(value))); });
  if (op.groups) bits += std::log2(1 + std::abs(static_cast<double>(*op.groups)));
  return bits;
}

/// The case with the smallest numbers. One that every backend must compute goes before one that is open.
std::size_t SmallestOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  return *std::ranges::min_element(failures, {}, [&](std::size_t i) {
    const CaseResult& result = results[i];
    const bool is_operator = result.test_case != nullptr && !result.IsSweep();
    const double bits = is_operator ? MagnitudeOf(result.test_case->op) : 0;
    return std::tuple(!is_operator, result.facts.open, bits, result.line.size());
  });
}

/// The operator that a law's failure names; the law's own case passes.
std::string RelatedTextOf(const CaseResult& result) {
  const auto& related = result.facts.related;
  return related != nullptr
             ? fmt::format("; the operator alone is right, the related operator of the smallest failure is {}",
                           ToLine(*related))
             : std::string();
}

std::string TitleOf(const FailureSort& sort, const CaseResult& smallest) {
  if (!sort.law.empty() && sort.failure == FailureClass::kBrokenLaw) {
    return fmt::format("law {} is broken{}", sort.law, RelatedTextOf(smallest));
  }
  if (!sort.message.empty()) {
    return sort.failure == FailureClass::kError ? fmt::format("the backend reports an error: {}", sort.message)
                                                : fmt::format("the backend declines valid operators: {}", sort.message);
  }
  return fmt::format("{}: cause unknown", FailureClassNameOf(sort.failure));
}

Cause UnexplainedCause(std::span<const CaseResult> results, std::vector<std::size_t> failures, const FailureSort& sort,
                       std::string_view mutant_class, const std::vector<ClassRow>& passes) {
  Cause cause;
  cause.failures = std::move(failures);
  cause.smallest = SmallestOf(results, cause.failures);
  cause.title = TitleOf(sort, results[cause.smallest]);
  // An error comes from the backend's own checks or from the adapter. It points to no class of wrong answers.
  if (!mutant_class.empty() && sort.failure != FailureClass::kError) {
    cause.details.push_back(fmt::format("points to class {}: {}", mutant_class, ClassTitle(mutant_class)));
  }
  if (!sort.clause.empty()) {
    const oracle::Clause* clause = oracle::FindClause(sort.clause);
    cause.title += fmt::format(", all under clause {} ({})", sort.clause, clause == nullptr ? "" : clause->title);
  }
  if (const std::string common = InCommon(results, cause.failures, passes); !common.empty()) {
    cause.title += fmt::format("; all have {} in common", common);
  }
  return cause;
}

/// The title has the backend's words without their numbers. If all failures have the same words, their numbers are put
/// back; else an example follows.
void QuoteMessage(std::span<const CaseResult> results, Cause& cause) {
  const std::string words = WordsOf(results[cause.smallest]);
  const std::string pattern = PatternOf(words);
  const std::size_t at = words.empty() || words == pattern ? std::string::npos : cause.title.find(pattern);
  if (at == std::string::npos) return;
  if (std::ranges::all_of(cause.failures, [&](std::size_t i) { return WordsOf(results[i]) == words; })) {
    cause.title.replace(at, pattern.size(), words);
  } else {
    cause.details.push_back(fmt::format("for example: {}", words));
  }
}

/// Puts every failure into one cause. By indices of results.
class Grouping {
 public:
  Grouping(std::span<const CaseResult> results, const Diagnosis& diagnosis)
      : results_(results), diagnosis_(diagnosis) {}

  std::vector<Cause> Group() {
    for (const std::size_t i : diagnosis_.unexplained) ++tried_[SortOf(results_[i])];
    for (const Explanation& explanation : diagnosis_.explanations) AddExplanation(explanation);
    if (!diagnosis_.vanished.empty()) {
      Cause& vanished = causes_.emplace_back();
      vanished.title = "failed in the run but passed when run again; the failure depends on earlier cases or on chance";
      vanished.failures = diagnosis_.vanished;
      placed_.insert(diagnosis_.vanished.begin(), diagnosis_.vanished.end());
    }
    PlaceTheRest();
    std::erase_if(causes_, [](const Cause& cause) { return cause.failures.empty(); });
    for (Cause& cause : causes_) cause.smallest = SmallestOf(results_, cause.failures);
    AddUnexplained();
    for (Cause& cause : causes_) QuoteMessage(results_, cause);
    std::ranges::sort(causes_, [](const Cause& one, const Cause& other) {
      const std::size_t count = one.failures.size();
      return count != other.failures.size() ? count > other.failures.size() : one.smallest < other.smallest;
    });
    return std::move(causes_);
  }

 private:
  bool IsToBePlaced(std::size_t i) const {
    return i < results_.size() && results_[i].status == Status::kFail && results_[i].expected.empty();
  }

  /// One cause, and one more for each thing that the backend says when it declines: its own words go first.
  void AddExplanation(const Explanation& explanation) {
    std::map<std::string, std::size_t> cause_of;
    for (const std::size_t i : explanation.failures) {
      // A case that passed in the run and failed when it was run again is no failure of the run.
      if (!IsToBePlaced(i)) continue;
      const FailureSort sort = SortOf(results_[i]);
      const auto [at, is_new] = cause_of.try_emplace(sort.message, causes_.size());
      if (is_new) {
        Cause cause = CauseOf(explanation);
        cause.failures.clear();
        if (sort.failure == FailureClass::kError && !explanation.reproduces) {
          cause.details.clear();
          cause.hypotheses.clear();
          cause.title = TitleOf(sort, results_[i]);
        } else if (!sort.message.empty()) {
          cause.details.insert(cause.details.begin(), cause.title);
          cause.title = TitleOf(sort, results_[i]);
        }
        causes_.push_back(std::move(cause));
      }
      causes_[at->second].failures.push_back(i);
      ++held_[sort][at->second];
      ++tried_[sort];
      placed_.insert(i);
    }
  }

  /// If most tried failures of a sort have one cause, the untried ones of the same sort are presumed to have it too.
  void PlaceTheRest() {
    const std::set<std::size_t> in_vain(diagnosis_.unexplained.begin(), diagnosis_.unexplained.end());
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!IsToBePlaced(i) || placed_.contains(i)) continue;
      const FailureSort sort = SortOf(results_[i]);
      const auto& held = held_[sort];
      const auto most = std::ranges::max_element(held, {}, [](const auto& entry) { return entry.second; });
      if (!in_vain.contains(i) && most != held.end() && 2 * most->second > tried_[sort]) {
        causes_[most->first].failures.push_back(i);
        ++causes_[most->first].presumed;
      } else {
        rest_[sort].push_back(i);
      }
    }
  }

  void AddUnexplained() {
    const std::vector<ClassRow> passes = rest_.empty() ? std::vector<ClassRow>() : RowsOfPasses(results_);
    for (auto& [sort, failures] : rest_) {
      // It was found from all of them together.
      const bool most = 2 * failures.size() > diagnosis_.unexplained.size();
      causes_.push_back(UnexplainedCause(results_, std::move(failures), sort,
                                         most ? diagnosis_.unexplained_class : std::string_view(), passes));
    }
  }

  std::span<const CaseResult> results_;
  const Diagnosis& diagnosis_;
  std::vector<Cause> causes_;
  std::set<std::size_t> placed_;
  /// Of each sort, how many of those that were tried each cause holds.
  std::map<FailureSort, std::map<std::size_t, std::size_t>> held_;
  std::map<FailureSort, std::size_t> tried_;
  std::map<FailureSort, std::vector<std::size_t>> rest_;
};

}  // namespace

FailureCauses CausesOf(std::span<const CaseResult> results, const Diagnosis& diagnosis,
                       const RunConditions& conditions) {
  FailureCauses causes{.causes = Grouping(results, diagnosis).Group(),
                       .failures = diagnosis.failures,
                       .tried = diagnosis.tried,
                       .seconds = diagnosis.seconds,
                       .out_of_time = diagnosis.out_of_time,
                       .not_looked_for = {}};
  AddConditions(results, conditions, causes.causes);
  for (Cause& cause : causes.causes) {
    for (std::size_t& failure : cause.failures) failure = results[failure].place;
    std::ranges::sort(cause.failures);
    cause.smallest = results[cause.smallest].place;
  }
  return causes;
}

}  // namespace conformance
