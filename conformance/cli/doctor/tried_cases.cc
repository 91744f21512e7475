// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds undeclared limits of a backend. A requirement is a feature that an operator needs, such as groups. This file
// subtracts the requirements of all right operators from those of each failing operator, and writes the remaining
// requirements as declarations. Example: {dilations} is right, {groups} and {groups, dilations} fail: groups remain.

#include "conformance/cli/doctor/tried_cases.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cli/doctor/declared_scope.h"
#include "conformance/interface/unsupported.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

// The largest attribute that a function with parameters of type int can take.
constexpr std::int64_t kLargestInt = INT32_MAX;
// The suite resolves these attributes itself if the backend takes resolved geometry, so they cannot be its limit.
constexpr std::uint32_t kOfAttributes =
    DECONV_UNSUPPORTED_SHAPE_ATTRIBUTE | DECONV_UNSUPPORTED_SHAPE_INPUT | DECONV_UNSUPPORTED_AUTO_PAD;

}  // namespace

TriedCases::Requirements TriedCases::RequirementsOf(const SuiteCase& suite_case) const {
  Requirements requirements;
  const oracle::Operator& op = suite_case.test_case.op;
  requirements.insert({Requirement::Kind::kRank, static_cast<std::int64_t>(op.data.dims.size())});
  requirements.insert({Requirement::Kind::kType, static_cast<std::int64_t>(op.data.type)});
  requirements.insert({Requirement::Kind::kOperator, static_cast<std::int64_t>(op.kind)});
  const auto geometry = DeclaredScope(declared_).GeometryOf(suite_case);
  if (!geometry) return requirements;
  if (LargestAttribute(op, *geometry) > kLargestInt) {
    requirements.insert({Requirement::Kind::kLargeNumber, kLargestInt});
  }
  const std::uint32_t asked = RequiredBits(op, *geometry) & ~(declared_.takes_resolved ? kOfAttributes : 0);
  for (const UnsupportedName& row : kUnsupportedNames) {
    if ((asked & row.bit) != 0) requirements.insert({Requirement::Kind::kBit, row.bit});
  }
  return requirements;
}

void TriedCases::AddRight(const SuiteCase& suite_case) {
  const Requirements& requirements = right_cases_.emplace_back(RequirementsOf(suite_case));
  right_.insert(requirements.begin(), requirements.end());
}

std::string TriedCases::TextOf(const Requirement& requirement) {
  switch (requirement.kind) {
    case Requirement::Kind::kBit:
      for (const UnsupportedName& row : kUnsupportedNames) {
        if (row.bit == requirement.value) return std::string(row.name);
      }
      return "";
    case Requirement::Kind::kLargeNumber:
      return "large numbers";
    case Requirement::Kind::kRank:
      return fmt::format("rank {}", requirement.value);
    case Requirement::Kind::kType:
      return std::string(ElementTypeName(static_cast<ElementType>(requirement.value)));
    case Requirement::Kind::kOperator:
      break;
  }
  return std::string(OperatorKindName(static_cast<OperatorKind>(requirement.value)));
}

TriedCases::Pairs TriedCases::PairsThatExplain(std::span<const SuiteCase* const> failures,
                                               DeclarationStyle style) const {
  Pairs pairs;
  Requirements non_types;  // of each pair, the requirement that is no type
  for (const SuiteCase* failure : failures) {
    const Requirements requirements = RequirementsOf(*failure);
    if (!std::ranges::includes(right_, requirements)) continue;  // LimitsThatExplain() explains it
    const Requirement type = {Requirement::Kind::kType, static_cast<std::int64_t>(failure->test_case.op.data.type)};
    const auto other = std::ranges::find_if(requirements, [&](const Requirement& requirement) {
      return requirement != type && std::ranges::none_of(right_cases_, [&](const Requirements& right) {
               return right.contains(type) && right.contains(requirement);
             });
    });
    if (other == requirements.end()) continue;
    std::string text = fmt::format("{} in {}", TextOf(*other), TextOf(type));
    if (std::ranges::find(pairs.texts, text) == pairs.texts.end()) pairs.texts.push_back(std::move(text));
    non_types.insert(*other);
  }
  if (EraseInnerRanks(non_types)) return pairs;  // a declaration would not exclude all pairs
  pairs.words = Words(non_types, style);
  pairs.right = static_cast<std::size_t>(std::ranges::count_if(right_cases_, [&](const Requirements& right) {
    return std::ranges::any_of(non_types, [&](const Requirement& requirement) { return right.contains(requirement); });
  }));
  return pairs;
}

bool TriedCases::EraseInnerRanks(Requirements& needed) const {
  const auto [min_rank, max_rank] = RanksWithout(needed);
  return std::erase_if(needed, [&](const Requirement& requirement) {
           return requirement.kind == Requirement::Kind::kRank && min_rank <= requirement.value &&
                  requirement.value <= max_rank;
         }) > 0;
}

TriedCases::Limits TriedCases::LimitsThatExplain(std::span<const SuiteCase* const> failures,
                                                 DeclarationStyle style) const {
  Limits limits;
  if (right_.empty() || failures.empty()) return limits;  // the backend may be wrong in everything
  std::vector<Requirements> suspects;
  for (const SuiteCase* failure : failures) {
    Requirements remaining;
    std::ranges::set_difference(RequirementsOf(*failure), right_, std::inserter(remaining, remaining.end()));
    suspects.push_back(std::move(remaining));
  }
  Requirements needed;
  for (const Requirements& requirements : suspects) {
    if (requirements.size() == 1) needed.insert(*requirements.begin());
  }
  const auto is_explained = [&needed](const Requirements& requirements) {
    return std::ranges::any_of(requirements,
                               [&](const Requirement& requirement) { return needed.contains(requirement); });
  };
  // If an operator has several suspect requirements, declaring one of them is enough. The first in the set's order is
  // taken: a bit of `unsupported`, if there is one.
  for (const Requirements& requirements : suspects) {
    if (!requirements.empty() && !is_explained(requirements)) needed.insert(*requirements.begin());
  }
  EraseInnerRanks(needed);
  limits.words = Words(needed, style);
  limits.explains_first = is_explained(suspects.front());
  return limits;
}

std::pair<int, int> TriedCases::RanksWithout(const Requirements& needed) const {
  int min_rank = declared_.min_rank;
  int max_rank = declared_.max_rank;
  while (min_rank < max_rank && needed.contains({Requirement::Kind::kRank, min_rank})) ++min_rank;
  while (max_rank > min_rank && needed.contains({Requirement::Kind::kRank, max_rank})) --max_rank;
  return {min_rank, max_rank};
}

std::string TriedCases::Words(const Requirements& needed, DeclarationStyle style) const {
  std::uint32_t bits = 0;
  std::vector<std::string> words;
  std::vector<std::string_view> types;
  std::vector<std::string_view> operators;
  for (const Requirement& requirement : needed) {
    switch (requirement.kind) {
      case Requirement::Kind::kBit:
        bits |= static_cast<std::uint32_t>(requirement.value);
        break;
      case Requirement::Kind::kLargeNumber:
        words.push_back(NumberWord("max_attribute", requirement.value, style));
        break;
      case Requirement::Kind::kRank:
        break;  // below
      case Requirement::Kind::kType:
        types.push_back(ElementTypeName(static_cast<ElementType>(requirement.value)));
        break;
      case Requirement::Kind::kOperator:
        operators.push_back(OperatorKindName(static_cast<OperatorKind>(requirement.value)));
        break;
    }
  }
  const auto [min_rank, max_rank] = RanksWithout(needed);
  if (bits != 0) words.insert(words.begin(), UnsupportedWords(bits | declared_.unsupported, style));
  if (min_rank != declared_.min_rank) words.push_back(NumberWord("min_rank", min_rank, style));
  if (max_rank != declared_.max_rank) words.push_back(NumberWord("max_rank", max_rank, style));
  const std::string_view types_key = style == DeclarationStyle::kPython ? "types" : "element_types";
  if (!types.empty()) words.push_back(fmt::format("{} without {}", types_key, fmt::join(types, " and ")));
  if (!operators.empty()) words.push_back(fmt::format("operators without {}", fmt::join(operators, " and ")));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace conformance
