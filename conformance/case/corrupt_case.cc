// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a case invalid, for fuzzers: a backend must refuse invalid operators. In two of three cases CorruptCase changes
// one field of the case's sketch (the case as plain fields), so that data and filter still agree. Otherwise it changes
// one list, type or word of the operator, and leaves dependent parts as they are. The clauses in comments are the
// numbered rules of oracle/clauses.md.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/checked.h"
#include "conformance/case/draw_case.h"
#include "conformance/case/sketch.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

constexpr std::array<std::int64_t, 6> kNegative = {
    -1, -2, -7, -(std::int64_t{1} << 31), -(std::int64_t{1} << 32) - 1, kLowest};
// Numbers around 2^31, 2^32 and 2^63. 3037000500 is the smallest number whose square exceeds 63 bits; 2^60 + 1 elements
// of 8 bytes exceed 63 bits.
constexpr std::array<std::int64_t, 10> kHuge = {
    kHighest,   kHighest - 1,          std::int64_t{1} << 62,       std::int64_t{1} << 61, (std::int64_t{1} << 60) + 1,
    3037000500, std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1, std::int64_t{1} << 31, (std::int64_t{1} << 31) - 1};

// Types that some operators refuse, as the type of data and filter or as that of an output shape.
constexpr std::array kTypes = {ElementType::kBoolean, ElementType::kString, ElementType::kI8,  ElementType::kU8,
                               ElementType::kI16,     ElementType::kI32,    ElementType::kU64, ElementType::kBf16,
                               ElementType::kF32,     ElementType::kF64};
// Words that look like a mode of auto_pad. Some dialects allow some of them.
constexpr std::array kAutoPads = {"",           "same",        "same-upper", "sameupper", "valid.",     "auto",
                                  "nOnE",       "none",        "NOTSET",     "notset",    "explicit",   "SAME_up",
                                  "Same_Upper", "same_upper ", "VALIDx",     "0",         "SAME_UPPER", "VALID"};
constexpr std::array kFormats = {"", "NCHW", "ncx", "XCN", "IOX", "oix", "IXO"};
// Ranks of data. A rank below 3 has no spatial axis; a rank above 10 has more axes than the oracle supports.
constexpr std::array<std::size_t, 6> kRanks = {2, 1, 0, 6, 11, 15};

std::int64_t WrongNumber(Random& random) {
  const std::size_t draw = random.Below(3);
  return draw == 0 ? 0 : draw == 1 ? random.Choose(kNegative) : random.Choose(kHuge);
}

// Changes one field of a sketch. Only some dialects refuse the first three changes: many axes (clauses S16, S19), no
// output shape (P23), and empty data beside an output shape (S18).
void SpoilSketch(Sketch& sketch, Random& random) {
  SketchAxis& axis = sketch.axes[random.Below(sketch.axes.size())];
  switch (random.Below(9)) {
    case 0:
      return sketch.axes.resize(4 + random.Below(6));
    case 1:
      sketch.shape = ShapeSourceClass::kAbsent;
      return;
    case 2:
      axis.data = 0;
      return;
    case 3:
      axis.kernel = 0;
      return;
    case 4:
      *random.Choose(std::array{&sketch.batch, &sketch.groups, &sketch.in, &sketch.out}) = WrongNumber(random);
      return;
    default:
      break;
  }
  constexpr std::array kNumbers = {&SketchAxis::data,           &SketchAxis::kernel,      &SketchAxis::stride,
                                   &SketchAxis::dilation,       &SketchAxis::pads_begin,  &SketchAxis::pads_end,
                                   &SketchAxis::output_padding, &SketchAxis::shape_excess};
  axis.*random.Choose(kNumbers) = WrongNumber(random);
  sketch.strides = sketch.dilations = true;
  if (axis.output_padding != 0) sketch.output_padding = true;
}

// Makes a list longer or shorter, or changes one of its numbers.
void SpoilList(Dims& list, Random& random) {
  const std::size_t draw = random.Below(8);
  if (draw == 0 || list.empty()) {
    list.push_back(1);
  } else if (draw == 1) {
    list.pop_back();
  } else if (draw == 2) {
    list.clear();
  } else if (draw < 5) {
    std::int64_t& number = list[random.Below(list.size())];
    number = ClampedSum(number, 1 + static_cast<std::int64_t>(random.Below(3)));
  } else {
    list[random.Below(list.size())] = WrongNumber(random);
  }
}

// Adds an absent list, or removes or changes a present list.
void SpoilOptionalList(Operator& op, Random& random) {
  constexpr std::array kLists = {
      &Operator::strides,        &Operator::dilations, &Operator::pads_begin,   &Operator::pads_end,
      &Operator::output_padding, &Operator::dst_shape, &Operator::kernel_shape, &Operator::output_shape_attribute};
  std::optional<Dims>& list = op.*random.Choose(kLists);
  const std::size_t axes = op.data.dims.size() < 3 ? 1 : op.data.dims.size() - 2;
  if (!list) {
    list = Dims(axes, static_cast<std::int64_t>(random.Below(2)));
  } else if (random.OneIn(4)) {
    list.reset();
    return;
  }
  if (!random.OneIn(4)) SpoilList(*list, random);
}

// Adds an absent output shape, or removes it or changes its type, dims or values.
void SpoilShape(Operator& op, Random& random) {
  if (!op.output_shape) {
    const std::size_t axes = op.data.dims.size() < 3 ? 1 : op.data.dims.size() - 2;
    op.output_shape = {.dims = {static_cast<std::int64_t>(axes)}, .values = Dims(axes, 1)};
    if (random.OneIn(2)) return;
  }
  switch (random.Below(4)) {
    case 0:
      op.output_shape.reset();
      break;
    case 1:
      op.output_shape->type = random.Choose(kTypes);
      break;
    case 2:
      SpoilList(op.output_shape->dims, random);
      break;
    default:
      SpoilList(op.output_shape->values, random);
      if (random.OneIn(2)) op.output_shape->dims = {static_cast<std::int64_t>(op.output_shape->values.size())};
  }
}

void SpoilTypes(Operator& op, Random& random) {
  const ElementType type = random.Choose(kTypes);
  const std::size_t which = random.Below(3);  // 0: the filter's type, 1: the data's, 2: both
  if (which != 0) op.data.type = type;
  if (which != 1) op.filter.type = type;
}

// Changes a format, the groups or, most often, auto_pad.
void SpoilWords(Operator& op, Random& random) {
  switch (random.Below(5)) {
    case 0:
      op.data_format = random.Choose(kFormats);
      break;
    case 1:
      op.weights_format = random.Choose(kFormats);
      break;
    case 2:
      op.groups = random.OneIn(2) ? WrongNumber(random) : ClampedSum(op.groups.value_or(1), 1);
      break;
    default:
      op.auto_pad = random.Choose(kAutoPads);
  }
}

// Changes one part of the operator, most often an optional list.
void SpoilPart(Operator& op, Random& random) {
  switch (random.Below(8)) {
    case 0:
      return SpoilList(op.data.dims, random);
    case 1:
      return SpoilList(op.filter.dims, random);
    case 2:
      return SpoilShape(op, random);
    case 3:
      return SpoilTypes(op, random);
    case 4:
      return SpoilWords(op, random);
    case 5:
      return random.OneIn(4) ? op.data.dims.resize(random.Choose(kRanks), 1) : SpoilWords(op, random);
    default:
      return SpoilOptionalList(op, random);
  }
}

}  // namespace

void CorruptCase(Case& test_case, Random& random) {
  auto sketch = SketchOf(test_case);
  if (sketch && !random.OneIn(3)) {
    SpoilSketch(*sketch, random);
    test_case = CaseOf(*sketch);
  } else {
    SpoilPart(test_case.op, random);
  }
  SettleTypes(test_case);
}

void SettleTypes(Case& test_case) {
  if (std::optional<oracle::ShapeInput>& shape = test_case.op.output_shape) {
    for (std::int64_t& value : shape->values) value = oracle::LowBits(shape->type, value);
  }
  if (!IsDefinedFor(test_case.values, test_case.op.data.type)) test_case.values = DataSet::kIntegers;
}

}  // namespace conformance
