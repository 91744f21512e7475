// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the features of a case from its sketch and from the geometry that the dialect gives it.

#include "conformance/conditions/feature.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/judge/demand.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

using oracle::Dims;

/// Collects features. The first case that is collected also gives the names.
class Sink {
 public:
  Sink(std::vector<std::int64_t>& values, std::vector<Feature>* names) : values_(values), names_(names) {}

  void Number(const char* name, std::int64_t value, double cost = 1) { Put(name, FeatureKind::kNumber, value, cost); }
  void Size(const char* name, std::int64_t value, double cost = 1) { Put(name, FeatureKind::kSize, value, cost); }
  void Flag(const char* name, bool value, double cost = 1.05) { Put(name, FeatureKind::kFlag, value ? 1 : 0, cost); }
  void Category(const char* name, std::int64_t value, std::string (*word)(std::int64_t), double cost = 1) {
    Put(name, FeatureKind::kCategory, value, cost);
    if (names_ != nullptr) names_->back().word = word;
  }
  void Put(std::string name, FeatureKind kind, std::int64_t value, double cost) {
    values_.push_back(value);
    if (names_ != nullptr) names_->push_back({.name = std::move(name), .kind = kind, .cost = cost});
  }

 private:
  std::vector<std::int64_t>& values_;
  std::vector<Feature>* names_;
};

std::string TypeWord(std::int64_t value) {
  return std::string(oracle::ElementTypeName(static_cast<oracle::ElementType>(value)));
}
std::string KindWord(std::int64_t value) {
  return std::string(oracle::OperatorKindName(static_cast<oracle::OperatorKind>(value)));
}
std::string DialectWord(std::int64_t value) {
  return std::string(oracle::DialectName(static_cast<oracle::Dialect>(value)));
}
std::string ValuesWord(std::int64_t value) { return std::string(DataSetName(static_cast<DataSet>(value))); }
std::string ClauseWord(std::int64_t value) {
  const oracle::Clause& clause = oracle::Clauses()[static_cast<std::size_t>(value)];
  return fmt::format("{} ({})", clause.id, clause.title);
}

constexpr std::array kAutoPadWords = {"absent", "explicit", "same_upper", "same_lower", "valid", "another word"};
std::string AutoPadWord(std::int64_t value) { return kAutoPadWords[static_cast<std::size_t>(value)]; }
std::int64_t AutoPadClassOf(const std::optional<std::string>& auto_pad) {
  if (!auto_pad) return 0;
  std::string lower = *auto_pad;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower == "explicit" || lower == "notset" || lower == "none") return 1;
  for (std::size_t i = 2; i < 5; ++i) {
    if (lower == kAutoPadWords[i]) return static_cast<std::int64_t>(i);
  }
  return 5;
}

constexpr std::array kSourceWords = {"absent", "an attribute", "an input", "an attribute and an input"};
std::string SourceWord(std::int64_t value) { return kSourceWords[static_cast<std::size_t>(value)]; }

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

/// How many taps meet at each position of an axis.
struct TapCounts {
  std::int64_t least = kNoValue;
  std::int64_t most = kNoValue;
  std::int64_t first = kNoValue;
  std::int64_t last = kNoValue;
};

TapCounts CountTaps(const oracle::Axis& axis) {
  constexpr std::int64_t kMostSteps = 1 << 14;
  TapCounts counts;
  if (axis.output <= 0 || axis.output > kMostSteps || axis.kernel > kMostSteps ||
      axis.output * axis.kernel > kMostSteps) {
    return counts;
  }
  for (std::int64_t position = 0; position < axis.output; ++position) {
    std::int64_t count = 0;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t from = position + axis.pads_begin - k * axis.dilation;
      count += from >= 0 && from % axis.stride == 0 && from / axis.stride < axis.data ? 1 : 0;
    }
    counts.least = position == 0 ? count : std::min(counts.least, count);
    counts.most = std::max(counts.most, count);
    if (position == 0) counts.first = count;
    counts.last = count;
  }
  return counts;
}

/// What is known of one axis: what is given, and what the dialect makes of it.
void CollectAxis(const SketchAxis& axis, const oracle::Axis* resolved, Sink& sink) {
  sink.Size("data size", axis.data);
  sink.Size("kernel", axis.kernel);
  sink.Size("stride", axis.stride);
  sink.Size("dilation", axis.dilation);
  sink.Number("pads_begin", axis.pads_begin);
  sink.Number("pads_end", axis.pads_end);
  sink.Number("output_padding", axis.output_padding);
  sink.Size("output size", resolved == nullptr ? kNoValue : resolved->output);
  sink.Number("resolved pads_begin", resolved == nullptr ? kNoValue : resolved->pads_begin, 1.02);
  const std::int64_t total = resolved == nullptr ? kNoValue : resolved->pads_begin + resolved->pads_end;
  sink.Size("total of the resolved pads", total, 1.04);
  std::int64_t extent = 0;
  std::int64_t dilated = 0;
  std::int64_t data_extent = 0;
  if (__builtin_mul_overflow(axis.kernel - 1, axis.dilation, &dilated) || __builtin_add_overflow(dilated, 1, &extent)) {
    extent = std::numeric_limits<std::int64_t>::max();
  }
  if (__builtin_mul_overflow(axis.data - 1, axis.stride, &data_extent)) data_extent = kNoValue;
  sink.Number("extent of the dilated kernel", extent, 1.05);
  sink.Number("taps of a phase", axis.stride > 0 ? axis.kernel / axis.stride : kNoValue, 1.1);
  sink.Number("distance of pads_end from pads_begin", axis.pads_end - axis.pads_begin, 1.1);
  const bool known = resolved != nullptr;
  const std::int64_t output = known ? resolved->output : 0;
  const std::int64_t natural = data_extent == kNoValue ? 0 : data_extent + extent;
  sink.Flag("kernel < stride", axis.kernel < axis.stride);
  sink.Flag("kernel > data size", axis.kernel > axis.data);
  sink.Flag("extent of the dilated kernel > data size", extent > axis.data, 1.1);
  sink.Flag("stride > data size", axis.stride > axis.data);
  sink.Flag("dilation > data size", axis.dilation > axis.data, 1.06);
  sink.Flag("dilation > stride", axis.dilation > axis.stride, 1.1);
  sink.Flag("dilation == stride", axis.dilation == axis.stride, 1.1);
  sink.Flag("output_padding >= stride", axis.output_padding >= axis.stride);
  sink.Flag("output_padding >= stride or dilation",
            axis.output_padding >= std::min(axis.stride, axis.dilation), 1.07);
  sink.Flag("output_padding >= the larger of stride and dilation",
            axis.output_padding >= std::max(axis.stride, axis.dilation), 1.07);
  sink.Flag("pads_begin != pads_end", axis.pads_begin != axis.pads_end);
  sink.Flag("pads_begin > pads_end", axis.pads_begin > axis.pads_end, 1.1);
  sink.Flag("output_padding == pads_begin", axis.output_padding == axis.pads_begin, 1.1);
  sink.Flag("pads_begin >= extent of the dilated kernel", axis.pads_begin >= extent, 1.06);
  sink.Flag("pads_end >= extent of the dilated kernel", axis.pads_end >= extent, 1.06);
  sink.Flag("resolved pads_begin >= extent of the dilated kernel", known && resolved->pads_begin >= extent, 1.08);
  sink.Flag("resolved pads_begin != pads_begin", known && resolved->pads_begin != axis.pads_begin, 1.1);
  sink.Flag("resolved pads_end != pads_end", known && resolved->pads_end != axis.pads_end, 1.1);
  sink.Flag("resolved pads_begin != resolved pads_end", known && resolved->pads_begin != resolved->pads_end, 1.1);
  sink.Flag("the total of the pads is odd and negative", known && total < 0 && total % 2 != 0, 1.1);
  const std::int64_t half = total == kNoValue ? 0 : total >= 0 ? total / 2 : -((1 - total) / 2);
  sink.Flag("resolved pads_begin != half of the total, rounded down", known && resolved->pads_begin != half, 1.09);
  sink.Flag("resolved pads_begin != half of the total, rounded up", known && resolved->pads_begin != total - half, 1.09);
  sink.Flag("output size > natural size", known && output > natural, 1.1);
  sink.Flag("output size < natural size", known && output < natural, 1.1);
  sink.Flag("output size > natural size + output_padding", known && output > natural + axis.output_padding, 1.1);
  sink.Flag("output size != data size * stride", known && output != axis.data * axis.stride, 1.12);
  sink.Flag("stride and dilation have a common divisor", std::gcd(axis.stride, axis.dilation) > 1);
  sink.Flag("the stride does not divide the kernel", axis.stride > 0 && axis.kernel % axis.stride != 0, 1.08);
  sink.Flag("the stride divides resolved pads_begin",
            known && axis.stride > 0 && resolved->pads_begin % axis.stride == 0, 1.1);
  const TapCounts taps = known ? CountTaps(*resolved) : TapCounts();
  sink.Flag("a position meets no tap", taps.least == 0, 1.02);
  sink.Number("most taps that meet at a position", taps.most, 1.05);
  sink.Number("taps that meet at the first position", taps.first, 1.1);
  sink.Number("taps that meet at the last position", taps.last, 1.1);
  sink.Number("kernel modulo stride", axis.stride > 0 ? axis.kernel % axis.stride : kNoValue, 1.12);
  sink.Number("common divisor of stride and dilation", std::gcd(axis.stride, axis.dilation), 1.12);
  std::int64_t reached = 0;  // the end of what a tap can reach
  if (known) reached = natural - resolved->pads_begin;
  sink.Flag("outputs lie behind the last that a tap reaches", known && output > reached, 1.1);
  sink.Number("outputs behind the last that a tap reaches", known ? output - reached : kNoValue, 1.15);
}

void CollectWhole(const Sketch& sketch, oracle::Dialect dialect, const oracle::Resolution& resolution, Sink& sink) {
  const oracle::Operator& op = sketch.rest.op;
  const std::optional<oracle::Geometry>& geometry = resolution.geometry;
  sink.Category("operator", static_cast<std::int64_t>(op.kind), KindWord);
  sink.Category("dialect", static_cast<std::int64_t>(dialect), DialectWord, 1.04);
  sink.Category("type", static_cast<std::int64_t>(op.data.type), TypeWord);
  sink.Flag("the type is a floating type", oracle::IsFloat(op.data.type));
  sink.Category("data set", static_cast<std::int64_t>(sketch.rest.values), ValuesWord, 1.02);
  sink.Category("auto_pad", AutoPadClassOf(op.auto_pad), AutoPadWord);
  sink.Flag("auto_pad is same_upper or same_lower",
            AutoPadClassOf(op.auto_pad) == 2 || AutoPadClassOf(op.auto_pad) == 3, 1.02);
  sink.Flag("pads decide (auto_pad is absent or explicit)", AutoPadClassOf(op.auto_pad) < 2, 1.02);
  sink.Flag("auto_pad is in lower case",
            op.auto_pad && std::ranges::any_of(*op.auto_pad, [](unsigned char c) { return std::islower(c) != 0; }), 1.1);
  sink.Category("output shape", static_cast<std::int64_t>(sketch.shape), SourceWord);
  sink.Category("type of the output shape",
                sketch.shape == ShapeSource::kInput || sketch.shape == ShapeSource::kBoth
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
  sink.Category("clause",
                resolution.ok() ? (resolution.open.empty() ? kNoValue : ClauseIndex(resolution.open.front().clause))
                                : ClauseIndex(resolution.refusal->clause),
                ClauseWord, 0.9);
  sink.Size("batch", sketch.batch);
  sink.Size("groups", sketch.groups);
  sink.Size("input channels of a group", sketch.in);
  sink.Size("output channels of a group", sketch.out);
  sink.Size("input channels", sketch.groups * sketch.in, 1.03);
  sink.Size("output channels", sketch.groups * sketch.out, 1.03);
  sink.Number("spatial axes", static_cast<std::int64_t>(sketch.axes.size()));
  sink.Flag("input channels == output channels of a group", sketch.in == sketch.out, 1.1);
  const std::int64_t last = geometry ? geometry->axes.back().output : kNoValue;
  sink.Flag("input channels == last data size", sketch.groups * sketch.in == sketch.axes.back().data, 1.1);
  sink.Flag("output channels == last output size", sketch.groups * sketch.out == last, 1.1);
  sink.Size("outputs", geometry ? geometry->OutputCount() : kNoValue, 1.06);
  std::int64_t plane = kNoValue;
  std::int64_t window = 1;
  for (const SketchAxis& axis : sketch.axes) window *= std::clamp<std::int64_t>(axis.kernel, 0, 1 << 16);
  if (geometry) {
    plane = 1;
    for (const oracle::Axis& axis : geometry->axes) plane *= axis.output;
  }
  sink.Size("outputs of a plane", plane, 1.06);
  sink.Size("elements of the data", geometry ? geometry->DataCount() : kNoValue, 1.08);
  sink.Size("elements of the filter", geometry ? geometry->FilterCount() : kNoValue, 1.08);
  const auto bytes = static_cast<std::int64_t>(oracle::ElementBytes(op.data.type));
  sink.Size("bytes of the filter", geometry ? geometry->FilterCount() * bytes : kNoValue, 1.1);
  sink.Size("bytes of the output", geometry ? geometry->OutputCount() * bytes : kNoValue, 1.1);
  sink.Size("taps of the filter", window, 1.04);
}

/// Whether a change of the operator changes its sizes or resolved pads.
template <class Change>
bool Decides(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry& geometry, const Change& change) {
  oracle::Operator other = op;
  change(other);
  if (other == op) return false;
  const auto resolution = oracle::Resolve(other, dialect, oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) return true;
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const oracle::Axis& axis = resolution.geometry->axes[j];
    if (axis.output != geometry.axes[j].output || axis.pads_begin != geometry.axes[j].pads_begin) return true;
  }
  return false;
}

void Reverse(std::optional<Dims>& list) {
  if (list) std::ranges::reverse(*list);
}

/// Which attributes decide sizes or pads: those without which, or with which changed, they would be others.
void CollectDecisions(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Resolution& resolution,
                      Sink& sink) {
  const auto flag = [&](const char* name, const auto& change) {
    sink.Flag(name, resolution.ok() && Decides(op, dialect, *resolution.geometry, change), 1.03);
  };
  const auto fill = [](std::optional<Dims>& list, std::int64_t value) {
    if (list) std::ranges::fill(*list, value);
  };
  flag("output_padding decides a size or a pad", [&](oracle::Operator& other) { other.output_padding.reset(); });
  flag("pads_begin decides a size or a pad", [&](oracle::Operator& other) { fill(other.pads_begin, 0); });
  flag("pads_end decides a size or a pad", [&](oracle::Operator& other) { fill(other.pads_end, 0); });
  flag("exchanged pads would change a size or a pad",
       [&](oracle::Operator& other) { std::swap(other.pads_begin, other.pads_end); });
  flag("symmetric pads would change a size or a pad",
       [&](oracle::Operator& other) { other.pads_end = other.pads_begin; });
  flag("auto_pad decides a size or a pad", [&](oracle::Operator& other) { other.auto_pad.reset(); });
  flag("same_upper and same_lower exchanged would change a pad", [&](oracle::Operator& other) {
    if (!other.auto_pad) return;
    std::string& word = *other.auto_pad;
    const std::size_t at = std::min(word.find("_upper"), word.find("_lower"));
    const std::size_t capital = std::min(word.find("_UPPER"), word.find("_LOWER"));
    if (at != std::string::npos) word.replace(at, 6, word.substr(at) == "_upper" ? "_lower" : "_upper");
    if (capital != std::string::npos) word.replace(capital, 6, word.substr(capital) == "_UPPER" ? "_LOWER" : "_UPPER");
  });
  flag("the output shape decides a size or a pad", [&](oracle::Operator& other) {
    other.output_shape.reset();
    other.output_shape_attribute.reset();
  });
  flag("dilations decide a size or a pad", [&](oracle::Operator& other) { fill(other.dilations, 1); });
  flag("strides decide a size or a pad", [&](oracle::Operator& other) { fill(other.strides, 1); });
  flag("reversed pads would change a size or a pad", [&](oracle::Operator& other) {
    Reverse(other.pads_begin);
    Reverse(other.pads_end);
  });
  flag("reversed output_padding would change a size or a pad",
       [&](oracle::Operator& other) { Reverse(other.output_padding); });
  flag("reversed strides would change a size or a pad", [&](oracle::Operator& other) { Reverse(other.strides); });
  flag("reversed dilations would change a size or a pad", [&](oracle::Operator& other) { Reverse(other.dilations); });
  bool deciding = false;
  if (resolution.ok()) {
    for (const oracle::Dialect other : oracle::DialectsOf(op.kind)) {
      const auto reading = oracle::Resolve(op, other, oracle::StepTexts::kLeftOut);
      deciding = deciding || !reading.ok() || reading.geometry != resolution.geometry;
    }
  }
  sink.Flag("the dialects differ", deciding, 1.06);
}

/// Aggregates of the features of axes: of the last axis, of the first, over all of them.
void CollectAggregates(const std::vector<std::vector<std::int64_t>>& axes, const std::vector<Feature>& names,
                       Sink& sink) {
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
    if (number) {
      sink.Put("last " + feature.name, feature.kind, last, feature.cost + 0.03);
      sink.Put("first " + feature.name, feature.kind, first, feature.cost + 0.04);
      sink.Put("last but one " + feature.name, feature.kind, second, feature.cost + 0.06);
      sink.Put("smallest " + feature.name, FeatureKind::kNumber, least, feature.cost + 0.02);
      sink.Put("largest " + feature.name, FeatureKind::kNumber, most, feature.cost + 0.02);
      sink.Put(feature.name + " differs between axes", FeatureKind::kFlag, differs ? 1 : 0, feature.cost + 0.05);
      sink.Put(feature.name + " differs between the first and the last axis", FeatureKind::kFlag,
               first != last ? 1 : 0, feature.cost + 0.06);
      sink.Put(feature.name + " differs between the last two axes", FeatureKind::kFlag,
               axes.size() > 1 && second != last ? 1 : 0, feature.cost + 0.07);
      sink.Put(feature.name + " differs between the first two axes", FeatureKind::kFlag,
               axes.size() > 1 && axes[0][f] != axes[1][f] ? 1 : 0, feature.cost + 0.08);
      sink.Put("parity of " + feature.name + " differs between axes", FeatureKind::kFlag,
               std::ranges::any_of(axes, [&](const auto& axis) { return (axis[f] ^ first) & 1; }) ? 1 : 0,
               feature.cost + 0.1);
      std::int64_t behind = kNoValue;
      for (std::size_t j = 1; j < axes.size(); ++j) behind = std::max(behind, axes[j][f]);
      sink.Put("largest " + feature.name + " behind the first axis", FeatureKind::kNumber, behind,
               feature.cost + 0.08);
      std::int64_t before = kNoValue;
      for (std::size_t j = 0; j + 1 < axes.size(); ++j) before = std::max(before, axes[j][f]);
      sink.Put("largest " + feature.name + " before the last axis", FeatureKind::kNumber, before,
               feature.cost + 0.08);
    } else {
      sink.Put("on every axis " + feature.name, FeatureKind::kFlag, least, feature.cost + 0.04);
      sink.Put("on some axis " + feature.name, FeatureKind::kFlag, most, feature.cost + 0.02);
      sink.Put("on the last axis " + feature.name, FeatureKind::kFlag, last, feature.cost + 0.05);
      sink.Put("on the first axis " + feature.name, FeatureKind::kFlag, first, feature.cost + 0.06);
    }
  }
}

FeatureRow Collect(const Case& test_case, const Sketch* sketch, oracle::Dialect dialect, FeatureTable* names) {
  FeatureRow row;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect, oracle::StepTexts::kLeftOut);
  row.valid = resolution.ok();
  row.open = !resolution.open.empty();
  if (row.valid) row.products = ProductsOf(*resolution.geometry);
  if (sketch == nullptr) {
    // Little is known of an operator whose parts do not fit each other.
    const FeatureTable& table = Features();
    row.whole.assign(table.whole.size(), kNoValue);
    row.axes = {std::vector<std::int64_t>(table.axis.size(), kNoValue)};
    const auto put = [&](std::string_view name, std::int64_t value) {
      const auto found = std::ranges::find(table.whole, name, &Feature::name);
      row.whole[static_cast<std::size_t>(found - table.whole.begin())] = value;
    };
    put("operator", static_cast<std::int64_t>(test_case.op.kind));
    put("dialect", static_cast<std::int64_t>(dialect));
    put("type", static_cast<std::int64_t>(test_case.op.data.type));
    put("auto_pad", AutoPadClassOf(test_case.op.auto_pad));
    if (!row.valid) put("clause", ClauseIndex(resolution.refusal->clause));
    return row;
  }
  for (std::size_t j = 0; j < sketch->axes.size(); ++j) {
    Sink sink(row.axes.emplace_back(), names != nullptr && j == 0 ? &names->axis : nullptr);
    CollectAxis(sketch->axes[j], row.valid ? &resolution.geometry->axes[j] : nullptr, sink);
  }
  Sink sink(row.whole, names == nullptr ? nullptr : &names->whole);
  CollectWhole(*sketch, dialect, resolution, sink);
  CollectDecisions(test_case.op, dialect, resolution, sink);
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
    const auto sketch = SketchOf(plain);
    (void)Collect(plain, &*sketch, oracle::Dialect::kOpenvinoSpec, &table);
    return table;
  }();
  return kTable;
}

FeatureRow FeaturesOf(const Case& test_case, oracle::Dialect dialect) {
  const auto sketch = SketchOf(test_case);
  return Collect(test_case, sketch ? &*sketch : nullptr, dialect, nullptr);
}

}  // namespace conformance
