// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the requests of the process protocol, by which the suite asks a backend that is a command, as lines of JSON.
// Integers that JavaScript cannot hold exactly are written as strings.

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include <fmt/format.h>

#include "conformance/backends/process_messages.h"
#include "conformance/case/text/json_text.h"
#include "oracle/element_type.h"

namespace conformance {
namespace {

using nlohmann::json;
using oracle::Dims;

// The largest integer that JSON numbers hold exactly for readers that use doubles, such as JavaScript. Integers beyond
// it are decimal strings.
constexpr std::int64_t kMostExact = (std::int64_t{1} << 53) - 1;

json Integer(std::int64_t value) {
  if (value > kMostExact || value < -kMostExact) return fmt::format("{}", value);
  return value;
}

json Integers(const Dims& values) {
  json list = json::array();
  for (const std::int64_t value : values) list.push_back(Integer(value));
  return list;
}

/// The values of an output shape. A u64 value of 2^63 or more is stored as a negative number with the same bits: -1
/// becomes "18446744073709551615".
json ShapeValues(const oracle::ShapeInput& shape) {
  json list = json::array();
  for (const std::int64_t value : shape.values) {
    const bool beyond = shape.type == oracle::ElementType::kU64 && value < 0;
    list.push_back(beyond ? json(IntegerText(shape.type, value)) : Integer(value));
  }
  return list;
}

json Tensor(oracle::ElementType type, const Dims& dims) {
  return {{"element_type", oracle::ElementTypeName(type)}, {"dims", Integers(dims)}};
}

json OperatorJson(const oracle::Operator& op, std::string_view dialect) {
  json to = {{"kind", OperatorKindName(op.kind)},
             {"dialect", dialect},
             {"data", Tensor(op.data.type, op.data.dims)},
             {"filter", Tensor(op.filter.type, op.filter.dims)}};
  if (op.output_shape) {
    to["output_shape"] = Tensor(op.output_shape->type, op.output_shape->dims);
    to["output_shape"]["values"] = ShapeValues(*op.output_shape);
  }
  // An absent attribute has no key. A present but empty list is written as [].
  const auto add_list = [&](const char* key, const std::optional<Dims>& list) {
    if (list) to[key] = Integers(*list);
  };
  const auto add_text = [&](const char* key, const std::optional<std::string>& text) {
    if (text) to[key] = *text;
  };
  add_list("strides", op.strides);
  add_list("dilations", op.dilations);
  add_list("pads_begin", op.pads_begin);
  add_list("pads_end", op.pads_end);
  add_list("output_padding", op.output_padding);
  add_text("auto_pad", op.auto_pad);
  add_text("data_format", op.data_format);
  add_text("weights_format", op.weights_format);
  add_list("dst_shape", op.dst_shape);
  if (op.groups) to["groups"] = Integer(*op.groups);
  add_list("kernel_shape", op.kernel_shape);
  add_list("output_shape_attribute", op.output_shape_attribute);
  return to;
}

/// The geometry of a request. All tensors have the type of the data.
json Resolved(const deconv_resolved_geometry& from, oracle::ElementType type) {
  static constexpr std::array kLayouts = {"giox", "oix", "xio"};
  json to = {{"element_type", oracle::ElementTypeName(type)},
             {"channels_last", from.channels_last != 0},
             {"filter_layout", kLayouts.at(static_cast<std::size_t>(from.filter_layout))},
             {"batch", Integer(from.batch)},
             {"groups", Integer(from.groups)},
             {"in_channels", Integer(from.in_channels)},
             {"out_channels", Integer(from.out_channels)}};
  const auto add = [&](const char* key, const std::int64_t(&list)[DECONV_BACKEND_MAX_RANK]) {
    to[key] = Integers(Dims(list, list + from.spatial_rank));
  };
  add("data", from.data);
  add("kernel", from.kernel);
  add("strides", from.strides);
  add("dilations", from.dilations);
  add("pads_begin", from.pads_begin);
  add("pads_end", from.pads_end);
  add("output_padding", from.output_padding);
  add("output", from.output);
  return to;
}

std::string Line(const json& message) { return JsonText(message) + '\n'; }

}  // namespace

std::string DescribeRequestLine(std::int64_t id) {
  return Line({{"do", "describe"}, {"id", id}, {"protocol", kProcessProtocol}});
}

std::string RunRequestLine(std::int64_t id, const oracle::Operator& op, const deconv_run_request& request) {
  json message = {{"do", "run"},
                  {"id", id},
                  {"operator", OperatorJson(op, request.operation->dialect)},
                  {"data_bytes", request.data_bytes},
                  {"filter_bytes", request.filter_bytes},
                  {"output_bytes", request.output_bytes},
                  {"threads", request.threads}};
  if (request.resolved != nullptr) message["resolved"] = Resolved(*request.resolved, op.data.type);
  return Line(message);
}

std::string SupportsRequestLine(std::int64_t id, const oracle::Operator& op, const deconv_supports_request& request) {
  json message = {{"do", "supports"}, {"id", id}, {"operator", OperatorJson(op, request.operation->dialect)}};
  if (request.resolved != nullptr) message["resolved"] = Resolved(*request.resolved, op.data.type);
  return Line(message);
}

std::string ResolveRequestLine(std::int64_t id, const oracle::Operator& op, std::string_view dialect) {
  return Line({{"do", "resolve"}, {"id", id}, {"operator", OperatorJson(op, dialect)}});
}

}  // namespace conformance
