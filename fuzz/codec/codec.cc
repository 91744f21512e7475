// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements decoding (recipe, limits, case, defect, overrides) and encoding: the nearest recipe, and an override for
// every field that the recipe does not give.

#include "fuzz/codec/codec.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "fuzz/codec/recipe.h"
#include "fuzz/codec/spoil.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;

using codec::kFirstOverride;
using codec::kFirstSpoil;
constexpr std::size_t kMostOverrides = 255 - kFirstOverride;
constexpr std::uint8_t kAbsentField = 255;
constexpr std::size_t kMostNumbers = 64;

// Fields are read and written as lists of numbers, absent or not: one number for scalars, bytes for texts.
using Field = std::optional<Dims>;

constexpr std::array kLists = {
    &Operator::strides,        &Operator::dilations, &Operator::pads_begin,   &Operator::pads_end,
    &Operator::output_padding, &Operator::dst_shape, &Operator::kernel_shape, &Operator::output_shape_attribute};
constexpr std::array kTexts = {&Operator::auto_pad, &Operator::data_format, &Operator::weights_format};

enum FieldId : std::uint8_t {
  kDataDims,
  kFilterDims,
  kDataType,
  kFilterType,
  kShapeValues,
  kShapeDims,
  kShapeElementType,
  kGroupsField,
  kDialectField,
  kValuesField,
  kSeedField,
  kFirstList,
  kFirstText = kFirstList + kLists.size(),
  kFieldCount = kFirstText + kTexts.size(),
};

bool IsText(std::size_t id) { return id >= kFirstText; }

template <typename Enum>
Dims Number(Enum value) {
  return {static_cast<std::int64_t>(value)};
}

Field Get(const Case& test_case, std::size_t id) {
  const Operator& op = test_case.op;
  switch (id) {
    case kDataDims:
      return op.data.dims;
    case kFilterDims:
      return op.filter.dims;
    case kDataType:
      return Number(op.data.type);
    case kFilterType:
      return Number(op.filter.type);
    case kShapeValues:
      return op.output_shape ? Field(op.output_shape->values) : std::nullopt;
    case kShapeDims:
      return op.output_shape ? Field(op.output_shape->dims) : std::nullopt;
    case kShapeElementType:
      return op.output_shape ? Field(Number(op.output_shape->type)) : std::nullopt;
    case kGroupsField:
      return op.groups ? Field(Dims{*op.groups}) : std::nullopt;
    case kDialectField:
      return test_case.dialect ? Field(Number(*test_case.dialect)) : std::nullopt;
    case kValuesField:
      return Number(test_case.values);
    case kSeedField:
      return Number(test_case.seed);
    default:
      break;
  }
  if (!IsText(id)) return op.*kLists[id - kFirstList];
  const std::optional<std::string>& text = op.*kTexts[id - kFirstText];
  return text ? Field(Dims(text->begin(), text->end())) : std::nullopt;
}

// Enumerators are taken modulo their number, so that every number is one.
template <typename Table>
auto Pick(const Table& table, const Dims& numbers) {
  const std::uint64_t number = numbers.empty() ? 0 : static_cast<std::uint64_t>(numbers[0]);
  return table[number % table.size()];
}

constexpr std::array kElementTypes = {ElementType::kF64,     ElementType::kF32,   ElementType::kF16, ElementType::kBf16,
                                      ElementType::kI8,      ElementType::kI16,   ElementType::kI32, ElementType::kI64,
                                      ElementType::kU8,      ElementType::kU16,   ElementType::kU32, ElementType::kU64,
                                      ElementType::kBoolean, ElementType::kString};

void SetText(std::optional<std::string>& text, const Field& field) {
  text.reset();
  if (!field) return;
  text.emplace();
  for (const std::int64_t byte : *field) {
    // The door's texts end at the first zero byte, so longer ones could not be told apart there.
    if (byte == 0) break;
    text->push_back(static_cast<char>(byte));
  }
}

void Set(Case& test_case, std::size_t id, const Field& field) {
  Operator& op = test_case.op;
  const Dims numbers = field.value_or(Dims{});
  switch (id) {
    case kDataDims:
      op.data.dims = numbers;
      return;
    case kFilterDims:
      op.filter.dims = numbers;
      return;
    case kDataType:
      op.data.type = Pick(kElementTypes, numbers);
      return;
    case kFilterType:
      op.filter.type = Pick(kElementTypes, numbers);
      return;
    case kShapeValues:
      if (!field) {
        op.output_shape.reset();
      } else if (op.output_shape) {
        op.output_shape->values = numbers;
      } else {
        op.output_shape = {.dims = {static_cast<std::int64_t>(numbers.size())}, .values = numbers};
      }
      return;
    case kShapeDims:
      if (op.output_shape) op.output_shape->dims = numbers;
      return;
    case kShapeElementType:
      if (op.output_shape) op.output_shape->type = Pick(kElementTypes, numbers);
      return;
    case kGroupsField:
      op.groups = numbers.empty() ? std::nullopt : std::optional(numbers[0]);
      return;
    case kDialectField: {
      const auto dialects = oracle::DialectsOf(op.kind);
      const oracle::Dialect dialect = Pick(dialects, numbers);
      const bool is_default = numbers.empty() || dialect == dialects.front();
      test_case.dialect = is_default ? std::nullopt : std::optional(dialect);
      return;
    }
    case kValuesField:
      test_case.values = Pick(kDataSets, numbers);
      return;
    case kSeedField:
      test_case.seed = numbers.empty() ? 0 : static_cast<std::uint64_t>(numbers[0]);
      return;
    default:
      break;
  }
  if (IsText(id)) {
    SetText(op.*kTexts[id - kFirstText], field);
  } else {
    op.*kLists[id - kFirstList] = field;
  }
}

// The bytes after the recipe.
class OverrideReader {
 public:
  explicit OverrideReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t Byte() { return at_ < bytes_.size() ? bytes_[at_++] : std::uint8_t{0}; }
  std::int64_t Number(std::size_t width) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < width; ++i) number |= std::uint64_t{Byte()} << (8 * i);
    return static_cast<std::int64_t>(number);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

void ApplyOverride(OverrideReader& reader, Case& test_case) {
  const std::size_t id = reader.Byte() % kFieldCount;
  const std::uint8_t count = reader.Byte();
  if (count == kAbsentField) {
    Set(test_case, id, std::nullopt);
    return;
  }
  Dims numbers;
  for (std::size_t i = count % (kMostNumbers + 1); i != 0; --i) numbers.push_back(reader.Number(IsText(id) ? 1 : 8));
  Set(test_case, id, numbers);
}

void AppendOverride(std::size_t id, const Field& field, std::vector<std::uint8_t>& bytes) {
  bytes.push_back(static_cast<std::uint8_t>(id));
  bytes.push_back(field ? static_cast<std::uint8_t>(field->size()) : kAbsentField);
  for (const std::int64_t number : field.value_or(Dims{})) {
    for (std::size_t i = 0; i < (IsText(id) ? 1 : 8); ++i) {
      bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> (8 * i)));
    }
  }
}

// A case whose values cannot be had has none but the default ones (the case line says so too). A shape input keeps the
// low bits that its type has.
void SettleValues(Case& test_case) {
  if (std::optional<oracle::ShapeInput>& shape = test_case.op.output_shape) {
    for (std::int64_t& value : shape->values) value = oracle::LowBits(shape->type, value);
  }
  if (!Suits(test_case.values, test_case.op.data.type)) test_case.values = DataSet::kIntegers;
}

bool IsTooLarge(const Case& test_case, const CodecLimits& limits) {
  const oracle::Resolution resolution =
      oracle::Resolve(test_case.op, test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut);
  if (!resolution.geometry.has_value()) return false;
  return Exceeds(*resolution.geometry, limits);
}

}  // namespace

bool Exceeds(const oracle::Geometry& geometry, const CodecLimits& limits) {
  if (geometry.OutputCount() > limits.outputs || geometry.DataCount() > limits.products) return true;
  if (geometry.FilterCount() > limits.products) return true;
  double products = static_cast<double>(geometry.DataCount()) * static_cast<double>(geometry.out_channels);
  for (const oracle::Axis& axis : geometry.axes) products *= static_cast<double>(axis.kernel);
  return products > static_cast<double>(limits.products);
}

Case DecodeCase(std::span<const std::uint8_t> bytes, const CodecLimits& usual) {
  codec::RecipeBytes head{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), head.size()), head.begin());
  const CodecLimits limits = head[codec::kAbsent] >= codec::kFirstLarge ? usual.Large() : usual;
  codec::Recipe recipe = codec::ReadRecipe(head);
  codec::Tame(recipe, limits);
  Case plain = codec::CaseOf(recipe);

  Case result = plain;
  const std::uint8_t spoil = head[codec::kSpoil];
  if (spoil >= kFirstSpoil) {
    codec::Spoil(result.op, spoil - kFirstSpoil, head[codec::kSpoilPlace], head[codec::kSpoilValue]);
  }
  // Even beyond the end of the bytes: an override that is all zeros may have been trimmed.
  OverrideReader reader(bytes.subspan(std::min(bytes.size(), head.size())));
  for (int left = head[codec::kOverrides] - kFirstOverride; left > 0; --left) ApplyOverride(reader, result);
  SettleValues(result);
  if (result == plain || !IsTooLarge(result, limits)) return result;
  return plain;
}

namespace {

std::optional<std::vector<std::uint8_t>> EncodeAs(const Case& test_case, const CodecLimits& limits, bool large) {
  codec::RecipeBytes head = codec::WriteRecipe(codec::RecipeOf(test_case));
  if (large) head[codec::kAbsent] = std::max<std::uint8_t>(head[codec::kAbsent], codec::kFirstAbsent) + codec::kToLarge;
  std::vector<std::uint8_t> bytes(head.begin(), head.end());
  Case reached = DecodeCase(bytes, limits);
  std::size_t overrides = 0;
  for (std::size_t id = 0; id < kFieldCount; ++id) {
    const Field wanted = Get(test_case, id);
    if (Get(reached, id) == wanted) continue;
    if (++overrides > kMostOverrides || (wanted && wanted->size() > kMostNumbers)) return std::nullopt;
    AppendOverride(id, wanted, bytes);
    Set(reached, id, wanted);
  }
  if (overrides != 0) bytes[codec::kOverrides] = static_cast<std::uint8_t>(kFirstOverride + overrides);
  while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
  if (DecodeCase(bytes, limits) != test_case) return std::nullopt;
  return bytes;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> EncodeCase(const Case& test_case, const CodecLimits& limits) {
  auto bytes = EncodeAs(test_case, limits, false);
  return bytes ? bytes : EncodeAs(test_case, limits, true);
}

}  // namespace conformance
