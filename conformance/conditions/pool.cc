// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses known cases to learn from, and makes new cases that are small, unlike all known ones and able to show a
// fault.

#include "conformance/conditions/pool.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace conformance {
namespace {

// Many cases are asked about, so each must be small.
constexpr double kMostProducts = 20'000;
constexpr std::int64_t kMostElements = 20'000;
// Unless hardly any failure is that small.
constexpr double kMostProductsOfLarge = 200'000;
constexpr std::size_t kFewFailures = 10;
// Cases of the run that are learned from.
constexpr std::size_t kMostFailures = 300;
constexpr std::size_t kMostPasses = 500;

bool IsPlain(const Case& test_case) {
  return (test_case.values == DataSet::kIntegers || test_case.values == DataSet::kTaps) && !test_case.data_only &&
         !test_case.filter_values;
}

// Of integers, this many products hide no wrong index by chance.
constexpr double kManyProducts = 64;
constexpr std::int64_t kManyElements = 12;

/// Whether plain values of a case show every wrong index: where they do not, a pass says nothing.
bool ShowsIndices(const Case& test_case, oracle::Dialect dialect) {
  const auto resolution = oracle::Resolve(test_case.op, dialect, oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) return true;
  const oracle::Geometry& geometry = *resolution.geometry;
  // Without products, values show nothing and hide nothing.
  if (geometry.DataCount() == 0 || geometry.FilterCount() == 0) return true;
  if (test_case.values == DataSet::kTaps) {
    return TapsFit(geometry.DataCount(), geometry.FilterCount(), geometry.type);
  }
  return geometry.FilterCount() >= kManyElements && geometry.DataCount() >= kManyElements &&
         static_cast<double>(geometry.OutputCount()) >= kManyProducts / 2;
}

}  // namespace

bool IsRefused(const KnownCase& one) {
  return !oracle::Resolve(one.test_case.op, one.dialect, oracle::StepTexts::kLeftOut).ok();
}

bool PlainIsEnough(std::span<const KnownCase> known, bool invalid) {
  std::size_t plain = 0;
  std::size_t all = 0;
  std::size_t plain_cases = 0;
  std::size_t cases = 0;
  for (const KnownCase& one : known) {
    if (IsRefused(one) != invalid) continue;
    ++cases;
    plain_cases += IsPlain(one.test_case) ? 1 : 0;
    if (!one.fails) continue;
    ++all;
    plain += IsPlain(one.test_case) ? 1 : 0;
  }
  return invalid || (plain > 0 && 2 * plain * cases > all * plain_cases);
}

std::vector<LabelledRow> RowsToLearnFrom(const std::deque<PoolRow>& rows, std::size_t most) {
  const auto failures = static_cast<std::size_t>(std::ranges::count_if(rows, &PoolRow::fails));
  const std::size_t passes = rows.size() - failures;
  const std::size_t half = most / 2;
  std::vector<LabelledRow> chosen;
  for (const bool fails : {true, false}) {
    const std::size_t others = fails ? passes : failures;
    std::size_t room = half + (others < half ? half - others : 0);
    std::vector<const PoolRow*> rest;
    for (const PoolRow& row : std::views::reverse(rows)) {
      if (row.fails != fails) continue;
      if (!row.surprising || room == 0) {
        rest.push_back(&row);
        continue;
      }
      chosen.push_back({&row.features, fails});
      --room;
    }
    const std::size_t taken = std::min(room, rest.size());
    for (std::size_t i = 0; i < taken; ++i) chosen.push_back({&rest[i * rest.size() / taken]->features, fails});
  }
  return chosen;
}

Pool::Pool(std::span<const KnownCase> known, bool invalid, bool plain, const Capabilities& declared, std::uint64_t seed)
    : invalid_(invalid), plain_(plain), most_products_(kMostProducts), declared_(declared), varier_(declared, seed) {
  if (plain) varier_.KeepPlain();
  std::vector<const KnownCase*> failures;
  std::vector<const KnownCase*> passes;
  for (const KnownCase& one : known) {
    if (!plain || (IsPlain(one.test_case) && (one.fails || ShowsIndices(one.test_case, one.dialect))))
      (one.fails ? failures : passes).push_back(&one);
  }
  std::size_t small = 0;
  for (const KnownCase* one : failures) {
    small += SketchOf(one->test_case) && FeaturesOf(one->test_case, one->dialect).products <= kMostProducts ? 1 : 0;
    if (small == kFewFailures) break;
  }
  if (!invalid && small < std::min(kFewFailures, failures.size())) most_products_ = kMostProductsOfLarge;
  AddSome(failures, kMostFailures);
  AddSome(passes, kMostPasses);
  for (const KnownCase& one : known) lines_.insert(ToLine(one.test_case));
}

std::optional<PoolRow> Pool::Make(std::size_t from, bool of_values) {
  const PoolRow& parent = rows_[from];
  const PoolRow& other = rows_[varier_.Below(rows_.size())];
  PoolRow row;
  row.of_run = false;
  if (!parent.sketch || (invalid_ && varier_.Below(3) == 0)) {
    if (!invalid_) return std::nullopt;
    row.test_case = varier_.VaryRaw(parent.test_case);
    row.sketch = SketchOf(row.test_case);
  } else {
    row.sketch = varier_.Vary(*parent.sketch, other.sketch ? *other.sketch : *parent.sketch);
    row.test_case = CaseOf(*row.sketch);
  }
  const auto dialect = declared_.JudgedBy(row.test_case.op, row.test_case.EffectiveDialect());
  if (!dialect) return std::nullopt;
  row.dialect = *dialect;
  row.test_case.dialect.reset();
  if (row.test_case.EffectiveDialect() != *dialect) row.test_case.dialect = *dialect;
  if (row.sketch) row.sketch->rest.dialect = row.test_case.dialect;
  row.features = FeaturesOf(row.test_case, row.dialect, &declared_);
  if (row.features.valid == invalid_) return std::nullopt;
  if (row.features.valid && !Fits(row)) return std::nullopt;
  if (plain_ && !ShowsIndices(row.test_case, row.dialect)) return std::nullopt;
  if (!lines_.insert(ToLine(row.test_case)).second) return std::nullopt;
  if (of_values) AddValueFeatures(row.test_case, row.dialect, row.features);
  return row;
}

void Pool::AddSome(const std::vector<const KnownCase*>& from, std::size_t most) {
  std::size_t added = 0;
  // Spread over all of them.
  const std::size_t step = std::max<std::size_t>(1, from.size() / (2 * most));
  for (std::size_t i = 0; i < from.size() && added < most; i += step) {
    PoolRow row{.test_case = from[i]->test_case,
                .dialect = from[i]->dialect,
                .sketch = SketchOf(from[i]->test_case),
                .features = FeaturesOf(from[i]->test_case, from[i]->dialect, &declared_),
                .fails = from[i]->fails};
    if (row.features.valid == invalid_ || (!row.sketch && !invalid_) || row.features.products > most_products_)
      continue;
    AddValueFeatures(row.test_case, row.dialect, row.features);
    rows_.push_back(std::move(row));
    ++added;
  }
}

bool Pool::Fits(const PoolRow& row) const {
  if (row.features.products > most_products_ || !declared_.Lacks(row.test_case.op).empty()) return false;
  const auto resolution = oracle::Resolve(row.test_case.op, row.dialect, oracle::StepTexts::kLeftOut);
  const oracle::Geometry& geometry = *resolution.geometry;
  // Operators that have nothing to be wrong tell nothing.
  if (geometry.OutputCount() > kMostElements || geometry.DataCount() > kMostElements ||
      geometry.FilterCount() > kMostElements) {
    return false;
  }
  double positions = 1;
  for (const oracle::Axis& axis : geometry.axes) {
    positions = std::max(positions, static_cast<double>(axis.stride) * static_cast<double>(axis.data) +
                                        static_cast<double>(axis.dilation) * static_cast<double>(axis.kernel));
  }
  return positions * static_cast<double>(geometry.OutputCount()) < 250 * most_products_;
}

}  // namespace conformance
