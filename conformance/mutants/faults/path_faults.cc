// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of special
// paths. A special path is separate code of a library for one kernel and stride that networks often use. Each fault is
// wrong on a path for some types, batches, groups, channels or layouts. Names and sentences of the faults are made from
// these conditions.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

constexpr std::uint32_t TypeBit(deconv_element_type_id type) { return std::uint32_t{1} << type; }

constexpr std::uint32_t kPathF32 = TypeBit(DECONV_ID_F32);
constexpr std::uint32_t kPathF64 = TypeBit(DECONV_ID_F64);
constexpr std::uint32_t kPathF16 = TypeBit(DECONV_ID_F16);
constexpr std::uint32_t kPathBf16 = TypeBit(DECONV_ID_BF16);
constexpr std::uint32_t kPath16BitFloats = kPathF16 | kPathBf16;
constexpr std::uint32_t kPath8Bit = TypeBit(DECONV_ID_I8) | TypeBit(DECONV_ID_U8);
constexpr std::uint32_t kPath16Bit = TypeBit(DECONV_ID_I16) | TypeBit(DECONV_ID_U16);
constexpr std::uint32_t kPath32Bit = TypeBit(DECONV_ID_I32) | TypeBit(DECONV_ID_U32);
constexpr std::uint32_t kPath64Bit = TypeBit(DECONV_ID_I64) | TypeBit(DECONV_ID_U64);

namespace table {

using enum PathEffect;

// A row is wrong in the way `effect` on operators that fulfil all other members; a missing member is no condition.
// hooked/special_path.h explains each effect and condition.
constexpr std::array kPaths = {
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 3, .stride = 2, .types = kPathF32, .batch_from = 3},
    SpecialPath{.effect = kLastTap, .axes = 2, .kernel = 3, .stride = 2, .types = kPathF16, .groups = PathGroups::kOne},
    SpecialPath{.effect = kLastInChannel, .axes = 2, .kernel = 3, .stride = 2, .types = kPath8Bit},
    SpecialPath{.effect = kFirstGroup, .axes = 2, .kernel = 3, .stride = 2, .groups = PathGroups::kSeveral},
    SpecialPath{.effect = kTf32, .axes = 2, .kernel = 3, .stride = 2, .types = kPathF32, .in_multiple = 8},
    SpecialPath{.effect = kLastPhase, .axes = 2, .kernel = 3, .stride = 2, .layout = PathLayout::kChannelsLast},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 3, .stride = 1, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 2, .kernel = 3, .stride = 1, .types = kPathBf16, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 2, .kernel = 3, .stride = 1, .types = kPath16Bit},
    SpecialPath{.effect = kFirstGroup,
                .axes = 2,
                .kernel = 3,
                .stride = 1,
                .types = kPathF32,
                .groups = PathGroups::kDepthwise},
    SpecialPath{
        .effect = kBlockOfOutputs, .axes = 2, .kernel = 3, .stride = 1, .types = kPath16BitFloats, .out_from = 16},
    SpecialPath{
        .effect = kReversedTaps, .axes = 2, .kernel = 3, .stride = 1, .types = kPathF32, .data = PathData::kEven},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 2, .stride = 2, .types = kPathF32, .batch_from = 2},
    SpecialPath{
        .effect = kLastTap, .axes = 2, .kernel = 2, .stride = 2, .types = kPath16BitFloats, .groups = PathGroups::kOne},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 2, .stride = 2, .types = kPath32Bit, .batch_from = 2},
    SpecialPath{.effect = kFirstGroup, .axes = 2, .kernel = 2, .stride = 2, .groups = PathGroups::kMultiplier},
    SpecialPath{.effect = kBf16, .axes = 2, .kernel = 2, .stride = 2, .types = kPathF32, .in_multiple = 16},
    SpecialPath{.effect = kLastInChannel, .axes = 2, .kernel = 2, .stride = 2, .in_multiple = 32, .out_from = 32},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 4, .stride = 2, .types = kPathF32, .batch_from = 3},
    SpecialPath{.effect = kLastTap, .axes = 2, .kernel = 4, .stride = 2, .types = kPathF64, .batch_from = 2},
    SpecialPath{.effect = kLastInChannel, .axes = 2, .kernel = 4, .stride = 2, .types = kPath64Bit},
    SpecialPath{
        .effect = kFirstGroup, .axes = 2, .kernel = 4, .stride = 2, .types = kPathF32, .groups = PathGroups::kSeveral},
    SpecialPath{.effect = kTf32, .axes = 2, .kernel = 4, .stride = 2, .types = kPathF32, .in_multiple = 8},
    SpecialPath{.effect = kLastPhase, .axes = 2, .kernel = 4, .stride = 2, .types = kPathF64, .data = PathData::kEven},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 5, .stride = 2, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 2, .kernel = 5, .stride = 2, .types = kPathF16, .groups = PathGroups::kOne},
    SpecialPath{.effect = kLastTap, .axes = 2, .kernel = 5, .stride = 2, .types = kPath8Bit},
    SpecialPath{.effect = kFirstGroup, .axes = 2, .kernel = 5, .stride = 2, .groups = PathGroups::kDepthwise},
    SpecialPath{.effect = kBlockOfOutputs, .axes = 2, .kernel = 5, .stride = 2, .types = kPathF32, .out_from = 16},
    SpecialPath{.effect = kLastPhase, .axes = 2, .kernel = 5, .stride = 2, .layout = PathLayout::kChannelsLast},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 1, .stride = 1, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastInChannel, .axes = 2, .kernel = 1, .stride = 1, .types = kPathBf16, .batch_from = 2},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 1, .stride = 1, .types = kPath16Bit, .batch_from = 2},
    SpecialPath{.effect = kFirstGroup,
                .axes = 2,
                .kernel = 1,
                .stride = 1,
                .types = kPathF32,
                .groups = PathGroups::kMultiplier},
    SpecialPath{.effect = kBf16, .axes = 2, .kernel = 1, .stride = 1, .types = kPathF32, .in_multiple = 16},
    SpecialPath{
        .effect = kLastInChannel, .axes = 2, .kernel = 1, .stride = 1, .types = kPathF32, .data = PathData::kSingle},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 4, .stride = 4, .types = kPathF32, .batch_from = 3},
    SpecialPath{
        .effect = kLastTap, .axes = 2, .kernel = 4, .stride = 4, .types = kPath16BitFloats, .groups = PathGroups::kOne},
    SpecialPath{.effect = kLastInChannel, .axes = 2, .kernel = 4, .stride = 4, .types = kPath32Bit},
    SpecialPath{.effect = kFirstGroup, .axes = 2, .kernel = 4, .stride = 4, .groups = PathGroups::kSeveral},
    SpecialPath{.effect = kTf32, .axes = 2, .kernel = 4, .stride = 4, .types = kPathF32, .in_multiple = 8},
    SpecialPath{.effect = kLastInChannel, .axes = 2, .kernel = 4, .stride = 4, .in_multiple = 8, .out_from = 32},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 7, .stride = 2, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 2, .kernel = 7, .stride = 2, .types = kPathF64, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 2, .kernel = 7, .stride = 2, .types = kPath64Bit},
    SpecialPath{.effect = kFirstGroup,
                .axes = 2,
                .kernel = 7,
                .stride = 2,
                .types = kPathF32,
                .groups = PathGroups::kDepthwise},
    SpecialPath{
        .effect = kBlockOfOutputs, .axes = 2, .kernel = 7, .stride = 2, .types = kPath16BitFloats, .out_from = 16},
    SpecialPath{.effect = kLastPhase, .axes = 2, .kernel = 7, .stride = 2, .types = kPathF64, .data = PathData::kOdd},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 16, .stride = 8, .types = kPathF32, .batch_from = 2},
    SpecialPath{
        .effect = kLastTap, .axes = 2, .kernel = 16, .stride = 8, .types = kPathF16, .groups = PathGroups::kOne},
    SpecialPath{.effect = kFirstSample, .axes = 2, .kernel = 16, .stride = 8, .types = kPath8Bit, .batch_from = 2},
    SpecialPath{.effect = kFirstGroup, .axes = 2, .kernel = 16, .stride = 8, .groups = PathGroups::kMultiplier},
    SpecialPath{.effect = kBf16, .axes = 2, .kernel = 16, .stride = 8, .types = kPathF32, .in_multiple = 16},
    SpecialPath{.effect = kLastPhase, .axes = 2, .kernel = 16, .stride = 8, .layout = PathLayout::kChannelsLast},
    SpecialPath{.effect = kFirstSample, .axes = 1, .kernel = 4, .stride = 2, .types = kPathF32, .batch_from = 3},
    SpecialPath{.effect = kLastTap, .axes = 1, .kernel = 4, .stride = 2, .types = kPathBf16, .batch_from = 2},
    SpecialPath{.effect = kLastInChannel, .axes = 1, .kernel = 4, .stride = 2, .types = kPath16Bit},
    SpecialPath{
        .effect = kFirstGroup, .axes = 1, .kernel = 4, .stride = 2, .types = kPathF32, .groups = PathGroups::kSeveral},
    SpecialPath{.effect = kTf32, .axes = 1, .kernel = 4, .stride = 2, .types = kPathF32, .in_multiple = 8},
    SpecialPath{
        .effect = kReversedTaps, .axes = 1, .kernel = 4, .stride = 2, .types = kPathF32, .data = PathData::kOdd},
    SpecialPath{.effect = kFirstSample, .axes = 1, .kernel = 16, .stride = 8, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap,
                .axes = 1,
                .kernel = 16,
                .stride = 8,
                .types = kPath16BitFloats,
                .groups = PathGroups::kOne},
    SpecialPath{.effect = kLastTap, .axes = 1, .kernel = 16, .stride = 8, .types = kPath32Bit},
    SpecialPath{.effect = kFirstGroup, .axes = 1, .kernel = 16, .stride = 8, .groups = PathGroups::kDepthwise},
    SpecialPath{.effect = kBlockOfOutputs, .axes = 1, .kernel = 16, .stride = 8, .types = kPathF32, .out_from = 16},
    SpecialPath{.effect = kLastInChannel, .axes = 1, .kernel = 16, .stride = 8, .in_multiple = 16, .out_from = 32},
    SpecialPath{.effect = kFirstSample, .axes = 1, .kernel = 8, .stride = 4, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 1, .kernel = 8, .stride = 4, .types = kPathF64, .batch_from = 2},
    SpecialPath{.effect = kFirstSample, .axes = 1, .kernel = 8, .stride = 4, .types = kPath64Bit, .batch_from = 2},
    SpecialPath{.effect = kFirstGroup,
                .axes = 1,
                .kernel = 8,
                .stride = 4,
                .types = kPathF32,
                .groups = PathGroups::kMultiplier},
    SpecialPath{.effect = kBf16, .axes = 1, .kernel = 8, .stride = 4, .types = kPathF32, .in_multiple = 16},
    SpecialPath{
        .effect = kLastPhase, .axes = 1, .kernel = 8, .stride = 4, .types = kPathF64, .data = PathData::kSingle},
    SpecialPath{.effect = kFirstSample, .axes = 1, .kernel = 3, .stride = 1, .types = kPathF32, .batch_from = 3},
    SpecialPath{.effect = kLastTap, .axes = 1, .kernel = 3, .stride = 1, .types = kPathF16, .groups = PathGroups::kOne},
    SpecialPath{.effect = kLastInChannel, .axes = 1, .kernel = 3, .stride = 1, .types = kPath8Bit},
    SpecialPath{.effect = kFirstGroup, .axes = 1, .kernel = 3, .stride = 1, .groups = PathGroups::kSeveral},
    SpecialPath{.effect = kTf32, .axes = 1, .kernel = 3, .stride = 1, .types = kPathF32, .in_multiple = 8},
    SpecialPath{.effect = kLastPhase, .axes = 1, .kernel = 3, .stride = 1, .layout = PathLayout::kChannelsLast},
    SpecialPath{.effect = kFirstSample, .axes = 1, .kernel = 2, .stride = 2, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 1, .kernel = 2, .stride = 2, .types = kPathBf16, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 1, .kernel = 2, .stride = 2, .types = kPath16Bit},
    SpecialPath{.effect = kFirstGroup,
                .axes = 1,
                .kernel = 2,
                .stride = 2,
                .types = kPathF32,
                .groups = PathGroups::kDepthwise},
    SpecialPath{
        .effect = kBlockOfOutputs, .axes = 1, .kernel = 2, .stride = 2, .types = kPath16BitFloats, .out_from = 16},
    SpecialPath{
        .effect = kReversedTaps, .axes = 1, .kernel = 2, .stride = 2, .types = kPathF32, .data = PathData::kEven},
    SpecialPath{.effect = kFirstSample, .axes = 1, .kernel = 10, .stride = 5, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap,
                .axes = 1,
                .kernel = 10,
                .stride = 5,
                .types = kPath16BitFloats,
                .groups = PathGroups::kOne},
    SpecialPath{.effect = kFirstSample, .axes = 1, .kernel = 10, .stride = 5, .types = kPath32Bit, .batch_from = 2},
    SpecialPath{.effect = kFirstGroup, .axes = 1, .kernel = 10, .stride = 5, .groups = PathGroups::kMultiplier},
    SpecialPath{.effect = kBf16, .axes = 1, .kernel = 10, .stride = 5, .types = kPathF32, .in_multiple = 16},
    SpecialPath{.effect = kLastInChannel, .axes = 1, .kernel = 10, .stride = 5, .in_multiple = 32, .out_from = 32},
    SpecialPath{.effect = kFirstSample, .axes = 3, .kernel = 2, .stride = 2, .types = kPathF32, .batch_from = 3},
    SpecialPath{.effect = kLastTap, .axes = 3, .kernel = 2, .stride = 2, .types = kPathF64, .batch_from = 2},
    SpecialPath{.effect = kLastInChannel, .axes = 3, .kernel = 2, .stride = 2, .types = kPath64Bit},
    SpecialPath{
        .effect = kFirstGroup, .axes = 3, .kernel = 2, .stride = 2, .types = kPathF32, .groups = PathGroups::kSeveral},
    SpecialPath{.effect = kTf32, .axes = 3, .kernel = 2, .stride = 2, .types = kPathF32, .in_multiple = 8},
    SpecialPath{.effect = kLastPhase, .axes = 3, .kernel = 2, .stride = 2, .types = kPathF64, .data = PathData::kEven},
    SpecialPath{.effect = kFirstSample, .axes = 3, .kernel = 3, .stride = 2, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 3, .kernel = 3, .stride = 2, .types = kPathF16, .groups = PathGroups::kOne},
    SpecialPath{.effect = kLastTap, .axes = 3, .kernel = 3, .stride = 2, .types = kPath8Bit},
    SpecialPath{.effect = kFirstGroup, .axes = 3, .kernel = 3, .stride = 2, .groups = PathGroups::kDepthwise},
    SpecialPath{.effect = kBlockOfOutputs, .axes = 3, .kernel = 3, .stride = 2, .types = kPathF32, .out_from = 16},
    SpecialPath{.effect = kLastPhase, .axes = 3, .kernel = 3, .stride = 2, .layout = PathLayout::kChannelsLast},
    SpecialPath{.effect = kFirstSample, .axes = 3, .kernel = 3, .stride = 1, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastTap, .axes = 3, .kernel = 3, .stride = 1, .types = kPathBf16, .batch_from = 2},
    SpecialPath{.effect = kFirstSample, .axes = 3, .kernel = 3, .stride = 1, .types = kPath16Bit, .batch_from = 2},
    SpecialPath{.effect = kFirstGroup,
                .axes = 3,
                .kernel = 3,
                .stride = 1,
                .types = kPathF32,
                .groups = PathGroups::kMultiplier},
    SpecialPath{.effect = kBf16, .axes = 3, .kernel = 3, .stride = 1, .types = kPathF32, .in_multiple = 16},
    SpecialPath{
        .effect = kReversedTaps, .axes = 3, .kernel = 3, .stride = 1, .types = kPathF32, .data = PathData::kSingle},
    SpecialPath{.effect = kFirstSample, .axes = 3, .kernel = 4, .stride = 2, .types = kPathF32, .batch_from = 3},
    SpecialPath{
        .effect = kLastTap, .axes = 3, .kernel = 4, .stride = 2, .types = kPath16BitFloats, .groups = PathGroups::kOne},
    SpecialPath{.effect = kLastInChannel, .axes = 3, .kernel = 4, .stride = 2, .types = kPath32Bit},
    SpecialPath{.effect = kFirstGroup, .axes = 3, .kernel = 4, .stride = 2, .groups = PathGroups::kSeveral},
    SpecialPath{.effect = kTf32, .axes = 3, .kernel = 4, .stride = 2, .types = kPathF32, .in_multiple = 8},
    SpecialPath{.effect = kLastInChannel, .axes = 3, .kernel = 4, .stride = 2, .in_multiple = 8, .out_from = 32},
    SpecialPath{.effect = kFirstSample, .axes = 3, .kernel = 1, .stride = 1, .types = kPathF32, .batch_from = 2},
    SpecialPath{.effect = kLastInChannel, .axes = 3, .kernel = 1, .stride = 1, .types = kPathF64, .batch_from = 2},
    SpecialPath{.effect = kLastInChannel, .axes = 3, .kernel = 1, .stride = 1, .types = kPath64Bit},
    SpecialPath{.effect = kFirstGroup,
                .axes = 3,
                .kernel = 1,
                .stride = 1,
                .types = kPathF32,
                .groups = PathGroups::kDepthwise},
    SpecialPath{
        .effect = kBlockOfOutputs, .axes = 3, .kernel = 1, .stride = 1, .types = kPath16BitFloats, .out_from = 16},
    SpecialPath{.effect = kLastPhase, .axes = 3, .kernel = 1, .stride = 1, .types = kPathF64, .data = PathData::kOdd},
};

}  // namespace table

// The name of a set of types that occurs in the table.
std::string_view TypesName(std::uint32_t types) {
  switch (types) {
    case kPathF32:
      return "f32";
    case kPathF64:
      return "f64";
    case kPathF16:
      return "f16";
    case kPathBf16:
      return "bf16";
    case kPath16BitFloats:
      return "f16-bf16";
    case kPath8Bit:
      return "8bit";
    case kPath16Bit:
      return "16bit";
    case kPath32Bit:
      return "32bit";
    default:
      return "64bit";
  }
}

std::string_view EffectSentence(PathEffect effect) {
  using enum PathEffect;
  switch (effect) {
    case kFirstSample:
      return "reads the data of the first sample for all samples";
    case kFirstGroup:
      return "reads the data of the first group for all groups";
    case kLastInChannel:
      return "leaves out the last input channel";
    case kLastTap:
      return "leaves out the last tap of each row";
    case kLastPhase:
      return "leaves out the last stride phase of each row";
    case kBlockOfOutputs:
      return "uses the filter of the first eight output channels for all";
    case kReversedTaps:
      return "reads the taps of each row in reverse";
    case kTf32:
      return "rounds operands to 11 significand bits";
    case kBf16:
      return "rounds operands to 8 significand bits";
    case kNone:
      break;
  }
  return "";
}

std::string Joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

/// Texts for the conditions of a path besides axes, kernel and stride: one for its name, one for its sentence.
struct Words {
  std::string name, sentence;

  void Add(const std::string& short_word, const std::string& long_words) {
    name += "_" + short_word;
    sentence += (sentence.empty() ? "" : ", ") + long_words;
  }
};

// kGroups and kData hold the word for the name and the words for the sentence, by the values of their enums.
Words WordsOf(const SpecialPath& path) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kGroups = {{{"", ""},
                                                                           {"one-group", "one group"},
                                                                           {"grouped", "groups of several channels"},
                                                                           {"depthwise", "depthwise"},
                                                                           {"multiplier", "depthwise, a multiplier"}}};
  constexpr std::array<std::pair<const char*, const char*>, 4> kData = {
      {{"", ""}, {"odd", "odd sizes"}, {"even", "even sizes"}, {"single", "sizes of 1"}}};
  Words words;
  if (path.types != 0) {
    const std::string types(TypesName(path.types));
    words.Add(types, "type " + types);
  }
  if (path.batch_from != 0) {
    words.Add("batch" + std::to_string(path.batch_from), std::to_string(path.batch_from) + " samples or more");
  }
  if (path.in_multiple != 0) {
    words.Add("in" + std::to_string(path.in_multiple),
              "input channels that are a multiple of " + std::to_string(path.in_multiple));
  }
  if (path.out_from != 0) {
    words.Add("out" + std::to_string(path.out_from), std::to_string(path.out_from) + " output channels or more");
  }
  const auto& groups = kGroups.at(static_cast<std::size_t>(path.groups));
  if (path.groups != PathGroups::kAny) words.Add(groups.first, groups.second);
  if (path.layout != PathLayout::kAny) words.Add("last", "channels last");
  const auto& data = kData.at(static_cast<std::size_t>(path.data));
  if (path.data != PathData::kAny) words.Add(data.first, data.second);
  return words;
}

}  // namespace

// Example of a name: path_2d-k3s2_f32_batch3. A fault has only views of its name and sentence; kTexts owns them.
std::span<const Fault> PathFaults() {
  struct Text {
    std::string name, sentence;
  };
  static const std::vector<Text> kTexts = [] {
    std::vector<Text> texts;
    for (const SpecialPath& path : table::kPaths) {
      const Words words = WordsOf(path);
      const std::string axes = std::to_string(path.axes);
      const std::string kernel = std::to_string(path.kernel);
      const std::string stride = std::to_string(path.stride);
      texts.push_back({Joined({"path_", axes, "d-k", kernel, "s", stride, words.name}),
                       Joined({EffectSentence(path.effect), " of ", axes, "-D operators with kernel ", kernel,
                               " and stride ", stride, ": ", words.sentence})});
    }
    return texts;
  }();
  static const std::vector<Fault> kFaults = [] {
    std::vector<Fault> faults;
    for (std::size_t i = 0; i < table::kPaths.size(); ++i) {
      faults.push_back({.name = kTexts[i].name,
                        .mutant_class = "U1",  // "one special path for a common geometry is wrong"
                        .sentence = kTexts[i].sentence,
                        .link = "",
                        .hooks = {.paths = {table::kPaths.at(i)}}});
    }
    return faults;
  }();
  return kFaults;
}

}  // namespace conformance::faults
