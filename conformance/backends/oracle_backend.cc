// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Backend "oracle": offers the oracle, which is the specification in plain loops, as a backend. It runs the scatter
// loop, which adds each data element to all of its outputs. The judge, which decides whether outputs are right, runs
// the gather loop, which computes each output from all of its data. So a run on this backend compares the two loops.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/interface/answer.h"
#include "conformance/interface/backend_builtin.h"
#include "conformance/interface/deconv_backend.h"
#include "conformance/interface/resolved_geometry.h"
#include "oracle/evaluate.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

constexpr std::array<const char*, oracle::kDialects.size() + 1> kDialectNames = {
    "openvino-spec", "openvino-runtime", "onednn-spec", "onednn-runtime", "onnx-1",
    "onnx-11",       "onnxruntime",      "onnx-22",     "tensorflow",     nullptr};

constexpr deconv_backend_description kDescription = {
    .size = sizeof(deconv_backend_description),
    .name = "oracle",
    .version = "1",
    .dialects = kDialectNames.data(),
    .operators = 0xf,        // a bit for each of the four kinds
    .element_types = 0xfff,  // a bit for each of the twelve numeric types
    .min_rank = 3,
    .max_rank = 10,
    .max_bytes = 0,
    // Exact sums, rounded once: they lie within the bound of any accumulator, the widest among them.
    .accumulator = DECONV_ACCUMULATOR_F64,
    .faithful_rounding = 0,
    .subnormals = DECONV_SUBNORMALS_KEPT,
    .overflow = DECONV_OVERFLOW_WRAPS,
    .deterministic = DECONV_SAME_BITS_EVERY_RUN | DECONV_SAME_BITS_ANY_THREADS,
    .max_threads = 0,
    .algorithm = DECONV_ALGORITHM_DIRECT,
    .arithmetic = nullptr,
    .arithmetic_count = 0,
    .known_deviations = 0,
    .unsupported = 0,
    .max_attribute = 0,
    .takes_resolved = 0,
    .saturating_types = 0,
    .types_in_f32 = 0,
};

// A slab is the outputs whose sums are in memory at a time. A sum takes 72 bytes, and a slab 38 MB. The 714 million
// sums of the 3-D example in the specification would not fit together. Smaller or larger slabs are not faster, because
// the loop works on parts of 4096 outputs.
constexpr std::int64_t kSlab = 1 << 19;

/// The bits of the output: of the rounded sum in floating types, of the wrapped sum in integer types.
template <typename Sum>
std::uint64_t Bits(const Sum& sum) {
  if constexpr (requires { sum.bits; }) {
    return sum.bits;
  } else {
    return sum.wrapped;
  }
}

// Computes the output slab by slab. Writes the low bytes of each sum in the machine's byte order.
template <typename Sum>
void ComputeBySlabs(const oracle::Operands& operands, std::span<std::byte> output) {
  const oracle::Geometry& geometry = operands.geometry();
  const std::size_t bytes = oracle::ElementBytes(geometry.type);
  const std::int64_t count = geometry.OutputCount();
  std::vector<Sum> sums;
  for (std::int64_t begin = 0; begin < count; begin += kSlab) {
    sums.assign(static_cast<std::size_t>(std::min(kSlab, count - begin)), Sum{});
    Scatter(operands, {.begin = begin, .count = static_cast<std::int64_t>(sums.size())}, sums);
    std::size_t at = static_cast<std::size_t>(begin) * bytes;
    for (const Sum& sum : sums) {
      const std::uint64_t bits = Bits(sum);
      for (std::size_t i = 0; i < bytes; ++i) {
        const std::size_t byte = std::endian::native == std::endian::little ? i : bytes - 1 - i;
        output[at++] = static_cast<std::byte>(bits >> (8 * byte));
      }
    }
  }
}

/// Checks the sizes of the buffers and fills the output.
deconv_answer Compute(deconv_run_request& request, const oracle::Geometry& geometry) {
  const std::uint64_t bytes = oracle::ElementBytes(geometry.type);
  const deconv_answer answer = CheckBuffers(request, geometry.DataCount() * bytes, geometry.FilterCount() * bytes,
                                            geometry.OutputCount() * bytes);
  if (answer != DECONV_ANSWER_COMPUTED) return answer;

  const oracle::Operands operands(geometry, {static_cast<const std::byte*>(request.data), request.data_bytes},
                                  {static_cast<const std::byte*>(request.filter), request.filter_bytes});
  const std::span output(static_cast<std::byte*>(request.output), request.output_bytes);
  if (IsFloat(geometry.type)) {
    ComputeBySlabs<oracle::FloatSum>(operands, output);
  } else {
    ComputeBySlabs<oracle::IntegerSum>(operands, output);
  }
  return DECONV_ANSWER_COMPUTED;
}

deconv_answer RunChecked(deconv_run_request& request) {
  const auto resolved = ResolveByOracle(request);
  if (const auto* other = std::get_if<deconv_answer>(&resolved)) return *other;
  const oracle::Geometry& geometry = std::get<oracle::Geometry>(resolved);
  WriteOutputDims(request, geometry.OutputDims());
  return Compute(request, geometry);
}

deconv_answer Run(void* /*self*/, deconv_run_request* request) {
  try {
    return RunChecked(*request);
  } catch (const std::exception& e) {  // out of memory
    return Answer(*request, DECONV_ANSWER_ERROR, e.what());
  }
}

deconv_answer ResolveChecked(deconv_resolve_request& request) {
  const auto resolved = ResolveByOracle(request);
  if (const auto* other = std::get_if<deconv_answer>(&resolved)) return *other;
  const oracle::Geometry& geometry = std::get<oracle::Geometry>(resolved);
  oracle::Dims pads_begin;
  for (const oracle::Axis& axis : geometry.axes) pads_begin.push_back(axis.pads_begin);
  return AnswerResolved(request, geometry.OutputDims(), pads_begin);
}

// Uses the same resolver as the judge, so an equal result proves only that the interface passes operators unchanged.
deconv_answer ResolveOperator(void* /*self*/, deconv_resolve_request* request) {
  try {
    return ResolveChecked(*request);
  } catch (const std::exception& e) {  // out of memory
    return Answer(*request, DECONV_ANSWER_ERROR, e.what());
  }
}

const deconv_backend_description* Describe(void* /*self*/) { return &kDescription; }

}  // namespace

OpenedInterface OpenOracle(std::string_view config) {
  return NoConfiguration("oracle", config,
                         {.size = sizeof(deconv_backend),
                          .abi = DECONV_BACKEND_ABI,
                          .self = nullptr,
                          .describe = Describe,
                          .run = Run,
                          .close = nullptr,
                          .resolve = ResolveOperator,
                          .plan = nullptr,
                          .release = nullptr,
                          .supports = nullptr});
}

}  // namespace conformance
