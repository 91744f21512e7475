// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts bytes to a recipe and back, with one table of numbers for each byte.

#include "fuzz/codec/recipe.h"

#include <algorithm>
#include <vector>

#include "fuzz/codec/range.h"

namespace conformance::codec {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::OperatorKind;
using Text = std::optional<std::string_view>;

struct Meaning {
  OperatorKind kind;
  std::optional<Dialect> dialect;  ///< absent: the default one

  bool operator==(const Meaning&) const = default;
};
constexpr std::array kMeanings = {
    Meaning{OperatorKind::kConvolutionBackpropData, std::nullopt},
    Meaning{OperatorKind::kConvolutionBackpropData, Dialect::kOpenvinoRuntime},
    Meaning{OperatorKind::kGroupConvolutionBackpropData, std::nullopt},
    Meaning{OperatorKind::kGroupConvolutionBackpropData, Dialect::kOpenvinoRuntime},
    Meaning{OperatorKind::kConvolutionBackwardData, std::nullopt},
    Meaning{OperatorKind::kConvTranspose, std::nullopt},
    Meaning{OperatorKind::kConvolutionBackwardData, Dialect::kOnednnRuntime},
    Meaning{OperatorKind::kConvTranspose, Dialect::kOnnx1},
    Meaning{OperatorKind::kConvTranspose, Dialect::kOnnxruntime},
};

// The types with vector code of their own more often than the others.
constexpr std::array kOpenvinoTypes = {ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kF64,
                                       ElementType::kI8,  ElementType::kU8,  ElementType::kI32,  ElementType::kI64,
                                       ElementType::kI16, ElementType::kU16, ElementType::kU32,  ElementType::kU64,
                                       ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kF32};
constexpr std::array kOnednnTypes = {ElementType::kF32, ElementType::kBf16, ElementType::kF16};
constexpr std::array kOnnxTypes = {ElementType::kF32, ElementType::kF64, ElementType::kF16};

std::span<const ElementType> TypesOf(OperatorKind kind) {
  if (kind == OperatorKind::kConvolutionBackwardData) return kOnednnTypes;
  if (kind == OperatorKind::kConvTranspose) return kOnnxTypes;
  return kOpenvinoTypes;
}

// All spellings that the dialects take (clauses A9 to A12).
constexpr std::array kOpenvinoAutoPads = {Text(),        Text("explicit"), Text("same_upper"), Text("same_lower"),
                                          Text("valid"), Text("EXPLICIT"), Text("SAME_UPPER"), Text("Same_Lower"),
                                          Text("VALID")};
constexpr std::array kOnednnAutoPads = {
    Text(),       Text("none"), Text("same_upper"), Text("same_lower"), Text("valid"),
    Text("None"), Text("NONE"), Text("SAME_UPPER"), Text("SAME_LOWER"), Text("VALID")};
constexpr std::array kOnnxAutoPads = {Text(), Text("NOTSET"), Text("SAME_UPPER"), Text("SAME_LOWER"), Text("VALID")};

std::span<const Text> AutoPadsOf(OperatorKind kind) {
  if (kind == OperatorKind::kConvolutionBackwardData) return kOnednnAutoPads;
  if (kind == OperatorKind::kConvTranspose) return kOnnxAutoPads;
  return kOpenvinoAutoPads;
}

constexpr std::array kOpenvinoForms = {ShapeForm::kNone, ShapeForm::kInput};
constexpr std::array kOnednnForms = {ShapeForm::kAttribute, ShapeForm::kInput, ShapeForm::kBoth,
                                     ShapeForm::kBothDisagree};
constexpr std::array kOnnxForms = {ShapeForm::kNone, ShapeForm::kAttribute};

std::span<const ShapeForm> FormsOf(OperatorKind kind) {
  if (kind == OperatorKind::kConvolutionBackwardData) return kOnednnForms;
  if (kind == OperatorKind::kConvTranspose) return kOnnxForms;
  return kOpenvinoForms;
}

// Wide enough for every output size within the limits.
constexpr std::array kShapeTypes = {ElementType::kI64, ElementType::kI32, ElementType::kU64,
                                    ElementType::kU32, ElementType::kI16, ElementType::kU16};
constexpr std::array kDataFormats = {Text(), Text("NCX"), Text("NXC")};
constexpr std::array kWeightsFormats = {Text(), Text("OIX"), Text("XIO")};
// Ranks 3 to 10, most often those of images.
constexpr std::array<std::size_t, 32> kAxisCounts = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                                                     2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 7, 8};

constexpr std::uint8_t kAbsentBits = 0x1f;
constexpr std::uint8_t kFirstForeign = 240;

template <typename Table>
auto Choose(const Table& table, std::size_t byte) {
  return table[byte % table.size()];
}

template <typename Table, typename Value>
std::uint8_t IndexOf(const Table& table, const Value& value) {
  const auto found = std::find(table.begin(), table.end(), value);
  return found == table.end() ? std::uint8_t{0} : static_cast<std::uint8_t>(found - table.begin());
}

struct AxisField {
  std::int64_t AxisRecipe::* member;
  const Range* range;
};
// In the order of AxisSlot.
constexpr std::array<AxisField, kAxisBytes> kAxisFields = {{{&AxisRecipe::data, &kDataSizes},
                                                            {&AxisRecipe::kernel, &kKernelSizes},
                                                            {&AxisRecipe::stride, &kStrides},
                                                            {&AxisRecipe::dilation, &kDilations},
                                                            {&AxisRecipe::pads_begin, &kPads},
                                                            {&AxisRecipe::pads_end, &kPads},
                                                            {&AxisRecipe::output_padding, &kOutputPaddings},
                                                            {&AxisRecipe::delta, &kDeltas}}};

std::span<const DataSet> SetsOf(ElementType type) {
  static const auto suiting = [](ElementType like) {
    std::vector<DataSet> sets;
    for (const DataSet set : kDataSets) {
      // Of `taps` little is left in tensors of any size, of `swamping` and `boundaries` with few output channels.
      const bool special = set == DataSet::kTaps || set == DataSet::kSwamping || set == DataSet::kBoundaries;
      if (!special && Suits(set, like)) sets.push_back(set);
    }
    return sets;
  };
  static const std::vector<DataSet> integer_sets = suiting(ElementType::kI32);
  static const std::vector<DataSet> float_sets = suiting(ElementType::kF32);
  return oracle::IsInteger(type) ? integer_sets : float_sets;
}

}  // namespace

Recipe ReadRecipe(const RecipeBytes& bytes) {
  Recipe recipe;
  const Meaning meaning = Choose(kMeanings, bytes[kMeaning]);
  recipe.kind = meaning.kind;
  recipe.dialect = meaning.dialect;
  recipe.type = Choose(TypesOf(recipe.kind), bytes[kType]);
  recipe.axes.resize(Choose(kAxisCounts, bytes[kRank]));
  recipe.batch = kBatches.At(bytes[kBatch]);
  recipe.groups = kGroupCounts.At(bytes[kGroups]);
  recipe.in_channels = kChannels.At(bytes[kInChannels]);
  recipe.out_channels = kChannels.At(bytes[kOutChannels]);
  recipe.auto_pad = Choose(AutoPadsOf(recipe.kind), bytes[kAutoPad]);
  recipe.shape_form = Choose(FormsOf(recipe.kind), bytes[kShapeForm]);
  recipe.shape_type = Choose(kShapeTypes, bytes[kShapeType]);
  if (bytes[kAbsent] >= kFirstAbsent) recipe.absent = bytes[kAbsent] & kAbsentBits;
  std::size_t own = bytes[kOwnAttributes];
  if (recipe.kind == OperatorKind::kConvolutionBackwardData) {
    recipe.data_format = Choose(kDataFormats, own);
    own /= kDataFormats.size();
    recipe.weights_format = Choose(kWeightsFormats, own);
    own /= kWeightsFormats.size();
  }
  recipe.names_one_group = (own & 1) != 0;
  recipe.names_kernel = (own & 2) != 0;
  if (bytes[kForeignAttributes] >= kFirstForeign) recipe.foreign = bytes[kForeignAttributes] - kFirstForeign;
  recipe.values = Choose(SetsOf(recipe.type), bytes[kValues]);
  recipe.seed = static_cast<std::uint16_t>(bytes[kSeedLow] + 256 * bytes[kSeedHigh]);
  for (std::size_t j = 0; j < recipe.axes.size(); ++j) {
    for (std::size_t i = 0; i < kAxisBytes; ++i) {
      recipe.axes[j].*kAxisFields[i].member = kAxisFields[i].range->At(bytes[kFirstAxis + j * kAxisBytes + i]);
    }
  }
  return recipe;
}

RecipeBytes WriteRecipe(const Recipe& recipe) {
  RecipeBytes bytes{};
  // A dialect that does not speak the operator (clause D1) leaves the operator with its default one.
  const bool spoken = recipe.dialect && Speaks(*recipe.dialect, recipe.kind);
  bytes[kMeaning] = IndexOf(kMeanings, Meaning{recipe.kind, spoken ? recipe.dialect : std::nullopt});
  bytes[kType] = IndexOf(TypesOf(recipe.kind), recipe.type);
  bytes[kRank] = IndexOf(kAxisCounts, recipe.axes.size());
  bytes[kBatch] = kBatches.ByteOf(recipe.batch);
  bytes[kGroups] = kGroupCounts.ByteOf(recipe.groups);
  bytes[kInChannels] = kChannels.ByteOf(recipe.in_channels);
  bytes[kOutChannels] = kChannels.ByteOf(recipe.out_channels);
  bytes[kAutoPad] = IndexOf(AutoPadsOf(recipe.kind), recipe.auto_pad);
  bytes[kShapeForm] = IndexOf(FormsOf(recipe.kind), recipe.shape_form);
  bytes[kShapeType] = IndexOf(kShapeTypes, recipe.shape_type);
  if (recipe.absent != 0) bytes[kAbsent] = kFirstAbsent + recipe.absent;
  std::size_t own = (recipe.names_one_group ? 1U : 0U) + (recipe.names_kernel ? 2U : 0U);
  if (recipe.kind == OperatorKind::kConvolutionBackwardData) {
    own = own * kWeightsFormats.size() + IndexOf(kWeightsFormats, recipe.weights_format);
    own = own * kDataFormats.size() + IndexOf(kDataFormats, recipe.data_format);
  }
  bytes[kOwnAttributes] = static_cast<std::uint8_t>(own);
  if (recipe.foreign != 0) bytes[kForeignAttributes] = kFirstForeign + recipe.foreign;
  bytes[kValues] = IndexOf(SetsOf(recipe.type), recipe.values);
  bytes[kSeedLow] = static_cast<std::uint8_t>(recipe.seed & 0xff);
  bytes[kSeedHigh] = static_cast<std::uint8_t>(recipe.seed >> 8);
  for (std::size_t j = 0; j < recipe.axes.size() && j < kMostAxes; ++j) {
    for (std::size_t i = 0; i < kAxisBytes; ++i) {
      bytes[kFirstAxis + j * kAxisBytes + i] = kAxisFields[i].range->ByteOf(recipe.axes[j].*kAxisFields[i].member);
    }
  }
  return bytes;
}

}  // namespace conformance::codec
