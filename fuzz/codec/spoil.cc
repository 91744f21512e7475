// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the defects: one function for each kind, named after it.

#include "fuzz/codec/spoil.h"

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace conformance::codec {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

constexpr std::array<std::int64_t, 6> kNegative = {
    -1, -2, -7, -(std::int64_t{1} << 31), -(std::int64_t{1} << 32) - 1, kLowest};
// Around the ends of 31, 32 and 63 bits, and where a square or a multiplication by an element's bytes leaves 63.
constexpr std::array<std::int64_t, 10> kHuge = {
    kHighest,   kHighest - 1,          std::int64_t{1} << 62,       std::int64_t{1} << 61, (std::int64_t{1} << 60) + 1,
    3037000500, std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1, std::int64_t{1} << 31, (std::int64_t{1} << 31) - 1};

struct Defect {
  Operator& op;
  std::size_t place;
  std::size_t value;

  std::size_t Axes() const { return op.data.dims.size() - 2; }  // the operator was valid
  std::int64_t Negative() const { return kNegative[value % kNegative.size()]; }
  std::int64_t NotPositive() const { return value % 3 == 0 ? 0 : Negative(); }
  std::int64_t Huge() const { return kHuge[value % kHuge.size()]; }

  bool IsGroup() const { return op.kind == OperatorKind::kGroupConvolutionBackpropData; }
  bool IsOnednn() const { return op.kind == OperatorKind::kConvolutionBackwardData; }
  bool IsOnnx() const { return op.kind == OperatorKind::kConvTranspose; }
  bool IsXio() const { return IsOnednn() && op.weights_format.value_or("XIO") == "XIO"; }
  std::size_t ChannelsAt() const {
    return IsOnednn() && op.data_format.value_or("NXC") == "NXC" ? op.data.dims.size() - 1 : 1;
  }

  void Put(std::optional<Dims>& list, std::int64_t plain, std::int64_t wrong) const {
    if (!list) list = Dims(Axes(), plain);
    (*list)[place % list->size()] = wrong;
  }
  /// The output shape that is used, made of ones if there was none.
  Dims& Shape() const {
    if (IsOnnx()) {
      if (!op.output_shape_attribute) op.output_shape_attribute = Dims(Axes(), 1);
      return *op.output_shape_attribute;
    }
    if (IsOnednn() && !op.output_shape) {
      if (!op.dst_shape) op.dst_shape = Dims(Axes() + 2, 1);
      return *op.dst_shape;
    }
    if (!op.output_shape) {
      op.output_shape = {.dims = {static_cast<std::int64_t>(Axes())}, .values = Dims(Axes(), 1)};
    }
    return op.output_shape->values;
  }
  std::optional<Dims>& List() const {
    const std::array lists = {&op.strides, &op.dilations, &op.pads_begin, &op.pads_end, &op.output_padding};
    return *lists[place % lists.size()];
  }
};

void StrideNotPositive(const Defect& d) { d.Put(d.op.strides, 1, d.NotPositive()); }
void DilationNotPositive(const Defect& d) { d.Put(d.op.dilations, 1, d.NotPositive()); }
void PadsBeginNegative(const Defect& d) { d.Put(d.op.pads_begin, 0, d.Negative()); }
void PadsEndNegative(const Defect& d) { d.Put(d.op.pads_end, 0, d.Negative()); }
void OutputPaddingNegative(const Defect& d) { d.Put(d.op.output_padding, 0, d.Negative()); }

void StrideHuge(const Defect& d) { d.Put(d.op.strides, 1, d.Huge()); }
void DilationHuge(const Defect& d) { d.Put(d.op.dilations, 1, d.Huge()); }
void PadHuge(const Defect& d) { d.Put(d.value % 2 == 0 ? d.op.pads_begin : d.op.pads_end, 0, d.Huge()); }
void OutputPaddingHuge(const Defect& d) { d.Put(d.op.output_padding, 0, d.Huge()); }

void ListLength(const Defect& d) {
  std::optional<Dims>& list = d.List();
  if (!list) list = Dims(d.Axes(), 1);
  if (d.value % 3 == 0) {
    list->push_back(1);
  } else if (d.value % 3 == 1) {
    list->pop_back();
  } else {
    list->clear();
  }
}

void RequiredListMissing(const Defect& d) {
  const std::array lists = {&d.op.strides, &d.op.dilations, &d.op.pads_begin, &d.op.pads_end};
  lists[d.place % lists.size()]->reset();
}

void DataDimension(const Defect& d) {
  d.op.data.dims[d.place % d.op.data.dims.size()] = d.value % 2 == 0 ? d.Negative() : d.Huge();
}
void FilterDimension(const Defect& d) {
  d.op.filter.dims[d.place % d.op.filter.dims.size()] = d.value % 2 == 0 ? d.Negative() : d.Huge();
}
// Both at once, so that the sizes are refused and not the mismatch.
void ChannelsHuge(const Defect& d) {
  if (d.IsGroup()) {
    d.op.filter.dims[2] = d.Huge();
    return;
  }
  d.op.data.dims[d.ChannelsAt()] = d.Huge();
  d.op.filter.dims[d.IsXio() ? d.op.filter.dims.size() - 1 : 0] = d.Huge();
}
void KernelEmpty(const Defect& d) {
  const std::size_t first = d.IsXio() ? 0 : d.op.filter.dims.size() - d.Axes();
  d.op.filter.dims[first + d.place % d.Axes()] = 0;
}
void ChannelsDiffer(const Defect& d) { d.op.data.dims[d.ChannelsAt()] += 1 + static_cast<std::int64_t>(d.value % 3); }

void CampaignCauses(const Defect& d) {
  const std::int64_t channels = d.op.data.dims[d.ChannelsAt()];
  const std::int64_t wrong = d.value % 2 == 0 ? channels + 1 : d.NotPositive();
  if (d.IsGroup()) {
    d.op.filter.dims[0] = wrong;
  } else {
    d.op.groups = wrong;
  }
}

// More than two of the libraries take (clauses S16, S19).
void FourAxes(const Defect& d) {
  d.op.data.dims = d.op.filter.dims = Dims(6, 1);
  d.op.strides = d.op.dilations = Dims(4, 1);
  d.op.pads_begin = d.op.pads_end = Dims(4, 0);
  d.op.output_padding.reset();
  d.op.groups.reset();
  d.op.output_shape.reset();
  if (d.IsOnednn()) d.op.dst_shape = Dims(6, 1);
  if (d.op.kind == oracle::OperatorKind::kGroupConvolutionBackpropData) d.op.filter.dims.push_back(1);
}

void DataRank(const Defect& d) {
  constexpr std::array<std::size_t, 6> ranks = {2, 1, 0, 11, 15, 6};
  if (ranks[d.value % ranks.size()] == 6) {
    FourAxes(d);
    return;
  }
  d.op.data.dims.resize(ranks[d.value % ranks.size()], 1);
}
void FilterRank(const Defect& d) {
  if (d.value % 2 == 0) {
    d.op.filter.dims.push_back(1);
  } else {
    d.op.filter.dims.pop_back();
  }
}

void Types(const Defect& d) {
  constexpr std::array types = {ElementType::kBoolean, ElementType::kString, ElementType::kI16, ElementType::kF64,
                                ElementType::kF32};
  const ElementType type = types[d.value % types.size()];
  if (d.place % 3 != 0) d.op.data.type = type;
  if (d.place % 3 != 1) d.op.filter.type = type;
}

// Numeric types that (Group)ConvolutionBackpropData alone takes.
void TypeOutside(const Defect& d) {
  constexpr std::array types = {ElementType::kI8, ElementType::kU8, ElementType::kI32, ElementType::kU64};
  d.op.data.type = types[d.value % types.size()];
  d.op.filter.type = d.op.data.type;
}

void AutoPad(const Defect& d) {
  constexpr std::array texts = {"",           "same",        "same-upper", "sameupper", "valid.",   "auto",
                                "nOnE",       "none",        "NOTSET",     "notset",    "explicit", "SAME_up",
                                "Same_Upper", "same_upper ", "VALIDx",     "0"};
  d.op.auto_pad = texts[d.value % texts.size()];
}

void ShapeValue(const Defect& d) {
  Dims& shape = d.Shape();
  shape[d.place % shape.size()] = d.value % 2 == 0 ? d.NotPositive() : d.Huge();
}
void ShapeLength(const Defect& d) {
  Dims& shape = d.Shape();
  if (d.value % 2 == 0) {
    shape.push_back(1);
  } else {
    shape.pop_back();
  }
  if (d.op.output_shape) d.op.output_shape->dims = {static_cast<std::int64_t>(d.op.output_shape->values.size())};
}
void ShapeTensor(const Defect& d) {
  d.Shape();
  if (!d.op.output_shape) {
    d.op.output_shape = {.dims = {static_cast<std::int64_t>(d.Axes())}, .values = Dims(d.Axes(), 1)};
  }
  constexpr std::array types = {ElementType::kF32, ElementType::kBoolean, ElementType::kString, ElementType::kBf16};
  switch (d.place % 4) {
    case 0:
      d.op.output_shape->type = types[d.value % types.size()];
      break;
    case 1:
      d.op.output_shape->dims.clear();
      break;
    case 2:
      d.op.output_shape->dims.push_back(1);
      break;
    default:
      d.op.output_shape->dims[0] += 1;
  }
}
void ShapeMissing(const Defect& d) {
  d.op.output_shape.reset();
  d.op.dst_shape.reset();
}

void Format(const Defect& d) {
  constexpr std::array texts = {"", "NCHW", "ncx", "XCN", "IOX", "oix", "IXO"};
  (d.place % 2 == 0 ? d.op.data_format : d.op.weights_format) = texts[d.value % texts.size()];
}
void KernelShape(const Defect& d) { d.Put(d.op.kernel_shape, 1, d.value % 2 == 0 ? 77 : d.NotPositive()); }
void PadsBesideAutoPad(const Defect& d) {
  d.op.auto_pad = d.value % 2 == 0 ? "SAME_UPPER" : "VALID";
  (d.place % 2 == 0 ? d.op.pads_begin : d.op.pads_end) = Dims(d.Axes(), 0);
}

// What one dialect has no size for, or no data (clauses P23, S18).
void SizeMissing(const Defect& d) {
  d.op.auto_pad = d.value % 2 == 0 ? "SAME_UPPER" : "SAME_LOWER";
  d.op.pads_begin.reset();
  d.op.pads_end.reset();
  d.op.output_shape_attribute.reset();
}
void ShapeOfNoData(const Defect& d) {
  d.Shape();
  d.op.data.dims[2 + d.place % d.Axes()] = 0;
}
void FilterEmpty(const Defect& d) {
  d.op.data.dims[d.ChannelsAt()] = 0;
  d.op.filter.dims[d.IsXio() ? d.op.filter.dims.size() - 1 : 0] = 0;
}

using Function = void (*)(const Defect&);
constexpr std::array<Function, 25> kEverywhere = {StrideNotPositive,
                                                  DilationNotPositive,
                                                  PadsBeginNegative,
                                                  PadsEndNegative,
                                                  OutputPaddingNegative,
                                                  StrideHuge,
                                                  DilationHuge,
                                                  PadHuge,
                                                  OutputPaddingHuge,
                                                  ListLength,
                                                  DataDimension,
                                                  FilterDimension,
                                                  ChannelsHuge,
                                                  KernelEmpty,
                                                  ChannelsDiffer,
                                                  CampaignCauses,
                                                  DataRank,
                                                  FilterRank,
                                                  Types,
                                                  AutoPad,
                                                  ShapeValue,
                                                  ShapeLength,
                                                  ShapeTensor,
                                                  ListLength,
                                                  AutoPad};
constexpr std::array<Function, 7> kOnednn = {TypeOutside, Format,   ShapeMissing, RequiredListMissing,
                                             ShapeValue,  FourAxes, FilterEmpty};
constexpr std::array<Function, 5> kOnnx = {TypeOutside, KernelShape, PadsBesideAutoPad, SizeMissing, ShapeOfNoData};

}  // namespace

void Spoil(Operator& op, std::uint8_t what, std::uint8_t place, std::uint8_t value) {
  const Defect defect{op, place, value};
  const std::size_t own = defect.IsOnednn() ? kOnednn.size() : defect.IsOnnx() ? kOnnx.size() : 0;
  const std::size_t index = what % (kEverywhere.size() + own);
  if (index < kEverywhere.size()) {
    kEverywhere[index](defect);
  } else {
    (defect.IsOnednn() ? kOnednn[index - kEverywhere.size()] : kOnnx[index - kEverywhere.size()])(defect);
  }
}

}  // namespace conformance::codec
