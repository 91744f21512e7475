// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// An adapter of XNNPACK: offers the operator deconvolution2d_nhwc in f32 and f16 as a backend, that is, a library that
// the suite tests. XNNPACK has no attributes such as auto_pad, so it takes resolved geometry (sizes and pads that the
// suite has computed).
//
// Choices of this adapter:
// - One spatial axis is computed as the width of an image of height 1.
// - XNNPACK has channels last and the filter as [groups, O, height, width, I]. Other layouts are copied.
// - Its "output padding" is pads_begin and pads_end, and its "adjustment" is output_padding.
// - It may read XNN_EXTRA_BYTES after the data, as its header says. So the data are copied into a larger buffer.
// - The activation has no bounds, from -infinity to +infinity, and there is no bias.
// If XNNPACK's function create or reshape refuses an operator, the adapter answers "not supported" with the library's
// status as the reason.

#include <limits>
#include <memory>

#include <xnnpack.h>

#include "conformance/adapters/native/resolved.h"

namespace native {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct DeleteOperator {
  void operator()(xnn_operator* op) const { xnn_delete_operator(op); }
};
using OperatorPtr = std::unique_ptr<xnn_operator, DeleteOperator>;

std::string StatusText(const char* step, xnn_status status) {
  constexpr const char* kNames[] = {"success",       "uninitialized",         "invalid parameter",
                                    "invalid state", "unsupported parameter", "unsupported hardware",
                                    "out of memory"};
  const auto index = static_cast<std::size_t>(status);
  return std::string("XNNPACK: ") + step + ": " + (index < std::size(kNames) ? kNames[index] : "unknown status");
}

/// Both axes of an image, the height first. An operator with one spatial axis has a height of one element and one tap.
struct Image {
  std::uint32_t data[2] = {1, 1}, kernel[2] = {1, 1}, strides[2] = {1, 1}, dilations[2] = {1, 1};
  std::uint32_t begin[2] = {0, 0}, end[2] = {0, 0}, adjustment[2] = {0, 0};
};

/// Returns an empty string, or the reason why the parameters of XNNPACK's functions cannot express the operator.
std::string Inexpressible(const Geometry& g) {
  if (g.batch == 0) return "a batch of 0 is skipped: reshape gives no output size";
  for (std::int32_t j = 0; j < g.spatial_rank; ++j) {
    if (g.pads_begin[j] < 0 || g.pads_end[j] < 0) return "pads are unsigned: no negative pads";
  }
  if (LargestNumber(g) > std::numeric_limits<std::uint32_t>::max()) return "parameters have 32 bits";
  return "";
}

/// Returns the operator as XNNPACK's functions take it.
Image ImageOf(const Geometry& g) {
  Image image;
  const std::int32_t first = 2 - g.spatial_rank;
  for (std::int32_t j = 0; j < g.spatial_rank; ++j) {
    const auto set = [&](std::uint32_t(&to)[2], const std::int64_t* from) {
      to[first + j] = static_cast<std::uint32_t>(from[j]);
    };
    set(image.data, g.data);
    set(image.kernel, g.kernel);
    set(image.strides, g.strides);
    set(image.dilations, g.dilations);
    set(image.begin, g.pads_begin);
    set(image.end, g.pads_end);
    set(image.adjustment, g.output_padding);
  }
  return image;
}

/// Creates the operator. Returns the library's status. XNNPACK takes the pads in the order top, right, bottom, left.
/// The null pointers are the bias and two caches, the last of which is for weights.
xnn_status Create(const Geometry& g, const void* filter, OperatorPtr& made) {
  const Image i = ImageOf(g);
  const auto groups = static_cast<std::uint32_t>(g.groups);
  const auto in = static_cast<std::size_t>(g.in_channels);
  const auto out = static_cast<std::size_t>(g.out_channels);
  xnn_operator_t op = nullptr;
  const auto create = [&](auto function, auto* kernel) {
    return function(i.begin[0], i.end[1], i.end[0], i.begin[1], i.kernel[0], i.kernel[1], i.strides[0], i.strides[1],
                    i.dilations[0], i.dilations[1], groups, in / groups, out / groups, in, out, kernel, nullptr,
                    -kInfinity, kInfinity, 0, nullptr, nullptr, &op);
  };
  const xnn_status status = g.element_type == DECONV_ID_F16
                                ? create(xnn_create_deconvolution2d_nhwc_f16, filter)
                                : create(xnn_create_deconvolution2d_nhwc_f32, static_cast<const float*>(filter));
  made.reset(op);
  return status;
}

/// Gives the operator its sizes. Returns the library's status, and the output's height and width.
xnn_status Reshape(const Geometry& g, xnn_operator* op, std::size_t& height, std::size_t& width) {
  const Image i = ImageOf(g);
  const auto reshape =
      g.element_type == DECONV_ID_F16 ? xnn_reshape_deconvolution2d_nhwc_f16 : xnn_reshape_deconvolution2d_nhwc_f32;
  return reshape(op, static_cast<std::size_t>(g.batch), i.data[0], i.data[1], i.adjustment[0], i.adjustment[1], &height,
                 &width, nullptr);
}

/// Returns the filter as XNNPACK has it: [G, O, spatial, I]. `filter` is null if only support is asked: its values are
/// then 0.
std::vector<char> FilterFor(const Geometry& g, const void* filter) {
  const Strided t = WithAxis1Last(FilterOf(g));
  const std::size_t bytes = ElementBytes(g.element_type);
  std::vector<char> dense(static_cast<std::size_t>(Count(t.dims)) * bytes + XNN_EXTRA_BYTES);
  if (filter != nullptr) ToDense(t, filter, dense.data(), bytes);
  return dense;
}

std::int32_t Supports(void* /*self*/, deconv_supports_request* request) {
  return AnswerSupports(*request, [&] {
    const Geometry& g = *request->resolved;
    std::string inexpressible = Inexpressible(g);
    if (!inexpressible.empty()) return inexpressible;
    const std::vector<char> filter = FilterFor(g, nullptr);
    OperatorPtr op;
    xnn_status status = Create(g, filter.data(), op);
    if (status != xnn_status_success) return StatusText("create", status);
    std::size_t height = 0;
    std::size_t width = 0;
    status = Reshape(g, op.get(), height, width);
    return status == xnn_status_success ? std::string() : StatusText("reshape", status);
  });
}

/// Throws if a step of the library failed.
void Check(const char* step, xnn_status status) {
  if (status == xnn_status_success) return;
  const std::string text = StatusText(step, status);
  if (status == xnn_status_out_of_memory) throw std::runtime_error(text);
  throw Unsupported(text);
}

deconv_answer Run(void* /*self*/, deconv_run_request* request) {
  return AnswerRun(*request, [&] {
    const Geometry& g = *request->resolved;
    const std::size_t bytes = ElementBytes(g.element_type);
    const std::vector<char> filter = FilterFor(g, request->filter);
    OperatorPtr op;
    Check("create", Create(g, filter.data(), op));
    std::size_t size[2] = {};
    Check("reshape", Reshape(g, op.get(), size[0], size[1]));
    const Strided data = ChannelsLast(g, g.in_channels, g.data);
    const Strided output = ChannelsLast(g, g.out_channels, g.output);
    Dims dims = ChannelsFirst(g, g.out_channels, g.output).dims;  // dims in the library's order
    for (std::int32_t j = 0; j < g.spatial_rank; ++j) {
      dims[static_cast<std::size_t>(2 + j)] = static_cast<std::int64_t>(size[2 - g.spatial_rank + j]);
    }
    if (g.channels_last != 0) std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
    WriteDims(*request, dims);
    if (Count(dims) * static_cast<std::int64_t>(bytes) != static_cast<std::int64_t>(request->output_bytes)) {
      return DECONV_ANSWER_OTHER_SHAPE;
    }
    std::vector<char> in(request->data_bytes + XNN_EXTRA_BYTES);
    std::vector<char> out(request->output_bytes + XNN_EXTRA_BYTES);
    ToDense(data, request->data, in.data(), bytes);
    if (g.element_type == DECONV_ID_F16) {
      Check("setup", xnn_setup_deconvolution2d_nhwc_f16(op.get(), in.data(), out.data()));
    } else {
      Check("setup", xnn_setup_deconvolution2d_nhwc_f32(op.get(), reinterpret_cast<const float*>(in.data()),
                                                        reinterpret_cast<float*>(out.data())));
    }
    Check("run", xnn_run_operator(op.get(), nullptr));
    FromDense(output, out.data(), request->output, bytes);
    return DECONV_ANSWER_COMPUTED;
  });
}

/// Whether XNNPACK computes f16 on this CPU: whether it supports the smallest operator of f16.
bool HasF16() {
  const Geometry g = SmallestGeometry(DECONV_ID_F16);
  deconv_supports_request request{};
  request.resolved = &g;
  return Supports(nullptr, &request) == 1;
}

const deconv_backend_description* Describe(void* /*self*/) {
  static const char* const dialects[] = {"openvino-spec", "onednn-spec", nullptr};
  // Its f16 kernels for AVX2 round each sum to f16.
  static const deconv_type_arithmetic f16 = {sizeof(f16), DECONV_ID_F16, DECONV_ACCUMULATOR_STORAGE,
                                             DECONV_ROUNDING_NEAREST, DECONV_SUBNORMALS_FLUSHED};
  static deconv_backend_description d = CommonDescription("xnnpack", NATIVE_XNNPACK_VERSION, dialects);
  // A case of ConvTranspose would have the geometry of a case of ConvolutionBackpropData, so cases would repeat.
  d.operators &= ~(1U << DECONV_ID_CONV_TRANSPOSE);
  if (HasF16()) d.element_types |= 1U << DECONV_ID_F16;
  d.arithmetic = &f16;
  d.arithmetic_count = 1;
  d.unsupported = DECONV_UNSUPPORTED_NEGATIVE_PADS;
  d.subnormals = DECONV_SUBNORMALS_FLUSHED;              // its thread pool flushes them while an operator runs
  d.known_deviations = DECONV_DEVIATION_STRUCTURAL_NAN;  // taps outside of the data read a row of zeros
  return &d;
}

}  // namespace
}  // namespace native

// NOLINTNEXTLINE(readability-identifier-naming): the interface prescribes this name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  if (!native::SendsResolved(*backend)) return 3;  // an older suite
  // No configuration is known. XNNPACK does not initialise on a CPU that it does not support.
  if (config[0] != '\0' || xnn_initialize(nullptr) != xnn_status_success) return 1;
  deconv_backend own{};
  own.describe = native::Describe;
  own.run = native::Run;
  own.supports = native::Supports;
  return native::Offer(own, backend);
}
