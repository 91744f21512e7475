// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out when each group of failures happens. A condition is a statement that is true of the group's failures and
// of no passing case, such as "stride >= 3"; new cases test it. A limit is the name of a feature that all failures need
// and no computed case needs, such as "negative-pads". A question is a case that the backend is asked to run.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/conditions/training_set.h"
#include "conformance/diagnosis/divide_groups.h"
#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/diagnosis/nearest_passes.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

// Groups of fewer failures show too little: they are searched last, with what is left of the budget.
constexpr std::size_t kLeastFailures = 3;
constexpr std::size_t kLeastCases = 20;  // of a run with conditions; the replay of one case should be quick
constexpr double kShareToJoin = 0.9;  // the part of another group's failures that must satisfy a condition to join it
constexpr std::size_t kLeastQuestions = 48;  // of a group, even if the budget is used up: fewer teach nothing
constexpr std::size_t kMostSmallTries = 8;
constexpr std::size_t kPassesToJoin = 4;  // new cases outside of a condition; so many must pass for a group to join

class Search {
 public:
  Search(std::span<const CaseResult> results, Diagnoser& diagnoser)
      : results_(results),
        diagnoser_(diagnoser),
        judge_(diagnoser.options().backend, LimitsOfQuestions(diagnoser.options().limits, SecondsOfCase(results))),
        passes_(PassesWithOutputsOf(results)),
        computed_(ComputedCasesOf(results)) {
    for (const KnownCase& known : computed_) asked_by_computed_ |= AskedBy(known);
  }

  bool Start() { return !judge_.Start(); }

  void Find(std::vector<CauseGroup>& groups) {
    // Groups that a planted fault explains go first: Join moves the failures that satisfy their conditions into them.
    std::ranges::sort(groups, {}, [](const CauseGroup& group) {
      return std::tuple(!group.explanation.has_value(), group.signature.kind,
                        -static_cast<std::int64_t>(group.failures.size()), group.smallest);
    });
    for (CauseGroup& group : groups) DecideWithoutSearch(group);
    JoinLimits(results_, kLeastFailures, groups);
    DivideByFamilies(results_, groups);
    DivideBySize(results_, groups);
    DivideByImplementation(results_, groups);
    FindEach(groups);
    least_failures_ = 1;
    for (CauseGroup& group : groups) {
      if (group.not_looked == kTooFewToLearn && !group.explanation) group.not_looked.clear();
    }
    FindEach(groups);
    for (CauseGroup& group : groups) {
      if (!group.HasReason() && group.signature.kind == CauseKind::kDeath) SetLimit(FailuresOf(group), group);
    }
    MergeEqualConditions(results_, groups);
    NameTypes(results_, groups);
    JoinLeftFamilies(results_, groups);
    JoinFewRefusals(results_, kLeastFailures, groups);
    SplitByTypes(results_, groups);
    diagnoser_.budget().AllowSpareTime();
    for (CauseGroup& group : groups) {
      TestCommonClasses(group);
      FindNearestPasses(group);
      if (group.vanished) FindCaseBefore(group);
    }
    MergeExcuses(results_, groups);
    SortWorstFirst(results_, groups);
  }

 private:
  void FindEach(std::vector<CauseGroup>& groups) {
    for (std::size_t g = 0; g < groups.size() && !diagnoser_.budget().interrupted(); ++g) {
      DecideWithoutSearch(groups[g]);
      if (NeedsSearch(groups[g])) FindOne(groups, g);
    }
  }

  static bool NeedsSearch(const CauseGroup& group) {
    return !group.condition && !group.excuse && group.limit.empty() && group.not_looked.empty() &&
           !group.failures.empty();
  }

  /// Finds the group's limit, or a reason to search for no condition. The questions are then left for other groups.
  void DecideWithoutSearch(CauseGroup& group) {
    if (!NeedsSearch(group)) return;
    group.not_looked = ReasonNotToLook(group);
    if (!group.not_looked.empty()) return;
    const std::vector<KnownCase> failures = FailuresOf(group);
    // A planted fault that explains the group says more than a limit, unless the operators are refused. A process that
    // dies may do so in a part of what the limit names, so that a condition says more.
    const bool may_be_limit = !group.explanation && group.signature.kind != CauseKind::kDeath;
    if (may_be_limit || group.signature.kind == CauseKind::kRefusal) SetLimit(failures, group);
    if (!group.limit.empty()) return;
    if (std::ranges::none_of(failures, IsSmallEnough)) {
      group.not_looked = "all failing cases are large, or laws, sweeps and repeated runs";
      FindSmall(group);
    } else if (failures.size() < least_failures_ || results_.size() < kLeastCases) {
      group.not_looked = kTooFewToLearn;
    }
  }

  std::vector<KnownCase> FailuresOf(const CauseGroup& group) const { return KnownCasesOf(results_, group.failures); }

  /// The cases from which the condition of a group is learned: its failures, and those that do not fail in its way.
  std::vector<KnownCase> KnownOf(const std::vector<CauseGroup>& groups, const CauseGroup& group) const {
    std::vector<KnownCase> known = FailuresOf(group);
    const auto add = [&](KnownCase other) {
      other.fails = false;
      if (group.RanOn(other.implementation) && group.IsAbout(other.test_case)) known.push_back(std::move(other));
    };
    std::ranges::for_each(passes_, add);
    for (const CauseGroup& other : groups) {
      const bool computed = other.signature.kind == CauseKind::kWrongOutput;
      if (computed && HasNoOutput(group.signature.kind)) std::ranges::for_each(FailuresOf(other), add);
    }
    return known;
  }

  /// Sets the group's limit, if there is one.
  void SetLimit(const std::vector<KnownCase>& failures, CauseGroup& group) const {
    if (failures.size() < kLeastFailures || computed_.size() < kLeastCases) return;
    group.limit = LimitOf(failures, asked_by_computed_);
    if (!group.limit.empty()) group.computed = computed_.size();
  }

  /// Asks a question: runs the case. Returns whether the backend fails as in the group; nullopt if in another way.
  /// `wrong_passes`: a wrong output counts as a pass for refusals, and any answer for deaths. Else these say nothing.
  std::optional<bool> Ask(const CauseGroup& group, const Case& test_case, bool wrong_passes = true) {
    if (!group.IsAbout(test_case) || !diagnoser_.budget().Ask()) return std::nullopt;
    SuiteCase suite_case;
    suite_case.test_case = test_case;
    const CaseResult result = judge_.JudgeCase(suite_case);
    if (diagnoser_.budget().interrupted()) return std::nullopt;  // the verdict may be due to the interruption
    if (!group.RanOn(result.answer.implementation)) return std::nullopt;
    if (wrong_passes && group.signature.kind == CauseKind::kDeath && HasAnswered(result)) return false;
    const auto fails = HasFailed(result);
    // Where no output has a product, no value can be wrong. Such a pass says nothing about wrong values.
    const bool is_about_values = BroadSignatureOf(group.signature).failure == FailureClass::kWrongValue &&
                                 group.signature.failure != FailureClass::kGapNotZero && !group.without_data;
    if (fails == false && is_about_values && !HasProduct(result)) return std::nullopt;
    if (fails != std::optional(true)) return fails;
    const FailureSignature own = SignatureOf(result), &wanted = group.signature;
    if (wrong_passes && HasNoOutput(wanted.kind) && own.kind == CauseKind::kWrongOutput) return false;
    // A planted fault may show itself in several classes.
    const bool same = group.explanation ? own.kind == wanted.kind : BroadSignatureOf(own) == BroadSignatureOf(wanted);
    const bool ends_otherwise = AllDieBySigfpe(results_, group.failures) && !DiesBySigfpe(result);
    const bool differs = !same || ends_otherwise || HasOtherArithmetic(result, results_, group.failures);
    const bool is_told = std::ranges::any_of(told_, [&](const ToldCause& told) { return told.Holds(result); });
    return differs || is_told ? std::nullopt : fails;
  }

  /// Returns the backend's capabilities, for a group of some element types only with these types.
  const Capabilities& DeclaredFor(const CauseGroup& group) {
    if (group.only_types.empty()) return judge_.capabilities();
    declared_ = judge_.capabilities();
    declared_.element_types = 0;
    for (const auto type : group.only_types) declared_.element_types |= std::uint32_t{1} << ElementTypeId(type);
    return declared_;
  }

  /// A search that may ask so many questions, even if the budget is used up.
  ConditionSearch SearchFor(const CauseGroup& group, std::size_t questions) {
    diagnoser_.budget().Spare(questions);
    return {.declared = DeclaredFor(group),
            .ask = [this, &group](const Case& test_case) { return Ask(group, test_case); },
            .late = [this] { return diagnoser_.budget().late(); },
            .questions = questions};
  }

  void FindOne(std::vector<CauseGroup>& groups, std::size_t g) {
    CauseGroup& group = groups[g];
    const std::vector<KnownCase> known = KnownOf(groups, group);
    // Questions that a group does not use are left for the next groups. The two worst have a quarter of all each.
    const bool is_worst = !group.explanation && !group.without_data && searched_++ < 2;
    const std::size_t least = std::max(kLeastQuestions, is_worst ? diagnoser_.budget().questions / 4 : 0);
    ConditionSearch search = SearchFor(group, least);
    const auto groups_left = std::count_if(groups.begin() + static_cast<std::ptrdiff_t>(g), groups.end(), NeedsSearch);
    const std::size_t left = diagnoser_.budget().left();
    search.questions = std::min(left, std::max(least, left / static_cast<std::size_t>(groups_left)));
    search.told = AlternativesDivide(group) ? ToldAs::kCauses : ToldAs::kOneCause;
    const auto condition = FindCondition(known, search);
    diagnoser_.budget().cut |= condition && condition->end == SearchEnd::kBudget;
    const std::vector<Reported> reported = condition ? Divide(groups, g, *condition) : std::vector<Reported>();
    for (const Reported& one : reported) {
      Join(groups, one.group, one.condition);
      told_.push_back({.group = groups[one.group], .condition = one.condition});
    }
    if (!reported.empty()) return;
    groups[g].not_looked = !condition ? "nothing tells them from the cases that pass"
                           : condition->asked >= kLeastQuestions
                               ? fmt::format("{} new cases showed none", condition->asked)
                               : "too few new cases could be run to test one";
  }

  /// Names what failures without another reason have in common. These few questions are always asked.
  void TestCommonClasses(CauseGroup& group) {
    if (group.HasReason() || results_.size() < kLeastCases || !ReasonNotToLook(group).empty()) return;
    group.common = TestClasses(CommonClasses(results_, group.failures), FailuresOf(group),
                               SearchFor(group, kMostQuestionsOfClasses));
    if (group.common) group.types.reset();
  }

  /// Finds the smallest failure of a group of which nothing else is known, and similar operators that pass.
  void FindNearestPasses(CauseGroup& group) {
    if (group.HasReason() || group.common || !group.small_line.empty() || !ReasonNotToLook(group).empty()) return;
    const std::vector<KnownCase> smallest = KnownCasesOf(results_, {group.smallest});
    ConditionSearch search = SearchFor(group, kMostQuestionsOfNearest);
    search.ask = [&](const Case& test_case) { return Ask(group, test_case, false); };
    if (!smallest.empty()) group.nearest = NearestPasses(smallest[0], search);
    if (!smallest.empty() && group.nearest.empty()) group.vanished = search.ask(smallest[0].test_case) == false;
  }

  /// Finds a case after which the smallest failure happens again in the same process.
  void FindCaseBefore(CauseGroup& group) {
    const std::vector<KnownCase> smallest = KnownCasesOf(results_, {group.smallest});
    if (smallest.empty()) return;
    diagnoser_.budget().Spare(kMostQuestionsOfCaseBefore);
    group.after = CaseBefore(smallest[0].test_case, [&](const Case& test_case) { return Ask(group, test_case); });
  }

  /// Whether the failures of `other` satisfy the condition, and similar new cases that do not satisfy it pass.
  bool HasCondition(const CauseGroup& other, const Condition& condition) {
    std::vector<KnownCase> failures;
    for (const std::size_t i : other.failures) {
      if (!condition.Holds(FeaturesOfFailure(condition, results_[i]))) return false;
      failures.push_back(*OperatorThatFailed(results_[i]));
    }
    return PassOutside(condition, failures, kPassesToJoin, SearchFor(other, 2 * kPassesToJoin));
  }

  CauseCondition WithWrongOutputs(CauseCondition condition, const CauseGroup& group) const {
    std::vector<WrongOutputs> wrong;
    for (const std::size_t i : group.failures) {
      if (const auto found = diagnoser_.WrongOutputsOf(i)) wrong.push_back(*found);
    }
    if (!wrong.empty()) condition.wrong_outputs = WrongOutputsText(wrong);
    return condition;
  }

  /// The condition that a group's text states, which is a part of the condition that was found.
  struct Reported {
    std::size_t group;
    Condition condition;
  };

  static bool AlternativesDivide(const CauseGroup& group) {
    return group.signature.kind == CauseKind::kWrongOutput && !group.explanation;
  }

  /// Gives the group the condition if new cases confirm it. A condition has alternatives (A or B). Wrong outputs are
  /// divided: the failures of each confirmed alternative become a group, and the rest is one more.
  std::vector<Reported> Divide(std::vector<CauseGroup>& groups, std::size_t g, const Condition& condition) {
    auto [parts, rest, unknown] = PartsOf(results_, groups[g].failures, condition);
    if (!AlternativesDivide(groups[g])) {
      auto whole = ConfirmedPart(results_, groups[g], condition, parts);
      if (!whole) return {};
      groups[g].condition = WithWrongOutputs(std::move(whole->words), groups[g]);
      return {{g, std::move(whole->condition)}};
    }
    std::vector<CauseGroup> divided;
    std::vector<Reported> conditions;
    for (const std::vector<std::size_t>& told : ToldTogether(condition, parts, groups[g].failures.size())) {
      ToldCondition words = WordsOf(condition, told);
      CauseGroup part = groups[g];
      part.failures.clear();
      for (const std::size_t a : told) {
        part.failures.insert(part.failures.end(), parts[a].begin(), parts[a].end());
        parts[a].clear();
      }
      std::ranges::sort(part.failures);
      part.smallest = SmallestOf(results_, part.failures);
      part.presumed = 0;
      part.condition = WithWrongOutputs(std::move(words.words), part);
      conditions.push_back({divided.empty() ? g : groups.size() + divided.size() - 1, std::move(words.condition)});
      divided.push_back(std::move(part));
    }
    for (const std::vector<std::size_t>& part : parts) rest.insert(rest.end(), part.begin(), part.end());
    if (divided.empty()) return {};
    // No condition can be tested on failures without features. They get the first one if nearly all others satisfy it.
    CauseGroup& first = divided.front();
    if (10 * first.failures.size() >= 9 * (groups[g].failures.size() - unknown.size())) {
      first.failures.insert(first.failures.end(), unknown.begin(), unknown.end());
      std::ranges::sort(first.failures);
      first.presumed = unknown.size();
    } else {
      rest.insert(rest.end(), unknown.begin(), unknown.end());
    }
    if (!rest.empty()) {
      CauseGroup left = groups[g];
      std::ranges::sort(rest);
      left.failures = std::move(rest);
      left.smallest = SmallestOf(results_, left.failures);
      left.presumed = 0;
      divided.push_back(std::move(left));  // Find searches this group again
    }
    groups[g] = std::move(divided.front());
    groups.insert(groups.end(), std::make_move_iterator(divided.begin() + 1), std::make_move_iterator(divided.end()));
    return conditions;
  }

  /// Whether nearly all cases of this group's types fail where the condition is true. `held`: its failures there.
  bool FailsInside(const CauseGroup& group, std::size_t held, const Condition& condition) const {
    if (group.only_types.empty() || held == 0) return false;
    const auto passes = std::ranges::count_if(passes_, [&](const KnownCase& known) {
      return group.IsAbout(known.test_case) && condition.Holds(FeaturesIn(condition, known.test_case, known.dialect));
    });
    return static_cast<double>(held) >= kShareToJoin * (static_cast<double>(held) + static_cast<double>(passes));
  }

  /// Moves failures that satisfy the condition that group `g` reports from other groups of wrong outputs into group
  /// `g`: each one, if a planted fault explains `g` or the other group is of other types; else whole groups of which
  /// nearly all satisfy it. Refusals in other words move if they are too few to learn a condition from.
  void Join(std::vector<CauseGroup>& groups, std::size_t g, const Condition& condition) {
    if (groups[g].signature.kind == CauseKind::kRefusal) {
      return JoinRefusals(results_, groups, groups[g], [&](const CauseGroup& other) {
        return other.failures.size() < kLeastFailures && other.limit.empty() && !other.condition &&
               HasCondition(other, condition);
      });
    }
    if (groups[g].signature.kind != CauseKind::kWrongOutput) return;
    for (CauseGroup& other : groups) {
      if (other.signature.kind != CauseKind::kWrongOutput || other.explanation || other.condition) continue;
      if (other.excuse || other.vanished || !other.limit.empty()) continue;  // these have a reason of their own
      // Zeros that multiply give NaN beside other failures, too.
      const bool is_structural = other.signature.failure == FailureClass::kStructuralNan;
      if (is_structural && groups[g].signature.failure != FailureClass::kStructuralNan) continue;
      const bool has_own_bits = condition.OfValues() && !groups[g].only_types.empty();  // each type has its own
      if (has_own_bits && !other.only_types.empty()) continue;
      std::vector<std::size_t> held, rest, unknown;
      for (const std::size_t i : other.failures) {
        const FeatureRow row = FeaturesOfFailure(condition, results_[i]);
        const bool holds = groups[g].RanOn(results_[i].answer.implementation) && condition.Holds(row) &&
                           (!has_own_bits || groups[g].IsAbout(*results_[i].judged.test_case));
        const bool is_unknown = !row.valid() && groups[g].RanOn(results_[i].answer.implementation);
        (is_unknown ? unknown : holds ? held : rest).push_back(i);
      }
      const auto known = static_cast<double>(held.size() + rest.size());
      const bool nearly_all = static_cast<double>(held.size()) >= kShareToJoin * known;
      const bool one_by_one = groups[g].explanation || has_own_bits || !groups[g].implementation.empty() ||
                              (other.only_types != groups[g].only_types && FailsInside(other, held.size(), condition));
      if (held.empty() || (!one_by_one && !nearly_all)) continue;
      std::vector<std::size_t>& others = nearly_all ? held : rest;  // without features they go where most go
      others.insert(others.end(), unknown.begin(), unknown.end());
      if (!one_by_one) held.insert(held.end(), rest.begin(), rest.end());
      groups[g].failures.insert(groups[g].failures.end(), held.begin(), held.end());
      groups[g].joined += held.size();
      other.failures = one_by_one ? std::move(rest) : std::vector<std::size_t>();
      if (!other.failures.empty()) other.smallest = SmallestOf(results_, other.failures);
    }
    std::ranges::sort(groups[g].failures);
    groups[g].smallest = SmallestOf(results_, groups[g].failures);
  }

  /// Runs small operators with the attributes of the large ones. If one fails, size is not the reason, and it is named.
  void FindSmall(CauseGroup& group) {
    const std::vector<Case> small = SmallCasesOf(results_, group.failures, kMostSmallTries);
    const auto fails = std::ranges::find_if(small, [&](const Case& one) { return Ask(group, one) == true; });
    if (fails != small.end()) group.small_line = ToLine(*fails);
  }

  std::span<const CaseResult> results_;
  Diagnoser& diagnoser_;
  Judge judge_;
  std::vector<ToldCause> told_ = {};  ///< a failure that satisfies one of these conditions belongs to that cause
  Capabilities declared_;             ///< of DeclaredFor
  std::vector<KnownCase> passes_;
  std::vector<KnownCase> computed_;  ///< right operators, with or without outputs
  std::size_t least_failures_ = kLeastFailures;
  std::size_t searched_ = 0;             ///< groups that no planted fault explains
  std::uint32_t asked_by_computed_ = 0;  ///< the features that the computed cases ask of a backend
};

}  // namespace

void FindConditions(std::span<const CaseResult> results, Diagnoser& diagnoser, std::vector<CauseGroup>& groups) {
  Search search(results, diagnoser);
  if (search.Start()) search.Find(groups);
}

}  // namespace conformance
