// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups the failures of a run by their causes. Failures that a planted fault explains are grouped first. Failures that
// were not run again join the explained failures of their sort (kind, class and words).

#include "conformance/diagnosis/group_by_cause.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace conformance {
namespace {

/// A measure of an operator's size: the bits of all its sizes and attributes. Unlike a product, it also grows with
/// large numbers if one size is 0.
double MagnitudeOf(const oracle::Operator& op) {
  double bits = 0;
  ForEachNumber(op, [&bits](std::int64_t value) { bits += std::log2(1 + std::abs(static_cast<double>(value))); });
  if (op.groups) bits += std::log2(1 + std::abs(static_cast<double>(*op.groups)));
  return bits;
}

std::optional<oracle::ElementType> TypeOf(const CaseResult& result) {
  if (result.judged.test_case == nullptr || result.judged.output_dims.empty()) return std::nullopt;
  return result.judged.test_case->op.data.type;
}

/// How many cases of each type the backend computed, rightly or not. Expected failures do not count.
std::map<oracle::ElementType, std::size_t> ComputedOfType(std::span<const CaseResult> results) {
  std::map<oracle::ElementType, std::size_t> computed;
  for (const CaseResult& result : results) {
    const bool is_wrong =
        result.verdict.IsNewFailure() && CauseKindOf(result.verdict.failure) == CauseKind::kWrongOutput;
    const auto type = TypeOf(result);
    if (type && (is_wrong || result.IsComputed())) ++computed[*type];
  }
  return computed;
}

/// "i16, u16 or u32".
std::string NamesOf(const std::set<oracle::ElementType>& types) {
  std::string names;
  std::size_t left = types.size();
  for (const oracle::ElementType type : types) {
    names += names.empty() ? "" : left == 1 ? " or " : ", ";
    names += oracle::ElementTypeName(type);
    --left;
  }
  return names;
}

/// "u64 12 of 12, i16 9 of 14": how many of the computed cases of each type failed, the largest share first.
std::string SharesOf(const std::map<oracle::ElementType, std::size_t>& failed,
                     const std::map<oracle::ElementType, std::size_t>& computed) {
  std::vector<std::pair<double, std::string>> shares;
  for (const auto& [type, count] : failed) {
    const std::size_t of = computed.at(type);
    shares.emplace_back(-static_cast<double>(count) / static_cast<double>(of),
                        fmt::format("{} {} of {}", oracle::ElementTypeName(type), count, of));
  }
  std::ranges::sort(shares);
  std::string text;
  for (const auto& [share, words] : shares) text += (text.empty() ? "" : ", ") + words;
  return text;
}

/// Takes the failures of some element types out of the group: of types of which nearly all cases fail. nullopt if there
/// are no such types.
std::optional<CauseGroup> TakeTypes(std::span<const CaseResult> results,
                                    const std::map<oracle::ElementType, std::size_t>& computed, CauseGroup& group) {
  constexpr std::size_t kLeastFailures = 3;  // a guess: one or two failures of a type may be chance
  std::map<oracle::ElementType, std::size_t> failed;
  for (const std::size_t i : group.failures) {
    if (const auto type = TypeOf(results[i])) ++failed[*type];
  }
  TypesThatFail told;
  std::set<oracle::ElementType> types;
  for (const auto& [type, count] : computed) {
    const std::size_t failures = failed[type];
    const bool fails = failures >= kLeastFailures && 10 * failures >= 9 * count;
    (fails ? told.of_run.inside : told.of_run.outside) += count;
    (fails ? told.of_run.inside_failed : told.of_run.outside_failed) += failures;
    if (fails) types.insert(type);
  }
  // If most cases of the other types fail too, the type is not the reason.
  const bool others_fail = 2 * told.of_run.outside_failed > told.of_run.outside;
  if (types.empty() || told.of_run.outside < kLeastFailures || others_fail) return std::nullopt;
  told.names = NamesOf(types);
  CauseGroup of_types = group;
  const auto has_type = [&](std::size_t i) {
    const auto type = TypeOf(results[i]);
    return type && types.contains(*type);
  };
  std::erase_if(of_types.failures, [&](std::size_t i) { return !has_type(i); });
  std::erase_if(group.failures, has_type);
  of_types.types = std::move(told);
  for (CauseGroup* part : {&of_types, &group}) {
    part->presumed = std::min(part->presumed, part->failures.size());
    if (!part->failures.empty()) part->smallest = SmallestOf(results, part->failures);
  }
  return of_types;
}

/// If all failures of a group have some types, and so many cases would hardly have them by chance, the types are what
/// is known of the reason. Cases of other types that fail in other groups do not count.
void TellOnlyTypes(std::span<const CaseResult> results, const std::map<oracle::ElementType, std::size_t>& computed,
                   CauseGroup& group) {
  constexpr double kByChance = 0.01;
  std::set<oracle::ElementType> types;
  std::map<oracle::ElementType, std::size_t> failed;
  for (const std::size_t i : group.failures) {
    const auto type = TypeOf(results[i]);
    if (!type) return;
    types.insert(*type);
    ++failed[*type];
  }
  TypesThatFail told{
      .names = NamesOf(types), .is_only = true, .of_run = {.inside_failed = group.failures.size()}, .shares = {}};
  for (const oracle::ElementType type : types) told.of_run.inside += computed.at(type);
  told.of_run.outside = static_cast<std::size_t>(std::ranges::count_if(results, [&](const CaseResult& result) {
    const auto type = TypeOf(result);
    return type && !types.contains(*type) && result.IsComputed();
  }));
  if (types.size() > 1) told.shares = SharesOf(failed, computed);
  const double share = static_cast<double>(told.of_run.inside) / static_cast<double>(told.of_run.total());
  if (std::pow(share, static_cast<double>(group.failures.size())) < kByChance) group.types = std::move(told);
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
    if (!diagnosis_.vanished.empty()) {
      CauseGroup& vanished = groups_.emplace_back();
      vanished.vanished = true;
      vanished.failures = diagnosis_.vanished;
      grouped_.insert(diagnosis_.vanished.begin(), diagnosis_.vanished.end());
    }
    AddTheRest();
    std::erase_if(groups_, [](const CauseGroup& group) { return group.failures.empty(); });
    for (CauseGroup& group : groups_) {
      std::ranges::sort(group.failures);
      group.signature = MostFrequentSignature(group.failures);
      group.smallest = SmallestOf(results_, group.failures);
    }
    SortWorstFirst(groups_);
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
  bool IsPresumedIn(const CauseGroup& group, std::size_t i) const {
    const bool names_none = results_[i].IsSweep() || results_[i].BreaksLaw();
    return !group.excuse || names_none || results_[i].verdict.failure == FailureClass::kStructuralNan;
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

  FailureSignature MostFrequentSignature(const std::vector<std::size_t>& failures) const {
    std::map<FailureSignature, std::size_t> counts;
    for (const std::size_t i : failures) ++counts[SignatureOf(results_[i])];
    // A group with a wrong output is as bad as the wrong output, even if most of its failures are refusals.
    const CauseKind worst = counts.begin()->first.kind;
    std::erase_if(counts, [&](const auto& entry) { return entry.first.kind != worst; });
    return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
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
      groups[g].failures.insert(groups[g].failures.end(), other.failures.begin(), other.failures.end());
      groups[g].joined += other.failures.size();
      groups[g].presumed += other.presumed;
      other.failures.clear();
      std::ranges::sort(groups[g].failures);
      groups[g].smallest = SmallestOf(results, groups[g].failures);
    }
  }
}

void SplitByTypes(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  const auto computed = ComputedOfType(results);
  std::vector<CauseGroup> parts;
  for (CauseGroup& group : groups) {
    const bool is_open = group.signature.kind == CauseKind::kWrongOutput && group.signature.law.empty() &&
                         !group.condition && !group.explanation && !group.excuse && !group.vanished &&
                         group.limit.empty();
    if (!is_open) continue;
    if (auto part = TakeTypes(results, computed, group)) parts.push_back(*std::move(part));
    if (!group.failures.empty()) TellOnlyTypes(results, computed, group);
  }
  std::ranges::move(parts, std::back_inserter(groups));
  std::erase_if(groups, [](const CauseGroup& group) { return group.failures.empty(); });
}

void SortWorstFirst(std::vector<CauseGroup>& groups) {
  std::ranges::sort(groups, {}, [](const CauseGroup& group) {
    return std::tuple(group.signature.kind, group.vanished, -static_cast<std::int64_t>(group.failures.size()),
                      group.smallest);
  });
}

std::vector<CauseGroup> GroupByCause(std::span<const CaseResult> results, const Diagnosis& diagnosis) {
  return Grouping(results, diagnosis).Group();
}

}  // namespace conformance
