// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Backend "kernel": offers the project's own library as a backend, which the suite judges like any vendor's. This is
// the only file of conformance/ that includes the kernel, and it includes only the public header. It creates a plan (a
// prepared operator), packs the filter, and runs the plan. "kernel?target=AVX2&threads=2" binds all plans to an
// instruction set and all runs to a number of threads. "cpu=zen4" chooses algorithms by the costs of another class of
// CPUs. "subnormals=kept" keeps subnormals in sums of bf16.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <deconv/deconv.h>

#include "conformance/backends/kernel_settings.h"
#include "conformance/backends/thread_pool.h"
#include "conformance/interface/answer.h"
#include "conformance/interface/backend_builtin.h"
#include "conformance/interface/deconv_backend.h"

namespace conformance {
namespace {

constexpr std::array kDialects = {std::pair{"openvino-spec", DECONV_OPENVINO_SPEC},
                                  std::pair{"openvino-runtime", DECONV_OPENVINO_RUNTIME},
                                  std::pair{"onednn-spec", DECONV_ONEDNN_SPEC},
                                  std::pair{"onednn-runtime", DECONV_ONEDNN_RUNTIME},
                                  std::pair{"onnx-1", DECONV_ONNX_1},
                                  std::pair{"onnx-11", DECONV_ONNX_11},
                                  std::pair{"onnxruntime", DECONV_ONNXRUNTIME},
                                  std::pair{"onnx-22", DECONV_ONNX_22},
                                  std::pair{"tensorflow", DECONV_TENSORFLOW}};

// The names of all dialects, ended by a null pointer.
constexpr auto kDialectNames = [] {
  std::array<const char*, kDialects.size() + 1> names{};
  for (std::size_t i = 0; i < kDialects.size(); ++i) names[i] = kDialects[i].first;
  return names;
}();

constexpr std::array kKinds = {
    std::pair{DECONV_ID_CONVOLUTION_BACKPROP_DATA, DECONV_CONVOLUTION_BACKPROP_DATA},
    std::pair{DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA, DECONV_GROUP_CONVOLUTION_BACKPROP_DATA},
    std::pair{DECONV_ID_CONVOLUTION_BACKWARD_DATA, DECONV_CONVOLUTION_BACKWARD_DATA},
    std::pair{DECONV_ID_CONV_TRANSPOSE, DECONV_CONV_TRANSPOSE}};

constexpr std::array kTypes = {
    std::pair{DECONV_ID_F64, DECONV_F64},         std::pair{DECONV_ID_F32, DECONV_F32},
    std::pair{DECONV_ID_F16, DECONV_F16},         std::pair{DECONV_ID_BF16, DECONV_BF16},
    std::pair{DECONV_ID_I8, DECONV_I8},           std::pair{DECONV_ID_I16, DECONV_I16},
    std::pair{DECONV_ID_I32, DECONV_I32},         std::pair{DECONV_ID_I64, DECONV_I64},
    std::pair{DECONV_ID_U8, DECONV_U8},           std::pair{DECONV_ID_U16, DECONV_U16},
    std::pair{DECONV_ID_U32, DECONV_U32},         std::pair{DECONV_ID_U64, DECONV_U64},
    std::pair{DECONV_ID_BOOLEAN, DECONV_BOOLEAN}, std::pair{DECONV_ID_STRING, DECONV_STRING}};

// The value of `key` in a list of pairs. 0 if the key is missing, which the kernel refuses as an unknown enumeration
// value.
template <typename Pairs, typename Key>
std::int32_t EnumValueOf(const Pairs& pairs, const Key& key) {
  for (const auto& [known, value] : pairs) {
    if (known == key) return value;
  }
  return 0;
}

deconv_list List(const deconv_id_list& list) { return {list.values, static_cast<std::size_t>(list.count)}; }

deconv_tensor Tensor(const deconv_tensor_description& tensor) {
  return {EnumValueOf(kTypes, tensor.element_type), 0, List(tensor.dims)};
}

deconv_operator Translate(const deconv_operator_description& from) {
  deconv_operator op{};
  op.struct_bytes = sizeof(op);
  op.kind = EnumValueOf(kKinds, from.kind);
  op.dialect = EnumValueOf(kDialects, std::string_view(from.dialect));
  op.data = Tensor(from.data);
  op.filter = Tensor(from.filter);
  if (from.output_shape.dims.values != nullptr || from.output_shape_values.values != nullptr) {
    op.has_output_shape = 1;
    op.output_shape = Tensor(from.output_shape);
    op.output_shape_values = List(from.output_shape_values);
  }
  op.strides = List(from.strides);
  op.dilations = List(from.dilations);
  op.pads_begin = List(from.pads_begin);
  op.pads_end = List(from.pads_end);
  op.output_padding = List(from.output_padding);
  op.auto_pad = from.auto_pad;
  // The interface passes all attributes of a model. Those of another operator are ignored (clause D2), but the kernel
  // requires that its caller leaves them out.
  const bool onednn = op.kind == DECONV_CONVOLUTION_BACKWARD_DATA;
  const bool onnx = op.kind == DECONV_CONV_TRANSPOSE;
  if (onednn) {
    op.data_format = from.data_format;
    op.weights_format = from.weights_format;
    op.dst_shape = List(from.dst_shape);
  }
  if ((onednn || onnx) && from.groups.values != nullptr && from.groups.count == 1) {
    op.has_groups = 1;
    op.groups = *from.groups.values;
  }
  if (onnx) {
    op.kernel_shape = List(from.kernel_shape);
    op.output_shape_attribute = List(from.output_shape_attribute);
  }
  return op;
}

// The answer that corresponds to an error code of deconv_plan_create.
deconv_answer AnswerTo(deconv_code code) {
  switch (code) {
    case DECONV_INVALID_ARGUMENT:
    case DECONV_INVALID_OPERATOR:
    case DECONV_OVERFLOW:  // clauses O1 and O2: what cannot be addressed is refused
      return DECONV_ANSWER_REFUSED;
    case DECONV_UNSUPPORTED:
      return DECONV_ANSWER_UNSUPPORTED;
    default:
      return DECONV_ANSWER_ERROR;
  }
}

// A buffer of exactly `bytes` bytes, so that memory checkers find an access one byte beyond it. It is filled with NaN
// of every floating type, so that reading unwritten bytes changes the output. Nothing if there is no memory.
std::optional<std::unique_ptr<std::uint8_t[]>> Allocate(std::size_t bytes) {
  std::unique_ptr<std::uint8_t[]> buffer(new (std::nothrow) std::uint8_t[bytes]);
  if (buffer == nullptr) return std::nullopt;
  std::fill_n(buffer.get(), bytes, std::uint8_t{0xff});
  return buffer;
}

// Targets (instruction sets) whose dot product of bf16 flushes subnormals and rounds to nearest.
constexpr std::array kFlushingTargets = {"AVX3_ZEN4"};

// Arm's BFDOT flushes too, and rounds products and sums to odd, one of the two neighbours. The kernel then rounds the
// sums to bf16, to nearest.
constexpr std::string_view kTargetOfBfdot = "NEON_BF16";
constexpr deconv_type_arithmetic kArithmeticOfBfdot = {
    .size = sizeof(deconv_type_arithmetic),
    .element_type = DECONV_ID_BF16,
    .accumulator = DECONV_ACCUMULATOR_F32,
    .rounding = DECONV_ROUNDING_FAITHFUL_SUMS,
    .subnormals = DECONV_SUBNORMALS_FLUSHED,
};

// Vectors of 32-bit ARM flush subnormals of f32. bf16 is summed in f32, too. Sums of f16 never come near them.
#ifdef __arm__
constexpr deconv_type_arithmetic FlushedOn32BitArm(deconv_element_type_id type) {
  return {.size = sizeof(deconv_type_arithmetic),
          .element_type = type,
          .accumulator = DECONV_ACCUMULATOR_F32,
          .rounding = DECONV_ROUNDING_NEAREST,
          .subnormals = DECONV_SUBNORMALS_FLUSHED};
}
constexpr std::array kArithmeticOfVectors = {FlushedOn32BitArm(DECONV_ID_F32), FlushedOn32BitArm(DECONV_ID_BF16)};
#else
constexpr std::array<deconv_type_arithmetic, 0> kArithmeticOfVectors = {};
#endif

// Addresses of 32 bits hold no larger tensor.
constexpr std::uint64_t kMaxBytes = PTRDIFF_MAX < INT64_MAX ? PTRDIFF_MAX : 0;

// The number of threads may exceed the cores, so that the parts of one run interleave in many ways even on small
// machines.
constexpr int kMaxThreads = 4;

deconv_backend_description Description() {
  return {.size = sizeof(deconv_backend_description),
          .name = "kernel",
          .version = deconv_version(),
          .dialects = kDialectNames.data(),
          .operators = 0xf,        // a bit for each of the four kinds
          .element_types = 0xfff,  // a bit for each of the twelve numeric types
          .min_rank = 3,
          .max_rank = DECONV_MAX_RANK,
          .max_bytes = kMaxBytes,
          .accumulator = DECONV_ACCUMULATOR_F32,
          .faithful_rounding = 0,
          .subnormals = DECONV_SUBNORMALS_KEPT,
          .overflow = DECONV_OVERFLOW_WRAPS,
          .deterministic = DECONV_SAME_BITS_EVERY_RUN | DECONV_SAME_BITS_ANY_THREADS,
          .max_threads = kMaxThreads,
          .algorithm = DECONV_ALGORITHM_DIRECT,
          .arithmetic = kArithmeticOfVectors.data(),
          .arithmetic_count = kArithmeticOfVectors.size(),
          .known_deviations = 0,
          .unsupported = 0,
          .max_attribute = 0,
          .takes_resolved = 0,
          .saturating_types = 0,
          .types_in_f32 = 0};
}

// The state that one opened backend keeps from run to run.
struct Session {
  ThreadPool pool;
  KernelSettings settings;
  deconv_backend_description description = Description();
};

/// The threads of one run, as the kernel's callback wants them.
struct Parallel {
  ThreadPool* pool;
  std::size_t workers;
};

void ParallelFor(void* context, std::size_t count, deconv_task task, void* argument) {
  const auto& parallel = *static_cast<const Parallel*>(context);
  parallel.pool->Run(count, parallel.workers,
                     [&](std::size_t index, std::size_t worker) { task(argument, index, worker); });
}

// Runs a plan on the buffers of a request. The request's operator may differ from the plan's only in the batch.
deconv_answer Execute(const deconv_plan& plan, Session& session, deconv_run_request& request) {
  const std::int64_t batch = request.operation->data.dims.values[0];
  const std::int64_t* const plan_dims = deconv_plan_output_dims(&plan);
  std::vector<std::int64_t> dims(plan_dims, plan_dims + deconv_plan_output_rank(&plan));
  dims.front() = batch;
  WriteOutputDims(request, dims);
  const deconv_answer answer =
      CheckBuffers(request, deconv_plan_batch_data_bytes(&plan, batch), deconv_plan_filter_bytes(&plan),
                   deconv_plan_batch_output_bytes(&plan, batch));
  if (answer != DECONV_ANSWER_COMPUTED) return answer;

  const std::size_t packed_bytes = deconv_plan_packed_filter_bytes(&plan);
  const int threads =
      session.settings.threads > 0 ? session.settings.threads : std::clamp(request.threads, 1, kMaxThreads);
  Parallel parallel{&session.pool, static_cast<std::size_t>(threads)};
  const std::size_t workspace_bytes = deconv_plan_workspace_bytes(&plan, parallel.workers);
  const auto packed = Allocate(packed_bytes);
  const auto workspace = Allocate(workspace_bytes);
  if (!packed || !workspace) return Answer(request, DECONV_ANSWER_ERROR, "out of memory");

  WriteImplementation(request, std::string(deconv_plan_algorithm(&plan)) + " " + deconv_plan_target(&plan));
  deconv_status status{};
  status.struct_bytes = sizeof(status);
  deconv_code code =
      deconv_pack_filter(&plan, request.filter, request.filter_bytes, packed->get(), packed_bytes, &status);
  if (code == DECONV_OK) {
    deconv_run_args args{};
    args.struct_bytes = sizeof(args);
    args.data = request.data;
    args.data_bytes = request.data_bytes;
    args.packed_filter = packed->get();
    args.packed_filter_bytes = packed_bytes;
    args.output = request.output;
    args.output_bytes = request.output_bytes;
    args.workspace = workspace->get();
    args.workspace_bytes = workspace_bytes;
    args.batch = batch;
    if (parallel.workers > 1) {
      args.parallel_for = ParallelFor;
      args.parallel_context = &parallel;
      args.workers = parallel.workers;
    }
    code = deconv_run(&plan, &args, &status);
  }
  // A plan can run every operator that it accepted, so a failure here is an error and no refusal.
  return code == DECONV_OK ? DECONV_ANSWER_COMPUTED : Answer(request, DECONV_ANSWER_ERROR, status.message);
}

using PlanPointer = std::unique_ptr<deconv_plan, decltype(&deconv_plan_destroy)>;

// Creates a kernel plan. Returns null if the kernel refuses the operator; then `status` has the code and the reason. If
// `algorithm` is null, the kernel chooses the algorithm.
PlanPointer CreatePlan(const Session& session, const deconv_operator_description& operation, const char* algorithm,
                       deconv_status& status) {
  const deconv_operator op = Translate(operation);
  deconv_options options{};
  options.struct_bytes = sizeof(options);
  options.target = session.settings.target.empty() ? nullptr : session.settings.target.c_str();
  options.algorithm = algorithm;
  options.cpu = session.settings.cpu.empty() ? nullptr : session.settings.cpu.c_str();
  options.keep_subnormals = session.settings.keep_subnormals ? 1 : 0;
  status = {};
  status.struct_bytes = sizeof(status);
  deconv_plan* plan = nullptr;
  deconv_plan_create(&op, &options, &plan, &status);
  return {plan, deconv_plan_destroy};
}

// A plan of the suite's interface, which may run other sizes than it was made for. It holds a kernel plan for each set
// of sizes. A kernel plan serves every batch but 0, which means "the batch of the plan" to the kernel's run function.
struct InterfacePlan {
  struct Sized {
    std::vector<std::int64_t> sizes;
    PlanPointer plan;
  };
  std::vector<Sized> plans;
};

// The key of a kernel plan: the sizes in which operators of one plan may differ, each list after its length. It leaves
// out batches above 0. Example without output shapes: data [2, 1, 6] and [4, 1, 6] have the key {3, 1, 6, 0, 0, 0}.
std::vector<std::int64_t> SizesOf(const deconv_operator_description& operation) {
  std::vector<std::int64_t> sizes;
  const auto add = [&](const deconv_id_list& list, bool starts_with_batch) {
    const std::int64_t first = starts_with_batch && list.count > 0 && list.values[0] != 0 ? 1 : 0;
    sizes.push_back(list.count);
    if (list.values != nullptr) sizes.insert(sizes.end(), list.values + first, list.values + list.count);
  };
  const bool whole_shape = operation.kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA;
  add(operation.data.dims, true);
  add(operation.output_shape_values, whole_shape);
  add(operation.dst_shape, whole_shape);
  add(operation.output_shape_attribute, false);
  return sizes;
}

// Runs the request with the kernel plan of its sizes. Creates that plan if it is missing.
deconv_answer RunThrough(InterfacePlan& interface_plan, Session& session, deconv_run_request& request) {
  const std::vector<std::int64_t> sizes = SizesOf(*request.operation);
  auto at = std::ranges::find(interface_plan.plans, sizes, &InterfacePlan::Sized::sizes);
  if (at == interface_plan.plans.end()) {
    deconv_status status;
    PlanPointer plan = CreatePlan(session, *request.operation, nullptr, status);
    if (plan == nullptr) return Answer(request, AnswerTo(status.code), status.message);
    at = interface_plan.plans.insert(at, {sizes, std::move(plan)});
  }
  return Execute(*at->plan, session, request);
}

deconv_answer Run(void* self, deconv_run_request* request) {
  Session& session = *static_cast<Session*>(self);
  InterfacePlan temporary;
  auto* const given = static_cast<InterfacePlan*>(request->plan);
  return RunThrough(given == nullptr ? temporary : *given, session, *request);
}

deconv_answer MakePlan(void* self, deconv_plan_request* request) {
  deconv_status status;
  PlanPointer plan = CreatePlan(*static_cast<const Session*>(self), *request->operation, nullptr, status);
  if (plan == nullptr) return AnswerTo(status.code);
  auto made = std::make_unique<InterfacePlan>();
  made->plans.push_back({SizesOf(*request->operation), std::move(plan)});
  request->plan = made.release();
  return DECONV_ANSWER_COMPUTED;
}

void Release(void* /*self*/, void* plan) { delete static_cast<InterfacePlan*>(plan); }

// Resolves an operator by creating a plan. The geometry does not depend on the algorithm, and "direct" packs no filter.
deconv_answer ResolveOperator(void* self, deconv_resolve_request* request) {
  deconv_status status;
  const PlanPointer plan = CreatePlan(*static_cast<const Session*>(self), *request->operation, "direct", status);
  if (plan == nullptr) return Answer(*request, AnswerTo(status.code), status.message);
  const auto rank = static_cast<std::size_t>(deconv_plan_output_rank(plan.get()));
  return AnswerResolved(*request, {deconv_plan_output_dims(plan.get()), rank},
                        {deconv_plan_pads_begin(plan.get()), rank - 2});
}

const deconv_backend_description* Describe(void* self) { return &static_cast<const Session*>(self)->description; }

void Close(void* self) { delete static_cast<Session*>(self); }

std::vector<std::string> NamesOf(const char* (*name_at)(std::size_t)) {
  std::vector<std::string> names;
  for (std::size_t i = 0; name_at(i) != nullptr; ++i) names.emplace_back(name_at(i));
  return names;
}

}  // namespace

OpenedInterface OpenKernel(std::string_view config) {
  auto session = std::make_unique<Session>();
  const std::string complaint =
      ReadKernelSettings(config, NamesOf(deconv_target), NamesOf(deconv_cpu_class), session->settings);
  if (!complaint.empty()) return BackendError{.usage = true, .message = "backend kernel: " + complaint};
  if (session->settings.threads > 0) session->description.max_threads = 0;  // a run cannot be asked for another number
  const std::string_view target =
      session->settings.target.empty() ? std::string_view(deconv_target(0)) : session->settings.target;
  if (!session->settings.keep_subnormals && std::ranges::find(kFlushingTargets, target) != kFlushingTargets.end()) {
    session->description.subnormals = DECONV_SUBNORMALS_FLUSHED_IN_BF16;
  }
  if (!session->settings.keep_subnormals && target == kTargetOfBfdot) {
    session->description.arithmetic = &kArithmeticOfBfdot;
    session->description.arithmetic_count = 1;
  }
  return deconv_backend{.size = sizeof(deconv_backend),
                        .abi = DECONV_BACKEND_ABI,
                        .self = session.release(),
                        .describe = Describe,
                        .run = Run,
                        .close = Close,
                        .resolve = ResolveOperator,
                        .plan = MakePlan,
                        .release = Release,
                        .supports = nullptr};
}

}  // namespace conformance
