// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the known cases from which a condition is learned, and makes new cases. A new case is small, differs from all
// known cases, and can show a fault.

#include "conformance/diagnosis/conditions/training_set.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/checked.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

// The backend is asked about thousands of cases, so each must be small.
constexpr double kMostProducts = 20'000;
constexpr std::int64_t kMostElements = 20'000;
// Some backends loop over every position between two taps, so a case with few products may be slow.
constexpr double kMostPositionsPerProduct = 250;
constexpr std::size_t kFewFailures = 10;
// The most failing cases of the run from which a condition is learned.
constexpr std::size_t kMostFailures = 300;
constexpr std::size_t kMostPasses = 500;

FieldChanger::Choices ChoicesOf(const Capabilities& declared) {
  FieldChanger::Choices choices;
  std::erase_if(choices.kinds, [&](auto kind) { return (declared.operators >> OperatorId(kind) & 1) == 0; });
  std::erase_if(choices.types, [&](auto type) { return (declared.element_types >> ElementTypeId(type) & 1) == 0; });
  return choices;
}

bool IsPlain(const Case& test_case) {
  const bool plain_set = test_case.values == DataSet::kIntegers || test_case.values == DataSet::kTaps;
  return plain_set && !test_case.data_only && !test_case.filter_values && !test_case.given_data &&
         !test_case.given_filter;
}

// With so many products of plain values (small non-zero integers), a wrong index gives a wrong output almost surely.
constexpr double kManyProducts = 64;
constexpr std::int64_t kManyElements = 12;

/// Gives the filter of integers and f64 numbers of a chosen number of bits, and other filters one infinity beside small
/// numbers. Data sets hold either small integers or numbers of nearly all bits, and NaN beside infinities. So without
/// this no new case would show at how many bits a sum becomes wrong, or whether an infinity alone is.
void ChooseFilterValues(Sketch& sketch, Random& random) {
  constexpr std::int64_t kMostElements = 32;  // the numbers stand in the case line
  constexpr int kExactInF64 = 52;
  constexpr std::size_t kMostSmall = 3;
  const oracle::ElementType type = sketch.type();
  std::int64_t count = ClampedProduct({sketch.groups, sketch.in, sketch.out});
  for (const SketchAxis& axis : sketch.axes) count = ClampedProduct({count, axis.kernel});
  if (count < 1 || count > kMostElements) return;
  const bool is_f64 = type == oracle::ElementType::kF64;
  const auto bits_of = [&](std::uint64_t number) {
    return oracle::IsFloat(type) ? oracle::RoundToBits(false, number, 0, type, oracle::Rounding::kNearest) : number;
  };
  InlineValues values;
  if (oracle::IsFloat(type) && !is_f64) {
    for (std::int64_t i = 0; i < count; ++i) values.bits.push_back(bits_of(1 + random.Below(kMostSmall)));
    values.bits[random.Below(values.bits.size())] = oracle::InfinityBits(false, type);
  } else {
    const int most = is_f64 ? kExactInF64 : static_cast<int>(8 * oracle::ElementBytes(type)) - 1;
    const auto power = std::uint64_t{1} << random.Below(static_cast<std::size_t>(most));
    for (std::int64_t i = 0; i < count; ++i) {
      values.bits.push_back(bits_of(power + (power == 1 ? 0 : random.Below(2))));
    }
  }
  sketch.base_case.values = DataSet::kIntegers;
  sketch.base_case.given_filter = std::move(values);
}

/// Whether another statement about the feature of statement `t` is false for this number. Example: 4 does not satisfy
/// the second statement of "channels >= 5 and channels % 4 != 0".
bool IsExcludedByOthers(const Conjunction& conjunction, std::size_t t, std::int64_t number) {
  const Term& own = conjunction.terms[t];
  return std::ranges::any_of(conjunction.terms, [&](const Term& other) {
    return &other != &own && other.feature == own.feature && other.of_axis == own.of_axis && !other.Holds(number);
  });
}

}  // namespace

bool ShowsIndices(const Case& test_case, const std::optional<oracle::Geometry>& resolved) {
  if (!resolved) return true;
  const oracle::Geometry& geometry = *resolved;
  // Without products all outputs are 0, whatever the values are.
  if (geometry.DataCount() == 0 || geometry.FilterCount() == 0) return true;
  if (!IsPlain(test_case)) return false;
  if (test_case.values == DataSet::kTaps) {
    return TapsFit(geometry.DataCount(), geometry.FilterCount(), geometry.type);
  }
  return geometry.FilterCount() >= kManyElements && geometry.DataCount() >= kManyElements &&
         static_cast<double>(geometry.OutputCount()) >= kManyProducts / 2;
}

std::vector<ResolvedCase> ResolvedCases(std::span<const KnownCase> known, const std::function<bool()>& late) {
  constexpr std::size_t kCasesPerLook = 256;  // cases between two calls of `late`, which may read files
  std::vector<ResolvedCase> cases;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (i % kCasesPerLook == kCasesPerLook - 1 && late && late()) break;
    auto resolution = oracle::Resolve(known[i].test_case.op, known[i].dialect, oracle::StepTexts::kLeftOut);
    if (!resolution.ok()) continue;
    const double products = ProductsOf(*resolution.geometry);
    cases.push_back({.known = &known[i], .geometry = *std::move(resolution.geometry), .products = products});
  }
  return cases;
}

bool PlainDataSuffice(std::span<const ResolvedCase> cases) {
  std::size_t plain = 0;
  std::size_t all = 0;
  std::size_t plain_cases = 0;
  for (const ResolvedCase& one : cases) {
    const bool is_plain = IsPlain(one.known->test_case);
    plain_cases += is_plain ? 1 : 0;
    all += one.known->fails ? 1 : 0;
    plain += one.known->fails && is_plain ? 1 : 0;
  }
  return plain > 0 && 2 * plain * cases.size() > all * plain_cases;
}

std::vector<LabelledRow> RowsToLearnFrom(const std::deque<TrainingRow>& rows, std::size_t most) {
  const auto failures = static_cast<std::size_t>(std::ranges::count_if(rows, &TrainingRow::fails));
  const std::size_t passes = rows.size() - failures;
  const std::size_t half = most / 2;
  std::vector<LabelledRow> chosen;
  for (const bool fails : {true, false}) {
    const std::size_t others = fails ? passes : failures;
    std::size_t room = half + (others < half ? half - others : 0);
    std::vector<const TrainingRow*> rest;
    for (const TrainingRow& row : std::views::reverse(rows)) {
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

TrainingSet::TrainingSet(std::span<const ResolvedCase> cases, const TrainingOptions& options)
    : plain_(options.plain), declared_(options.declared), changer_(ChoicesOf(options.declared), options.seed) {
  if (plain_) changer_.UsePlainDataSets();
  std::vector<ResolvedCase> failures;
  std::vector<ResolvedCase> passes;
  for (const ResolvedCase& one : cases) {
    const KnownCase& known = *one.known;
    if (!plain_ || (IsPlain(known.test_case) && (known.fails || ShowsIndices(known.test_case, one.geometry)))) {
      (known.fails ? failures : passes).push_back(one);
    }
    lines_.insert(ToLine(known.test_case));
  }
  most_products_ = LimitOf(failures);
  AddSome(failures, kMostFailures);
  AddSome(passes, kMostPasses);
}

double TrainingSet::LimitOf(std::span<const ResolvedCase> failures) const {
  std::size_t small = 0;
  for (const ResolvedCase& one : failures) {
    small += one.products <= kMostProducts && SketchOf(one.known->test_case) ? 1 : 0;
    if (small == kFewFailures) break;
  }
  return small >= std::min(kFewFailures, failures.size()) ? kMostProducts : kMostProductsOfNewCase;
}

std::optional<TrainingRow> TrainingSet::Make(std::size_t from, bool of_values) {
  const TrainingRow& parent = rows_[from];
  const TrainingRow& other = rows_[changer_.random().Below(rows_.size())];
  if (!parent.sketch) return std::nullopt;
  return RowOf(changer_.Changed(*parent.sketch, other.sketch ? *other.sketch : *parent.sketch), of_values);
}

std::optional<TrainingRow> TrainingSet::MakeWith(std::size_t from, const SimpleField& field, bool to_simple,
                                                 bool of_values) {
  if (!rows_[from].sketch) return std::nullopt;
  Sketch sketch = *rows_[from].sketch;
  Random& random = changer_.random();
  if (random.OneIn(2)) {
    for (const SimpleField& other : FieldsBesideAxes()) {
      if (random.OneIn(2)) other.change(sketch, true, random);
    }
  }
  field.change(sketch, to_simple, random);
  return RowOf(changer_.WithFittingValues(std::move(sketch)), of_values);
}

std::optional<TrainingRow> TrainingSet::MakeWithCoincidence(std::size_t from, bool of_values) {
  if (!rows_[from].sketch) return std::nullopt;
  Sketch sketch = *rows_[from].sketch;
  Random& random = changer_.random();
  constexpr std::size_t kOneOfNaturalSize = 3;
  if (sketch.shape != ShapeSourceClass::kAbsent && random.OneIn(kOneOfNaturalSize)) {
    for (SketchAxis& axis : sketch.axes) axis.pads_begin = axis.pads_end = axis.shape_excess = 0;
    return RowOf(changer_.WithFittingValues(std::move(sketch)), of_values);
  }
  const std::size_t one = random.OneIn(2) ? random.Below(sketch.axes.size()) : sketch.axes.size();
  for (std::size_t j = 0; j < sketch.axes.size(); ++j) {
    SketchAxis& axis = sketch.axes[j];
    if (one == sketch.axes.size() || j == one) ImposeCoincidence(axis, random);
    sketch.output_padding |= axis.output_padding != 0;
    sketch.pads_begin |= axis.pads_begin != 0;
    sketch.pads_end |= axis.pads_end != 0;
    sketch.strides |= axis.stride != 1;
    sketch.dilations |= axis.dilation != 1;
  }
  return RowOf(changer_.WithFittingValues(std::move(sketch)), of_values);
}

std::optional<TrainingRow> TrainingSet::MakeWithNumber(std::size_t from, std::int64_t number, std::int64_t replacement,
                                                       bool of_values) {
  if (!rows_[from].sketch) return std::nullopt;
  Sketch sketch = *rows_[from].sketch;
  std::vector<std::int64_t*> fields = {&sketch.batch, &sketch.groups, &sketch.in, &sketch.out};
  for (SketchAxis& axis : sketch.axes) {
    fields.insert(fields.end(), {&axis.data, &axis.kernel, &axis.stride, &axis.dilation, &axis.pads_begin,
                                 &axis.pads_end, &axis.output_padding});
  }
  std::erase_if(fields, [&](const std::int64_t* field) { return *field != number; });
  if (fields.empty()) return std::nullopt;
  for (std::int64_t* field : fields) *field = replacement;
  return RowOf(changer_.WithFittingValues(std::move(sketch)), of_values);
}

std::optional<TrainingRow> TrainingSet::RowOf(Sketch sketch, bool of_values) {
  constexpr std::size_t kOneWithChosenValues = 4;
  if (!plain_ && changer_.random().OneIn(kOneWithChosenValues)) ChooseFilterValues(sketch, changer_.random());
  return NewRow(std::move(sketch), of_values, true);
}

std::vector<TrainingRow> TrainingSet::Probes(const Conjunction& conjunction, bool of_values, std::size_t most) {
  constexpr std::size_t kParents = 3;
  // The smallest failure of each number of axes.
  std::map<std::size_t, std::pair<std::string, const Sketch*>> parents;
  for (const TrainingRow& row : rows_) {
    if (!row.fails || !row.sketch || !conjunction.Holds(row.features)) continue;
    std::string line = ToLine(row.test_case);
    auto& [least, sketch] = parents[row.sketch->axes.size()];
    const bool is_less = std::pair(line.size(), line) < std::pair(least.size(), least);
    if (sketch != nullptr && !is_less) continue;
    least = std::move(line);
    sketch = &*row.sketch;
  }
  std::vector<TrainingRow> probes;
  for (const auto& [axes, parent] : parents | std::views::take(kParents)) {
    for (Sketch& sketch : ProbesOf(*parent.second, changer_.choices().types)) {
      if (probes.size() == most) return probes;
      auto row = NewRow(changer_.WithFittingValues(std::move(sketch)), of_values, false);
      if (row) probes.push_back(*std::move(row));
    }
  }
  return probes;
}

/// `pass_must_prove`: nothing for a case that is too small to show a wrong index.
std::optional<TrainingRow> TrainingSet::NewRow(Sketch sketch, bool of_values, bool pass_must_prove) {
  TrainingRow row;
  row.of_run = false;
  row.sketch = std::move(sketch);
  row.test_case = CaseOf(*row.sketch);
  const auto dialect = declared_.JudgingDialect(row.test_case.op, row.test_case.EffectiveDialect());
  if (!dialect) return std::nullopt;
  row.dialect = *dialect;
  row.test_case.dialect.reset();
  if (row.test_case.EffectiveDialect() != *dialect) row.test_case.dialect = *dialect;
  row.sketch->base_case.dialect = row.test_case.dialect;
  row.features = FeaturesOf(row.test_case, row.dialect, &declared_);
  if (!row.features.valid() || !Fits(row)) return std::nullopt;
  row.pass_proves = !plain_ || ShowsIndices(row.test_case, row.features.geometry);
  if (pass_must_prove && !row.pass_proves) return std::nullopt;
  if (!lines_.insert(ToLine(row.test_case)).second) return std::nullopt;
  if (of_values) AddValueFeatures(row.test_case, row.features);
  return row;
}

void TrainingSet::AddSome(std::span<const ResolvedCase> from, std::size_t most) {
  std::vector<const KnownCase*> fitting;
  for (const ResolvedCase& one : from) {
    if (one.products <= most_products_ && SketchOf(one.known->test_case)) fitting.push_back(one.known);
  }
  // The chosen cases are spread evenly over all fitting ones.
  const std::size_t count = std::min(most, fitting.size());
  for (std::size_t i = 0; i < count; ++i) {
    const KnownCase& known = *fitting[i * fitting.size() / count];
    TrainingRow row{.test_case = known.test_case,
                    .dialect = known.dialect,
                    .sketch = SketchOf(known.test_case),
                    .features = FeaturesOf(known.test_case, known.dialect, &declared_),
                    .fails = known.fails};
    if (!plain_) AddValueFeatures(row.test_case, row.features);
    rows_.push_back(std::move(row));
  }
}

bool TrainingSet::Fits(const TrainingRow& row) const {
  if (row.features.products > most_products_ || !declared_.UnsupportedReason(row.test_case.op, row.dialect).empty())
    return false;
  const oracle::Geometry& geometry = *row.features.geometry;
  // Larger tensors would take too long, because thousands of cases are run.
  if (geometry.OutputCount() > kMostElements || geometry.DataCount() > kMostElements ||
      geometry.FilterCount() > kMostElements) {
    return false;
  }
  return PositionsOf(geometry) < kMostPositionsPerProduct * most_products_;
}

std::vector<UntriedCase> TrainingSet::Untried(const Conjunction& conjunction, bool of_values, std::size_t tries) {
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].sketch && conjunction.Holds(rows_[i].features)) inside.push_back(i);
  }
  std::vector<UntriedCase> untried;
  for (const SimpleField& field : SimpleFields()) {
    const auto have_it = static_cast<std::size_t>(
        std::ranges::count_if(inside, [&](std::size_t i) { return field.has(*rows_[i].sketch); }));
    if (inside.empty() || (have_it != 0 && have_it != inside.size())) continue;
    for (std::size_t i = 0; i < tries; ++i) {
      auto row = MakeWith(Parent(inside), field, have_it == 0, of_values);
      if (!row) continue;
      // The case leaves out lists that are absent in the sketch.
      if (conjunction.Holds(row->features) && field.has(*SketchOf(row->test_case)) == (have_it == 0)) {
        untried.push_back({.known = have_it == 0 ? field.other : field.simple, .row = *std::move(row)});
        break;
      }
      lines_.erase(ToLine(row->test_case));  // it is not asked about
    }
  }
  return untried;
}

UntriedNumbers TrainingSet::NotTried(const Conjunction& conjunction) const {
  UntriedNumbers untried;
  std::string& text = untried.text;
  for (std::size_t t = 0; t < conjunction.terms.size(); ++t) {
    const Term& term = conjunction.terms[t];
    const bool upward = term.relation == Relation::kAtMost;
    if (!upward && term.relation != Relation::kAtLeast) continue;
    std::vector<std::int64_t> beyond;
    const auto observe = [&](std::int64_t number) {
      if (number != kNoValue && !term.Holds(number)) beyond.push_back(number);
    };
    for (const TrainingRow& row : rows_) {
      if (row.fails || conjunction.FalseTerms(row.features) != std::vector{t}) continue;
      if (!term.of_axis) observe(row.features.whole[term.feature]);
      if (!term.of_axis) continue;
      for (const auto& axis : row.features.axes) {
        const bool others_hold = std::ranges::all_of(conjunction.terms, [&](const Term& other) {
          return !other.of_axis || other == term || other.Holds(axis[other.feature]);
        });
        if (others_hold) observe(axis[term.feature]);
      }
    }
    // A single case beyond the threshold may pass for another reason.
    std::ranges::sort(beyond);
    if (upward) std::ranges::reverse(beyond);
    if (beyond.size() > 1) beyond.pop_back();
    if (beyond.empty()) continue;
    const std::int64_t nearest = beyond.back();
    if (ClampedDifference(upward ? nearest : term.value, upward ? term.value : nearest) < 2) continue;
    const std::int64_t first = upward ? term.value + 1 : nearest + 1;
    const std::int64_t last = upward ? nearest - 1 : term.value - 1;
    if (first == last && IsExcludedByOthers(conjunction, t, first)) continue;
    const std::int64_t low = upward ? term.value : nearest, high = upward ? nearest : term.value;
    untried.is_wide = untried.is_wide || (low >= 0 && high > ClampedSum(ClampedProduct({2, low}), 2));
    text += fmt::format("{}{}", text.empty() ? " (not tried: " : "; ", first);
    if (first != last) text += fmt::format(" to {}", last);
  }
  if (!text.empty()) text += ")";
  return untried;
}

}  // namespace conformance
