// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes which outputs are wrong, by a conjunction of statements about their coordinates such as "sample >= 2". The
// code that learns conditions from cases learns it. Here a row is one output, and the row fails if the output is wrong.

#include "conformance/diagnosis/conditions/wrong_outputs.h"

#include <algorithm>
#include <deque>
#include <numeric>

#include <fmt/format.h>

#include "conformance/diagnosis/conditions/axis_taps.h"
#include "conformance/diagnosis/conditions/learn.h"
#include "conformance/verdict/compare.h"

namespace conformance {
namespace {

// Together they bound the rows to learn from to some thousand, for time. The numbers are guesses.
constexpr std::size_t kMostCases = 60;
// The wrong outputs of fewer cases may have a coordinate in common by chance.
constexpr std::size_t kLeastCases = 6;
constexpr std::int64_t kMostOutputsOfCase = 64;
// The description must be true of at least this part of the wrong outputs, and of at most this part of the right ones.
constexpr double kLeastWrongInside = 0.9;
constexpr double kMostRightInside = 0.03;

const FeatureTable& CoordinateFeatures() {
  static const FeatureTable kTable = [] {
    FeatureTable table;
    const auto add = [](std::vector<Feature>& features, const char* name, FeatureKind kind, double cost) {
      features.push_back({.name = name, .kind = kind, .cost = cost});
    };
    add(table.whole, "sample", FeatureKind::kSize, 1);
    add(table.whole, "sample counted from the last", FeatureKind::kNumber, 1.02);
    add(table.whole, "group", FeatureKind::kSize, 1);
    add(table.whole, "group counted from the last", FeatureKind::kNumber, 1.02);
    add(table.whole, "channel of the group", FeatureKind::kSize, 1);
    add(table.whole, "channel of the group counted from the last", FeatureKind::kNumber, 1.02);
    add(table.whole, "channel", FeatureKind::kSize, 1.03);
    add(table.whole, "channel counted from the last", FeatureKind::kNumber, 1.04);
    add(table.whole, "position on the last axis", FeatureKind::kSize, 1.01);
    add(table.whole, "position on the last axis counted from the end", FeatureKind::kNumber, 1.02);
    add(table.whole, "position on the first axis", FeatureKind::kSize, 1.03);
    add(table.whole, "position on the first axis counted from the end", FeatureKind::kNumber, 1.04);
    for (const char* number : {"the position on the last axis", "the channel of the group"}) {
      for (const int block : {4, 8, 16, 32}) {
        table.whole.push_back({.name = fmt::format("{} is past the last full block of {}", number, block),
                               .kind = FeatureKind::kFlag,
                               .cost = 1.05});
      }
    }
    add(table.whole, "number of outputs after this one", FeatureKind::kNumber, 1.1);
    add(table.axis, "position", FeatureKind::kSize, 1.02);
    add(table.axis, "position counted from the end", FeatureKind::kNumber, 1.03);
    add(table.axis, "phase of the stride", FeatureKind::kNumber, 1.04);
    add(table.axis, "the position is before the first data element", FeatureKind::kFlag, 1.06);
    return table;
  }();
  return kTable;
}

FeatureRow RowOf(const oracle::Geometry& geometry, std::int64_t flat) {
  const oracle::Dims dims = geometry.OutputDims();
  const oracle::Dims at = CoordinateOf(flat, dims);
  const std::size_t axis_count = geometry.axes.size();
  const bool last = geometry.layout == oracle::DataLayout::kNxc;
  const std::int64_t channel = last ? at[axis_count + 1] : at[1];
  const std::int64_t out = geometry.out_channels;
  FeatureRow row;
  for (std::size_t j = 0; j < axis_count; ++j) {
    const oracle::Axis& axis = geometry.axes[j];
    const std::int64_t position = at[(last ? 1 : 2) + j];
    const std::int64_t phase = ((position + axis.pads_begin) % axis.stride + axis.stride) % axis.stride;
    row.axes.push_back({position, axis.output - 1 - position, phase, position + axis.pads_begin < 0 ? 1 : 0});
  }
  row.whole = {at[0],
               geometry.batch - 1 - at[0],
               channel / out,
               geometry.groups - 1 - channel / out,
               channel % out,
               out - 1 - channel % out,
               channel,
               geometry.groups * out - 1 - channel,
               row.axes.back()[0],
               row.axes.back()[1],
               row.axes.front()[0],
               row.axes.front()[1]};
  const auto tail = [](std::int64_t index, std::int64_t count, std::int64_t block) {
    return IsPastLastBlock(index, count, block) ? 1 : 0;
  };
  for (const std::int64_t block : {4, 8, 16, 32}) {
    row.whole.push_back(tail(row.axes.back()[0], geometry.axes.back().output, block));
  }
  for (const std::int64_t block : {4, 8, 16, 32}) row.whole.push_back(tail(channel % out, out, block));
  row.whole.push_back(geometry.OutputCount() - 1 - flat);
  return row;
}

/// Whether a row has a larger number than the statement's, where a feature has a natural order. Without one, "== 1" may
/// as well be ">= 1".
bool HasLarger(const std::vector<LabelledRow>& rows, const Term& term) {
  const FeatureKind kind = (term.of_axis ? CoordinateFeatures().axis : CoordinateFeatures().whole)[term.feature].kind;
  if (kind == FeatureKind::kFlag || kind == FeatureKind::kCategory) return true;
  return std::ranges::any_of(rows, [&](const LabelledRow& row) {
    if (!term.of_axis) return row.row->whole[term.feature] > term.value;
    return std::ranges::any_of(row.row->axes, [&](const auto& axis) { return axis[term.feature] > term.value; });
  });
}

}  // namespace

std::string WrongOutputsText(std::span<const WrongOutputs> cases) {
  std::deque<FeatureRow> features;
  std::vector<LabelledRow> rows;
  std::size_t wrong = 0;
  for (std::size_t c = 0; c < std::min(cases.size(), kMostCases); ++c) {
    const auto count = static_cast<std::int64_t>(cases[c].wrong.size());
    // The step has no common divisor with the number of outputs. So it has none with the length of a row of outputs,
    // and the sampled outputs lie in all columns.
    std::int64_t step = std::max<std::int64_t>(1, count / kMostOutputsOfCase);
    while (std::gcd(step, count) != 1) ++step;
    for (std::int64_t flat = 0; flat < count; flat += step) {
      features.push_back(RowOf(cases[c].geometry, flat));
      const bool fails = cases[c].wrong[static_cast<std::size_t>(flat)];
      rows.push_back({&features.back(), fails});
      wrong += fails ? 1 : 0;
    }
  }
  if (wrong == 0) return {};
  const std::size_t right = rows.size() - wrong;
  const bool all_wrong = std::ranges::all_of(cases, [](const WrongOutputs& outputs) {
    return std::ranges::find(outputs.wrong, false) == outputs.wrong.end();
  });
  if (all_wrong) return "all outputs are wrong";
  if (right * 50 < rows.size()) return "nearly all outputs are wrong";
  if (cases.size() < kLeastCases) return {};
  const std::vector<Conjunction> learned = Learn(rows, CoordinateFeatures(), {.alternatives = 1, .terms = 2});
  if (learned.empty()) return {};
  Conjunction description = learned.front();
  for (Term& term : description.terms) {
    if (term.relation == Relation::kEqual && term.modulus == 0 && !HasLarger(rows, term))
      term.relation = Relation::kAtLeast;
  }
  std::size_t inside_wrong = 0;
  std::size_t inside_right = 0;
  for (const LabelledRow& row : rows) {
    if (description.Holds(*row.row)) ++(row.fails ? inside_wrong : inside_right);
  }
  const bool holds = static_cast<double>(inside_wrong) >= kLeastWrongInside * static_cast<double>(wrong) &&
                     static_cast<double>(inside_right) <= kMostRightInside * static_cast<double>(right);
  return holds
             ? fmt::format("wrong outputs: those where {} (numbers start at 0)", description.Text(CoordinateFeatures()))
             : std::string();
}

}  // namespace conformance
