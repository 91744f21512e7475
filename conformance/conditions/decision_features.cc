// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Which attributes decide the sizes and pads of an operator. The operator is resolved once more without each of them.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "conformance/conditions/feature_sink.h"

namespace conformance {
namespace {

using oracle::Dims;

/// Whether a change of the operator changes its sizes or resolved pads.
template <class Change>
bool Decides(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry& geometry,
             const Change& change) {
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

}  // namespace

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

}  // namespace conformance
