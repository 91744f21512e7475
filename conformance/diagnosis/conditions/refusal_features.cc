// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes why an operator is refused, by the single repair that makes it valid, if there is one. An operator that
// no single repair makes valid breaks several clauses.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/diagnosis/conditions/feature_sink.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;

constexpr std::array kLists = {&Operator::strides, &Operator::dilations, &Operator::pads_begin, &Operator::pads_end,
                               &Operator::output_padding};
// The repaired value of each list.
constexpr std::array<std::int64_t, 5> kDefaults = {1, 1, 0, 0, 0};

std::size_t SpatialRank(const Operator& op) { return std::max<std::size_t>(op.data.dims.size(), 2) - 2; }

void FillIn(Operator& op) {
  for (std::size_t l = 0; l + 1 < kLists.size(); ++l) {
    if (!(op.*kLists[l])) op.*kLists[l] = Dims(SpatialRank(op), kDefaults[l]);
  }
}
void MendLengths(Operator& op) {
  for (std::size_t l = 0; l < kLists.size(); ++l) {
    if (op.*kLists[l]) (op.*kLists[l])->resize(SpatialRank(op), kDefaults[l]);
  }
}
template <std::size_t kFirst, std::size_t kLast>
void MendSigns(Operator& op) {
  for (std::size_t l = kFirst; l <= kLast; ++l) {
    if (!(op.*kLists[l])) continue;
    for (std::int64_t& value : *(op.*kLists[l])) value = std::max(value, kDefaults[l]);
  }
}
void DropPads(Operator& op) {
  op.pads_begin.reset();
  op.pads_end.reset();
}
void ClearPads(Operator& op) {
  for (const auto list : {&Operator::pads_begin, &Operator::pads_end}) {
    if (op.*list) std::ranges::fill(*(op.*list), 0);
  }
}
void DropOutputPadding(Operator& op) { op.output_padding.reset(); }
void DropAutoPad(Operator& op) { op.auto_pad.reset(); }
void DropKernelShape(Operator& op) { op.kernel_shape.reset(); }
void DropFormats(Operator& op) {
  op.data_format.reset();
  op.weights_format.reset();
}
void DropShapes(Operator& op) {
  op.output_shape.reset();
  op.output_shape_attribute.reset();
}
void DropShapeAttribute(Operator& op) { op.dst_shape.reset(); }
void MendShapeInput(Operator& op) {
  if (!op.output_shape) return;
  op.output_shape->type =
      op.kind == oracle::OperatorKind::kConvolutionBackwardData ? oracle::ElementType::kI32 : oracle::ElementType::kI64;
  op.output_shape->dims = {static_cast<std::int64_t>(op.output_shape->values.size())};
}
void MendTypes(Operator& op) { op.filter.type = op.data.type; }
void MendBothTypes(Operator& op) { op.data.type = op.filter.type = oracle::ElementType::kF32; }
void MendSizes(Operator& op) {
  for (std::int64_t& dim : op.filter.dims) dim = std::max<std::int64_t>(dim, 1);
  for (std::int64_t& dim : op.data.dims) dim = std::max<std::int64_t>(dim, 0);
}
/// Data with the channels that the filter has.
void MendChannels(Operator& op) {
  const Dims& filter = op.filter.dims;
  if (filter.size() < 3 || op.data.dims.size() < 3) return;
  const bool backward = op.kind == oracle::OperatorKind::kConvolutionBackwardData;
  const bool grouped = op.kind == oracle::OperatorKind::kGroupConvolutionBackpropData;
  std::int64_t channels = 0;
  if (grouped) {
    if (__builtin_mul_overflow(filter[0], filter[1], &channels)) return;
  } else {
    channels = backward && op.weights_format.value_or("XIO") == "XIO" ? filter.back() : filter[0];
  }
  (backward && op.data_format.value_or("NXC") == "NXC" ? op.data.dims.back() : op.data.dims[1]) = channels;
}
void MendGroups(Operator& op) {
  if (op.groups) op.groups = 1;
}

struct Repair {
  const char* words;
  void (*mend)(Operator&);
};

constexpr std::array kRepairs = {
    Repair{"absent lists filled in", FillIn},
    Repair{"lists of the right length", MendLengths},
    Repair{"positive strides", MendSigns<0, 0>},
    Repair{"positive dilations", MendSigns<1, 1>},
    Repair{"pads that are not negative", MendSigns<2, 3>},
    Repair{"an output_padding that is not negative", MendSigns<4, 4>},
    Repair{"no output_padding", DropOutputPadding},
    Repair{"no auto_pad", DropAutoPad},
    Repair{"no pads", DropPads},
    Repair{"pads of 0", ClearPads},
    Repair{"no kernel_shape", DropKernelShape},
    Repair{"no formats", DropFormats},
    Repair{"another type of the output shape", MendShapeInput},
    Repair{"no output shape", DropShapes},
    Repair{"no dst_shape attribute", DropShapeAttribute},
    Repair{"the filter's type made that of the data", MendTypes},
    Repair{"type f32", MendBothTypes},
    Repair{"data sizes of at least 0 and filter sizes of at least 1", MendSizes},
    Repair{"channels that fit", MendChannels},
    Repair{"one group", MendGroups},
};

}  // namespace

std::string RepairWord(std::int64_t repair) { return kRepairs[static_cast<std::size_t>(repair)].words; }

std::int64_t RepairOf(const Operator& op, oracle::Dialect dialect) {
  for (std::size_t r = 0; r < kRepairs.size(); ++r) {
    Operator other = op;
    kRepairs[r].mend(other);
    if (other != op && oracle::Resolve(other, dialect, oracle::StepTexts::kLeftOut).ok()) {
      return static_cast<std::int64_t>(r);
    }
  }
  return kNoValue;
}

}  // namespace conformance
