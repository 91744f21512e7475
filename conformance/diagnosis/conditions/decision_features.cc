// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the attributes that decide sizes and pads. It resolves the operator (computes its sizes and pads) again with
// one attribute removed or changed, and compares. Example: pads_end decides a size if pads_end=0 gives another size.

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/diagnosis/conditions/feature_sink.h"

namespace conformance {
namespace {

using oracle::Dims;

/// The parts of the geometry that change when an attribute changes. If the changed operator is refused, the size and
/// the pad count as changed.
struct Effect {
  bool size = false;
  bool pad = false;  ///< pads_begin, that is where the outputs begin
};

template <class Change>
Effect EffectOf(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry& geometry,
                const Change& change) {
  oracle::Operator other = op;
  change(other);
  if (other == op) return {};
  const auto resolution = oracle::Resolve(other, dialect, oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) return {.size = true, .pad = true};
  Effect effect;
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const oracle::Axis& axis = resolution.geometry->axes[j];
    effect.size = effect.size || axis.output != geometry.axes[j].output;
    effect.pad = effect.pad || axis.pads_begin != geometry.axes[j].pads_begin;
  }
  return effect;
}

}  // namespace

std::vector<bool> AxesOfAutoPad(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry& geometry) {
  std::vector<bool> decided(geometry.axes.size());
  if (!op.auto_pad) return decided;
  oracle::Operator other = op;
  other.auto_pad.reset();
  const auto resolution = oracle::Resolve(other, dialect, oracle::StepTexts::kLeftOut);
  for (std::size_t j = 0; j < decided.size(); ++j) {
    decided[j] = !resolution.ok() || resolution.geometry->axes[j].output != geometry.axes[j].output ||
                 resolution.geometry->axes[j].pads_begin != geometry.axes[j].pads_begin;
  }
  return decided;
}

void CollectDecisions(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry* geometry,
                      FeatureSink& sink) {
  const auto flags = [&](std::string_view what, const auto& change) {
    const Effect effect = geometry != nullptr ? EffectOf(op, dialect, *geometry, change) : Effect();
    sink.Put("", what, " a size or a pad", FeatureKind::kFlag, effect.size || effect.pad ? 1 : 0, 1.03);
    sink.Put("", what, " a size", FeatureKind::kFlag, effect.size ? 1 : 0, 1.05);
    sink.Put("", what, " a pad", FeatureKind::kFlag, effect.pad ? 1 : 0, 1.05);
  };
  const auto fill = [](std::optional<Dims>& list, std::int64_t value) {
    if (list) std::ranges::fill(*list, value);
  };
  flags("output_padding decides", [&](oracle::Operator& other) { other.output_padding.reset(); });
  flags("pads_begin decides", [&](oracle::Operator& other) { fill(other.pads_begin, 0); });
  flags("pads_end decides", [&](oracle::Operator& other) { fill(other.pads_end, 0); });
  flags("exchanged pads would change", [&](oracle::Operator& other) { std::swap(other.pads_begin, other.pads_end); });
  flags("symmetric pads would change", [&](oracle::Operator& other) { other.pads_end = other.pads_begin; });
  flags("auto_pad decides", [&](oracle::Operator& other) { other.auto_pad.reset(); });
  flags("same_upper and same_lower exchanged would change", [&](oracle::Operator& other) {
    if (!other.auto_pad) return;
    std::string& word = *other.auto_pad;
    const std::size_t at = std::min(word.find("_upper"), word.find("_lower"));
    const std::size_t capital = std::min(word.find("_UPPER"), word.find("_LOWER"));
    if (at != std::string::npos) word.replace(at, 6, word.substr(at) == "_upper" ? "_lower" : "_upper");
    if (capital != std::string::npos) word.replace(capital, 6, word.substr(capital) == "_UPPER" ? "_LOWER" : "_UPPER");
  });
  flags("the output shape decides", [&](oracle::Operator& other) {
    other.output_shape.reset();
    other.output_shape_attribute.reset();
  });
  flags("dilations decide", [&](oracle::Operator& other) { fill(other.dilations, 1); });
  flags("strides decide", [&](oracle::Operator& other) { fill(other.strides, 1); });
  // Orders in which a backend may read a list by mistake: reversed, or one element for all axes.
  using List = std::optional<Dims> oracle::Operator::*;
  const auto orders = [&](std::string_view name, std::initializer_list<List> lists) {
    const auto change = [&](const char* before, const char* behind, void (*order)(Dims&)) {
      flags(std::string(before) + std::string(name) + behind, [&](oracle::Operator& other) {
        for (const List list : lists) {
          if (other.*list && !(other.*list)->empty()) order(*(other.*list));
        }
      });
    };
    change("reversed ", " would change", [](Dims& list) { std::ranges::reverse(list); });
    change("the first of the ", " on every axis would change",
           [](Dims& list) { std::ranges::fill(list, std::int64_t{list.front()}); });
    change("the last of the ", " on every axis would change",
           [](Dims& list) { std::ranges::fill(list, std::int64_t{list.back()}); });
  };
  orders("pads", {&oracle::Operator::pads_begin, &oracle::Operator::pads_end});
  orders("output_padding", {&oracle::Operator::output_padding});
  orders("strides", {&oracle::Operator::strides});
  orders("dilations", {&oracle::Operator::dilations});
}

}  // namespace conformance
