// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the C interface with the hooked implementation: a plain loop with one planted fault, that is a step that
// is wrong on purpose. Tests of the suite and `deconv-cts power` run it as the backend "fault:NAME".

#include "conformance/mutants/hooked/faulty_backend.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/interface/answer.h"
#include "conformance/interface/backend_description.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

// A fault that strikes only some cases strikes one case in 16 by default. A run of some hundred cases then has many
// failures, and most of its cases still pass.
constexpr std::uint64_t kEvery = 16;

constexpr std::array<const char*, 10> kDialects = {
    "openvino-spec", "openvino-runtime", "onednn-spec", "onednn-runtime", "onnx-11",
    "onnx-1",        "onnxruntime",      "onnx-22",     "tensorflow",     nullptr};

// The state behind deconv_backend::self.
struct FaultyBackend {
  const Fault* fault;
  std::uint64_t every = kEvery;
  std::string name;
  State state;
  deconv_backend_description description{};
};

// Whether `accepted`, the rule that a fault does not enforce, names the rule or its group: "lengths" also names
// "lengths:strides".
bool Accepts(std::string_view accepted, std::string_view rule) {
  return !accepted.empty() && (rule == accepted || rule.substr(0, rule.find(':')) == accepted);
}

// Answers that an invalid operator was computed, with the dims of the data as output dims.
deconv_answer Accept(const Attributes& attributes, deconv_run_request& request) {
  WriteOutputDims(request, attributes.data);
  return DECONV_ANSWER_COMPUTED;
}
deconv_answer Accept(const Attributes& attributes, deconv_resolve_request& request) {
  return AnswerResolved(request, attributes.data, List(std::max<std::size_t>(attributes.data.size(), 2) - 2, 0));
}

// A resolved operator, before it is computed.
struct Prepared {
  FaultyGeometry geometry;
  List dims;  ///< the output dims of the answer
};

// Does the steps of a request that need no buffers: reads and resolves the attributes, and calls their hooks. Returns
// the geometry, or an answer that ends the request (the operator is invalid, or a hook refuses it).
template <class Request>
std::variant<Prepared, deconv_answer> Prepare(const FaultyBackend& backend, Request& request) {
  const Hooks& hooks = backend.fault->hooks;
  Attributes attributes = ReadAttributes(*request.operation);
  const std::uint64_t hash = CaseHash(attributes);
  if (hooks.attributes != nullptr) hooks.attributes(attributes);
  std::variant<FaultyGeometry, Broken> made = MakeFaultyGeometry(attributes);
  if (const auto* broken = std::get_if<Broken>(&made)) {
    if (hooks.refusing != nullptr) hooks.refusing(*broken);
    if (!Accepts(hooks.accepts, broken->rule)) return Answer(request, DECONV_ANSWER_REFUSED, broken->message);
    return Accept(attributes, request);
  }
  Prepared prepared{.geometry = std::get<FaultyGeometry>(std::move(made)), .dims = {}};
  FaultyGeometry& geometry = prepared.geometry;
  geometry.hash = hash;
  geometry.chosen = hash % backend.every == 0;
  geometry.calls = backend.state.calls;
  if (const char* reason = hooks.refuses == nullptr ? nullptr : hooks.refuses(geometry)) {
    return Answer(request, hooks.unsupported ? DECONV_ANSWER_UNSUPPORTED : DECONV_ANSWER_REFUSED, reason);
  }
  if (hooks.shape != nullptr) hooks.shape(geometry);
  prepared.dims = geometry.OutputDims();
  if (hooks.dims != nullptr) hooks.dims(geometry, prepared.dims);
  return prepared;
}

// Computes the outputs with the hooks of the fault. Answers otherwise if the operator is refused or a buffer has a
// wrong size.
deconv_answer RunChecked(FaultyBackend& backend, deconv_run_request& request) {
  const Hooks& hooks = backend.fault->hooks;
  auto prepared = Prepare(backend, request);
  if (const auto* other = std::get_if<deconv_answer>(&prepared)) {
    ++backend.state.calls;
    return *other;
  }
  const auto& [layout, dims] = std::get<Prepared>(prepared);
  WriteOutputDims(request, dims);
  const std::uint64_t bytes = BytesOf(layout.type);
  const deconv_answer answer = CheckBuffers(request, static_cast<std::uint64_t>(layout.DataCount()) * bytes,
                                            static_cast<std::uint64_t>(layout.FilterCount()) * bytes,
                                            static_cast<std::uint64_t>(layout.OutputCount()) * bytes);
  if (answer != DECONV_ANSWER_COMPUTED) return answer;

  FaultyGeometry values = layout;
  if (hooks.values != nullptr) hooks.values(values);
  auto* const plan = static_cast<PlanHistory*>(request.plan);
  Call call{.geometry = layout, .values = values, .request = request, .state = backend.state, .plan = plan};
  if (hooks.before != nullptr) hooks.before(call);
  Compute(layout, values, hooks, static_cast<const unsigned char*>(request.data),
          static_cast<const unsigned char*>(request.filter), static_cast<unsigned char*>(request.output));
  if (hooks.after != nullptr) hooks.after(call);
  if (plan != nullptr) plan->ran.push_back(layout);
  ++backend.state.calls;
  return DECONV_ANSWER_COMPUTED;
}

// The hook `values` also changes the pads_begin that resolve() reports, so that the report agrees with the run.
deconv_answer ResolveChecked(const FaultyBackend& backend, deconv_resolve_request& request) {
  auto prepared = Prepare(backend, request);
  if (const auto* other = std::get_if<deconv_answer>(&prepared)) return *other;
  auto& [geometry, dims] = std::get<Prepared>(prepared);
  if (backend.fault->hooks.values != nullptr) backend.fault->hooks.values(geometry);
  List pads_begin;
  for (const FaultyAxis& axis : geometry.axes) pads_begin.push_back(axis.pads_begin);
  return AnswerResolved(request, dims, pads_begin);
}

deconv_answer MakePlan(void* /*self*/, deconv_plan_request* request) {
  try {
    auto made = MakeFaultyGeometry(ReadAttributes(*request->operation));
    if (std::holds_alternative<Broken>(made)) return DECONV_ANSWER_UNSUPPORTED;
    request->plan = new PlanHistory{.made_for = std::get<FaultyGeometry>(std::move(made)), .ran = {}};
    return DECONV_ANSWER_COMPUTED;
  } catch (const std::exception&) {  // out of memory
    return DECONV_ANSWER_ERROR;
  }
}

void Release(void* /*self*/, void* plan) { std::unique_ptr<PlanHistory>(static_cast<PlanHistory*>(plan)).reset(); }

const deconv_backend_description* Describe(void* self) { return &static_cast<FaultyBackend*>(self)->description; }

void Close(void* self) { std::unique_ptr<FaultyBackend>(static_cast<FaultyBackend*>(self)).reset(); }

/// Reads "every=N", or the value of the name that the fault takes. Returns false if `config` is neither.
bool Configure(std::string_view config, FaultyBackend& backend) {
  const std::size_t equals = config.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view value = config.substr(equals + 1);
  const std::string_view takes = backend.fault->hooks.takes;
  if (config.substr(0, equals) != (takes.empty() ? "every" : takes)) return false;
  backend.state.value = value;
  if (!takes.empty()) return !value.empty();
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), backend.every);
  return error == std::errc() && end == value.data() + value.size() && backend.every != 0;
}

// The backend's name. The names of many joined faults are longer than a backend's name may be, so the rest is cut off.
std::string NameOf(const Fault& fault) {
  std::string name = fmt::format("fault:{}", fault.name);
  if (name.size() >= kMaxName) name.replace(kMaxName - 4, std::string::npos, "...");
  return name;
}

}  // namespace

deconv_answer RunFaulty(void* self, deconv_run_request* request) {
  try {
    return RunChecked(*static_cast<FaultyBackend*>(self), *request);
  } catch (const std::exception& e) {  // out of memory
    return Answer(*request, DECONV_ANSWER_ERROR, e.what());
  }
}

deconv_answer ResolveFaulty(void* self, deconv_resolve_request* request) {
  try {
    return ResolveChecked(*static_cast<FaultyBackend*>(self), *request);
  } catch (const std::exception& e) {  // out of memory
    return Answer(*request, DECONV_ANSWER_ERROR, e.what());
  }
}

State& StateOf(void* self) { return static_cast<FaultyBackend*>(self)->state; }

OpenedInterface OpenFaultyBackend(const Fault& fault, std::string_view config) {
  auto backend = std::make_unique<FaultyBackend>();
  backend->fault = &fault;
  if (!config.empty() && !Configure(config, *backend)) {
    return BackendError{.usage = true,
                        .message = fmt::format("backend fault:{}: configuration '{}', expected {}", fault.name, config,
                                               fault.hooks.takes.empty() ? "every=N with N of 1 or more"
                                                                         : fmt::format("{}=VALUE", fault.hooks.takes))};
  }
  backend->name = NameOf(fault);
  backend->description = {
      .size = sizeof(deconv_backend_description),
      .name = backend->name.c_str(),
      .version = "1",
      .dialects = kDialects.data(),
      .operators = 0xf,        // all
      .element_types = 0xfff,  // all
      .min_rank = 3,
      .max_rank = 10,
      .max_bytes = 0,
      .accumulator = fault.hooks.numbers.accumulator,
      .faithful_rounding = 0,
      .subnormals = DECONV_SUBNORMALS_KEPT,
      .overflow = DECONV_OVERFLOW_WRAPS,
      .deterministic = DECONV_SAME_BITS_EVERY_RUN,
      .max_threads = fault.hooks.max_threads,
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
  if (fault.hooks.declares != nullptr) fault.hooks.declares(backend->description, backend->state);
  deconv_backend interface = {.size = sizeof(deconv_backend),
                              .abi = DECONV_BACKEND_ABI,
                              .self = backend.release(),
                              .describe = Describe,
                              .run = RunFaulty,
                              .close = Close,
                              .resolve = ResolveFaulty,
                              .plan = fault.hooks.plans ? MakePlan : nullptr,
                              .release = fault.hooks.plans ? Release : nullptr,
                              .supports = nullptr};
  if (fault.hooks.interface != nullptr) fault.hooks.interface(interface);
  return interface;
}

}  // namespace conformance::faults
