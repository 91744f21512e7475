// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the features of a case, properties such as "stride 2 and dilation 1", and stores them where libFuzzer reads
// coverage.

#include "fuzz/cases/case_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>

#include "conformance/case/property/property.h"
#include "conformance/suite/measured_coverage/tap_regimes.h"
#include "fuzz/cases/shared_state.h"
#include "oracle/resolve.h"

namespace fuzz {
namespace {

// libFuzzer finds the counters by the name of the section, and clears them before each input.
__attribute__((section("__libfuzzer_extra_counters"), used)) std::array<std::uint8_t, kFeatures> counters;

// The kind of a feature. A feature is a list of numbers that begins with its kind. Example: {kSizes, 2, 1, 3} stands
// for an axis with stride 2, dilation 1 and a kernel of 3.
enum Kind : std::uint64_t { kPair, kRegime, kChannels, kType, kSizes, kClause };

/// Sets the counter of the feature, which a hash of its numbers chooses. The constants mix the bits; any good hash
/// would do.
void Mark(std::initializer_list<std::uint64_t> feature) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint64_t number : feature) {
    hash ^= number + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  const std::size_t index = hash % kFeatures;
  counters[index] = 1;
  NoteFeature(index);
}

// The class of a size. Each size up to 4 is a class. Larger sizes have three classes for each power of two P: P itself,
// P + 1, and all others below 2 * P. Example: 8, 9, and 10 to 15 get the numbers 24, 25 and 26. Vector code often fails
// on the elements that are left behind the last whole vector, so P (none is left) and P + 1 (one) are separate.
std::uint64_t SizeClass(std::int64_t size) {
  if (size <= 4) return static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0));
  const auto unsigned_size = static_cast<std::uint64_t>(size);
  const auto width = static_cast<std::uint64_t>(std::bit_width(unsigned_size));
  const std::uint64_t rest = unsigned_size - (std::uint64_t{1} << (width - 1));
  return 8 + 4 * width + (rest == 0 ? 0 : rest == 1 ? 1 : 2);
}

/// Marks each pair of attribute classes that the case has, such as "stride 2 and dilation 1".
void MarkPairs(const conformance::ClassRow& row, std::uint64_t dialect) {
  for (std::size_t i = 0; i < conformance::kParameters; ++i) {
    const auto one = static_cast<conformance::Property>(i);
    if (!row.Has(one)) continue;
    for (std::size_t j = i + 1; j < conformance::kParameters; ++j) {
      const auto other = static_cast<conformance::Property>(j);
      if (row.Has(other)) Mark({kPair, dialect, i, row[one], j, row[other]});
    }
  }
}

/// Marks the tap regimes of the case: how many filter elements that belong to an output meet data, for each class of
/// phases (positions modulo the stride) that some output has. `group_class` is the class of the number of groups.
void MarkRegimes(const oracle::Geometry& geometry, std::uint64_t group_class) {
  conformance::TapRegimes regimes;
  regimes.Add(geometry);
  for (std::uint64_t phase = 0; phase < conformance::kPhaseClassNames.size(); ++phase) {
    for (std::uint64_t regime = 0; regime < conformance::kTapRegimeNames.size(); ++regime) {
      const auto outputs =
          regimes.count(static_cast<conformance::PhaseClass>(phase), static_cast<conformance::TapRegime>(regime));
      if (outputs != 0) Mark({kRegime, phase, regime, geometry.axes.size(), group_class});
    }
  }
}

}  // namespace

const std::array<std::uint8_t, kFeatures>& MarkedFeatures() { return counters; }

void MarkFeatures(const conformance::Case& test_case) {
  const auto dialect = test_case.EffectiveDialect();
  const auto dialect_number = static_cast<std::uint64_t>(dialect);
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect, oracle::StepTexts::kLeftOut);
  if (!resolution.geometry) {
    const std::string_view clause = resolution.refusal ? resolution.refusal->clause : "";
    Mark({kClause, dialect_number, std::hash<std::string_view>{}(clause),
          static_cast<std::uint64_t>(test_case.op.kind)});
    return;
  }
  const oracle::Geometry& geometry = *resolution.geometry;
  if (const auto row = conformance::Classify(test_case.op, geometry)) MarkPairs(*row, dialect_number);
  const std::uint64_t group_class = std::min<std::int64_t>(geometry.groups, 3);  // 3 groups or more are one class
  MarkRegimes(geometry, group_class);
  const auto type = static_cast<std::uint64_t>(geometry.type);
  Mark({kChannels, SizeClass(geometry.in_channels), SizeClass(geometry.out_channels), group_class});
  Mark({kType, type, static_cast<std::uint64_t>(test_case.values), dialect_number});
  Mark({kType, type, SizeClass(geometry.out_channels), group_class});
  for (const oracle::Axis& axis : geometry.axes) {
    const auto bounded = [](std::int64_t number) {  // 9 and more are one class
      return static_cast<std::uint64_t>(std::min<std::int64_t>(number, 9));
    };
    Mark({kSizes, bounded(axis.stride), bounded(axis.dilation), bounded(axis.kernel)});
    Mark({kSizes, type, SizeClass(axis.output), bounded(axis.stride)});
  }
}

}  // namespace fuzz
