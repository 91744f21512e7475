// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// An adapter of ggml: offers ggml_conv_transpose_1d and ggml_conv_transpose_2d_p0 in f32 on the CPU as a backend, that
// is, a library that the suite tests. ggml has no attributes such as auto_pad, so it takes resolved geometry (sizes and
// pads that the suite has computed).
//
// Choices of this adapter:
// - ggml always gives the whole output, without pads. This adapter does not crop: pads are not supported.
// - ggml's tensors are [batch, channels, spatial...] and its filter [I, O, spatial...], as ONNX has them. Layouts with
//   the channels last are not declared, so nothing is copied into another layout.
// - The filter has the type of the data. (ggml also takes an f16 filter with f32 data.)
// - ggml allocates no buffer if no tensor has an element. Such an operator is not supported.
// ggml ends the process if an assertion (GGML_ASSERT) fails. The adapter answers "not supported" to such an operator,
// with the assertion as the reason.

#include <memory>

#include <ggml-backend.h>
#include <ggml.h>

#include "conformance/adapters/native/resolved.h"

namespace native {
namespace {

constexpr std::size_t kOverhead = std::size_t{1} << 20;  // room for ggml's own structs and the graph

struct FreeContext {
  void operator()(ggml_context* context) const { ggml_free(context); }
};

struct FreeBuffer {
  void operator()(ggml_backend_buffer* buffer) const { ggml_backend_buffer_free(buffer); }
};

/// Whether neither data nor filter nor output have an element.
bool OnlyEmptyTensors(const Geometry& g) {
  return Count(ChannelsFirst(g, g.in_channels, g.data).dims) == 0 && Count(FilterOf(g).dims) == 0 &&
         Count(ChannelsFirst(g, g.out_channels, g.output).dims) == 0;
}

/// Returns an empty string, or the reason why ggml's functions cannot compute the operator. A reason with GGML_ASSERT
/// is the assertion that would end the process.
std::string ReasonAgainst(const Geometry& g) {
  const bool is_1d = g.spatial_rank == 1;
  if (g.groups != 1) return "the functions have no groups";
  for (std::int32_t j = 0; j < g.spatial_rank; ++j) {
    if (g.dilations[j] != 1) return is_1d ? "GGML_ASSERT(d0 == 1)" : "conv_transpose_2d_p0 has no dilation";
    if (g.pads_begin[j] != 0 || g.pads_end[j] != 0 || g.output_padding[j] != 0) {
      return is_1d ? "GGML_ASSERT(p0 == 0)" : "conv_transpose_2d_p0 has no padding";
    }
    if (g.strides[j] != g.strides[0]) return "conv_transpose_2d_p0 has one stride for both axes";
  }
  if (is_1d && g.batch != 1) return "GGML_ASSERT(ggml_is_matrix(b)): conv_transpose_1d has no batch";
  if (LargestNumber(g) > INT32_MAX) return "parameters have 32 bits";
  if (OnlyEmptyTensors(g)) return "ggml_backend_alloc_ctx_tensors makes no buffer if all tensors are empty";
  return "";
}

/// The graph of one operator, without values.
struct Graph {
  std::unique_ptr<ggml_context, FreeContext> context;
  ggml_tensor *data = nullptr, *filter = nullptr, *output = nullptr;
  ggml_cgraph* graph = nullptr;
};

/// ggml names the innermost axis first, so the dims are reversed.
ggml_tensor* TensorOf(ggml_context* context, Dims dims) {
  std::reverse(dims.begin(), dims.end());
  return ggml_new_tensor(context, GGML_TYPE_F32, static_cast<int>(dims.size()), dims.data());
}

Graph GraphOf(const Geometry& g) {
  const bool is_1d = g.spatial_rank == 1;
  Graph made;
  made.context.reset(ggml_init({.mem_size = kOverhead, .mem_buffer = nullptr, .no_alloc = true}));
  if (made.context == nullptr) throw std::runtime_error("ggml_init found no memory");
  ggml_context* const context = made.context.get();
  Dims filter = FilterOf(g).dims;
  filter.erase(filter.begin());  // one group
  Dims data = ChannelsFirst(g, g.in_channels, g.data).dims;
  if (is_1d) data.erase(data.begin());
  made.data = TensorOf(context, data);
  made.filter = TensorOf(context, filter);
  const auto stride = static_cast<int>(g.strides[0]);
  made.output = is_1d ? ggml_conv_transpose_1d(context, made.filter, made.data, stride, 0, 1)
                      : ggml_conv_transpose_2d_p0(context, made.filter, made.data, stride);
  made.graph = ggml_new_graph(context);
  ggml_build_forward_expand(made.graph, made.output);
  return made;
}

std::int32_t Supports(void* self, deconv_supports_request* request) {
  return AnswerSupports(*request, [&] {
    std::string reason = ReasonAgainst(*request->resolved);
    if (!reason.empty()) return reason;
    const Graph made = GraphOf(*request->resolved);
    const bool can = ggml_backend_supports_op(static_cast<ggml_backend_t>(self), made.output);
    return std::string(can ? "" : "ggml_backend_supports_op says no");
  });
}

deconv_answer Run(void* self, deconv_run_request* request) {
  return AnswerRun(*request, [&] {
    auto* const backend = static_cast<ggml_backend_t>(self);
    const Geometry& g = *request->resolved;
    const std::string reason = ReasonAgainst(g);
    if (!reason.empty()) throw Unsupported(reason);
    const Graph made = GraphOf(g);
    const std::unique_ptr<ggml_backend_buffer, FreeBuffer> buffer(
        ggml_backend_alloc_ctx_tensors(made.context.get(), backend));
    if (buffer == nullptr) throw std::runtime_error("ggml_backend_alloc_ctx_tensors found no memory");
    ggml_backend_tensor_set(made.data, request->data, 0, request->data_bytes);
    ggml_backend_tensor_set(made.filter, request->filter, 0, request->filter_bytes);
    if (ggml_backend_graph_compute(backend, made.graph) != GGML_STATUS_SUCCESS) {
      throw std::runtime_error("ggml_backend_graph_compute failed");
    }
    // Width, height, channels, batch; with one spatial axis: length, channels, 1, 1.
    Dims dims(made.output->ne, made.output->ne + 4);
    if (g.spatial_rank == 1) dims.pop_back();
    std::reverse(dims.begin(), dims.end());
    WriteDims(*request, dims);
    if (ggml_nbytes(made.output) != request->output_bytes) return DECONV_ANSWER_OTHER_SHAPE;
    ggml_backend_tensor_get(made.output, request->output, 0, request->output_bytes);
    return DECONV_ANSWER_COMPUTED;
  });
}

void Close(void* self) { ggml_backend_free(static_cast<ggml_backend_t>(self)); }

const deconv_backend_description* Describe(void* /*self*/) {
  static const char* const dialects[] = {"onnx-11", "openvino-spec", nullptr};
  static deconv_backend_description d = CommonDescription("ggml", ggml_version(), dialects);
  d.operators = 1U << DECONV_ID_CONV_TRANSPOSE | 1U << DECONV_ID_CONVOLUTION_BACKPROP_DATA;
  d.unsupported = DECONV_UNSUPPORTED_DILATIONS | DECONV_UNSUPPORTED_GROUPS | DECONV_UNSUPPORTED_ASYMMETRIC_PADS |
                  DECONV_UNSUPPORTED_NEGATIVE_PADS | DECONV_UNSUPPORTED_OUTPUT_PADDING | DECONV_UNSUPPORTED_NXC;
  d.max_attribute = INT32_MAX;
  return &d;
}

}  // namespace
}  // namespace native

// NOLINTNEXTLINE(readability-identifier-naming): the interface prescribes this name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  if (!native::SendsResolved(*backend)) return 3;  // an older suite
  if (config[0] != '\0') return 1;                 // no configuration is known
  ggml_backend_load_all();
  deconv_backend own{};
  own.self = ggml_backend_init_by_type(GGML_BACKEND_DEVICE_TYPE_CPU, nullptr);
  if (own.self == nullptr) return 2;  // no CPU backend was found
  own.close = native::Close;
  own.describe = native::Describe;
  own.run = native::Run;
  own.supports = native::Supports;
  return native::Offer(own, backend);
}
