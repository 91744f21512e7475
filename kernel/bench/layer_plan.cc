// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes a layer as an operator and creates its plan.
#include "kernel/bench/layer_plan.h"

#include <vector>

namespace deconv::bench {
namespace {

using Dims = std::vector<int64_t>;

Dims Shape(int64_t first, int64_t second, const Dims& spatial) {
  Dims dims = {first, second};
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  return dims;
}

}  // namespace

std::optional<Plan> MakePlan(const Layer& layer, const Choice& choice, std::string& error) {
  const Dims data = Shape(layer.batch, layer.groups * layer.in_channels, layer.data);
  Dims filter = Shape(layer.in_channels, layer.out_channels, layer.kernel);
  filter.insert(filter.begin(), layer.groups);
  auto op = Tagged<deconv_operator>();
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.dialect = DECONV_OPENVINO_SPEC;
  op.data = Tensor(choice.type, data);
  op.filter = Tensor(choice.type, filter);
  op.strides = List(layer.strides);
  op.dilations = List(layer.dilations);
  op.pads_begin = List(layer.pads_begin);
  op.pads_end = List(layer.pads_end);
  op.output_padding = List(layer.output_padding);
  auto options = Tagged<deconv_options>();
  options.layout = choice.layout;
  options.target = choice.target;
  options.algorithm = choice.algorithm;
  options.cpu = choice.cpu;
  options.keep_subnormals = choice.keep_subnormals ? 1 : 0;
  auto status = Tagged<deconv_status>();
  std::optional<Plan> plan = Plan::Create(op, &options, &status);
  if (!plan) error = status.message;
  return plan;
}

}  // namespace deconv::bench
