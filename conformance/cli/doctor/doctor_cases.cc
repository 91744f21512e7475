// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the operators with which `deconv-cts doctor` examines a backend, with the attributes that each operator kind
// requires. Each case is a plain operator with one change.

#include "conformance/cli/doctor/doctor_cases.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "oracle/resolve.h"

namespace conformance {

using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

namespace {

Dims Join(Dims head, const Dims& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

}  // namespace

Operator PlainOperator(OperatorKind kind, oracle::ElementType type, const PlainSizes& sizes) {
  const std::size_t axes = sizes.data.size();
  const bool grouped = kind == OperatorKind::kGroupConvolutionBackpropData;
  const std::int64_t channels = sizes.groups * sizes.in;
  Operator op;
  op.kind = kind;
  op.data = {type, Join({sizes.batch, channels}, sizes.data)};
  op.filter = {type, Join(grouped ? Dims{sizes.groups, sizes.in, sizes.out} : Dims{channels, sizes.out}, sizes.kernel)};
  op.strides = Dims(axes, sizes.stride);
  op.dilations = Dims(axes, sizes.dilation);
  op.pads_begin = Dims(axes, 0);
  op.pads_end = Dims(axes, 0);
  if (sizes.groups != 1 && !grouped) op.groups = sizes.groups;
  return op;
}

Operator WithDstShape(Operator op) {
  if (op.kind != OperatorKind::kConvolutionBackwardData) return op;
  op.data_format = "NCX";
  op.weights_format = "OIX";
  if (op.dst_shape) return op;
  Dims shape = {op.data.dims[0], op.groups.value_or(1) * op.filter.dims[1]};
  for (std::size_t j = 0; j < op.strides->size(); ++j) {
    const std::int64_t padding = op.output_padding ? (*op.output_padding)[j] : 0;
    shape.push_back((*op.strides)[j] * (op.data.dims[j + 2] - 1) + (*op.dilations)[j] * (op.filter.dims[j + 2] - 1) +
                    1 - (*op.pads_begin)[j] - (*op.pads_end)[j] + padding);
  }
  op.dst_shape = shape;
  return op;
}

SuiteCase DoctorCase(std::string name, Operator op) {
  SuiteCase suite_case;
  suite_case.suite = "doctor";
  suite_case.name = std::move(name);
  suite_case.test_case.op = std::move(op);
  return suite_case;
}

namespace {

constexpr std::int64_t kStride = 2;

// Only the first two axes have full sizes. With eight such axes the oracle would be slow.
constexpr std::size_t kFullAxes = 2;
std::int64_t DataSize(std::size_t axis) { return axis < kFullAxes ? 3 : 2; }
std::int64_t KernelSize(std::size_t axis) { return axis < kFullAxes ? 2 : 1; }

struct Channels {
  std::int64_t groups = 1;
  std::int64_t in = 1;   ///< input channels of a group
  std::int64_t out = 1;  ///< output channels of a group
};

/// The plain operator of the doctor: kStride along all axes, and the sizes of DataSize() and KernelSize().
Operator PlainOfRank(OperatorKind kind, std::size_t rank, oracle::ElementType type, std::int64_t batch,
                     Channels channels) {
  PlainSizes sizes;
  sizes.batch = batch;
  sizes.groups = channels.groups;
  sizes.in = channels.in;
  sizes.out = channels.out;
  sizes.stride = kStride;
  for (std::size_t j = 0; j < rank - 2; ++j) {
    sizes.data.push_back(DataSize(j));
    sizes.kernel.push_back(KernelSize(j));
  }
  return PlainOperator(kind, type, sizes);
}

/// `value` on every axis, but one more on the second. A backend that exchanges two axes then has a wrong attribute.
Dims Unequal(std::size_t axes, std::int64_t value) {
  Dims values(axes, value);
  if (axes > 1) ++values[1];
  return values;
}

// Adds SAME_UPPER in the kind's spelling, and an output shape. Along the first axes it exceeds the natural size, which
// is the size without pads, by `more`. With -1, the dialect decides at which end one position is cropped. With 2, both
// pads are -1. ONNX forbids pads together with auto_pad, so they are removed.
Operator SameUpper(Operator op, std::int64_t more) {
  const bool openvino =
      op.kind == OperatorKind::kConvolutionBackpropData || op.kind == OperatorKind::kGroupConvolutionBackpropData;
  const std::size_t axes = op.strides->size();
  Dims sizes;
  for (std::size_t j = 0; j < axes; ++j) {
    sizes.push_back(kStride * (DataSize(j) - 1) + KernelSize(j) + (j < kFullAxes ? more : 0));
  }
  op.auto_pad = openvino ? "same_upper" : "SAME_UPPER";
  if (openvino) {
    op.output_shape = {oracle::ElementType::kI64, {static_cast<std::int64_t>(axes)}, sizes};
  } else if (op.kind == OperatorKind::kConvTranspose) {
    op.pads_begin = op.pads_end = std::nullopt;
    op.output_shape_attribute = sizes;
  } else {
    Dims shape = {op.data.dims[0], op.filter.dims[1]};
    shape.insert(shape.end(), sizes.begin(), sizes.end());
    op.dst_shape = shape;
  }
  return op;
}

/// Moves the channels of data and output after the spatial axes.
void DataInNxc(Operator& op) {
  const auto move_channels_back = [](Dims& dims) { std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end()); };
  move_channels_back(op.data.dims);
  move_channels_back(*op.dst_shape);
  op.data_format = "NXC";
}

/// The dims [I, O, spatial...] of the filter become [spatial..., O, I].
void FilterInXio(Operator& op) {
  Dims& dims = op.filter.dims;
  std::rotate(dims.begin(), dims.begin() + 2, dims.end());
  std::swap(dims[dims.size() - 2], dims[dims.size() - 1]);
  op.weights_format = "XIO";
}

}  // namespace

SuiteCase PlainCase(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  return DoctorCase(fmt::format("{} rank {} {}", OperatorKindName(kind), rank, ElementTypeName(type)),
                    WithDstShape(PlainOfRank(kind, rank, type, 1, {})));
}

SuiteCase UnstridedCase(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  Operator op = PlainOfRank(kind, rank, type, 1, {});
  op.strides = Dims(rank - 2, 1);
  return DoctorCase(fmt::format("strides of 1, rank {} {}", rank, ElementTypeName(type)), WithDstShape(std::move(op)));
}

std::vector<SuiteCase> VariedCases(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  const std::size_t axes = rank - 2;
  std::vector<SuiteCase> cases;
  const auto add = [&](const char* name, Operator op) {
    cases.push_back(DoctorCase(name, WithDstShape(std::move(op))));
  };
  add("batch of 2, 2 to 3 channels", PlainOfRank(kind, rank, type, 2, {.groups = 1, .in = 2, .out = 3}));
  if (kind != OperatorKind::kConvolutionBackpropData) {
    add("2 groups", PlainOfRank(kind, rank, type, 1, {.groups = 2, .in = 2, .out = 3}));
  }
  Operator op = PlainOfRank(kind, rank, type, 1, {});
  if (axes > 1) {
    op.strides = Unequal(axes, kStride);
    add("strides that differ", op);
    op = PlainOfRank(kind, rank, type, 1, {});
  }
  op.pads_begin = Unequal(axes, 1);
  add("pads_begin", op);
  op = PlainOfRank(kind, rank, type, 1, {});
  op.pads_end = Unequal(axes, 1);
  add("pads_end", op);
  op = PlainOfRank(kind, rank, type, 1, {});
  op.dilations = Unequal(axes, 2);
  add("dilations", op);
  // Without pads, no data element reaches the outputs that output_padding adds, so zeros there would be right. Equal
  // pads move products into them, and libraries without asymmetric pads have them, too.
  op = PlainOfRank(kind, rank, type, 1, {});
  op.pads_begin = op.pads_end = op.output_padding = Dims(axes, 1);
  if (axes > 1) op.output_padding->at(1) = 0;
  add("output_padding", op);
  add("same_upper with an output shape", SameUpper(PlainOfRank(kind, rank, type, 1, {}), -1));
  return cases;
}

SuiteCase DilatedCase(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  Operator op = PlainOfRank(kind, rank, type, 1, {});
  op.dilations = Dims(rank - 2, 2);
  return DoctorCase(fmt::format("dilations, rank {} {}", rank, ElementTypeName(type)), WithDstShape(std::move(op)));
}

std::vector<SuiteCase> LargeCases(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  // 8 channels of 128 elements are 4096 bytes in f32. Some bindings copy tensors smaller than a page, but keep the
  // address of larger ones.
  PlainSizes sizes{.in = 8, .out = 4, .data = Dims(rank - 2, 1), .kernel = Dims(rank - 2, 1), .stride = 2};
  sizes.data.front() = 128;
  sizes.kernel.front() = 3;
  const Operator plain = WithDstShape(PlainOperator(kind, type, sizes));
  std::vector<SuiteCase> cases;
  const auto add = [&](const char* layout, const Operator& op) {
    for (const int seed : {0, 1}) {  // other values show a binding that still uses the first tensor
      cases.push_back(DoctorCase(fmt::format("a tensor of 4 KB{}, seed {}", layout, seed), op));
      cases.back().test_case.seed = static_cast<std::uint64_t>(seed);
    }
  };
  add("", plain);
  if (kind != OperatorKind::kConvolutionBackwardData) return cases;
  Operator op = plain;
  DataInNxc(op);
  add(" in NXC", op);
  FilterInXio(op);
  add(" in NXC, a filter in XIO", op);
  op = plain;
  FilterInXio(op);
  add(", a filter in XIO", op);
  return cases;
}

std::vector<SuiteCase> LimitCases(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  const std::size_t axes = rank - 2;
  std::vector<SuiteCase> cases;
  const auto add = [&](const char* name, Operator op) {
    cases.push_back(DoctorCase(name, WithDstShape(std::move(op))));
  };
  Operator equal = PlainOfRank(kind, rank, type, 1, {});
  equal.pads_begin = equal.pads_end = Dims(axes, 1);
  add("equal pads at both ends", equal);
  add("negative pads, by same_upper with an output shape", SameUpper(PlainOfRank(kind, rank, type, 1, {}), 2));
  if (kind == OperatorKind::kConvolutionBackwardData) {
    const Operator op = WithDstShape(PlainOfRank(kind, rank, type, 1, {.groups = 1, .in = 2, .out = 3}));
    Operator filter_last = op;
    Operator data_last = op;
    DataInNxc(data_last);
    FilterInXio(filter_last);
    cases.push_back(DoctorCase("data in NXC", data_last));
    cases.push_back(DoctorCase("a filter in XIO", filter_last));
  }
  add("a batch of 0", PlainOfRank(kind, rank, type, 0, {}));
  // A backend that cuts the stride to 32 bits sees a stride of 0, and adds all data elements at one place. The pads are
  // equal, so that large numbers are the only new feature.
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  Operator op = PlainOfRank(kind, rank, type, 1, {});
  op.strides->front() = kFar;
  op.pads_begin->front() = op.pads_end->front() = kFar - 1;
  add("strides of 2^32", op);
  return cases;
}

std::vector<SuiteCase> LongSumCase(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  SuiteCase suite_case = DoctorCase("32 input channels",
                                    WithDstShape(PlainOfRank(kind, rank, type, 1, {.groups = 1, .in = 32, .out = 2})));
  if (oracle::IsFloat(type)) suite_case.test_case.values = DataSet::kReals;
  return {suite_case};
}

SuiteCase ResolveSweep(OperatorKind kind, oracle::Dialect dialect) {
  const auto line = fmt::format("sweep:of=geometry:bounds=small:operator={}:dialect={}:stride=2:to=200",
                                OperatorKindName(kind), DialectName(dialect));
  SuiteCase sweep = DoctorCase(fmt::format("{}, 200 geometries", OperatorKindName(kind)), {});
  sweep.test_case = std::get<Case>(ParseCaseLine(line));
  return sweep;
}

SuiteCase WithRequiredShape(oracle::Dialect dialect, SuiteCase suite_case) {
  Operator& op = suite_case.test_case.op;
  if (dialect != oracle::Dialect::kTensorflow || op.output_shape_attribute) return suite_case;
  const auto by_text = oracle::Resolve(op, oracle::Dialect::kOnnx22, oracle::StepTexts::kLeftOut);
  if (!by_text.ok()) return suite_case;
  op.output_shape_attribute.emplace();
  for (const oracle::Axis& axis : by_text.geometry->axes) op.output_shape_attribute->push_back(axis.output);
  op.output_padding = std::nullopt;
  return suite_case;
}

std::vector<SuiteCase> InvalidCases(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  std::vector<SuiteCase> cases;
  Operator op = WithDstShape(PlainOfRank(kind, rank, type, 1, {}));
  op.strides = Dims(rank - 2, 0);
  cases.push_back(DoctorCase("strides of 0", op));
  op = WithDstShape(PlainOfRank(kind, rank, type, 1, {}));
  op.dilations = Dims(rank - 1, 1);
  cases.push_back(DoctorCase("one dilation too many", op));
  op = WithDstShape(PlainOfRank(kind, rank, type, 1, {}));
  op.data.dims[1] += 1;
  cases.push_back(DoctorCase("data with a channel that the filter does not have", op));
  return cases;
}

}  // namespace conformance
