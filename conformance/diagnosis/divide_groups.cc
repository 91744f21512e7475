// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides groups of wrong outputs by implementation and by element type. The failures of an implementation, or of a
// family of types, that fails more often than others become a group, whose condition is searched for alone. Groups
// without a condition tell the types that fail.

#include "conformance/diagnosis/divide_groups.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace conformance {
namespace {

constexpr std::size_t kLeastToDivide = 3;  // a guess: one or two failures of a type may be chance
// A guess: a defect of all implementations makes some fail a little more often, because they run other operators.
constexpr double kTimesAsOften = 4;
constexpr double kLeastShare = 0.05;  // a guess: a defect of few cases is seen more clearly beside all implementations

using CountOfType = std::map<oracle::ElementType, std::size_t>;

std::optional<oracle::ElementType> TypeOf(const CaseResult& result) {
  if (result.judged.test_case == nullptr || result.judged.output_dims.empty()) return std::nullopt;
  return result.judged.test_case->op.data.type;
}

/// Whether the backend computed an output, rightly or not. Expected failures do not count.
bool HasOutput(const CaseResult& result) {
  return result.IsComputed() ||
         (result.verdict.IsNewFailure() && CauseKindOf(result.verdict.failure) == CauseKind::kWrongOutput);
}

/// How many cases of each type have an output.
CountOfType ComputedOfType(std::span<const CaseResult> results) {
  CountOfType computed;
  for (const CaseResult& result : results) {
    const auto type = TypeOf(result);
    if (type && HasOutput(result)) ++computed[*type];
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
std::string SharesOf(const CountOfType& failed, const CountOfType& computed) {
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

/// Splits the failures of some element types off the group: of types of which nearly all cases fail. nullopt if there
/// are no such types. `alike`: failures of each type that nothing explains and that fail alike, also of other groups.
std::optional<CauseGroup> SplitOffTypes(std::span<const CaseResult> results, const CountOfType& computed,
                                        const CountOfType& alike, CauseGroup& group) {
  CountOfType failed;
  for (const std::size_t i : group.failures) {
    if (const auto type = TypeOf(results[i])) ++failed[*type];
  }
  TypesThatFail failing;
  std::set<oracle::ElementType> types;
  for (const auto& [type, count] : computed) {
    const std::size_t failures = failed[type];
    const bool fails = failures >= kLeastToDivide && 10 * failures >= 9 * count;
    (fails ? failing.of_run.inside : failing.of_run.outside) += count;
    if (fails) {
      failing.of_run.inside_failed += failures;
    } else if (const auto all = alike.find(type); all != alike.end()) {
      failing.of_run.outside_failed += all->second;
    }
    if (fails) types.insert(type);
  }
  // If most cases of the other types fail too, the type is not the reason.
  const bool others_fail = 2 * failing.of_run.outside_failed > failing.of_run.outside;
  if (types.empty() || failing.of_run.outside < kLeastToDivide || others_fail) return std::nullopt;
  failing.names = NamesOf(types);
  CauseGroup of_types = group;
  const auto has_type = [&](std::size_t i) {
    const auto type = TypeOf(results[i]);
    return type && types.contains(*type);
  };
  std::erase_if(of_types.failures, [&](std::size_t i) { return !has_type(i); });
  std::erase_if(group.failures, has_type);
  of_types.types = std::move(failing);
  if (!group.small_line.empty()) {  // it is a fact about the part that has its type
    const auto small = ParseCaseLine(group.small_line);
    const Case* test_case = std::get_if<Case>(&small);
    const bool is_of_types = test_case != nullptr && types.contains(test_case->op.data.type);
    (is_of_types ? group : of_types).small_line.clear();
  }
  for (CauseGroup* part : {&of_types, &group}) {
    part->presumed = std::min(part->presumed, part->failures.size());
    if (!part->failures.empty()) part->smallest = SmallestOf(results, part->failures);
  }
  return of_types;
}

/// How many failures of other types the run has that look like those of the group.
std::size_t LikewiseOfOtherTypes(std::span<const CaseResult> results, const CauseGroup& group,
                                 const std::set<oracle::ElementType>& types) {
  std::set<FailureClass> classes;
  for (const std::size_t i : group.failures) classes.insert(results[i].verdict.failure);
  return static_cast<std::size_t>(std::ranges::count_if(results, [&](const CaseResult& result) {
    const auto type = TypeOf(result);
    return result.verdict.IsNewFailure() && type && !types.contains(*type) && classes.contains(result.verdict.failure);
  }));
}

/// If all failures of a group have some types, and so many cases would hardly have them by chance, the types are what
/// is known of the reason. Cases of other types that fail in other groups do not make it chance, but they are failing.
void TellOnlyTypes(std::span<const CaseResult> results, const CountOfType& computed, CauseGroup& group) {
  if (!group.only_types.empty()) return;  // DivideByFamilies chose the types
  constexpr double kByChance = 0.01;
  std::set<oracle::ElementType> types;
  CountOfType failed;
  for (const std::size_t i : group.failures) {
    const auto type = TypeOf(results[i]);
    if (!type) return;
    types.insert(*type);
    ++failed[*type];
  }
  TypesThatFail failing{
      .names = NamesOf(types), .is_only = true, .of_run = {.inside_failed = group.failures.size()}, .shares = {}};
  for (const oracle::ElementType type : types) failing.of_run.inside += computed.at(type);
  failing.of_run.outside = static_cast<std::size_t>(std::ranges::count_if(results, [&](const CaseResult& result) {
    const auto type = TypeOf(result);
    return type && !types.contains(*type) && result.IsComputed();
  }));
  failing.of_run.outside_failed = LikewiseOfOtherTypes(results, group, types);
  if (types.size() > 1) failing.shares = SharesOf(failed, computed);
  const double share = static_cast<double>(failing.of_run.inside) / static_cast<double>(failing.of_run.total());
  if (std::pow(share, static_cast<double>(group.failures.size())) < kByChance) group.types = std::move(failing);
}

/// Types that a library computes in the same way. Each floating type is a family, because the rounding and the range of
/// each are its own. Libraries have special code for integers of 8 bits, and compute wider ones in one other type.
int FamilyOf(oracle::ElementType type) {
  if (oracle::IsFloat(type)) return static_cast<int>(type);
  return oracle::ElementBytes(type) == 1 ? -1 : -2;
}

/// Cases with some types, or of one implementation.
struct Family {
  std::vector<std::size_t> failures;  ///< of the group
  std::size_t computed = 0;           ///< cases of the run; 0 for failures of all types
  double Share() const { return static_cast<double>(failures.size()) / static_cast<double>(computed); }
};

/// Whether the shares of failures of one family and of all others differ too much for chance.
bool Differs(const Family& family, std::size_t failures, std::size_t computed) {
  constexpr double kDeviations = 4;  // standard deviations: less than one case in 10,000 by chance
  const auto others = static_cast<double>(computed - family.computed);
  if (others == 0) return false;
  const double of_all = static_cast<double>(failures) / static_cast<double>(computed);
  const double of_others = static_cast<double>(failures - family.failures.size()) / others;
  const double variance = of_all * (1 - of_all) * (1 / static_cast<double>(family.computed) + 1 / others);
  return std::abs(family.Share() - of_others) > kDeviations * std::sqrt(variance);
}

/// Splits the failures of small integers off the families, and puts them before the families as one more, if there
/// are enough. A wrong index shows with all types, and its condition can be learned from all of them together.
void PutPlainFirst(std::span<const CaseResult> results, std::vector<Family>& families) {
  Family plain;
  for (const Family& family : families) {
    std::ranges::copy_if(family.failures, std::back_inserter(plain.failures),
                         [&](std::size_t i) { return HasPlainValues(results[i]); });
  }
  if (plain.failures.size() < kLeastToDivide) return;
  for (Family& family : families) {
    std::erase_if(family.failures, [&](std::size_t i) { return HasPlainValues(results[i]); });
  }
  std::erase_if(families, [](const Family& family) { return family.failures.empty(); });
  std::ranges::sort(plain.failures);
  families.insert(families.begin(), std::move(plain));
}

/// The group's families with failures, the one that fails least often first. Before them stand the failures of small
/// integers. Empty if the group is not to be divided.
std::vector<Family> FamiliesOf(std::span<const CaseResult> results, const CountOfType& computed,
                               const CauseGroup& group) {
  std::map<int, Family> by_name;
  for (const auto& [type, count] : computed) by_name[FamilyOf(type)].computed += count;
  for (const std::size_t i : group.failures) {
    const auto type = TypeOf(results[i]);
    if (!type) return {};
    by_name[FamilyOf(*type)].failures.push_back(i);
  }
  std::size_t all = 0;
  for (const auto& [name, family] : by_name) all += family.computed;
  bool differs = false;
  std::vector<Family> families;
  for (auto& [name, family] : by_name) {
    differs |= Differs(family, group.failures.size(), all);
    if (!family.failures.empty()) families.push_back(std::move(family));
  }
  const auto has_enough = [](const Family& family) { return family.failures.size() >= kLeastToDivide; };
  if (!differs || std::ranges::count_if(families, has_enough) < 2) return {};
  std::ranges::sort(families, {}, [](const Family& family) { return std::pair(family.Share(), family.failures); });
  PutPlainFirst(results, families);
  return families;
}

bool IsOpen(const CauseGroup& group) {
  return group.signature.kind == CauseKind::kWrongOutput && group.signature.law.empty() && !group.condition &&
         !group.explanation && !group.excuse && !group.vanished && group.limit.empty();
}

bool MayDivide(const CauseGroup& group) {
  // Other reasons not to search, such as a small case that fails too, are facts about the whole group.
  return IsOpen(group) && (group.not_looked.empty() || group.not_looked == kTooFewToLearn);
}

std::set<oracle::ElementType> TypesOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  std::set<oracle::ElementType> types;
  for (const std::size_t i : failures) {
    if (const auto type = TypeOf(results[i])) types.insert(*type);
  }
  return types;
}

/// Splits the failures without data elements off the group, if enough failures of both kinds are there.
std::optional<CauseGroup> SplitOffEmpty(std::span<const CaseResult> results, CauseGroup& group) {
  CauseGroup with_data = group;
  with_data.with_data_only = true;
  CauseGroup empty = group;
  empty.without_data = true;
  std::erase_if(empty.failures, [&](std::size_t i) {
    return results[i].judged.test_case == nullptr || with_data.IsAbout(*results[i].judged.test_case);
  });
  std::erase_if(with_data.failures, [&](std::size_t i) { return std::ranges::binary_search(empty.failures, i); });
  if (empty.failures.size() < kLeastToDivide || with_data.failures.size() < kLeastToDivide) return std::nullopt;
  for (CauseGroup* part : {&empty, &with_data}) {
    part->presumed = 0;
    part->smallest = SmallestOf(results, part->failures);
  }
  group = std::move(with_data);
  return empty;
}

}  // namespace

void DivideByImplementation(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  std::map<std::string, std::size_t> computed;
  std::size_t all_computed = 0;
  for (const CaseResult& result : results) {
    if (result.answer.implementation.empty() || !HasOutput(result)) continue;
    ++computed[result.answer.implementation];
    ++all_computed;
  }
  std::map<std::string, CauseGroup> parts;
  for (CauseGroup& group : groups) {
    if (!MayDivide(group) || group.without_data) continue;
    std::map<std::string, Family> implementations;
    for (const std::size_t i : group.failures) {
      if (!results[i].answer.implementation.empty()) {
        implementations[results[i].answer.implementation].failures.push_back(i);
      }
    }
    const std::size_t failed = group.failures.size();
    for (auto& [name, family] : implementations) {
      family.computed = computed[name];
      // The cause names the implementation of nearly all failures anyway (TellImplementation).
      const bool has_enough = family.failures.size() >= kLeastToDivide && family.failures.size() + 2 < failed;
      if (!has_enough || !Differs(family, failed, all_computed)) continue;
      const double of_others =
          static_cast<double>(failed - family.failures.size()) / static_cast<double>(all_computed - family.computed);
      if (family.Share() < std::max(kLeastShare, kTimesAsOften * of_others)) continue;
      CauseGroup& part = parts.try_emplace(name, group).first->second;
      if (part.implementation.empty()) part.failures.clear();
      part.implementation = name;
      part.only_types.clear();  // the failures may come from several families
      part.failures.insert(part.failures.end(), family.failures.begin(), family.failures.end());
      std::erase_if(group.failures, [&](std::size_t i) { return results[i].answer.implementation == name; });
    }
    if (!group.failures.empty()) group.smallest = SmallestOf(results, group.failures);
    group.presumed = std::min(group.presumed, group.failures.size());
  }
  std::vector<CauseGroup> first;
  for (auto& [name, part] : parts) {
    std::ranges::sort(part.failures);
    part.presumed = 0;
    part.smallest = SmallestOf(results, part.failures);
    part.signature = MostFrequentSignature(results, part.failures);
    first.push_back(std::move(part));
  }
  // The parts are searched before the rest of their groups, because the condition of a part may be true of the rest.
  const auto unexplained = std::ranges::find_if(groups, [](const CauseGroup& group) { return !group.explanation; });
  groups.insert(unexplained, std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));
  std::erase_if(groups, [](const CauseGroup& group) { return group.failures.empty(); });
}

void JoinLeftFamilies(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  CauseGroup* first = nullptr;
  for (CauseGroup& group : groups) {
    const FailureClass failure = group.signature.failure;
    const bool is_nan = failure == FailureClass::kWrongNan || failure == FailureClass::kStructuralNan;
    const bool may_join = IsOpen(group) && group.implementation.empty() && !group.without_data &&
                          group.small_line.empty() && !group.failures.empty();
    if (!may_join || (!is_nan && group.only_types.empty())) continue;
    if (first == nullptr) first = &group;
    if (first == &group) continue;
    first->failures.insert(first->failures.end(), group.failures.begin(), group.failures.end());
    std::ranges::sort(first->failures);
    first->only_types.clear();
    first->smallest = SmallestOf(results, first->failures);
    first->presumed += group.presumed;
    first->joined += group.joined;
    first->signature = MostFrequentSignature(results, first->failures);
    group.failures.clear();
  }
  std::erase_if(groups, [](const CauseGroup& group) { return group.failures.empty(); });
}

void DivideBySize(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  std::vector<CauseGroup> divided;
  for (CauseGroup& group : groups) {
    if (auto empty = MayDivide(group) ? SplitOffEmpty(results, group) : std::nullopt)
      divided.push_back(*std::move(empty));
    divided.push_back(std::move(group));
  }
  groups = std::move(divided);
}

void DivideByFamilies(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  const CountOfType computed = ComputedOfType(results);
  std::vector<CauseGroup> divided;
  for (CauseGroup& group : groups) {
    std::vector<Family> families = MayDivide(group) ? FamiliesOf(results, computed, group) : std::vector<Family>();
    for (Family& family : families) {
      CauseGroup& part = divided.emplace_back(group);
      part.failures = std::move(family.failures);
      part.presumed = 0;
      part.smallest = SmallestOf(results, part.failures);
      if (family.computed != 0) part.only_types = TypesOf(results, part.failures);
    }
    if (families.empty()) divided.push_back(std::move(group));
  }
  groups = std::move(divided);
}

void NameTypes(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  const CountOfType computed = ComputedOfType(results);
  for (CauseGroup& group : groups) {
    if (group.only_types.empty() || !group.condition) continue;
    const std::set<oracle::ElementType> types = TypesOf(results, group.failures);
    if (types.size() == computed.size() || group.condition->text.find("type ") != std::string::npos) continue;
    group.condition->text += " and type == " + NamesOf(types);
  }
}

void SplitByTypes(std::span<const CaseResult> results, std::vector<CauseGroup>& groups) {
  const auto computed = ComputedOfType(results);
  std::map<FailureSignature, CountOfType> alike;
  for (const CauseGroup& group : groups) {
    if (!IsOpen(group)) continue;
    for (const std::size_t i : group.failures) {
      if (const auto type = TypeOf(results[i])) ++alike[BroadSignatureOf(group.signature)][*type];
    }
  }
  std::vector<CauseGroup> parts;
  for (CauseGroup& group : groups) {
    if (!IsOpen(group)) continue;
    auto part = SplitOffTypes(results, computed, alike[BroadSignatureOf(group.signature)], group);
    if (part) parts.push_back(*std::move(part));
    if (!group.failures.empty()) TellOnlyTypes(results, computed, group);
  }
  std::ranges::move(parts, std::back_inserter(groups));
  std::erase_if(groups, [](const CauseGroup& group) { return group.failures.empty(); });
}

}  // namespace conformance
