// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks at one group after the other, the worst first. A limit with a word goes before any search.

#include "conformance/diagnosis/cause_search.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/door/unsupported.h"

namespace conformance {
namespace {

// Fewer failures show no condition; and from fewer cases none is learned: a replay of one case should be quick.
constexpr std::size_t kLeastFailures = 3;
constexpr std::size_t kLeastCases = 20;
// Failures that a part of a condition must hold of to be a cause of its own.
constexpr std::size_t kLeastOfPart = 3;
// A condition that holds of so much of another group's failures is the condition of that group too.
constexpr double kShareToJoin = 0.9;
// A group has its share of the budget, but enough to learn something.
constexpr std::size_t kLeastQuestions = 48;
constexpr std::size_t kMostSmallTries = 8;

class Search {
 public:
  Search(std::span<const CaseResult> results, const DiagnosisOptions& options, Diagnoser& diagnoser)
      : results_(results),
        diagnoser_(diagnoser),
        judge_(options.backend, LimitsOfQuestions(options.limits, SecondsOfCase(results))) {
    for (const CaseResult& result : results) {
      if (FailsOf(result) == std::optional(false) && !result.output_dims.empty()) Append(result, passes_);
      if (WasComputed(result)) AppendOperator(result, computed_);
    }
  }

  bool Start() { return !judge_.Start(); }

  void Find(std::vector<CauseGroup>& groups) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (diagnoser_.budget().interrupted()) return;
      CauseGroup& group = groups[g];
      if (group.condition) continue;  // of a group that was divided
      group.not_looked = ReasonNotToLook(group);
      if (!group.not_looked.empty()) continue;
      const std::vector<KnownCase> failures = FailuresOf(group);
      // A planted fault says more, but not of an operator that is refused.
      if (!group.explanation || group.sort.family == FailureFamily::kDeclined) SetLimit(failures, group);
      if (!group.limit.empty()) continue;
      if (failures.empty()) {
        group.not_looked = "all failing cases are large, or repeat runs";
        FindSmall(group);
        continue;
      }
      if (failures.size() < kLeastFailures || failures.size() + passes_.size() < kLeastCases) {
        group.not_looked = "too few cases to learn a condition from";
        continue;
      }
      const auto left = static_cast<std::size_t>(std::ranges::count_if(
          groups.begin() + static_cast<std::ptrdiff_t>(g), groups.end(),
          [](const CauseGroup& other) { return !other.condition && ReasonNotToLook(other).empty(); }));
      FindOne(groups, g, failures, left);
    }
    SortWorstFirst(groups);
  }

 private:
  static std::string ReasonNotToLook(const CauseGroup& group) {
    if (group.vanished) return "the failures depend on earlier cases or on chance";
    if (group.sort.family == FailureFamily::kAccepted || group.sort.family == FailureFamily::kNotBackend)
      return "its clauses say it";
    if (group.sort.failure == FailureClass::kHang) return "each question to a backend that hangs takes the time limit";
    return "";
  }

  /// Also where there is no output, so that the case says nothing about values.
  static bool WasComputed(const CaseResult& result) {
    return IsRight(result.status) && !result.refused && !result.output_dims.empty() &&
           (result.outputs > 0 || std::ranges::any_of(result.choices, &OpenChoice::computed));
  }

  static void AppendOperator(const CaseResult& result, std::vector<KnownCase>& to) {
    const auto dialect = oracle::ParseDialect(result.dialect);
    if (dialect && result.test_case != nullptr && !result.IsSweep()) {
      to.push_back({.test_case = *result.test_case, .dialect = *dialect, .fails = false});
    }
  }

  static void Append(const CaseResult& result, std::vector<KnownCase>& to) {
    for (KnownCase& one : KnownCasesOf({&result, 1})) to.push_back(std::move(one));
  }

  std::vector<KnownCase> FailuresOf(const CauseGroup& group) const {
    std::vector<KnownCase> failures;
    for (const std::size_t i : group.failures) Append(results_[i], failures);
    return failures;
  }

  /// Sets the word for what all of the failures ask of a backend and no case that it computes does.
  void SetLimit(const std::vector<KnownCase>& failures, CauseGroup& group) const {
    if (failures.size() < kLeastFailures || computed_.size() < kLeastCases) return;
    std::uint32_t of_all = kAllUnsupported;
    for (const KnownCase& known : failures) of_all &= AskedBy(known);
    for (const KnownCase& known : computed_) of_all &= ~AskedBy(known);
    const auto word =
        std::ranges::find_if(kUnsupportedNames, [&](const auto& name) { return (of_all & name.bit) != 0; });
    if (word == kUnsupportedNames.end()) return;
    group.limit = word->name;
    group.computed = computed_.size();
  }

  static std::uint32_t AskedBy(const KnownCase& known) {
    const auto resolution = oracle::Resolve(known.test_case.op, known.dialect, oracle::StepTexts::kLeftOut);
    return resolution.ok() ? AskedOf(known.test_case.op, *resolution.geometry) : 0;
  }

  /// Whether the backend fails on a case as it does in the group; nothing if it fails otherwise.
  std::optional<bool> Ask(const CauseGroup& group, const Case& test_case) {
    if (!diagnoser_.budget().Ask()) return std::nullopt;
    SuiteCase suite_case;
    suite_case.test_case = test_case;
    const CaseResult result = judge_.JudgeCase(suite_case);
    if (diagnoser_.budget().interrupted()) return std::nullopt;  // the verdict may be due to the interruption
    const auto fails = FailsOf(result);
    if (fails != std::optional(true)) return fails;
    const FailureSort sort = SortOf(result);
    // A planted fault may show itself in several classes.
    const bool alike = group.explanation ? sort.family == group.sort.family : KindOf(sort) == KindOf(group.sort);
    return alike ? fails : std::nullopt;
  }

  void FindOne(std::vector<CauseGroup>& groups, std::size_t g, const std::vector<KnownCase>& failures,
               std::size_t groups_left) {
    CauseGroup& group = groups[g];
    std::vector<KnownCase> known = failures;
    known.insert(known.end(), passes_.begin(), passes_.end());
    const std::size_t left = diagnoser_.budget().left();
    const ConditionSearch search{.declared = judge_.capabilities(),
                                 .ask = [&](const Case& test_case) { return Ask(group, test_case); },
                                 .late = [&] { return diagnoser_.budget().late(); },
                                 .questions = std::min(left, std::max(kLeastQuestions, left / groups_left))};
    const auto condition = FindCondition(known, search);
    if (!condition || !condition->tested.Confirm()) {
      group.not_looked = !condition || condition->tested.inside >= 3
                             ? fmt::format("{} new cases showed no condition", condition ? condition->asked : 0)
                             : "too few new cases could be run to test a condition";
      if (condition && condition->end == SearchEnd::kBudget) diagnoser_.budget().cut = true;
      return;
    }
    Divide(groups, g, *condition);
    Join(groups, g, *condition);
  }

  static bool HoldsOf(const Condition& condition, const Conjunction& part, const KnownCase& known) {
    const FeatureRow row = FeaturesIn(condition, known.test_case, known.dialect);
    return row.valid() && part.Holds(row);
  }

  CauseCondition Told(const Condition& condition, const std::string& text, const CauseGroup& group) const {
    CauseCondition told{.text = condition.Always() ? "every operator" : text, .place = {}, .tested = condition.tested};
    std::vector<WrongOutputs> wrong;
    for (const std::size_t i : group.failures) {
      if (const auto found = diagnoser_.WrongOutputsOf(i)) wrong.push_back(*found);
    }
    if (!wrong.empty()) told.place = PlaceText(wrong);
    return told;
  }

  /// Gives the group its condition. Where wrong outputs have two separate conditions, they are two causes.
  void Divide(std::vector<CauseGroup>& groups, std::size_t g, const Condition& condition) {
    std::vector<std::vector<std::size_t>> parts(condition.alternatives.size());
    std::vector<std::size_t> rest;
    for (const std::size_t i : groups[g].failures) {
      std::vector<KnownCase> known;
      Append(results_[i], known);
      std::size_t part = 0;
      while (part < parts.size() &&
             (known.empty() || !HoldsOf(condition, condition.alternatives[part].conjunction, known.front()))) {
        ++part;
      }
      (part < parts.size() ? parts[part] : rest).push_back(i);
    }
    const bool separate = groups[g].sort.family == FailureFamily::kWrongOutput && !groups[g].explanation &&
                          std::ranges::all_of(parts, [](const auto& part) { return part.size() >= kLeastOfPart; });
    if (!separate || parts.size() < 2) {
      std::string text;
      for (std::size_t a = 0; a < parts.size(); ++a) {
        // An alternative of few failures is no part of the cause.
        if (a > 0 && 10 * parts[a].size() < groups[g].failures.size()) continue;
        text += (text.empty() ? "" : ", or where ") + condition.alternatives[a].conjunction.Text();
      }
      groups[g].condition = Told(condition, text, groups[g]);
      return;
    }
    for (std::size_t a = parts.size(); a-- > 0;) {
      CauseGroup part = groups[g];
      part.failures = parts[a];
      if (a == 0) part.failures.insert(part.failures.end(), rest.begin(), rest.end());
      std::ranges::sort(part.failures);
      part.smallest = SmallestOf(results_, part.failures);
      part.presumed = 0;
      part.condition = Told(condition, condition.alternatives[a].conjunction.Text(), part);
      if (a == 0) {
        groups[g] = std::move(part);
      } else {
        // The parts have their conditions; the search goes on behind them.
        groups.push_back(std::move(part));
      }
    }
  }

  /// Other groups of wrong outputs whose failures satisfy the condition fail for the same reason.
  void Join(std::vector<CauseGroup>& groups, std::size_t g, const Condition& condition) {
    if (groups[g].sort.family != FailureFamily::kWrongOutput) return;
    for (std::size_t other = groups.size(); other-- > g + 1;) {
      CauseGroup& group = groups[other];
      if (group.sort.family != FailureFamily::kWrongOutput || group.explanation || group.condition) continue;
      const std::vector<KnownCase> failures = FailuresOf(group);
      const auto held = std::ranges::count_if(failures, [&](const KnownCase& known) {
        return condition.Holds(FeaturesIn(condition, known.test_case, known.dialect));
      });
      if (failures.empty() || static_cast<double>(held) < kShareToJoin * static_cast<double>(failures.size())) continue;
      groups[g].failures.insert(groups[g].failures.end(), group.failures.begin(), group.failures.end());
      std::ranges::sort(groups[g].failures);
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(other));
    }
    groups[g].smallest = SmallestOf(results_, groups[g].failures);
  }

  /// A small operator with the attributes of a large one, run once: it says whether the size or the repetition matters.
  void FindSmall(CauseGroup& group) {
    std::size_t tries = 0;
    for (const std::size_t i : group.failures) {
      const CaseResult& result = results_[i];
      if (result.test_case == nullptr || result.IsSweep() || result.test_case->law) continue;
      Case plain = *result.test_case;
      plain.repeats.reset();
      const auto sketch = SketchOf(plain);
      if (!sketch || tries++ == kMostSmallTries) continue;
      Sketch small = *sketch;
      small.batch = std::min<std::int64_t>(small.batch, 2);
      small.groups = std::min<std::int64_t>(small.groups, 2);
      small.in = std::min<std::int64_t>(small.in, 3);
      small.out = std::min<std::int64_t>(small.out, 3);
      for (SketchAxis& axis : small.axes) axis.data = std::min<std::int64_t>(axis.data, 4);
      const Case test_case = CaseOf(small);
      if (!oracle::Resolve(test_case.op, test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut).ok()) continue;
      if (Ask(group, test_case) != std::optional(true)) continue;
      group.small_line = ToLine(test_case);
      return;
    }
  }

  std::span<const CaseResult> results_;
  Diagnoser& diagnoser_;
  Judge judge_;
  std::vector<KnownCase> passes_;
  std::vector<KnownCase> computed_;  ///< right operators, with or without outputs
};

}  // namespace

void FindConditions(std::span<const CaseResult> results, const DiagnosisOptions& options, Diagnoser& diagnoser,
                    std::vector<CauseGroup>& groups) {
  Search search(results, options, diagnoser);
  if (search.Start()) search.Find(groups);
}

}  // namespace conformance
