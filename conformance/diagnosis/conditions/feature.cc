// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the features of a case: numbers, flags and categories about which conditions make statements. It reads the
// case's sketch (the case as plain fields) and its geometry: the sizes and pads that the dialect computes.

#include "conformance/diagnosis/conditions/feature.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/checked.h"
#include "conformance/case/operator_draft.h"
#include "conformance/diagnosis/conditions/feature_sink.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/judge/thread_counts.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

using oracle::Dims;

/// The name of a class in the table of properties.
template <Property kProperty>
std::string ClassWord(std::int64_t value) {
  return std::string(ClassName(kProperty, value));
}
std::string TypeWord(std::int64_t value) {
  return std::string(oracle::ElementTypeName(static_cast<oracle::ElementType>(value)));
}
std::string DialectWord(std::int64_t value) {
  return std::string(oracle::DialectName(static_cast<oracle::Dialect>(value)));
}
std::string ClauseWord(std::int64_t value) {
  const oracle::Clause& clause = oracle::Clauses()[static_cast<std::size_t>(value)];
  return fmt::format("{} ({})", clause.id, clause.title);
}

// The spelling of a format. An absent format and a written default are different features, because backends may differ.
constexpr std::array kFormatWords = {"absent", "channels first", "channels last", "another word"};
std::string FormatWord(std::int64_t value) { return kFormatWords[static_cast<std::size_t>(value)]; }
std::int64_t FormatOf(const std::optional<std::string>& format) {
  if (!format) return 0;
  return *format == "NCX" || *format == "OIX" ? 1 : *format == "NXC" || *format == "XIO" ? 2 : 3;
}

std::int64_t ClauseIndex(std::string_view id) {
  const auto clauses = oracle::Clauses();
  const auto found = std::ranges::find(clauses, id, &oracle::Clause::id);
  return found == clauses.end() ? kNoValue : found - clauses.begin();
}

constexpr std::string_view kThreads = "threads";

void CollectWhole(const Sketch& sketch, oracle::Dialect dialect, const oracle::Resolution& resolution,
                  FeatureSink& sink) {
  const oracle::Operator& op = sketch.base_case.op;
  const oracle::Geometry& geometry = *resolution.geometry;
  sink.Category("operator", static_cast<std::int64_t>(op.kind), ClassWord<Property::kOperator>);
  sink.Category("dialect", static_cast<std::int64_t>(dialect), DialectWord, 1.04);
  sink.Category("type", static_cast<std::int64_t>(op.data.type), TypeWord);
  sink.Flag("the type is a floating type", oracle::IsFloat(op.data.type));
  const AutoPadClass auto_pad = AutoPadOf(op);
  sink.Category("auto_pad", static_cast<std::int64_t>(auto_pad), ClassWord<Property::kAutoPad>);
  sink.Flag("auto_pad is same_upper or same_lower",
            auto_pad == AutoPadClass::kSameUpper || auto_pad == AutoPadClass::kSameLower, 1.02);
  sink.Flag("pads decide (auto_pad is absent or explicit)", PadsDecide(op), 1.02);
  sink.Flag("auto_pad is in lower case",
            op.auto_pad && std::ranges::any_of(*op.auto_pad, [](unsigned char c) { return std::islower(c) != 0; }),
            1.1);
  sink.Category("output shape", static_cast<std::int64_t>(sketch.shape), ClassWord<Property::kShapeSource>);
  sink.Category("type of the output shape",
                sketch.shape == ShapeSourceClass::kInput || sketch.shape == ShapeSourceClass::kBoth
                    ? static_cast<std::int64_t>(sketch.shape_type)
                    : kNoValue,
                TypeWord, 1.02);
  sink.Category("data_format", FormatOf(op.data_format), FormatWord, 1.05);
  sink.Category("weights_format", FormatOf(op.weights_format), FormatWord, 1.05);
  const bool backward = op.kind == oracle::OperatorKind::kConvolutionBackwardData;
  const bool data_last = backward && FormatOf(op.data_format) != 1;
  const bool filter_last = backward && FormatOf(op.weights_format) != 1;
  sink.Flag("data are channels last", data_last, 1.01);
  sink.Flag("the filter is XIO", filter_last, 1.01);
  sink.Flag("pads_begin is absent", !sketch.pads_begin, 1.1);
  sink.Flag("pads_end is absent", !sketch.pads_end, 1.1);
  sink.Flag("strides are absent", !sketch.strides, 1.1);
  sink.Flag("dilations are absent", !sketch.dilations, 1.1);
  sink.Flag("the operator is open", !resolution.open.empty(), 1.1);
  sink.Category("clause", resolution.open.empty() ? kNoValue : ClauseIndex(resolution.open.front().clause), ClauseWord,
                1.2);
  sink.Size(kThreads.data(), kNoValue, 1.02);
  sink.Size("threads of the first run", kNoValue, 1.04);
  sink.Size("batch", sketch.batch);
  sink.Size("groups", sketch.groups);
  sink.Size("input channels of a group", sketch.in);
  sink.Size("output channels of a group", sketch.out);
  const std::int64_t in = ClampedProduct({sketch.groups, sketch.in});
  const std::int64_t out = ClampedProduct({sketch.groups, sketch.out});
  sink.Size("input channels", in, 1.03);
  sink.Size("output channels", out, 1.03);
  // Libraries treat an operator of one channel otherwise.
  sink.Size("input channels of a group * output channels of a group", ClampedProduct({sketch.in, sketch.out}), 1.07);
  sink.Number("spatial axes", static_cast<std::int64_t>(sketch.axes.size()));
  sink.Flag("input channels of a group == output channels of a group", sketch.in == sketch.out, 1.1);
  const std::int64_t last = geometry.axes.back().output;
  sink.Flag("input channels == last data size", in == sketch.axes.back().data, 1.1);
  sink.Flag("output channels == last output size", out == last, 1.1);
  sink.Size("outputs", geometry.OutputCount(), 1.06);
  std::int64_t plane = 1;
  std::int64_t window = 1;
  for (const SketchAxis& axis : sketch.axes) {
    window = ClampedProduct({window, std::clamp<std::int64_t>(axis.kernel, 0, 1 << 16)});
  }
  std::int64_t data_plane = 1;
  for (const oracle::Axis& axis : geometry.axes) {
    plane = ClampedProduct({plane, axis.output});
    data_plane = ClampedProduct({data_plane, axis.data});
  }
  sink.Size("outputs of a plane", plane, 1.06);
  sink.Size("data elements of a plane", data_plane, 1.06);
  sink.Size("elements of the data", geometry.DataCount(), 1.08);
  sink.Size("elements of the filter", geometry.FilterCount(), 1.08);
  const auto bytes = static_cast<std::int64_t>(oracle::ElementBytes(op.data.type));
  sink.Size("bytes of the filter", ClampedProduct({geometry.FilterCount(), bytes}), 1.1);
  sink.Size("bytes of the output", ClampedProduct({geometry.OutputCount(), bytes}), 1.1);
  sink.Size("taps of the filter", window, 1.04);
  // Libraries compute such operators by a multiplication of matrices.
  sink.Flag("the filter has one tap and all strides are 1",
            window == 1 && std::ranges::all_of(sketch.axes, [](const SketchAxis& axis) { return axis.stride == 1; }));
}

/// Adds aggregates of the axis features to those of the whole case, such as the value of the last axis and the smallest
/// and largest value over all axes.
void CollectAggregates(const std::vector<std::vector<std::int64_t>>& axes, const std::vector<Feature>& names,
                       FeatureSink& sink) {
  for (std::size_t f = 0; f < names.size(); ++f) {
    const Feature& feature = names[f];
    const bool number = feature.kind != FeatureKind::kFlag;
    std::int64_t least = axes.front()[f];
    std::int64_t most = axes.front()[f];
    bool differs = false;
    for (const auto& axis : axes) {
      least = std::min(least, axis[f]);
      most = std::max(most, axis[f]);
      differs = differs || axis[f] != axes.front()[f];
    }
    const std::int64_t last = axes.back()[f];
    const std::int64_t first = axes.front()[f];
    const std::int64_t second = axes.size() > 1 ? axes[axes.size() - 2][f] : kNoValue;
    if (feature.few) {
      sink.Put("", feature.name, " of the last axis", feature.kind, last, feature.cost + 0.03);
      sink.Put("smallest ", feature.name, "", FeatureKind::kNumber, least, feature.cost + 0.02);
      sink.Put("largest ", feature.name, "", FeatureKind::kNumber, most, feature.cost + 0.02);
    } else if (number) {
      sink.Put("", feature.name, " of the last axis", feature.kind, last, feature.cost + 0.03);
      sink.Put("", feature.name, " of the first axis", feature.kind, first, feature.cost + 0.04);
      sink.Put("", feature.name, " of the last axis but one", feature.kind, second, feature.cost + 0.06);
      sink.Put("smallest ", feature.name, "", FeatureKind::kNumber, least, feature.cost + 0.02);
      sink.Put("largest ", feature.name, "", FeatureKind::kNumber, most, feature.cost + 0.02);
      sink.Put("", feature.name, " differs between axes", FeatureKind::kFlag, differs ? 1 : 0, feature.cost + 0.05);
      sink.Put("", feature.name, " differs between the first and the last axis", FeatureKind::kFlag,
               first != last ? 1 : 0, feature.cost + 0.06);
      sink.Put("", feature.name, " differs between the last two axes", FeatureKind::kFlag,
               axes.size() > 1 && second != last ? 1 : 0, feature.cost + 0.07);
      sink.Put("", feature.name, " differs between the first two axes", FeatureKind::kFlag,
               axes.size() > 1 && axes[0][f] != axes[1][f] ? 1 : 0, feature.cost + 0.08);
      sink.Put("parity of ", feature.name, " differs between axes", FeatureKind::kFlag,
               std::ranges::any_of(axes, [&](const auto& axis) { return (axis[f] ^ first) & 1; }) ? 1 : 0,
               feature.cost + 0.1);
      std::int64_t after = kNoValue;
      for (std::size_t j = 1; j < axes.size(); ++j) after = std::max(after, axes[j][f]);
      sink.Put("largest ", feature.name, " of all axes but the first", FeatureKind::kNumber, after,
               feature.cost + 0.08);
      std::int64_t before = kNoValue;
      for (std::size_t j = 0; j + 1 < axes.size(); ++j) before = std::max(before, axes[j][f]);
      sink.Put("largest ", feature.name, " of all axes but the last", FeatureKind::kNumber, before,
               feature.cost + 0.08);
    } else {
      std::int64_t after = 0;
      std::int64_t before = 0;
      for (std::size_t j = 1; j < axes.size(); ++j) {
        after = std::max(after, axes[j][f]);
        before = std::max(before, axes[j - 1][f]);
      }
      sink.Put("on an axis after the first ", feature.name, "", FeatureKind::kFlag, after, feature.cost + 0.09);
      sink.Put("on an axis before the last ", feature.name, "", FeatureKind::kFlag, before, feature.cost + 0.09);
      sink.Put("on every axis ", feature.name, "", FeatureKind::kFlag, least, feature.cost + 0.04);
      sink.Put("on some axis ", feature.name, "", FeatureKind::kFlag, most, feature.cost + 0.02);
      sink.Put("on the last axis ", feature.name, "", FeatureKind::kFlag, last, feature.cost + 0.05);
      sink.Put("on the first axis ", feature.name, "", FeatureKind::kFlag, first, feature.cost + 0.06);
    }
  }
}

std::size_t IndexOf(std::string_view name) {
  const std::vector<Feature>& names = Features().whole;
  return static_cast<std::size_t>(std::ranges::find(names, name, &Feature::name) - names.begin());
}

/// The sketch of the operator as a backend sees it that takes resolved geometry: explicit pads, and no spellings.
Sketch ResolvedSketch(const Sketch& from, const oracle::Geometry& geometry) {
  Sketch sketch = from;
  oracle::Operator& op = sketch.base_case.op;
  if (op.kind == oracle::OperatorKind::kConvolutionBackwardData) {
    op.data_format = op.data_format.value_or("NXC");
    op.weights_format = op.weights_format.value_or("XIO");
  }
  op.kind = oracle::OperatorKind::kGroupConvolutionBackpropData;
  op.auto_pad.reset();
  for (std::size_t j = 0; j < sketch.axes.size(); ++j) {
    SketchAxis& axis = sketch.axes[j];
    const oracle::Axis& resolved = geometry.axes[j];
    const std::int64_t reach =
        ClampedSum(ClampedProduct({axis.stride, ClampedDifference(axis.data, 1)}),
                   ClampedSum(ClampedProduct({axis.dilation, ClampedDifference(axis.kernel, 1)}), 1));
    axis.pads_begin = resolved.pads_begin;
    axis.pads_end = ClampedDifference(ClampedDifference(reach, resolved.pads_begin), resolved.output);
    axis.output_padding = axis.shape_excess = 0;
  }
  sketch.strides = sketch.dilations = sketch.pads_begin = sketch.pads_end = true;
  sketch.output_padding = sketch.kernel_shape = false;
  sketch.shape = ShapeSourceClass::kAbsent;
  return sketch;
}

FeatureRow Collect(const Case& test_case, bool takes_resolved, oracle::Dialect judge, FeatureTable* names) {
  FeatureRow row;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, judge, oracle::StepTexts::kLeftOut);
  row.geometry = resolution.geometry;
  auto sketch = row.valid() ? SketchOf(test_case) : std::nullopt;
  if (row.valid()) row.products = ProductsOf(*resolution.geometry);
  if (!sketch) {
    const FeatureTable& table = Features();
    row.whole.assign(table.whole.size(), kNoValue);
    row.axes = {std::vector<std::int64_t>(table.axis.size(), kNoValue)};
    return row;
  }
  if (takes_resolved) sketch = ResolvedSketch(*sketch, *resolution.geometry);
  // A backend that takes resolved geometry sees neither the dialect nor the attributes from which sizes were computed.
  const oracle::Dialect dialect = takes_resolved ? oracle::Dialect::kOpenvinoSpec : judge;
  std::vector<bool> overlaps(sketch->axes.size());
  for (std::size_t j = 0; j < overlaps.size(); ++j) overlaps[j] = TapsOverlap(row.geometry->axes[j]);
  const auto without_overlap = std::ranges::count(overlaps, false);
  const std::vector<bool> of_auto_pad =
      takes_resolved ? std::vector<bool>(overlaps.size()) : AxesOfAutoPad(test_case.op, dialect, *row.geometry);
  for (std::size_t j = 0; j < sketch->axes.size(); ++j) {
    FeatureSink sink(row.axes.emplace_back(), names != nullptr && j == 0 ? &names->axis : nullptr);
    const oracle::Axis& resolved = row.geometry->axes[j];
    CollectAxis(sketch->axes[j], resolved, sink);
    sink.Flag("auto_pad decides the size or a pad", of_auto_pad[j], 1.1);
    CollectTaps(resolved, without_overlap == 0 || (without_overlap == 1 && !overlaps[j]), sink);
  }
  FeatureSink sink(row.whole, names == nullptr ? nullptr : &names->whole);
  CollectWhole(*sketch, dialect, resolution, sink);
  sink.Flag("an output has a product",
            without_overlap == 0 && row.geometry->DataCount() > 0 && row.geometry->FilterCount() > 0);
  CollectDecisions(test_case.op, dialect, takes_resolved ? nullptr : &*row.geometry, sink);
  CollectAggregates(row.axes, names != nullptr ? names->axis : Features().axis, sink);
  for (const Feature& feature : ValueFeatures()) {
    if (names != nullptr) {
      names->whole.push_back(feature);
      names->whole.back().of_values = true;
    }
    row.whole.push_back(kNoValue);
  }
  return row;
}

}  // namespace

const FeatureTable& Features() {
  static const FeatureTable kTable = [] {
    FeatureTable table;
    OperatorDraft draft;
    draft.axes = {AxisDraft()};
    Case plain;
    plain.op = Build(draft);
    (void)Collect(plain, false, oracle::Dialect::kOpenvinoSpec, &table);
    return table;
  }();
  return kTable;
}

FeatureRow FeaturesOf(const Case& test_case, oracle::Dialect dialect, const Capabilities* declared) {
  FeatureRow row = Collect(test_case, declared != nullptr && declared->takes_resolved, dialect, nullptr);
  if (declared != nullptr && declared->max_threads > 1) {
    static const std::size_t kFirst = IndexOf(kThreads);
    const ThreadCounts threads = ThreadsOf(*declared, ToLine(test_case));
    row.whole[kFirst] = threads.second;
    row.whole[kFirst + 1] = threads.first;
  }
  return row;
}

}  // namespace conformance
