// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// ConvTranspose by the text of version 11 (onnx-11), without its bias.

#include <string>

#include "oracle/resolver.h"

namespace oracle {
namespace {

bool TakeAutoPad(Resolver& r, AutoPad& mode) {
  const Operator& op = r.op();
  mode = AutoPad::kExplicit;
  if (!op.auto_pad.has_value()) {
    r.Note("A12", "auto_pad absent: NOTSET");
    return true;
  }
  const std::string& name = *op.auto_pad;
  if (name == "NOTSET") {
    mode = AutoPad::kExplicit;
  } else if (name == "SAME_UPPER") {
    mode = AutoPad::kSameUpper;
  } else if (name == "SAME_LOWER") {
    mode = AutoPad::kSameLower;
  } else if (name == "VALID") {
    mode = AutoPad::kValid;
  } else {
    return r.Refuse("A11", "auto_pad: \"" + name + "\", expected NOTSET, SAME_UPPER, SAME_LOWER or VALID");
  }
  r.Note("A11", "auto_pad " + name);
  if (mode != AutoPad::kExplicit && (op.pads_begin.has_value() || op.pads_end.has_value())) {
    return r.Refuse("A14", "pads: given beside auto_pad " + name + ", expected one of the two");
  }
  return true;
}

bool CheckKernelShape(Resolver& r) {
  const std::optional<Dims>& shape = r.op().kernel_shape;
  if (!shape.has_value()) return true;
  if (shape->size() != r.spatial_rank()) {
    return r.Refuse("A1", "kernel_shape: " + Text(*shape) + ", expected " + std::to_string(r.spatial_rank()) +
                              " values, one for each spatial axis");
  }
  for (std::size_t j = 0; j < shape->size(); ++j) {
    if ((*shape)[j] != r.axis(j).kernel) {
      return r.Refuse("S13", "kernel_shape: " + Text((*shape)[j]) + " for spatial axis " + std::to_string(j) +
                                 ", expected " + Text(r.axis(j).kernel) + ", the filter's");
    }
  }
  return true;
}

bool Split(Resolver& r, std::size_t j, AutoPad mode) {
  std::int64_t total = 0;
  if (!r.TakeTotal(j, total)) return false;
  const std::int64_t half = FloorHalf(total);
  if (total < 0) r.Note("P15", "axis " + std::to_string(j) + ": the negative total shifts the data, /2 rounds down");
  if (mode == AutoPad::kSameUpper) {
    return r.SetBegin(j, "P13", "pads_begin = total/2 = " + Text(total) + "/2 = " + Text(half), half);
  }
  return r.SetBegin(
      j, "P13", "pads_begin = total - total/2 = " + Text(total) + " - " + Operand(half) + " = " + Text(total - half),
      total - half);
}

bool SizeAxis(Resolver& r, std::size_t j, AutoPad mode) {
  if (!r.TakeNatural(j)) return false;
  if (r.op().output_shape_attribute.has_value()) {
    return r.TakeOutput("output_shape", j, (*r.op().output_shape_attribute)[j]) && Split(r, j, mode);
  }
  if (mode == AutoPad::kExplicit) return r.SizeFromPads(j, "P2", r.pads_begin[j], r.pads_end[j]);
  if (mode == AutoPad::kValid) return r.SizeFromPads(j, "P3", 0, 0);
  Axis& axis = r.axis(j);
  const Wide size = Wide{axis.data} * axis.stride;
  const std::string formula = Text(axis.data) + " * " + Text(axis.stride);
  if (!Fits(size)) {
    return r.Refuse("O2", "axis " + std::to_string(j) + ": output = " + formula + ", expected a number below 2^63");
  }
  if (size < 1) {
    return r.Refuse(
        "P16", "output: size " + formula + " = 0 along spatial axis " + std::to_string(j) + ", expected at least 1");
  }
  axis.output = static_cast<std::int64_t>(size);
  r.Note("P14", "axis " + std::to_string(j) + ": output = " + formula + " = " + Text(axis.output));
  return Split(r, j, mode);
}

}  // namespace

Resolution ResolveOnnx(const Operator& op) {
  Resolver r(op);
  AutoPad mode = AutoPad::kExplicit;
  if (op.output_shape.has_value()) {
    r.Refuse("D3", "inputs: 3, expected 2: data and filter");
    return r.Stop();
  }
  if (!r.CheckTypes("T5", {ElementType::kF16, ElementType::kF32, ElementType::kF64}) || !r.CheckRanks(0)) {
    return r.Stop();
  }
  r.geometry().layout = DataLayout::kNcx;
  r.geometry().filter_layout = FilterLayout::kIox;
  if (!r.TakeChannels(op.groups.value_or(1)) || !CheckKernelShape(r) || !r.TakeLists() || !TakeAutoPad(r, mode)) {
    return r.Stop();
  }
  if (op.output_shape_attribute.has_value() && op.output_shape_attribute->size() != r.spatial_rank()) {
    r.Refuse("S10", "output_shape: " + Text(*op.output_shape_attribute) + ", expected " +
                        std::to_string(r.spatial_rank()) + " values, one for each spatial axis");
    return r.Stop();
  }
  for (std::size_t j = 0; j < r.spatial_rank(); ++j) {
    if (!SizeAxis(r, j, mode)) return r.Stop();
  }
  return r.Finish();
}

}  // namespace oracle
