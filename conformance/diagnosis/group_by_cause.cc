// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups the failures of a run by their causes. Failures that a planted fault explains are grouped first. Failures that
// were not run again join the explained failures with their signature (kind, class and words).

#include "conformance/diagnosis/group_by_cause.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <string.h>

#include "conformance/diagnosis/known_cases.h"
#include "conformance/interface/unsupported.h"

namespace conformance {
namespace {

// Rounding does not explain a group of wrong outputs if one of so many of its failures has small integers as operands.
constexpr std::size_t kPartOfPlain = 5;

/// A measure of an operator's size: the bits of all its sizes and attributes. Unlike a product, it also grows with
/// large numbers if one size is 0.
double MagnitudeOf(const oracle::Operator& op) {
  double bits = 0;
  ForEachNumber(op, [&bits](std::int64_t value) { bits += std::log2(1 + std::abs(static_cast<double>(value))); });
  if (op.groups) bits += std::log2(1 + std::abs(static_cast<double>(*op.groups)));
  return bits;
}

bool HasNoData(const CaseResult& result) {
  const auto& test_case = result.judged.test_case;
  return test_case != nullptr && std::ranges::find(test_case->op.data.dims, 0) != test_case->op.data.dims.end();
}

/// Puts every failure into one group.
class Grouping {
 public:
  Grouping(std::span<const CaseResult> results, const Diagnosis& diagnosis)
      : results_(results), diagnosis_(diagnosis) {}

  std::vector<CauseGroup> Group() {
    for (const std::size_t i : diagnosis_.unexplained) ++tried_[SignatureOf(results_[i])];
    for (const Explanation& explanation : diagnosis_.explanations) Add(explanation.failures).explanation = explanation;
    for (const Excuse& excuse : diagnosis_.excuses) {
      excused_.push_back(groups_.size());
      Add(excuse.failures).excuse = excuse;
    }
    std::map<CauseKind, std::vector<std::size_t>> vanished;
    for (const std::size_t i : diagnosis_.vanished) vanished[SignatureOf(results_[i]).kind].push_back(i);
    for (auto& [kind, failures] : vanished) {
      grouped_.insert(failures.begin(), failures.end());
      CauseGroup& group = groups_.emplace_back();
      group.vanished = true;
      group.failures = std::move(failures);
    }
    AddTheRest();
    std::erase_if(groups_, [](const CauseGroup& group) { return group.failures.empty(); });
    for (CauseGroup& group : groups_) {
      std::ranges::sort(group.failures);
      group.signature = MostFrequentSignature(results_, group.failures);
      group.smallest = SmallestOf(results_, group.failures);
    }
    SortWorstFirst(results_, groups_);
    return std::move(groups_);
  }

 private:
  bool IsToBeGrouped(std::size_t i) const { return i < results_.size() && results_[i].verdict.IsNewFailure(); }

  /// Adds the group of tried failures that were explained or excused.
  CauseGroup& Add(const std::vector<std::size_t>& failures) {
    const std::size_t at = groups_.size();
    CauseGroup& group = groups_.emplace_back();
    for (const std::size_t i : failures) {
      // A case that passed in the run and failed when it was run again is no failure of the run.
      if (!IsToBeGrouped(i)) continue;
      group.failures.push_back(i);
      const FailureSignature signature = SignatureOf(results_[i]);
      ++held_[signature][at];
      ++tried_[signature];
      grouped_.insert(i);
    }
    return group;
  }

  /// Groups the failures that no explanation holds. If one group holds most of the tried failures with a signature,
  /// the failures with it that were not run again are presumed to belong to it. All others form a group for each kind.
  void AddTheRest() {
    const std::set<std::size_t> in_vain(diagnosis_.unexplained.begin(), diagnosis_.unexplained.end());
    std::map<FailureSignature, std::vector<std::size_t>> rest;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!IsToBeGrouped(i) || grouped_.contains(i) || (!in_vain.contains(i) && AddToExcused(i))) continue;
      const FailureSignature signature = SignatureOf(results_[i]);
      const auto& held = held_[signature];
      const auto most = std::ranges::max_element(held, {}, [](const auto& entry) { return entry.second; });
      const bool is_held = most != held.end() && 2 * most->second > tried_[signature];
      if (!in_vain.contains(i) && is_held && IsPresumedIn(groups_[most->first], i)) {
        groups_[most->first].failures.push_back(i);
        ++groups_[most->first].presumed;
      } else {
        rest[BroadSignatureOf(signature)].push_back(i);
      }
    }
    for (auto& [signature, failures] : rest) groups_.emplace_back().failures = std::move(failures);
  }

  /// A declaration excuses wrong values only if their verdict names it. The verdict on a sweep or a law names none.
  /// Failures without data elements often have a reason of their own.
  bool IsPresumedIn(const CauseGroup& group, std::size_t i) const {
    const bool names_none = results_[i].IsSweep() || results_[i].BreaksLaw();
    const bool is_excused = !group.excuse || names_none || results_[i].verdict.failure == FailureClass::kStructuralNan;
    return is_excused && std::ranges::any_of(group.failures, [&](std::size_t of_group) {
             return HasNoData(results_[of_group]) == HasNoData(results_[i]);
           });
  }

  /// Adds a failure to the group of the declaration that its verdict names. Returns false if there is no such group.
  bool AddToExcused(std::size_t i) {
    const std::optional<ExcusingWord>& excusing = results_[i].verdict.facts.excusing_word;
    if (!excusing) return false;
    for (const std::size_t at : excused_) {
      if (groups_[at].excuse->meaning != excusing->meaning) continue;
      groups_[at].excuse->words.insert(excusing->word);
      groups_[at].failures.push_back(i);
      return true;
    }
    return false;
  }

  std::span<const CaseResult> results_;
  const Diagnosis& diagnosis_;
  std::vector<CauseGroup> groups_;
  std::set<std::size_t> grouped_;
  std::vector<std::size_t> excused_;  ///< groups whose failures a declaration excuses
  /// For each signature: how many tried failures each group holds.
  std::map<FailureSignature, std::map<std::size_t, std::size_t>> held_;
  std::map<FailureSignature, std::size_t> tried_;
};

}  // namespace

bool ToldCause::Holds(const CaseResult& failure) const {
  return BroadSignatureOf(group.signature) == BroadSignatureOf(SignatureOf(failure)) &&
         group.IsAbout(*failure.judged.test_case) && group.RanOn(failure.answer.implementation) &&
         condition.Holds(FeaturesOfFailure(condition, failure));
}

PartsOfGroup PartsOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures,
                     const Condition& condition) {
  const std::size_t count = condition.alternatives.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t a) { return std::pair(!condition.IsConfirmed(condition.alternatives[a]), a); });
  PartsOfGroup parts{.of_alternative = std::vector<std::vector<std::size_t>>(count), .rest = {}, .unknown = {}};
  for (const std::size_t i : failures) {
    const FeatureRow row = FeaturesOfFailure(condition, results[i]);
    const auto first = std::ranges::find_if(
        order, [&](std::size_t a) { return row.valid() && condition.alternatives[a].conjunction.Holds(row); });
    (first != order.end() ? parts.of_alternative[*first] : row.valid() ? parts.rest : parts.unknown).push_back(i);
  }
  return parts;
}

std::vector<std::vector<std::size_t>> ToldTogether(const Condition& condition,
                                                   const std::vector<std::vector<std::size_t>>& parts,
                                                   std::size_t failures) {
  constexpr std::size_t kLeastOfCause = 3;
  std::vector<std::vector<std::size_t>> told;
  std::vector<std::size_t> small;
  for (std::size_t a = 0; a < parts.size(); ++a) {
    if (!condition.IsConfirmed(condition.alternatives[a])) continue;
    if (parts[a].size() >= std::min(kLeastOfCause, failures)) {
      told.push_back({a});
    } else {
      small.push_back(a);
    }
  }
  if (!told.empty()) told.front().insert(told.front().end(), small.begin(), small.end());
  return told;
}

ToldCondition WordsOf(const Condition& condition, const std::vector<std::size_t>& alternatives) {
  ToldCondition told;
  std::vector<Alternative> chosen;
  for (const std::size_t a : alternatives) {
    const Alternative& alternative = condition.alternatives[a];
    const NewCases tests = condition.TestsOf(alternative);
    NewCases& all = told.words.tested;
    all.inside += tests.inside;
    all.inside_failed += tests.inside_failed;
    if (chosen.empty() || tests.outside < all.outside) {
      all.outside = tests.outside;
      all.outside_failed = tests.outside_failed;
    }
    told.words.text += (chosen.empty() ? "" : ", or where ") + alternative.Text();
    if (!alternative.passes_inside.empty()) told.words.exceptions.push_back(alternative.passes_inside);
    chosen.push_back(alternative);
  }
  told.condition = condition.Only(std::move(chosen));
  return told;
}

std::optional<ToldCondition> ConfirmedPart(std::span<const CaseResult> results, const CauseGroup& group,
                                           const Condition& condition,
                                           const std::vector<std::vector<std::size_t>>& parts) {
  const std::size_t failures = KnownCasesOf(results, group.failures).size();
  std::vector<std::size_t> told;
  std::size_t held = 0;
  for (std::size_t a = 0; a < parts.size(); ++a) {
    const bool is_of_another_defect = group.explanation && a > 0 && 10 * parts[a].size() < failures;
    if (is_of_another_defect || !condition.IsConfirmed(condition.alternatives[a])) continue;
    told.push_back(a);
    held += parts[a].size();
  }
  if (told.empty() || 10 * held < 8 * failures) return std::nullopt;
  return WordsOf(condition, told);
}

bool DiesBySigfpe(const CaseResult& result) {
  return result.verdict.failure == FailureClass::kCrash &&
         result.verdict.message.find(strsignal(SIGFPE)) != std::string::npos;
}

bool AllDieBySigfpe(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  return std::ranges::all_of(failures, [&](std::size_t i) { return DiesBySigfpe(results[i]); });
}

FailureSignature MostFrequentSignature(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  std::map<FailureSignature, std::size_t> counts;
  for (const std::size_t i : failures) ++counts[SignatureOf(results[i])];
  // A group with a wrong output is as bad as the wrong output, even if most of its failures are refusals.
  const CauseKind worst = counts.begin()->first.kind;
  std::erase_if(counts, [&](const auto& entry) { return entry.first.kind != worst; });
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
}

std::string ReasonNotToLook(const CauseGroup& group) {
  if (group.vanished) return "the failures depend on earlier cases or on chance";
  if (group.signature.kind == CauseKind::kSuite || !group.signature.clause.empty()) return "its clauses say it";
  return group.signature.failure == FailureClass::kHang ? "each question to a backend that hangs takes the time limit"
                                                        : "";
}

std::size_t SmallestOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  return *std::ranges::min_element(failures, {}, [&](std::size_t i) {
    const CaseResult& result = results[i];
    const bool is_operator = result.judged.test_case != nullptr && !result.IsSweep();
    const double bits = is_operator ? MagnitudeOf(result.judged.test_case->op) : 0;
    return std::tuple(!is_operator, result.verdict.facts.open, bits, result.judged.line.size());
  });
}

void MergeEqualConditions(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t h = g + 1; h < groups.size() && groups[g].condition; ++h) {
      CauseGroup& other = groups[h];
      if (other.failures.empty() || !other.condition || other.condition->text != groups[g].condition->text) continue;
      if (other.signature.kind != groups[g].signature.kind) continue;
      if (other.implementation != groups[g].implementation) continue;
      groups[g].failures.insert(groups[g].failures.end(), other.failures.begin(), other.failures.end());
      groups[g].joined += other.failures.size();
      groups[g].presumed += other.presumed;
      other.failures.clear();
      std::ranges::sort(groups[g].failures);
      groups[g].smallest = SmallestOf(results, groups[g].failures);
    }
  }
}

void JoinRefusals(std::span<const CaseResult> results, std::vector<CauseGroup>& groups, CauseGroup& group,
                  const std::function<bool(const CauseGroup&)>& has_reason) {
  for (CauseGroup& other : groups) {
    const bool alike =
        other.signature.failure == group.signature.failure && other.signature.clause == group.signature.clause;
    if (&other == &group || !alike || other.failures.empty() || other.vanished || !has_reason(other)) continue;
    group.failures.insert(group.failures.end(), other.failures.begin(), other.failures.end());
    group.joined += other.failures.size();
    group.presumed += other.presumed;
    other.failures.clear();
  }
  std::ranges::sort(group.failures);
  group.smallest = SmallestOf(results, group.failures);
}

void JoinLimits(std::span<const CaseResult> results, std::size_t least, std::vector<CauseGroup>& groups) {
  for (CauseGroup& group : groups) {
    if (group.limit.empty() || group.signature.kind != CauseKind::kRefusal) continue;
    const auto* word = std::ranges::find(kUnsupportedNames, group.limit, &UnsupportedName::name);
    JoinRefusals(results, groups, group, [&](const CauseGroup& other) {
      if (!other.limit.empty()) return other.limit == group.limit;
      const std::vector<KnownCase> failures = KnownCasesOf(results, other.failures);
      return other.failures.size() < least && failures.size() == other.failures.size() &&
             std::ranges::all_of(failures, [&](const KnownCase& known) { return (AskedBy(known) & word->bit) != 0; });
    });
  }
}

bool HasPlainValues(const CaseResult& result) {
  const auto& test_case = result.judged.test_case;
  return test_case == nullptr || test_case->values == DataSet::kIntegers || test_case->values == DataSet::kTaps;
}

void MergeExcuses(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  std::vector<CauseGroup*> excused;
  for (CauseGroup& group : groups) {
    if (group.excuse && !group.failures.empty()) excused.push_back(&group);
  }
  if (excused.size() < 2) return;
  CauseGroup& first = *excused.front();
  std::vector<std::size_t> failures;
  std::set<std::string> words;
  std::size_t presumed = 0;
  for (const CauseGroup* group : excused) {
    presumed += group->presumed;
    first.excused.push_back(fmt::format("{}: {} failure{}, such as {}", group->excuse->meaning, group->failures.size(),
                                        group->failures.size() == 1 ? "" : "s", results[group->smallest].judged.line));
    failures.insert(failures.end(), group->failures.begin(), group->failures.end());
    words.insert(group->excuse->words.begin(), group->excuse->words.end());
  }
  for (CauseGroup* group : excused) group->failures.clear();
  std::ranges::sort(failures);
  first.failures = std::move(failures);
  first.presumed = presumed;
  first.excuse->meaning = "arithmetic that is not declared";
  first.excuse->words = std::move(words);
  first.smallest = SmallestOf(results, first.failures);
  std::erase_if(groups, [](const CauseGroup& group) { return group.failures.empty(); });
}

void JoinFewRefusals(std::span<const CaseResult> results, std::size_t least, std::vector<CauseGroup>& groups) {
  const auto has_no_reason = [](const CauseGroup& group) {
    return group.signature.kind == CauseKind::kRefusal && !group.HasReason() && !group.vanished &&
           group.signature.clause.empty();
  };
  for (CauseGroup& group : groups) {
    if (!has_no_reason(group) || group.failures.size() < least) continue;
    const std::size_t smallest = group.smallest;
    JoinRefusals(results, groups, group, [&](const CauseGroup& other) {
      const bool joins = has_no_reason(other) && other.failures.size() < least;
      if (joins) group.other_words.push_back(other.smallest);
      return joins;
    });
    group.smallest = smallest;  // in the words of most
  }
}

void SortWorstFirst(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  const auto rank = [&](const CauseGroup& group) {
    if (group.signature.kind != CauseKind::kWrongOutput) return 0;
    if (group.excuse) return 3;
    // A broken law says that something is wrong. A cause that says when teaches more.
    if (group.signature.failure == FailureClass::kBrokenLaw && !group.condition && !group.explanation) return 2;
    const auto plain = std::ranges::count_if(group.failures, [&](std::size_t i) { return HasPlainValues(results[i]); });
    return kPartOfPlain * static_cast<std::size_t>(plain) >= group.failures.size() ? 0 : 1;
  };
  std::ranges::sort(groups, {}, [&](const CauseGroup& group) {
    return std::tuple(group.signature.kind, group.vanished, rank(group),
                      -static_cast<std::int64_t>(group.failures.size()), group.smallest);
  });
}

std::vector<CauseGroup> GroupByCause(std::span<const CaseResult> results, const Diagnosis& diagnosis) {
  return Grouping(results, diagnosis).Group();
}

}  // namespace conformance
