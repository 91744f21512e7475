// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of supports() and of resolved geometry: the oracle, except that it breaks one promise of the door, which
// its configuration names. "?honest" supports one group, and answers as it says. "?prints" does so, too, and writes to
// standard output at each step. "?resolved" computes from the resolved geometry alone. "?operators-1" declares the
// operators of these bits.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <unistd.h>

#include "conformance/door/backend_builtin.h"

namespace {

struct Liar {
  deconv_backend oracle{};
  deconv_backend_description description{};
  std::string how;
  int runs = 0;
  bool is_asked = false;  ///< offers supports
};

Liar& Of(void* self) { return *static_cast<Liar*>(self); }

/// As libraries do that greet, and that trace: through the buffer of stdout, and past it.
void Print(const std::string& how) {
  if (how != "prints") return;
  std::puts("{\"id\": 0, \"answer\": \"computed\"}");
  [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, "tracing ...\n", 12);
  [[maybe_unused]] const int none = std::getchar();  // "continue? [y]"
}

/// Of GroupConvolutionBackpropData, whose filter begins with the groups.
bool IsGrouped(const deconv_operator_description& op) {
  return op.kind == DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA && op.filter.dims.count > 0 &&
         op.filter.dims.values[0] > 1;
}

std::int32_t Supports(void* self, deconv_supports_request* request) {
  const std::string& how = Of(self).how;
  const bool grouped = IsGrouped(*request->operation);
  Print(how);
  if (how == "crash" && grouped) std::abort();
  while (how == "hang" && grouped) pause();
  if (how == "number") return 5;
  if (how == "negative") return -1;
  if (how == "endless") std::memset(request->message, 'x', sizeof request->message);
  if (how == "lines") std::strcpy(request->message, "one\ntwo");
  if (how == "endless" || how == "lines" || how == "silent") return 0;
  if (how == "forgets" && Of(self).runs != 0) {
    std::strcpy(request->message, "no memory is left");
    return 0;
  }
  if (how == "promises" || how == "forgets" || how == "refuses") return 1;
  if (how == "socket") {
    [[maybe_unused]] const ssize_t written = write(3, "yes", 3);
  }
  if (grouped) std::strcpy(request->message, "only one group");
  return grouped ? 0 : 1;
}

/// The oracle's answer to an operator that is made of the resolved numbers. It reads no attribute of the request.
deconv_answer RunResolved(const deconv_backend& oracle, deconv_run_request* request) {
  const deconv_resolved_geometry& g = *request->resolved;
  const auto dims_of = [&](std::vector<std::int64_t> dims, const std::int64_t* spatial, bool spatial_first) {
    dims.insert(spatial_first ? dims.begin() : dims.end(), spatial, spatial + g.spatial_rank);
    return dims;
  };
  const bool xio = g.filter_layout == DECONV_FILTER_XIO;
  const std::int64_t out = g.out_channels / g.groups;
  std::vector<std::int64_t> data = dims_of({g.in_channels}, g.data, g.channels_last != 0);
  std::vector<std::int64_t> output = dims_of({g.out_channels}, g.output, g.channels_last != 0);
  data.insert(data.begin(), g.batch);
  output.insert(output.begin(), g.batch);
  const std::vector<std::int64_t> filter =
      dims_of(xio ? std::vector{out, g.in_channels} : std::vector{g.in_channels, out}, g.kernel, xio);
  const auto list = [](const std::vector<std::int64_t>& values) {
    return deconv_id_list{values.data(), static_cast<std::int64_t>(values.size())};
  };
  const std::vector<std::int64_t> zeros(static_cast<std::size_t>(g.spatial_rank), 0);
  deconv_operator_description op{};
  op.size = sizeof op;
  op.kind = DECONV_ID_CONVOLUTION_BACKWARD_DATA;
  op.dialect = "onednn-spec";
  op.data = {g.element_type, list(data)};
  op.filter = {g.element_type, list(filter)};
  op.strides = {g.strides, g.spatial_rank};
  op.dilations = {g.dilations, g.spatial_rank};
  op.pads_begin = {g.pads_begin, g.spatial_rank};
  op.pads_end = list(zeros);  // the dialect derives them from dst_shape
  op.data_format = g.channels_last != 0 ? "NXC" : "NCX";
  op.weights_format = xio ? "XIO" : "OIX";
  op.dst_shape = list(output);
  op.groups = {&g.groups, 1};
  deconv_run_request own = *request;
  own.operation = &op;
  own.resolved = nullptr;
  const deconv_answer answer = oracle.run(oracle.self, &own);
  own.operation = request->operation;
  own.resolved = request->resolved;
  *request = own;
  return answer;
}

deconv_answer Run(void* self, deconv_run_request* request) {
  Liar& liar = Of(self);
  ++liar.runs;
  Print(liar.how);
  const bool resolves = liar.description.takes_resolved != 0;
  // A plain function would crash here.
  if (resolves && request->resolved == nullptr) std::abort();
  if (liar.how == "promises" || liar.how == "forgets") {
    std::strcpy(request->message, "no kernel for this shape");
    return DECONV_ANSWER_UNSUPPORTED;
  }
  if (liar.how == "refuses") return DECONV_ANSWER_REFUSED;
  if (IsGrouped(*request->operation) && liar.is_asked) std::abort();  // it has said that it cannot
  const deconv_answer answer =
      resolves ? RunResolved(liar.oracle, request) : liar.oracle.run(liar.oracle.self, request);
  if (resolves) request->output_rank = 0;
  if (liar.how == "resolved-dims") {
    request->output_rank = 3;
    for (int i = 0; i < 3; ++i) request->output_dims[i] = 7;
  }
  if (liar.how == "resolved-rank") request->output_rank = 99;
  return answer;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the door's name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  const auto oracle = conformance::OpenOracle("");
  const auto* const door = std::get_if<deconv_backend>(&oracle);
  if (door == nullptr) return 1;
  auto* const liar = new Liar{*door, *door->describe(door->self), config, 0, false};
  const std::string_view how = liar->how;
  Print(liar->how);
  if (how.starts_with("resolved")) {
    liar->description.takes_resolved = how == "resolved-two" ? 2 : 1;
    // ConvolutionBackwardData, which it makes of the geometry, has no other types.
    liar->description.element_types &= 1U << DECONV_ID_F32 | 1U << DECONV_ID_F16 | 1U << DECONV_ID_BF16;
  }
  if (how.starts_with("static-")) liar->description.unsupported = static_cast<std::uint32_t>(std::atoi(config + 7));
  if (how.starts_with("operators-")) liar->description.operators = static_cast<std::uint32_t>(std::atoi(config + 10));
  if (how.starts_with("attribute-")) liar->description.max_attribute = std::atoll(config + 10);
  *backend = {};
  backend->size = sizeof *backend;
  backend->abi = DECONV_BACKEND_ABI;
  backend->describe = [](void* self) -> const deconv_backend_description* { return &Of(self).description; };
  backend->run = Run;
  backend->close = [](void* self) { delete &Of(self); };
  const bool asked = !how.starts_with("static-") && !how.starts_with("attribute-") && !how.starts_with("operators-") &&
                     (!how.starts_with("resolved") || how == "resolved-asked");
  if (asked) backend->supports = Supports;
  liar->is_asked = asked;
  backend->self = liar;
  return 0;
}
