// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the table of needed features, and counts the failing and passing cases that have them.

#include "conformance/diagnosis/class_support.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "conformance/diagnosis/conditions_of_run.h"

namespace conformance {
namespace {

/// The share of the failures that must have a needed feature. A few may have another cause.
constexpr double kNearlyAllOfClass = 0.97;

constexpr std::size_t kMostPassesOfClass = 1000;

/// Classes with some defects that need none of the features below. For example, kernel_transposed (X1) also fails where
/// all axes are equal, and ncx_taken_for_nxc (L1) fails with channels first. A lack of features does not count against
/// these classes.
constexpr std::array<std::string_view, 4> kClassesWithOtherDefects = {"D3", "L1", "S2", "X1"};

constexpr std::string_view kStride = "on some axis the stride decides a product";
constexpr std::string_view kDilation = "on some axis the dilation decides a product";
constexpr std::string_view kDilationsDecide = "dilations decide a size or a pad";
constexpr std::string_view kOutputPadding = "output_padding decides a size or a pad";
constexpr std::string_view kOutputShape = "the output shape decides a size or a pad";
constexpr std::string_view kGroups = "groups";

struct Need {
  std::string_view mutant_class;
  std::string_view feature;
};

constexpr std::array kNeeds = {
    Need{"B1", "batch"},
    Need{"D1", kDilation},
    Need{"D1", kDilationsDecide},
    Need{"D2", kDilation},
    Need{"D3", kDilation},
    Need{"D3", kDilationsDecide},
    Need{"G1", kGroups},
    Need{"G2", kGroups},
    Need{"G3", kGroups},
    Need{"K1", "on some axis a tap other than the middle one is used"},
    Need{"L1", "data are channels last"},
    Need{"L1", "the filter is XIO"},
    Need{"O1", kOutputPadding},
    Need{"O2", kOutputPadding},
    Need{"O3", kOutputPadding},
    Need{"O4", kOutputPadding},
    Need{"P1", "on some axis resolved pads_begin != resolved pads_end"},
    Need{"P2", "exchanged pads would change a size or a pad"},
    Need{"P2", "symmetric pads would change a size or a pad"},
    Need{"P2", "pads_begin decides a size or a pad"},
    Need{"P2", "pads_end decides a size or a pad"},
    Need{"P3", "auto_pad decides a size or a pad"},
    Need{"P4", kOutputShape},
    Need{"P5", "on some axis output size > natural size + output_padding"},
    Need{"P6", kOutputShape},
    Need{"S1", "stride differs between axes"},
    Need{"S2", kStride},
    Need{"X1", "kernel differs between axes"},
    Need{"X1", "stride differs between axes"},
    Need{"X1", "dilation differs between axes"},
    Need{"X1", "pads_begin differs between axes"},
    Need{"X1", "pads_end differs between axes"},
    Need{"X1", "output_padding differs between axes"},
    Need{"X1", "output size differs between axes"},
    Need{"X1", "data size differs between axes"},
    Need{"X1", "resolved pads_begin differs between axes"},
    Need{"X1", "common divisor of stride and dilation differs between axes"},
};

std::size_t PlaceOf(std::string_view name) {
  const std::vector<Feature>& names = Features().whole;
  return static_cast<std::size_t>(std::ranges::find(names, name, &Feature::name) - names.begin());
}

/// Whether the case has the feature: the flag is set, or the size is larger than 1.
bool Has(const FeatureRow& row, std::size_t place) {
  if (place >= row.whole.size() || row.whole[place] == kNoValue) return false;
  return row.whole[place] >= (Features().whole[place].kind == FeatureKind::kFlag ? 1 : 2);
}

/// The share of the rows that have at least one of the features.
double ShareOf(std::span<const FeatureRow> rows, std::span<const std::size_t> places) {
  if (rows.empty()) return 0;
  const auto count = std::ranges::count_if(rows, [&](const FeatureRow& row) {
    return std::ranges::any_of(places, [&](std::size_t place) { return Has(row, place); });
  });
  return static_cast<double>(count) / static_cast<double>(rows.size());
}

double SupportOf(std::string_view mutant_class, std::span<const FeatureRow> failures,
                 std::span<const FeatureRow> passes) {
  std::vector<std::size_t> places;
  for (const std::string_view feature : FeaturesNeededBy(mutant_class)) places.push_back(PlaceOf(feature));
  if (ShareOf(failures, places) < kNearlyAllOfClass) {
    return std::ranges::find(kClassesWithOtherDefects, mutant_class) == kClassesWithOtherDefects.end() ? kAgainst : 0;
  }
  double support = 0;
  for (const std::size_t& place : places) {
    const std::span<const std::size_t> alone(&place, 1);
    const double failing = ShareOf(failures, alone);
    if (failing >= kNearlyAllOfClass) support = std::max(support, failing - ShareOf(passes, alone));
  }
  return support;
}

}  // namespace

std::vector<std::string_view> FeaturesNeededBy(std::string_view mutant_class) {
  std::vector<std::string_view> needed;
  for (const Need& need : kNeeds) {
    if (need.mutant_class == mutant_class) needed.push_back(need.feature);
  }
  return needed;
}

std::vector<FeatureRow> RowsOfTrials(std::span<const Trial* const> trials) {
  std::vector<FeatureRow> rows;
  for (const Trial* trial : trials) rows.push_back(FeaturesOf(trial->prepared->test_case, trial->prepared->dialect));
  return rows;
}

std::vector<FeatureRow> RowsOfPasses(std::span<const CaseResult> results) {
  std::vector<KnownCase> passes = KnownCasesOf(results);
  std::erase_if(passes, [](const KnownCase& known) { return known.fails; });
  const std::size_t count = std::min(kMostPassesOfClass, passes.size());
  std::vector<FeatureRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const KnownCase& pass = passes[i * passes.size() / count];
    rows.push_back(FeaturesOf(pass.test_case, pass.dialect));
  }
  return rows;
}

ClassSupport SupportOfClasses(std::span<const FeatureRow> failures, std::span<const FeatureRow> passes) {
  ClassSupport support;
  if (failures.empty()) return support;
  for (const Need& need : kNeeds) {
    if (!support.contains(need.mutant_class)) {
      support[need.mutant_class] = SupportOf(need.mutant_class, failures, passes);
    }
  }
  return support;
}

}  // namespace conformance
