// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts a test case to a sketch (the same case as plain fields) and back. Fuzzers change sketches, because one field
// sets all numbers that must agree. SketchOf returns a sketch only if CaseOf restores exactly the same operator from
// it.

#include "conformance/case/sketch.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "conformance/case/checked.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

// The oracle supports tensors of up to 10 dims: batch, channels and 8 spatial axes.
constexpr std::size_t kMostRank = 10;

bool IsBackward(const Operator& op) { return op.kind == OperatorKind::kConvolutionBackwardData; }
bool IsNxc(const Operator& op) { return IsBackward(op) && op.data_format.value_or("NXC") == "NXC"; }
bool IsXio(const Operator& op) { return IsBackward(op) && op.weights_format.value_or("XIO") == "XIO"; }

/// The output size that the attributes give, without an output shape. It wraps on overflow, because the resolver, which
/// runs later, refuses such sizes.
std::int64_t Natural(const Sketch& sketch, const SketchAxis& axis) {
  const auto wrapping = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  std::uint64_t size =
      wrapping(axis.stride) * (wrapping(axis.data) - 1) + wrapping(axis.dilation) * (wrapping(axis.kernel) - 1) + 1;
  if (PadsDecide(sketch.base_case.op)) size -= wrapping(axis.pads_begin) + wrapping(axis.pads_end);
  return static_cast<std::int64_t>(size + wrapping(axis.output_padding));
}

/// Reads a list with one value for each axis into a member of the axes. False if the list has another length.
bool ReadList(const std::optional<Dims>& list, Sketch& sketch, std::int64_t SketchAxis::* member, bool& given) {
  given = list.has_value();
  if (!list) return true;
  if (list->size() != sketch.axes.size()) return false;
  for (std::size_t j = 0; j < list->size(); ++j) sketch.axes[j].*member = (*list)[j];
  return true;
}

/// The list of one member of all axes; nullopt if the attribute is not given.
std::optional<Dims> ListOf(const Sketch& sketch, std::int64_t SketchAxis::* member, bool given) {
  if (!given) return std::nullopt;
  Dims list;
  for (const SketchAxis& axis : sketch.axes) list.push_back(axis.*member);
  return list;
}

/// Batch, channels and spatial sizes in the order of the operator's data format.
Dims TensorDims(const Operator& op, std::int64_t batch, std::int64_t channels, const Dims& spatial) {
  Dims dims = {batch};
  if (!IsNxc(op)) dims.push_back(channels);
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  if (IsNxc(op)) dims.push_back(channels);
  return dims;
}

/// Reads batch, channels, groups, data and kernel sizes from the dims. False if the dims contradict each other.
bool ReadTensors(const Operator& op, Sketch& sketch) {
  const std::size_t rank = op.data.dims.size();
  const bool grouped = op.kind == OperatorKind::kGroupConvolutionBackpropData;
  if (rank < 3 || rank > kMostRank || op.filter.dims.size() != rank + (grouped ? 1 : 0)) return false;
  const std::size_t axes = rank - 2;
  sketch.axes.resize(axes);
  const Dims& data = op.data.dims;
  const Dims& filter = op.filter.dims;
  const std::int64_t channels = IsNxc(op) ? data[rank - 1] : data[1];
  std::int64_t in = 0;
  if (grouped) {
    sketch.groups = filter[0];
    in = filter[1];
    sketch.out = filter[2];
  } else {
    sketch.groups = op.groups.value_or(1);
    const std::int64_t in_of_all_groups = IsXio(op) ? filter[rank - 1] : filter[0];
    if (sketch.groups <= 0 || in_of_all_groups % sketch.groups != 0) return false;
    in = in_of_all_groups / sketch.groups;
    sketch.out = IsXio(op) ? filter[rank - 2] : filter[1];
  }
  sketch.in = in;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(sketch.groups, in, &product) || product != channels) return false;
  sketch.batch = data[0];
  for (std::size_t j = 0; j < axes; ++j) {
    sketch.axes[j].data = data[(IsNxc(op) ? 1 : 2) + j];
    sketch.axes[j].kernel = filter[(IsXio(op) ? 0 : grouped ? 3 : 2) + j];
  }
  return true;
}

/// Reads the output shape, if there is one, as the differences `shape_excess`. False if a sketch cannot hold it.
bool ReadShape(const Operator& op, Sketch& sketch) {
  const std::optional<Dims>& attribute = IsBackward(op) ? op.dst_shape : op.output_shape_attribute;
  // A sketch cannot hold an output shape attribute that belongs to another kind of operator.
  if (attribute.has_value() != (op.dst_shape || op.output_shape_attribute)) return false;
  sketch.shape = ShapeSourceOf(op);
  if (op.output_shape) {
    sketch.shape_type = op.output_shape->type;
    if (op.output_shape->dims != Dims{static_cast<std::int64_t>(op.output_shape->values.size())}) return false;
  }
  if (sketch.shape == ShapeSourceClass::kAbsent) return true;
  const Dims& shape = op.output_shape ? op.output_shape->values : *attribute;
  const std::size_t skipped = IsBackward(op) ? (IsNxc(op) ? 1 : 2) : 0;
  if (shape.size() != sketch.axes.size() + (IsBackward(op) ? 2 : 0)) return false;
  for (std::size_t j = 0; j < sketch.axes.size(); ++j) {
    SketchAxis& axis = sketch.axes[j];
    axis.shape_excess = static_cast<std::int64_t>(static_cast<std::uint64_t>(shape[skipped + j]) -
                                                  static_cast<std::uint64_t>(Natural(sketch, axis)));
  }
  return true;
}

}  // namespace

std::optional<Sketch> SketchOf(const Case& test_case) {
  if (test_case.sweep || test_case.law) return std::nullopt;
  Sketch sketch;
  sketch.base_case = test_case;
  const Operator& op = test_case.op;
  if (op.data.type != op.filter.type || !ReadTensors(op, sketch)) return std::nullopt;
  const bool lists = ReadList(op.strides, sketch, &SketchAxis::stride, sketch.strides) &&
                     ReadList(op.dilations, sketch, &SketchAxis::dilation, sketch.dilations) &&
                     ReadList(op.pads_begin, sketch, &SketchAxis::pads_begin, sketch.pads_begin) &&
                     ReadList(op.pads_end, sketch, &SketchAxis::pads_end, sketch.pads_end) &&
                     ReadList(op.output_padding, sketch, &SketchAxis::output_padding, sketch.output_padding);
  if (!lists || !ReadShape(op, sketch)) return std::nullopt;
  sketch.kernel_shape = op.kernel_shape.has_value();
  // A sketch cannot hold an output shape with a wrong batch or channels, or two output shapes that differ.
  if (CaseOf(sketch).op != op) return std::nullopt;
  return sketch;
}

Case CaseOf(const Sketch& sketch) {
  Case test_case = sketch.base_case;
  Operator& op = test_case.op;
  Dims data;
  Dims kernel;
  Dims output;
  for (const SketchAxis& axis : sketch.axes) {
    data.push_back(axis.data);
    kernel.push_back(axis.kernel);
    output.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(Natural(sketch, axis)) +
                                               static_cast<std::uint64_t>(axis.shape_excess)));
  }
  const std::int64_t channels = ClampedProduct({sketch.groups, sketch.in});
  op.data.dims = TensorDims(op, sketch.batch, channels, data);
  op.filter.type = op.data.type;
  op.filter.dims = kernel;
  if (op.kind == OperatorKind::kGroupConvolutionBackpropData) {
    op.filter.dims.insert(op.filter.dims.begin(), {sketch.groups, sketch.in, sketch.out});
  } else if (IsXio(op)) {
    op.filter.dims.insert(op.filter.dims.end(), {sketch.out, channels});
  } else {
    op.filter.dims.insert(op.filter.dims.begin(), {channels, sketch.out});
  }
  if (op.kind == OperatorKind::kConvolutionBackwardData || op.kind == OperatorKind::kConvTranspose) {
    if (sketch.groups != 1 || op.groups) op.groups = sketch.groups;
  } else {
    op.groups.reset();
  }
  op.strides = ListOf(sketch, &SketchAxis::stride, sketch.strides);
  op.dilations = ListOf(sketch, &SketchAxis::dilation, sketch.dilations);
  op.pads_begin = ListOf(sketch, &SketchAxis::pads_begin, sketch.pads_begin);
  op.pads_end = ListOf(sketch, &SketchAxis::pads_end, sketch.pads_end);
  op.output_padding = ListOf(sketch, &SketchAxis::output_padding, sketch.output_padding);
  op.kernel_shape.reset();
  if (sketch.kernel_shape && op.kind == OperatorKind::kConvTranspose) op.kernel_shape = kernel;
  op.output_shape.reset();
  op.dst_shape.reset();
  op.output_shape_attribute.reset();
  if (sketch.shape == ShapeSourceClass::kAbsent) return test_case;
  if (IsBackward(op)) output = TensorDims(op, sketch.batch, ClampedProduct({sketch.groups, sketch.out}), output);
  if (sketch.shape != ShapeSourceClass::kInput) (IsBackward(op) ? op.dst_shape : op.output_shape_attribute) = output;
  if (sketch.shape != ShapeSourceClass::kAttribute) {
    op.output_shape = {.type = sketch.shape_type, .dims = {static_cast<std::int64_t>(output.size())}, .values = output};
    // The sizes may have grown beyond the type, and then no line could hold the case.
    if (!op.output_shape->CanRepresentValues()) op.output_shape->type = oracle::ElementType::kI64;
  }
  return test_case;
}

}  // namespace conformance
