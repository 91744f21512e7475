// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a test operator as a deconv_operator of each kind (OpenVINO, oneDNN or ONNX), and draws random test operators.
#include "kernel/testing/test_operator.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace deconv::testing {
namespace {

const char* forced_target = nullptr;  // the name that the innermost ForcedTarget holds; null: none lives

Dims Join(std::initializer_list<Dims> parts) {
  Dims joined;
  for (const Dims& part : parts) joined.insert(joined.end(), part.begin(), part.end());
  return joined;
}

}  // namespace

int64_t Product(const Dims& dims) { return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()); }

Dims TestOperator::OutputSpatial() const {
  Dims sizes;
  for (size_t a = 0; a < data.size(); ++a) {
    sizes.push_back(strides[a] * (data[a] - 1) + dilations[a] * (kernel[a] - 1) + 1 - pads_begin[a] - pads_end[a] +
                    output_padding[a]);
  }
  return sizes;
}
bool TestOperator::Shifted() const {
  return std::any_of(pads_begin.begin(), pads_begin.end(), [](int64_t pad) { return pad < 0; });
}
int64_t TestOperator::DataCount() const { return batch * groups * in_channels * Product(data); }
int64_t TestOperator::FilterCount() const { return groups * in_channels * out_channels * Product(kernel); }
int64_t TestOperator::OutputCount() const { return batch * groups * out_channels * Product(OutputSpatial()); }

std::string TestOperator::ToString() const {
  std::string text = "kind " + std::to_string(kind) + " type " + std::to_string(type) +
                     (channels_last ? " NXC" : " NCX") + (filter_xio ? " XIO" : "");
  text += " n" + std::to_string(batch) + " g" + std::to_string(groups) + " ci" + std::to_string(in_channels) + " co" +
          std::to_string(out_channels);
  const auto add = [&](const char* name, const Dims& dims) {
    text += std::string(" ") + name;
    for (size_t i = 0; i < dims.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
  };
  add("x", data);
  add("k", kernel);
  add("s", strides);
  add("d", dilations);
  add("pb", pads_begin);
  add("pe", pads_end);
  add("op", output_padding);
  return text;
}

TestOperator PlainOperator(deconv_type type, const Dims& data, const Dims& kernel, const Dims& strides) {
  TestOperator op;
  op.type = type;
  op.data = data;
  op.kernel = kernel;
  op.strides = strides;
  op.dilations = Dims(data.size(), 1);
  op.pads_begin = op.pads_end = op.output_padding = Dims(data.size(), 0);
  return op;
}

std::vector<std::string> Targets() {
  std::vector<std::string> names;
  for (size_t i = 0; deconv_target(i) != nullptr; ++i) names.emplace_back(deconv_target(i));
  return names;
}

ForcedTarget::ForcedTarget(std::string name) : name_(std::move(name)), outer_(forced_target) {
  forced_target = name_.c_str();
}
ForcedTarget::~ForcedTarget() { forced_target = outer_; }

// In the shapes below, only oneDNN's follow the order of memory.
PlanRequest::PlanRequest(const TestOperator& op)
    : test_operator_(op), op_(Tagged<deconv_operator>()), options_(Tagged<deconv_options>()) {
  const TestOperator& p = test_operator_;  // this copy, because the lists below point into it
  const int64_t in = p.groups * p.in_channels;
  const bool onednn = p.kind == DECONV_CONVOLUTION_BACKWARD_DATA;
  options_.target = forced_target;
  op_.kind = p.kind;
  op_.dialect = onednn ? DECONV_ONEDNN_SPEC : p.kind == DECONV_CONV_TRANSPOSE ? DECONV_ONNX_11 : DECONV_OPENVINO_SPEC;
  data_ = onednn && p.channels_last ? Join({{p.batch}, p.data, {in}}) : Join({{p.batch, in}, p.data});
  filter_ = p.kind == DECONV_GROUP_CONVOLUTION_BACKPROP_DATA
                ? Join({{p.groups, p.in_channels, p.out_channels}, p.kernel})
            : onednn && p.filter_xio ? Join({p.kernel, {p.out_channels, in}})
                                     : Join({{in, p.out_channels}, p.kernel});
  op_.data = Tensor(p.type, data_);
  op_.filter = Tensor(p.type, filter_);
  op_.strides = List(p.strides);
  op_.dilations = List(p.dilations);
  if (p.Shifted()) {
    // Pads attributes cannot be negative, so the output shape expresses these pads. They are equal on both sides, so
    // every auto_pad would split them alike.
    output_shape_ = p.OutputSpatial();
    shape_dims_ = {static_cast<int64_t>(output_shape_.size())};
    op_.has_output_shape = 1;
    op_.output_shape = Tensor(DECONV_I64, shape_dims_);
    op_.output_shape_values = List(output_shape_);
    op_.auto_pad = "same_lower";
  } else {
    op_.pads_begin = List(p.pads_begin);
    op_.pads_end = List(p.pads_end);
  }
  op_.output_padding = List(p.output_padding);
  if (onednn) {
    const int64_t out = p.groups * p.out_channels;
    dst_ = p.channels_last ? Join({{p.batch}, p.OutputSpatial(), {out}}) : Join({{p.batch, out}, p.OutputSpatial()});
    op_.dst_shape = List(dst_);
    op_.data_format = p.channels_last ? "NXC" : "NCX";
    op_.weights_format = p.filter_xio ? "XIO" : "OIX";
  } else {
    options_.layout = p.channels_last ? DECONV_NXC : DECONV_NCX;
  }
  if (onednn || p.kind == DECONV_CONV_TRANSPOSE) {
    op_.has_groups = 1;
    op_.groups = p.groups;
  }
}

bool Fits(const TestOperator& op, const char* algorithm) {
  PlanRequest request(op);
  request.ForceAlgorithm(algorithm);
  return Plan::Create(request.Op(), &request.Options()).has_value();
}

TestOperator RandomOperator(std::mt19937& random, int axes, deconv_type type) {
  const auto draw = [&](int64_t low, int64_t high) {  // both included
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  // Mostly few channels; a quarter may exceed a vector of 16 lanes.
  const auto channels = [&] { return draw(0, 3) == 0 ? draw(1, 19) : draw(1, 5); };
  TestOperator op;
  op.type = type;
  op.kind = static_cast<deconv_kind>(draw(1, 4));
  // oneDNN's and ONNX's operators have few types. OpenVINO's have them all.
  const bool onednn_has_type = type == DECONV_F32 || type == DECONV_F16 || type == DECONV_BF16;
  if (op.kind == DECONV_CONVOLUTION_BACKWARD_DATA && !onednn_has_type) op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  const bool onnx_has_type = type == DECONV_F64 || type == DECONV_F32 || type == DECONV_F16;
  if (op.kind == DECONV_CONV_TRANSPOSE && !onnx_has_type) op.kind = DECONV_CONVOLUTION_BACKPROP_DATA;
  op.channels_last = draw(0, 1) == 1;
  op.filter_xio = draw(0, 1) == 1;
  op.batch = draw(1, 2);
  op.groups = op.kind == DECONV_CONVOLUTION_BACKPROP_DATA ? 1 : draw(1, 3);
  op.in_channels = channels();
  op.out_channels = channels();
  const bool openvino = op.kind <= DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  const bool shifted = openvino && draw(0, 5) == 0;
  for (int a = 0; a < axes; ++a) {
    // Some innermost axes are long enough for full register tiles. High ranks have few taps and positions. Some strides
    // exceed 4, up to which phases are interleaved by vectors. Some output paddings exceed the stride.
    const bool inner = a + 1 == axes;
    const bool small = axes > 3;
    const int64_t data = small ? draw(1, 2) : inner && draw(0, 2) == 0 ? draw(1, axes == 1 ? 300 : 70) : draw(1, 7);
    const int64_t kernel = draw(1, small ? 2 : 5);
    const int64_t stride = small ? draw(1, 2) : draw(0, 9) == 0 ? draw(5, 9) : draw(1, 4);
    const int64_t dilation = draw(1, small ? 2 : 4);
    const int64_t output_padding = draw(0, 2) == 0 ? draw(0, small ? 1 : stride + 2) : 0;
    // The pads leave at least one output. Most crop at most three outputs, and a quarter any number.
    const int64_t without_pads = stride * (data - 1) + dilation * (kernel - 1) + 1 + output_padding;
    const int64_t any_pads = draw(0, without_pads - 1);
    const int64_t few_pads = std::min<int64_t>(any_pads, draw(0, 3));
    const int64_t pads = draw(0, 3) == 0 ? any_pads : few_pads;
    const int64_t begin = draw(0, pads);
    op.data.push_back(data);
    op.kernel.push_back(kernel);
    op.strides.push_back(stride);
    op.dilations.push_back(dilation);
    op.output_padding.push_back(output_padding);
    // A shift adds outputs at both ends. A few are longer than vectors. With three or more axes, only the innermost one
    // is shifted, and only by 1, so that outputs stay few.
    const int64_t shift = axes > 2 ? int64_t{inner} : draw(1, inner && draw(0, 3) == 0 ? 60 : 5);
    op.pads_begin.push_back(shifted ? -shift : begin);
    op.pads_end.push_back(shifted ? -shift : pads - begin);
  }
  return op;
}

}  // namespace deconv::testing
