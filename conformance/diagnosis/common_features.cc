// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the classes of properties, such as "rank=5", among failures and among passing cases, and compares the counts.
// Then it asks the backend about new cases without one of the classes.

#include "conformance/diagnosis/common_features.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/diagnosis/conditions/training_set.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {
namespace {

// A property that all failures share explains nothing if this share of the passing cases has it too.
constexpr double kCommonInPasses = 0.5;
// It also explains nothing if chance gives it to all failures with a larger probability (ChanceOfAll).
constexpr double kByChance = 0.01;
// The rarest classes are tested, each by so many new cases without it.
constexpr std::size_t kMostClasses = 4;
constexpr std::size_t kCasesOfClass = 4;
constexpr std::size_t kLeastOfClass = 2;
constexpr std::size_t kMostTries = 2000;
static_assert((kMostClasses + 1) * kCasesOfClass == kMostQuestionsOfClasses);

std::optional<ClassRow> RowOf(const CaseResult& result) {
  const std::optional<oracle::Geometry> geometry = GeometryOf(result);
  return geometry ? Classify(result.judged.test_case->op, *geometry) : std::nullopt;
}

/// The classes of the operator that failed: of a law, it may be the related one.
std::optional<ClassRow> RowOfFailure(const CaseResult& result) {
  const auto failed = OperatorThatFailed(result);
  if (!failed) return RowOf(result);
  const auto resolution = oracle::Resolve(failed->test_case.op, failed->dialect, oracle::StepTexts::kLeftOut);
  return resolution.ok() ? Classify(failed->test_case.op, *resolution.geometry) : std::nullopt;
}

std::size_t CountOf(const std::vector<ClassRow>& rows, Property property, std::uint8_t value) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](const ClassRow& row) { return row[property] == value; }));
}

/// The probability that all failures have a property, if it decides nothing: that so many cases, drawn at random from
/// failures and passes together, all have it (Fisher's exact test). Few failures or few passes leave it large.
double ChanceOfAll(std::size_t failures, std::size_t passes_with_it, std::size_t passes) {
  double chance = 1;
  for (std::size_t i = 0; i < failures; ++i) {
    chance *= static_cast<double>(passes_with_it + failures - i) / static_cast<double>(passes + failures - i);
  }
  return chance;
}

/// The classes of the cases of these suites that the backend computed rightly.
std::vector<ClassRow> RowsOfPasses(std::span<const CaseResult> results, const std::set<std::string_view>& suites) {
  std::vector<ClassRow> rows;
  for (const CaseResult& result : results) {
    if (!IsRight(result.verdict.status) || result.answer.refused || !suites.contains(result.origin.suite)) continue;
    if (const auto row = RowOf(result)) rows.push_back(*row);
  }
  return rows;
}

/// The class that all failures have and the fewest passes have. Nothing if it explains nothing.
std::optional<CommonClass> RarestClass(const std::vector<ClassRow>& failures, const std::vector<ClassRow>& passes) {
  std::optional<CommonClass> rarest;
  double least = kCommonInPasses;
  for (std::size_t p = 0; p < kParameters; ++p) {
    const auto property = static_cast<Property>(p);
    const std::uint8_t value = failures.front()[property];
    if (!failures.front().Has(property) || CountOf(failures, property, value) != failures.size()) continue;
    const std::size_t have_it = CountOf(passes, property, value);
    const double share = static_cast<double>(have_it) / static_cast<double>(passes.size());
    if (share >= least || ChanceOfAll(failures.size(), have_it, passes.size()) > kByChance) continue;
    least = share;
    rarest = {.property = property, .value = value};
  }
  return rarest;
}

/// A new case that was asked about.
struct AskedCase {
  ClassRow classes;
  bool fails = false;
};

/// Asks about new cases that have all of the classes, or all but one.
class ClassTest {
 public:
  ClassTest(std::vector<CommonClass> classes, const ConditionSearch& search)
      : classes_(std::move(classes)), search_(search), of_missing_(classes_.size() + 1) {}

  void Ask(TrainingSet& training_set) {
    const std::size_t parents = training_set.rows().size();
    for (std::size_t tries = 0; tries < kMostTries && !search_.late() && !IsFull(); ++tries) {
      const std::size_t from = tries % parents;
      const Case parent = training_set.rows()[from].test_case;
      const auto row = training_set.Make(from, false);
      if (!row || row->test_case.values != parent.values || row->test_case.seed != parent.seed) continue;
      const auto classes = Classify(row->test_case.op, *row->features.geometry);
      if (!classes) continue;
      const std::optional<std::size_t> missing = MissingOf(*classes);
      if (!missing || of_missing_[*missing] == kCasesOfClass) continue;
      ++of_missing_[*missing];
      const auto fails = search_.ask(row->test_case);
      if (fails) asked_.push_back({.classes = *classes, .fails = *fails});
    }
  }

  std::optional<TestedClasses> Result() {
    std::vector<CommonClass> needed;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const auto without = [&](const AskedCase& one) { return MissingOf(one.classes) == c; };
      const bool fails = std::ranges::any_of(asked_, [&](const AskedCase& one) { return without(one) && one.fails; });
      if (!fails && std::ranges::count_if(asked_, without) >= static_cast<std::ptrdiff_t>(kLeastOfClass)) {
        needed.push_back(classes_[c]);
      }
    }
    classes_ = std::move(needed);
    TestedClasses result;
    for (const AskedCase& one : asked_) result.tested.Add(MissingOf(one.classes) == classes_.size(), one.fails);
    if (classes_.empty() || !result.tested.IsConfirmed()) return std::nullopt;
    for (const auto& [property, value] : classes_) {
      result.text +=
          fmt::format("{}{}={}", result.text.empty() ? "" : ", ", PropertyName(property), ClassName(property, value));
    }
    return result;
  }

 private:
  bool IsFull() const {
    return std::ranges::all_of(of_missing_, [](std::size_t count) { return count == kCasesOfClass; });
  }

  /// The index of the only class that the operator does not have; their number if it has all of them. Absent if it
  /// lacks several.
  std::optional<std::size_t> MissingOf(const ClassRow& row) const {
    std::size_t missing = classes_.size();
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (row[classes_[c].property] == classes_[c].value) continue;
      if (missing != classes_.size()) return std::nullopt;
      missing = c;
    }
    return missing;
  }

  std::vector<CommonClass> classes_;
  const ConditionSearch& search_;
  std::vector<std::size_t> of_missing_;  ///< new cases without each class, then those that have all of them
  std::vector<AskedCase> asked_;
};

}  // namespace

std::vector<CommonClass> CommonClasses(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  if (failures.size() < 2) return {};  // a single one has everything in common with itself
  std::vector<ClassRow> rows;
  std::set<std::string_view> suites;
  for (const std::size_t i : failures) {
    suites.insert(results[i].origin.suite);
    const auto row = RowOfFailure(results[i]);
    if (!row) return {};
    rows.push_back(*row);
  }
  std::vector<ClassRow> passes = RowsOfPasses(results, suites);
  std::vector<CommonClass> classes;
  while (classes.size() < kMostClasses && !passes.empty()) {
    const std::optional<CommonClass> rarest = RarestClass(rows, passes);
    if (!rarest) break;
    classes.push_back(*rarest);
    std::erase_if(passes, [&](const ClassRow& row) { return row[rarest->property] != rarest->value; });
  }
  return classes;
}

std::optional<TestedClasses> TestClasses(std::vector<CommonClass> classes, std::span<const KnownCase> failures,
                                         const ConditionSearch& search) {
  TrainingSet training_set(ResolvedCases(failures), {.declared = search.declared, .seed = search.seed});
  if (classes.empty() || training_set.rows().empty()) return std::nullopt;
  ClassTest test(std::move(classes), search);
  test.Ask(training_set);
  return test.Result();
}

}  // namespace conformance
