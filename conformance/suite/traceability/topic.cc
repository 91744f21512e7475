// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of topics (parts of an operator that a sentence or a case is about, such as pads_end), and the rules that
// find them in an operator.

#include "conformance/suite/traceability/topic.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

namespace conformance {
namespace {

constexpr auto kTopics = std::to_array<std::string_view>({
    "",
    "strides",
    "strides absent",
    "dilations",
    "dilations absent",
    "pads_begin",
    "pads_begin absent",
    "pads_end",
    "pads_end absent",
    "output_padding",
    "output_padding absent",
    "auto_pad",
    "auto_pad absent",
    "auto_pad=explicit",
    "auto_pad=none",
    "auto_pad=same_upper",
    "auto_pad=same_lower",
    "auto_pad=valid",
    "data_format",
    "data_format absent",
    "data_format=NCX",
    "data_format=NXC",
    "weights_format",
    "weights_format absent",
    "weights_format=OIX",
    "weights_format=XIO",
    "groups",
    "groups absent",
    "output_shape",
    "output_shape absent",
    "dst_shape",
    "dst_shape absent",
    "s32 shape input",
    "f32",
    "bf16",
    "f16",
    "1 axis",
    "2 axes",
    "3 axes",
});
static_assert(kTopics.size() <= 64);

/// Collects the topics of one operator.
class TopicCollector {
 public:
  Topics topics() const { return topics_; }

  void Add(std::string_view name) { topics_ |= FindTopic(name).value_or(0); }
  /// Adds the topic of a list attribute. Its values have no effect if they are at most `neutral`.
  void AddList(std::string_view name, const std::optional<oracle::Dims>& list, std::int64_t neutral) {
    if (!list) {
      Add(fmt::format("{} absent", name));
    } else if (std::ranges::any_of(*list, [&](std::int64_t value) { return value > neutral; })) {
      Add(name);
    }
  }
  /// Adds the topics of an attribute that is a word: its name, and its value. `ignores_case`: SAME_UPPER counts as
  /// same_upper.
  void AddWord(std::string_view name, const std::optional<std::string>& word, bool ignores_case) {
    if (!word) {
      Add(fmt::format("{} absent", name));
      return;
    }
    std::string value = *word;
    if (ignores_case) {
      std::ranges::transform(value, value.begin(),
                             [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    }
    Add(name);
    Add(fmt::format("{}={}", name, value));
  }
  /// Adds the topic `name` or "NAME absent".
  void AddPresence(std::string_view name, bool present) { Add(present ? name : fmt::format("{} absent", name)); }

 private:
  Topics topics_ = kAnything;
};

}  // namespace

std::optional<Topics> FindTopic(std::string_view name) {
  const auto* const found = std::ranges::find(kTopics, name);
  if (found == kTopics.end()) return std::nullopt;
  return Topics{1} << (found - kTopics.begin());
}

Topics TopicsOf(const oracle::Operator& op, const oracle::Geometry& geometry) {
  TopicCollector topics;
  topics.AddList("strides", op.strides, 1);
  topics.AddList("dilations", op.dilations, 1);
  topics.AddList("pads_begin", op.pads_begin, 0);
  topics.AddList("pads_end", op.pads_end, 0);
  topics.AddList("output_padding", op.output_padding, 0);
  topics.AddWord("auto_pad", op.auto_pad, true);
  topics.AddPresence("output_shape", op.output_shape.has_value());
  if (op.output_shape && op.output_shape->type == oracle::ElementType::kI32) topics.Add("s32 shape input");
  if (op.kind == oracle::OperatorKind::kConvolutionBackwardData) {
    topics.AddWord("data_format", op.data_format, false);
    topics.AddWord("weights_format", op.weights_format, false);
    topics.AddPresence("dst_shape", op.dst_shape.has_value());
    if (!op.groups) topics.Add("groups absent");
  }
  if (geometry.groups > 1) topics.Add("groups");
  topics.Add(oracle::ElementTypeName(geometry.type));
  topics.Add(geometry.axes.size() == 1 ? "1 axis" : fmt::format("{} axes", geometry.axes.size()));
  return topics.topics();
}

Topics TopicsOf(std::string_view message) {
  const std::size_t colon = message.find(':');
  if (colon == std::string_view::npos) return kAnything;
  const std::string name(message.substr(0, colon));
  const bool absent = message.substr(colon).starts_with(": absent");
  return kAnything | FindTopic(absent ? name + " absent" : name).value_or(0);
}

}  // namespace conformance
