// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Backend "onednn": oneDNN's primitive convolution_backward_data on the CPU, versions 2 and 3. The primitive takes
// resolved pads, so the oracle resolves the attributes here. oneDNN is judged on its values and on what its primitive
// can express. Data and output stay in the operator's plain layout and in the caller's buffers; the filter may be
// reordered, as oneDNN's users do. "onednn?any" also lets the library choose the formats of data and output.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/door/answer.h"
#include "conformance/door/backend_builtin.h"
#include "conformance/door/describe_operator.h"
#include "conformance/door/resolve_by_oracle.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using dnnl::memory;
using BackwardData = dnnl::convolution_backward_data;
using Forward = dnnl::convolution_forward;

constexpr std::array<const char*, 3> kDialects = {"openvino-spec", "onednn-spec", nullptr};

constexpr std::array kTypes = {std::pair{oracle::ElementType::kF32, memory::data_type::f32},
                               std::pair{oracle::ElementType::kBf16, memory::data_type::bf16},
                               std::pair{oracle::ElementType::kF16, memory::data_type::f16}};

std::optional<memory::data_type> TypeOf(oracle::ElementType type) {
  for (const auto& [known, id] : kTypes) {
    if (known == type) return id;
  }
  return std::nullopt;
}

struct Onednn {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  bool any_format = false;
  std::string version;
  deconv_backend_description description{};
};

// The operator in oneDNN's terms: plain formats, oneDNN's names (diff_dst is the operator's data, diff_src its output).
struct OnednnProblem {
  memory::desc diff_dst, weights, diff_src;
  memory::dims strides, dilates, padding_l, padding_r;
};

// [N, C, spatial] in the memory order of the layout.
memory::desc Tensor(const oracle::Geometry& g, memory::data_type type, std::int64_t channels,
                    std::int64_t oracle::Axis::* size) {
  memory::dims dims = {g.batch, channels};
  for (const oracle::Axis& axis : g.axes) dims.push_back(axis.*size);
  memory::dims strides(dims.size());
  const bool nxc = g.layout == oracle::DataLayout::kNxc;
  std::int64_t stride = nxc ? std::max<std::int64_t>(channels, 1) : 1;
  for (std::size_t i = dims.size() - 1; i >= 2; --i) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(dims[i], 1);
  }
  strides[1] = nxc ? 1 : stride;
  strides[0] = nxc ? stride : stride * std::max<std::int64_t>(channels, 1);
  return {dims, type, strides};
}

// ([G,] O, I, spatial): O the channels of diff_dst, I those of diff_src.
memory::desc Weights(const oracle::Geometry& g, memory::data_type type) {
  const bool xoi = g.filter_layout == oracle::FilterLayout::kXoi;
  memory::dims dims = {g.groups, g.in_channels, g.out_channels};
  memory::dims strides(3);
  for (const oracle::Axis& axis : g.axes) dims.push_back(axis.kernel);
  strides.resize(dims.size());
  const auto at_least_1 = [](std::int64_t size) { return std::max<std::int64_t>(size, 1); };
  std::int64_t stride = xoi ? at_least_1(g.groups * g.in_channels) * at_least_1(g.out_channels) : 1;
  for (std::size_t i = dims.size() - 1; i >= 3; --i) {
    strides[i] = stride;
    stride *= at_least_1(dims[i]);
  }
  if (xoi) {  // [spatial, C_OUT / G, C_IN of all groups]
    strides[0] = at_least_1(g.in_channels);
    strides[1] = 1;
    strides[2] = at_least_1(g.groups * g.in_channels);
  } else {  // [C_IN of all groups, C_OUT / G, spatial]
    strides[2] = stride;
    strides[1] = stride * at_least_1(g.out_channels);
    strides[0] = strides[1] * at_least_1(g.in_channels);
  }
  if (g.groups == 1) {
    dims.erase(dims.begin());
    strides.erase(strides.begin());
  }
  return {dims, type, strides};
}

// Empty if the primitive's own arithmetic can hold the problem: it keeps pads and sizes in 32 bits in places.
std::string Beyond32Bits(const oracle::Geometry& g) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  for (const oracle::Axis& axis : g.axes) {
    for (const std::int64_t value : {axis.data, axis.kernel, axis.stride, axis.dilation, axis.output}) {
      if (value > kLargest) return fmt::format("{} along an axis, the adapter sends at most {}", value, kLargest);
    }
    if (axis.pads_begin > kLargest || axis.pads_begin < -kLargest) {
      return fmt::format("pad {}, the adapter sends at most {}", axis.pads_begin, kLargest);
    }
  }
  return "";
}

OnednnProblem Translate(const oracle::Geometry& g, memory::data_type type) {
  OnednnProblem problem;
  problem.diff_dst = Tensor(g, type, g.groups * g.in_channels, &oracle::Axis::data);
  problem.diff_src = Tensor(g, type, g.groups * g.out_channels, &oracle::Axis::output);
  problem.weights = Weights(g, type);
  for (const oracle::Axis& axis : g.axes) {
    problem.strides.push_back(axis.stride);
    problem.dilates.push_back(axis.dilation - 1);  // 0 is dense
    problem.padding_l.push_back(axis.pads_begin);
    // What makes the forward convolution of the output have the size of the data.
    const std::int64_t natural = axis.stride * (axis.data - 1) + axis.dilation * (axis.kernel - 1) + 1;
    problem.padding_r.push_back(natural - axis.output - axis.pads_begin);
  }
  return problem;
}

memory::desc Any(const memory::desc& desc) {
#if DNNL_VERSION_MAJOR >= 3
  return {desc.get_dims(), desc.get_data_type(), memory::format_tag::any};
#else
  return {desc.dims(), desc.data_type(), memory::format_tag::any};
#endif
}

BackwardData::primitive_desc Describe(const dnnl::engine& engine, const OnednnProblem& p, bool any_format) {
  const memory::desc weights = Any(p.weights);
  const memory::desc diff_src = any_format ? Any(p.diff_src) : p.diff_src;
  const memory::desc diff_dst = any_format ? Any(p.diff_dst) : p.diff_dst;
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

// oneDNN takes inputs as void*; it does not write them, and the suite compares them afterwards.
memory Wrap(const Onednn& onednn, const memory::desc& desc, const void* buffer) {
  return {desc, onednn.engine, const_cast<void*>(buffer)};
}

// `from` as `wanted` has it: itself, or a copy in memory of oneDNN's own.
memory InFormat(Onednn& onednn, memory from, const memory::desc& wanted) {
  if (from.get_desc() == wanted) return from;
  memory copy(wanted, onednn.engine);
  dnnl::reorder(from, copy).execute(onednn.stream, from, copy);
  return copy;
}

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

deconv_answer RunResolved(Onednn& onednn, const oracle::Geometry& g, deconv_run_request& request) {
  WriteOutputDims(request, g.OutputDims());
  const std::uint64_t bytes = oracle::ElementBytes(g.type);
  const deconv_answer answer =
      CheckBuffers(request, g.DataCount() * bytes, g.FilterCount() * bytes, g.OutputCount() * bytes);
  if (answer != DECONV_ANSWER_COMPUTED) return answer;
  const std::optional<memory::data_type> type = TypeOf(g.type);
  if (!type) {
    return Answer(request, DECONV_ANSWER_UNSUPPORTED, fmt::format("type {}", oracle::ElementTypeName(g.type)));
  }
  const std::string beyond = Beyond32Bits(g);
  if (!beyond.empty()) return Answer(request, DECONV_ANSWER_UNSUPPORTED, beyond);

  const OnednnProblem problem = Translate(g, *type);
  BackwardData::primitive_desc desc;
  try {
    desc = Describe(onednn.engine, problem, onednn.any_format);
  } catch (const dnnl::error& e) {
    if (e.status == dnnl_out_of_memory) throw;
    return Answer(request, DECONV_ANSWER_UNSUPPORTED,
                  fmt::format("oneDNN: {} (strides {}, dilates {}, padding_l {}, padding_r {})", e.message,
                              fmt::join(problem.strides, ","), fmt::join(problem.dilates, ","),
                              fmt::join(problem.padding_l, ","), fmt::join(problem.padding_r, ",")));
  }
  Execute(onednn, desc, problem, request);
  return DECONV_ANSWER_COMPUTED;
}

deconv_answer RunChecked(Onednn& onednn, deconv_run_request& request) {
  const auto resolved = ResolveByOracle(request);
  if (const auto* other = std::get_if<deconv_answer>(&resolved)) return *other;
  return RunResolved(onednn, std::get<oracle::Geometry>(resolved), request);
}

deconv_answer Run(void* self, deconv_run_request* request) {
  try {
    return RunChecked(*static_cast<Onednn*>(self), *request);
  } catch (const dnnl::error& e) {
    return Answer(*request, DECONV_ANSWER_ERROR, fmt::format("oneDNN: {}", e.message));
  } catch (const std::exception& e) {
    return Answer(*request, DECONV_ANSWER_ERROR, e.what());
  }
}

const deconv_backend_description* DescribeSelf(void* self) { return &static_cast<Onednn*>(self)->description; }

void Close(void* self) { std::unique_ptr<Onednn>(static_cast<Onednn*>(self)).reset(); }

// Which types this CPU can compute with: those for which the smallest problem has a primitive.
std::uint32_t SupportedTypes(const Onednn& onednn) {
  oracle::Geometry smallest;
  smallest.batch = smallest.in_channels = smallest.out_channels = 1;
  smallest.axes = {{.data = 1, .kernel = 1, .stride = 1, .dilation = 1, .pads_begin = 0, .pads_end = 0, .output = 1}};
  std::uint32_t types = 0;
  for (const auto& [type, id] : kTypes) {
    try {
      (void)Describe(onednn.engine, Translate(smallest, id), onednn.any_format);
      types |= 1U << ElementTypeId(type);
    } catch (const dnnl::error&) {
      continue;  // not on this CPU
    }
  }
  return types;
}

}  // namespace

OpenedDoor OpenOnednn(std::string_view config) {
  if (!config.empty() && config != "any") {
    return BackendError{
        .usage = true, .message = fmt::format("backend onednn: configuration '{}', expected 'any' or nothing", config)};
  }
  try {
    auto onednn = std::make_unique<Onednn>();
    onednn->any_format = config == "any";
    const dnnl::version_t* version = dnnl::version();
    onednn->version = fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
    onednn->description = {
        .size = sizeof(deconv_backend_description),
        .name = onednn->any_format ? "onednn?any" : "onednn",
        .version = onednn->version.c_str(),
        .dialects = kDialects.data(),
        .operators = 1U << DECONV_ID_CONVOLUTION_BACKPROP_DATA | 1U << DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA |
                     1U << DECONV_ID_CONVOLUTION_BACKWARD_DATA,
        .element_types = SupportedTypes(*onednn),
        .min_rank = 3,
        .max_rank = 5,
        .max_bytes = 0,
        .accumulator = DECONV_ACCUMULATOR_F32,
        .faithful_rounding = 0,
        .subnormals = DECONV_SUBNORMALS_FLUSHED,  // bf16 dot products flush where the CPU has them
        .overflow = DECONV_OVERFLOW_WRAPS,
        .deterministic = 0,  // the library promises none
        .max_threads = 0,    // its thread pool is the process's
        .algorithm = DECONV_ALGORITHM_DIRECT,
        .arithmetic = nullptr,
        .arithmetic_count = 0,
        .known_deviations = 0,
        .unsupported = 0,
        .max_attribute = 0,
        .takes_resolved = 0,
    };
    return deconv_backend{.size = sizeof(deconv_backend),
                          .abi = DECONV_BACKEND_ABI,
                          .self = onednn.release(),
                          .describe = DescribeSelf,
                          .run = Run,
                          .close = Close,
                          .resolve = nullptr,
                          .plan = nullptr,
                          .release = nullptr,
                          .supports = nullptr};
  } catch (const std::exception& e) {
    return BackendError{.usage = false, .message = fmt::format("backend onednn: {}", e.what())};
  }
}

}  // namespace conformance
