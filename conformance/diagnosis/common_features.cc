// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Names what failures have in common. It counts the classes of properties, such as "rank=5", among failures and among
// passing cases, and compares the counts.

#include "conformance/diagnosis/common_features.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/property/property.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {
namespace {

// A property that all failures share explains nothing if this share of the passing cases has it too.
constexpr double kCommonInPasses = 0.5;
// It also explains nothing if the probability is larger that as many passing cases, drawn at random, would all have it.
constexpr double kByChance = 0.01;
constexpr std::size_t kFeatures = 3;

std::optional<ClassRow> RowOf(const CaseResult& result) {
  const std::optional<oracle::Geometry> geometry = GeometryOf(result);
  return geometry ? Classify(result.judged.test_case->op, *geometry) : std::nullopt;
}

double ShareOf(const std::vector<ClassRow>& rows, Property property, std::uint8_t value) {
  const auto count = std::ranges::count_if(rows, [&](const ClassRow& row) { return row[property] == value; });
  return static_cast<double>(count) / static_cast<double>(rows.size());
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

}  // namespace

std::string CommonClassesOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  if (failures.size() < 2) return {};  // a single one has everything in common with itself
  std::vector<ClassRow> rows;
  std::set<std::string_view> suites;
  for (const std::size_t i : failures) {
    suites.insert(results[i].origin.suite);
    const auto row = RowOf(results[i]);
    if (!row) return {};
    rows.push_back(*row);
  }
  const std::vector<ClassRow> passes = RowsOfPasses(results, suites);
  if (passes.empty()) return {};
  std::vector<std::pair<double, Property>> rare;
  for (std::size_t p = 0; p < kParameters; ++p) {
    const auto property = static_cast<Property>(p);
    const std::uint8_t value = rows.front()[property];
    if (!rows.front().Has(property) || ShareOf(rows, property, value) != 1) continue;
    const double share = ShareOf(passes, property, value);
    const bool by_chance = std::pow(share, static_cast<double>(failures.size())) > kByChance;
    if (share < kCommonInPasses && !by_chance) rare.emplace_back(share, property);
  }
  std::ranges::sort(rare);
  std::string text;
  for (const auto& [share, property] : rare | std::views::take(kFeatures)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", PropertyName(property),
                        ClassName(property, rows.front()[property]));
  }
  return text;
}

}  // namespace conformance
