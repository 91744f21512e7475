// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Classifies failures and passes, and compares them.

#include "conformance/diagnosis/common_features.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>


namespace conformance {
namespace {

// A common property explains nothing if this share of the passing cases has it too.
constexpr double kCommonInPasses = 0.5;
constexpr std::size_t kFeatures = 3;

std::optional<ClassRow> RowOf(const CaseResult& result) {
  const auto dialect = oracle::ParseDialect(result.dialect);
  if (result.test_case == nullptr || result.IsSweep() || !dialect) return std::nullopt;
  const oracle::Operator& op = result.test_case->op;
  const oracle::Resolution resolution = oracle::Resolve(op, *dialect, oracle::StepTexts::kLeftOut);
  return resolution.ok() ? Classify(op, *resolution.geometry) : std::nullopt;
}

}  // namespace

std::string CommonFeatures::Of(const std::vector<std::size_t>& failures) {
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
                        ClassNames(parameter)[(*common)[parameter]]);
  }
  return text;
}

double CommonFeatures::ShareOfPasses(Parameter parameter, std::uint8_t value) {
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

}  // namespace conformance
