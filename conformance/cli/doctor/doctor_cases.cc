// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the operators of the doctor from a plain one, each with one change.

#include "conformance/cli/doctor/doctor_cases.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

constexpr std::int64_t kStride = 2;

// Of the first two axes, then less: with eight axes the oracle would compute for a while.
constexpr std::size_t kFullAxes = 2;
std::int64_t DataSize(std::size_t axis) { return axis < kFullAxes ? 3 : 2; }
std::int64_t KernelSize(std::size_t axis) { return axis < kFullAxes ? 2 : 1; }

Dims Join(Dims head, std::size_t axes, std::int64_t (*size)(std::size_t axis)) {
  for (std::size_t j = 0; j < axes; ++j) head.push_back(size(j));
  return head;
}

struct Channels {
  std::int64_t groups = 1;
  std::int64_t in = 1;   ///< of a group
  std::int64_t out = 1;  ///< of a group
};

// Whatever lists the kind requires, with values that change nothing. The output size of ConvolutionBackwardData, which
// has to be given, is set last, by Finish().
Operator Plain(OperatorKind kind, std::size_t rank, oracle::ElementType type, std::int64_t batch, Channels channels) {
  const std::size_t axes = rank - 2;
  Operator op;
  op.kind = kind;
  op.data = {type, Join({batch, channels.groups * channels.in}, axes, DataSize)};
  const bool grouped = kind == OperatorKind::kGroupConvolutionBackpropData;
  op.filter = {type, grouped ? Join({channels.groups, channels.in, channels.out}, axes, KernelSize)
                             : Join({channels.groups * channels.in, channels.out}, axes, KernelSize)};
  op.strides = Dims(axes, kStride);
  op.dilations = Dims(axes, 1);
  op.pads_begin = Dims(axes, 0);
  op.pads_end = Dims(axes, 0);
  if (channels.groups != 1 && !grouped) op.groups = channels.groups;
  return op;
}

// The output shape that the sizes and pads give. dst_shape must agree with it.
Operator Finish(Operator op) {
  if (op.kind != OperatorKind::kConvolutionBackwardData) return op;
  op.data_format = "NCX";
  op.weights_format = "OIX";
  if (op.dst_shape) return op;
  Dims shape = {op.data.dims[0], op.groups.value_or(1) * op.filter.dims[1]};
  for (std::size_t j = 0; j < op.strides->size(); ++j) {
    const std::int64_t padding = op.output_padding ? (*op.output_padding)[j] : 0;
    shape.push_back((*op.strides)[j] * (DataSize(j) - 1) + (*op.dilations)[j] * (KernelSize(j) - 1) + 1 -
                    (*op.pads_begin)[j] - (*op.pads_end)[j] + padding);
  }
  op.dst_shape = shape;
  return op;
}

SuiteCase Named(std::string name, Operator op) {
  SuiteCase suite_case;
  suite_case.suite = "doctor";
  suite_case.name = std::move(name);
  suite_case.test_case.op = std::move(op);
  return suite_case;
}

// auto_pad as the kind's models spell it, with an output that is larger than the natural one by `more` along the first
// axes. If it is smaller by one, one position has to be cropped, at the end that the dialect says. If it is larger by
// two, both pads are negative. ONNX forbids pads beside auto_pad.
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

}  // namespace

SuiteCase PlainCase(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  return Named(fmt::format("{} rank {} {}", OperatorKindName(kind), rank, ElementTypeName(type)),
               Finish(Plain(kind, rank, type, 1, {})));
}

SuiteCase UnstridedCase(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  Operator op = Plain(kind, rank, type, 1, {});
  op.strides = Dims(rank - 2, 1);
  return Named(fmt::format("strides of 1, rank {} {}", rank, ElementTypeName(type)), Finish(std::move(op)));
}

std::vector<SuiteCase> VariedCases(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  const std::size_t axes = rank - 2;
  std::vector<SuiteCase> cases;
  const auto add = [&](const char* name, Operator op) { cases.push_back(Named(name, Finish(std::move(op)))); };
  add("batch of 2, 2 to 3 channels", Plain(kind, rank, type, 2, {.groups = 1, .in = 2, .out = 3}));
  if (kind != OperatorKind::kConvolutionBackpropData) {
    add("2 groups", Plain(kind, rank, type, 1, {.groups = 2, .in = 2, .out = 3}));
  }
  Operator op = Plain(kind, rank, type, 1, {});
  op.pads_begin = Dims(axes, 1);
  add("pads_begin", op);
  op = Plain(kind, rank, type, 1, {});
  op.pads_end = Dims(axes, 1);
  add("pads_end", op);
  op = Plain(kind, rank, type, 1, {});
  op.dilations = Dims(axes, 2);
  add("dilations", op);
  op = Plain(kind, rank, type, 1, {});
  op.output_padding = Dims(axes, 1);
  add("output_padding", op);
  add("same_upper with an output shape", SameUpper(Plain(kind, rank, type, 1, {}), -1));
  return cases;
}

std::vector<SuiteCase> LimitCases(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  const std::size_t axes = rank - 2;
  std::vector<SuiteCase> cases;
  const auto add = [&](const char* name, Operator op) { cases.push_back(Named(name, Finish(std::move(op)))); };
  Operator equal = Plain(kind, rank, type, 1, {});
  equal.pads_begin = equal.pads_end = Dims(axes, 1);
  add("equal pads at both ends", equal);
  add("negative pads, by same_upper with an output shape", SameUpper(Plain(kind, rank, type, 1, {}), 2));
  if (kind == OperatorKind::kConvolutionBackwardData) {
    Operator op = Finish(Plain(kind, rank, type, 1, {.groups = 1, .in = 2, .out = 3}));
    Operator filter_last = op;
    const auto move_channels_back = [](Dims& dims) { std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end()); };
    move_channels_back(op.data.dims);
    move_channels_back(*op.dst_shape);
    op.data_format = "NXC";
    cases.push_back(Named("data in NXC", op));
    Dims& dims = filter_last.filter.dims;  // [I, O, spatial...] becomes [spatial..., O, I]
    std::rotate(dims.begin(), dims.begin() + 2, dims.end());
    std::swap(dims[axes], dims[axes + 1]);
    filter_last.weights_format = "XIO";
    cases.push_back(Named("a filter in XIO", filter_last));
  }
  add("a batch of 0", Plain(kind, rank, type, 0, {}));
  // Numbers that are cut to 32 bits put all data elements on one output. The pads are equal, so that nothing else is
  // new.
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  Operator op = Plain(kind, rank, type, 1, {});
  op.strides->front() = kFar;
  op.pads_begin->front() = op.pads_end->front() = kFar - 1;
  add("strides of 2^32", op);
  return cases;
}

SuiteCase LongSumCase(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  SuiteCase suite_case =
      Named("32 input channels", Finish(Plain(kind, rank, type, 1, {.groups = 1, .in = 32, .out = 2})));
  if (oracle::IsFloat(type)) suite_case.test_case.values = DataSet::kReals;
  return suite_case;
}

std::vector<SuiteCase> InvalidCases(OperatorKind kind, std::size_t rank, oracle::ElementType type) {
  std::vector<SuiteCase> cases;
  Operator op = Finish(Plain(kind, rank, type, 1, {}));
  op.strides = Dims(rank - 2, 0);
  cases.push_back(Named("strides of 0", op));
  op = Finish(Plain(kind, rank, type, 1, {}));
  op.dilations = Dims(rank - 1, 1);
  cases.push_back(Named("one dilation too many", op));
  op = Finish(Plain(kind, rank, type, 1, {}));
  op.data.dims[1] += 1;
  cases.push_back(Named("data with a channel that the filter does not have", op));
  return cases;
}

}  // namespace conformance
