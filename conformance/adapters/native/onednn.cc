// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// An adapter of oneDNN: offers the primitive convolution_backward_data of versions 2 and 3 on the CPU as a backend,
// that is, a library that the suite tests. The primitive takes resolved pads, so the backend takes resolved geometry
// and only its values are judged. The build makes the library onednn.so of this file; `--backend onednn` opens it.
//
// Choices of this adapter:
// - Data and output stay in the operator's plain layout and in the caller's buffers. The filter may be reordered, as
//   oneDNN's users do. "?any" also lets the library choose the formats of data and output.
// - padding_r is pads_end - output_padding. With it, the forward convolution of the output has the size of the data.
// An operator without a primitive is not supported. The reason is the library's message.

#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>

#include "conformance/adapters/native/resolved.h"

namespace native {
namespace {

using dnnl::memory;
using BackwardData = dnnl::convolution_backward_data;
using Forward = dnnl::convolution_forward;

constexpr std::array<const char*, 3> kDialects = {"openvino-spec", "onednn-spec", nullptr};

constexpr std::array kTypes = {std::pair{DECONV_ID_F32, memory::data_type::f32},
                               std::pair{DECONV_ID_BF16, memory::data_type::bf16},
                               std::pair{DECONV_ID_F16, memory::data_type::f16}};

memory::data_type TypeOf(std::int32_t type) {
  for (const auto& [known, id] : kTypes) {
    if (known == type) return id;
  }
  throw Unsupported("oneDNN's convolution has no such type");
}

/// The state of the backend.
struct Onednn {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  bool any_format = false;  ///< the library chooses the formats of data and output, too
  std::string version;
  deconv_backend_description description{};
};

/// The operator in oneDNN's terms. Its transposed convolution is the gradient of a convolution (src to dst) with
/// respect to src. So diff_dst, the gradient of dst, is the operator's data, and diff_src is its output.
struct OnednnProblem {
  memory::desc diff_dst, weights, diff_src;
  memory::dims strides, dilates, padding_l, padding_r;
};

/// A tensor in the caller's memory.
memory::desc Plain(const Strided& t, memory::data_type type) { return {t.dims, type, t.steps}; }

/// The filter as oneDNN describes it: ([G,] O, I, spatial). O are the channels of diff_dst, I those of diff_src.
memory::desc Weights(const Geometry& g, memory::data_type type) {
  const Strided filter = FilterOf(g);
  return Plain(g.groups == 1 ? WithoutAxis0(filter) : filter, type);
}

/// Returns an empty string if all sizes and pads fit into 32 bits, in which the primitive keeps some of them; else why.
std::string Beyond32Bits(const Geometry& g) {
  return LargestNumber(g) > std::numeric_limits<std::int32_t>::max() ? "the adapter sends numbers of 32 bits" : "";
}

OnednnProblem Translate(const Geometry& g) {
  const memory::data_type type = TypeOf(g.element_type);
  OnednnProblem problem;
  problem.diff_dst = Plain(ChannelsFirst(g, g.in_channels, g.data), type);
  problem.diff_src = Plain(ChannelsFirst(g, g.out_channels, g.output), type);
  problem.weights = Weights(g, type);
  for (std::int32_t j = 0; j < g.spatial_rank; ++j) {
    problem.strides.push_back(g.strides[j]);
    problem.dilates.push_back(g.dilations[j] - 1);  // 0 is dense
    problem.padding_l.push_back(g.pads_begin[j]);
    problem.padding_r.push_back(g.pads_end[j] - g.output_padding[j]);
  }
  return problem;
}

/// The same tensor in a format that the library may choose.
memory::desc InAnyFormat(const memory::desc& desc) {
#if DNNL_VERSION_MAJOR >= 3
  return {desc.get_dims(), desc.get_data_type(), memory::format_tag::any};
#else
  return {desc.dims(), desc.data_type(), memory::format_tag::any};
#endif
}

/// Asks oneDNN for its primitive. Throws dnnl::error if it has none. oneDNN wants the forward convolution as a hint.
BackwardData::primitive_desc PrimitiveFor(const dnnl::engine& engine, const OnednnProblem& p, bool any_format) {
  const memory::desc weights = InAnyFormat(p.weights);
  const memory::desc diff_src = any_format ? InAnyFormat(p.diff_src) : p.diff_src;
  const memory::desc diff_dst = any_format ? InAnyFormat(p.diff_dst) : p.diff_dst;
  constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  const Forward::primitive_desc hint(engine, dnnl::prop_kind::forward_training, kAlgorithm, diff_src, weights, diff_dst,
                                     p.strides, p.dilates, p.padding_l, p.padding_r);
  return {engine, kAlgorithm, diff_src, weights, diff_dst, p.strides, p.dilates, p.padding_l, p.padding_r, hint};
#else
  const Forward::desc forward(dnnl::prop_kind::forward_training, kAlgorithm, diff_src, weights, diff_dst, p.strides,
                              p.dilates, p.padding_l, p.padding_r);
  const BackwardData::desc backward(kAlgorithm, diff_src, weights, diff_dst, p.strides, p.dilates, p.padding_l,
                                    p.padding_r);
  return {backward, engine, Forward::primitive_desc(forward, engine)};
#endif
}

/// oneDNN takes inputs as void*; it does not write them, and the suite compares them afterwards.
memory Wrap(const Onednn& onednn, const memory::desc& desc, const void* buffer) {
  return {desc, onednn.engine, const_cast<void*>(buffer)};
}

/// Returns `from` in the format `wanted`: `from` itself, or a copy in memory of oneDNN.
memory InFormat(Onednn& onednn, memory from, const memory::desc& wanted) {
  if (from.get_desc() == wanted) return from;
  memory copy(wanted, onednn.engine);
  dnnl::reorder(from, copy).execute(onednn.stream, from, copy);
  return copy;
}

/// Computes the operator: brings its inputs into the primitive's formats, runs it, and brings the output back.
void Execute(Onednn& onednn, const BackwardData::primitive_desc& desc, const OnednnProblem& p,
             const deconv_run_request& request) {
  const memory diff_dst = InFormat(onednn, Wrap(onednn, p.diff_dst, request.data), desc.diff_dst_desc());
  const memory weights = InFormat(onednn, Wrap(onednn, p.weights, request.filter), desc.weights_desc());
  memory output = Wrap(onednn, p.diff_src, request.output);
  const bool direct = desc.diff_src_desc() == p.diff_src;
  memory diff_src = direct ? output : memory(desc.diff_src_desc(), onednn.engine);
  BackwardData(desc).execute(
      onednn.stream, {{DNNL_ARG_DIFF_DST, diff_dst}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DIFF_SRC, diff_src}});
  if (!direct) dnnl::reorder(diff_src, output).execute(onednn.stream, diff_src, output);
  onednn.stream.wait();
}

/// Does what PrimitiveFor does, but an operator without a primitive is Unsupported.
BackwardData::primitive_desc PrimitiveOrUnsupported(const Onednn& onednn, const OnednnProblem& problem) {
  try {
    return PrimitiveFor(onednn.engine, problem, onednn.any_format);
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw;
    throw Unsupported(std::string("oneDNN: ") + error.message);
  }
}

std::int32_t Supports(void* self, deconv_supports_request* request) {
  return AnswerSupports(*request, [&] {
    const Geometry& g = *request->resolved;
    std::string beyond = Beyond32Bits(g);
    if (beyond.empty()) (void)PrimitiveOrUnsupported(*static_cast<Onednn*>(self), Translate(g));
    return beyond;
  });
}

deconv_answer Run(void* self, deconv_run_request* request) {
  return AnswerRun(*request, [&] {
    auto& onednn = *static_cast<Onednn*>(self);
    const Geometry& g = *request->resolved;
    const std::string beyond = Beyond32Bits(g);
    if (!beyond.empty()) throw Unsupported(beyond);
    const OnednnProblem problem = Translate(g);
    try {
      Execute(onednn, PrimitiveOrUnsupported(onednn, problem), problem, *request);
    } catch (const dnnl::error& error) {
      throw std::runtime_error(std::string("oneDNN: ") + error.message);
    }
    return DECONV_ANSWER_COMPUTED;
  });
}

const deconv_backend_description* Describe(void* self) { return &static_cast<Onednn*>(self)->description; }

void Close(void* self) { std::unique_ptr<Onednn>(static_cast<Onednn*>(self)).reset(); }

/// The element types that this CPU can compute: a type counts if the smallest problem of that type has a primitive.
std::uint32_t SupportedTypes(const Onednn& onednn) {
  std::uint32_t types = 0;
  for (const auto& [type, id] : kTypes) {
    try {
      (void)PrimitiveFor(onednn.engine, Translate(SmallestGeometry(type)), onednn.any_format);
      types |= 1U << type;
    } catch (const dnnl::error&) {
      continue;  // this CPU has no such implementation
    }
  }
  return types;
}

std::unique_ptr<Onednn> MakeOnednn(bool any_format) {
  auto onednn = std::make_unique<Onednn>();
  onednn->any_format = any_format;
  const dnnl::version_t* version = dnnl::version();
  onednn->version =
      std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
  deconv_backend_description& d = onednn->description;
  d = CommonDescription(any_format ? "onednn?any" : "onednn", onednn->version.c_str(), kDialects.data());
  // A case of ConvTranspose would have the geometry of a case of ConvolutionBackpropData, so cases would repeat.
  d.operators &= ~(1U << DECONV_ID_CONV_TRANSPOSE);
  d.element_types = SupportedTypes(*onednn);
  d.max_rank = 5;
  d.subnormals = DECONV_SUBNORMALS_FLUSHED;  // bf16 dot products flush where the CPU has them
  return onednn;
}

}  // namespace
}  // namespace native

// NOLINTNEXTLINE(readability-identifier-naming): the interface prescribes this name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  if (!native::SendsResolved(*backend)) return 3;  // an older suite
  const std::string_view wanted = config;
  if (!wanted.empty() && wanted != "any") return 1;  // an unknown configuration
  try {
    deconv_backend own{};
    own.self = native::MakeOnednn(!wanted.empty()).release();
    own.describe = native::Describe;
    own.run = native::Run;
    own.close = native::Close;
    own.supports = native::Supports;
    return native::Offer(own, backend);
  } catch (const std::exception& why) {
    std::fprintf(stderr, "oneDNN: %s\n", why.what());  // mostly: no engine for a CPU
    return 2;
  }
}
