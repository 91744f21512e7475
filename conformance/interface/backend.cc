// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls a backend, the library under test, through the C interface, and checks every answer before the suite uses it.
// If a backend offers plans (prepared operators), every second run of an operator uses one: both ways are tested.

#include "conformance/interface/backend.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/interface/backend_description.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/interface/related_operators.h"
#include "conformance/interface/resolved_geometry.h"
#include "conformance/interface/unsupported.h"
#include "oracle/element_type.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

// The bytes of the operator's largest tensor. The output counts if the operator has a geometry.
std::uint64_t LargestTensor(const oracle::Operator& op, const std::optional<oracle::Geometry>& geometry) {
  const std::uint64_t largest = std::max(TensorBytes(op.data), TensorBytes(op.filter));
  if (!geometry) return largest;
  return std::max(largest, static_cast<std::uint64_t>(geometry->OutputCount()) * oracle::ElementBytes(geometry->type));
}

RunAnswer Broken(std::string what) {
  return {.answer = kContractBroken,
          .output_dims = {},
          .message = "the backend broke the interface's contract: " + std::move(what),
          .implementation = {}};
}

/// Adds the output dims of the request to an answer. Returns kContractBroken if the rank or a dim is out of range.
template <typename Request>
RunAnswer CheckDims(RunAnswer checked, const Request& request) {
  if (request.output_rank < 0 || request.output_rank > DECONV_BACKEND_MAX_RANK) {
    return Broken(fmt::format("output_rank {}, expected 0 to {}", request.output_rank, DECONV_BACKEND_MAX_RANK));
  }
  checked.output_dims.assign(request.output_dims, request.output_dims + request.output_rank);
  if (std::ranges::any_of(checked.output_dims, [](std::int64_t dim) { return dim < 0; })) {
    return Broken(fmt::format("a negative number among the output dims [{}]", fmt::join(checked.output_dims, ", ")));
  }
  return checked;
}

/// Returns `answer` with the message of a request of any kind, or kContractBroken if the message is malformed.
template <typename Request>
RunAnswer CheckMessage(deconv_answer answer, const Request& request) {
  RunAnswer checked{.answer = answer, .output_dims = {}, .message = {}, .implementation = {}};
  const std::size_t length = strnlen(request.message, std::size(request.message));
  if (length == std::size(request.message)) return Broken("a message without its terminating zero byte");
  const std::string_view message(request.message, length);
  if (message.find_first_of("\r\n") != std::string_view::npos) {
    return Broken("a message of several lines: " + Printable(message));
  }
  checked.message = Printable(message);
  return checked;
}

// Checks an answer to deconv_run_request, deconv_resolve_request or deconv_plan_request. kContractBroken with a message
// is allowed: the process interface returns it after a breach of its protocol.
template <typename Request>
RunAnswer CheckAnswer(std::int64_t answer, const Request& request) {
  const bool is_told_breach = answer == kContractBroken && request.message[0] != '\0';
  if ((answer < DECONV_ANSWER_COMPUTED || answer > DECONV_ANSWER_ERROR) && !is_told_breach) {
    return Broken(fmt::format("answer {}, expected {} to {}", answer, static_cast<int>(DECONV_ANSWER_COMPUTED),
                              static_cast<int>(DECONV_ANSWER_ERROR)));
  }
  RunAnswer checked = CheckMessage(static_cast<deconv_answer>(answer), request);
  if (checked.answer != answer) return checked;

  if constexpr (std::is_same_v<Request, deconv_run_request>) {
    const std::size_t name_length = strnlen(request.implementation, std::size(request.implementation));
    if (name_length == std::size(request.implementation)) {
      return Broken("an implementation without its terminating zero byte");
    }
    checked.implementation = Printable(std::string_view(request.implementation, name_length));
  }

  const bool has_dims = answer == DECONV_ANSWER_COMPUTED || answer == DECONV_ANSWER_OTHER_SHAPE;
  if (!has_dims) {
    if (checked.message.empty()) checked.message = kNoReason;
    return checked;
  }
  if constexpr (std::is_same_v<Request, deconv_plan_request>) {
    if (request.plan == nullptr) return Broken("plan() returned computed, but wrote no plan");
    return checked;
  } else {
    return CheckDims(std::move(checked), request);
  }
}

/// The resolved geometry for a request. get() returns NULL if the backend does not take it or the operator is invalid.
class ResolvedRequest {
 public:
  ResolvedRequest(const oracle::Operator& op, oracle::Dialect dialect, const Capabilities& declared) {
    if (!declared.takes_resolved) return;
    const oracle::Resolution resolution = oracle::Resolve(op, dialect, oracle::StepTexts::kLeftOut);
    if (resolution.ok()) resolved_ = ResolvedGeometry(*resolution.geometry);
  }

  const deconv_resolved_geometry* get() const { return resolved_ ? &*resolved_ : nullptr; }

 private:
  std::optional<deconv_resolved_geometry> resolved_;
};

}  // namespace

std::optional<oracle::Dialect> Capabilities::JudgingDialect(const oracle::Operator& op, oracle::Dialect wanted) const {
  const auto speaks = [&](oracle::Dialect dialect) { return Defines(dialect, op.kind); };
  if (speaks(wanted) && std::ranges::find(dialects, wanted) != dialects.end()) return wanted;
  const auto found = std::ranges::find_if(dialects, speaks);
  return found == dialects.end() ? std::nullopt : std::optional(*found);
}

std::string Capabilities::NameAndVersion() const {
  return version.empty() ? name : fmt::format("{} {}", name, version);
}

FloatArithmetic Capabilities::ArithmeticFor(oracle::ElementType type) const {
  const auto row = std::ranges::find(arithmetic, type, &TypeArithmetic::type);
  if (row != arithmetic.end()) return row->arithmetic;
  const bool flushes = subnormals == DECONV_SUBNORMALS_FLUSHED ||
                       (subnormals == DECONV_SUBNORMALS_FLUSHED_IN_BF16 && type == oracle::ElementType::kBf16);
  return {.accumulator = accumulator,
          .rounding = faithful_rounding ? DECONV_ROUNDING_FAITHFUL : DECONV_ROUNDING_NEAREST,
          .subnormals = flushes ? DECONV_SUBNORMALS_FLUSHED : DECONV_SUBNORMALS_KEPT};
}

bool Capabilities::Saturates(oracle::ElementType type) const {
  return overflow == DECONV_OVERFLOW_SATURATES || (saturating_types >> ElementTypeId(type) & 1) != 0;
}

bool Capabilities::ComputesInF32(oracle::ElementType type) const {
  return (types_in_f32 >> ElementTypeId(type) & 1) != 0;
}

std::string Capabilities::UnsupportedReason(const oracle::Operator& op) const {
  const std::string kind(OperatorKindName(op.kind));
  if ((operators >> OperatorId(op.kind) & 1) == 0) return kind + " (not declared)";
  const std::optional<oracle::Dialect> dialect = JudgingDialect(op, oracle::DialectsOf(op.kind).front());
  return dialect ? UnsupportedReason(op, *dialect) : kind + " (no declared dialect defines it)";
}

std::string Capabilities::UnsupportedReason(const oracle::Operator& op, oracle::Dialect dialect) const {
  if ((operators >> OperatorId(op.kind) & 1) == 0) return std::string(OperatorKindName(op.kind)) + " (not declared)";
  for (const oracle::ElementType type : {op.data.type, op.filter.type}) {
    // No backend declares boolean or string. Operators of these types still run: the backend must refuse them.
    if (IsNumeric(type) && (element_types >> ElementTypeId(type) & 1) == 0) {
      return fmt::format("type {} (not declared)", ElementTypeName(type));
    }
  }
  const auto rank = static_cast<std::int64_t>(op.data.dims.size());
  if (rank < min_rank || rank > max_rank) return fmt::format("rank {} (declared: {} to {})", rank, min_rank, max_rank);
  if (max_bytes == 0 && unsupported == 0 && max_attribute == 0) return "";
  const std::optional<oracle::Geometry> geometry = Resolve(op, dialect, oracle::StepTexts::kLeftOut).geometry;
  if (max_bytes != 0) {
    const std::uint64_t largest = LargestTensor(op, geometry);
    if (largest > max_bytes) return fmt::format("a tensor of {} bytes (declared: up to {})", largest, max_bytes);
  }
  if (!geometry) return "";
  if (const std::int64_t largest = LargestAttribute(op, *geometry); max_attribute != 0 && largest > max_attribute) {
    return fmt::format("an attribute of {} (declared: up to {})", largest, max_attribute);
  }
  const std::uint32_t lacking = unsupported & RequiredBits(op, *geometry);
  const auto* const first =
      std::ranges::find_if(kUnsupportedNames, [&](auto& name) { return (lacking & name.bit) != 0; });
  return lacking == 0 ? "" : fmt::format("{} (declared unsupported)", first->phrase);
}

Backend::Backend(const deconv_backend& interface) : interface_(interface) {
  if (!HasResolve(interface_)) interface_.resolve = nullptr;
  if (!HasSupports(interface_)) interface_.supports = nullptr;
  // If the description is broken, the capabilities stay empty, so no operator runs. OpenBackend() reports the error.
  std::variant<Capabilities, std::string> read = ReadDescription(interface);
  if (auto* capabilities = std::get_if<Capabilities>(&read)) capabilities_ = std::move(*capabilities);
}

Backend::~Backend() {
  if (interface_.close != nullptr) interface_.close(interface_.self);
}

RunAnswer Backend::AskSupports(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry& geometry) {
  const OperatorDescription description(op, dialect);
  const deconv_resolved_geometry resolved = ResolvedGeometry(geometry);
  deconv_supports_request request{};
  request.size = sizeof(request);
  request.operation = &description.get();
  request.resolved = capabilities_.takes_resolved ? &resolved : nullptr;
  const std::int32_t returned = interface_.supports(interface_.self, &request);
  // The interface of a process returns kContractBroken, with a message, if the process broke the protocol.
  if (returned == static_cast<std::int32_t>(kContractBroken) && request.message[0] != '\0') {
    return CheckMessage(kContractBroken, request);
  }
  if (returned != 0 && returned != 1) return Broken(fmt::format("supports() returned {}, expected 0 or 1", returned));
  RunAnswer answer = CheckMessage(returned == 1 ? DECONV_ANSWER_COMPUTED : kNotSupported, request);
  if (answer.answer == kNotSupported && answer.message.empty()) answer.message = kNoReason;
  if (answer.answer == kContractBroken) answer.message += " (in an answer of supports)";
  return answer;
}

RunAnswer Backend::Supports(const oracle::Operator& op, oracle::Dialect dialect) {
  RunAnswer yes;
  yes.answer = DECONV_ANSWER_COMPUTED;
  if (!capabilities_.answers_supports) return yes;
  const oracle::Resolution resolution = oracle::Resolve(op, dialect, oracle::StepTexts::kLeftOut);
  return resolution.ok() ? AskSupports(op, dialect, *resolution.geometry) : yes;
}

RunAnswer Backend::Run(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers, int threads) {
  if (!capabilities_.answers_supports && !capabilities_.takes_resolved)
    return RunSupported(op, dialect, buffers, threads);
  const oracle::Resolution resolution = oracle::Resolve(op, dialect, oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) {
    if (!capabilities_.takes_resolved) return RunSupported(op, dialect, buffers, threads);
    return {.answer = kNotSupported, .output_dims = {}, .message = std::string(kSuiteRefused), .implementation = {}};
  }
  if (capabilities_.answers_supports) {
    RunAnswer supported = AskSupports(op, dialect, *resolution.geometry);
    if (supported.answer != DECONV_ANSWER_COMPUTED) return supported;
  }
  RunAnswer answer = RunSupported(op, dialect, buffers, threads);
  if (answer.answer == DECONV_ANSWER_UNSUPPORTED && capabilities_.answers_supports) {
    const RunAnswer again = AskSupports(op, dialect, *resolution.geometry);
    answer.message =
        again.answer == kNotSupported
            ? fmt::format(
                  "supports() changed its mind: yes before run(), and no after run() had answered unsupported "
                  "({}); supports() now says: {}",
                  answer.message, again.message)
            : fmt::format("supports() said yes, and run() answered unsupported: {}", answer.message);
    answer.answer = kBrokenPromise;
  }
  if (answer.answer == DECONV_ANSWER_COMPUTED && capabilities_.takes_resolved && answer.output_dims.empty()) {
    answer.output_dims = resolution.geometry->OutputDims();
  }
  return answer;
}

RunAnswer Backend::RunSupported(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers,
                                int threads) {
  if (!capabilities_.plans) return RunInterface(op, dialect, buffers, threads, nullptr);
  // The first run of `op` uses no plan and stores it in last_. The second run uses a plan and clears last_.
  const bool is_second_run = last_ == op && !buffers.output.empty();
  last_.reset();
  if (is_second_run) {
    if (std::optional<RunAnswer> answer = RunPlanned(op, dialect, buffers, threads)) return *std::move(answer);
  } else {
    last_ = op;
  }
  return RunInterface(op, dialect, buffers, threads, nullptr);
}

/// Owns a plan of a backend, or none, and releases it.
class Backend::InterfacePlan {
 public:
  explicit InterfacePlan(const deconv_backend& interface) : interface_(interface) {}
  ~InterfacePlan() {
    if (plan_ != nullptr) interface_.release(interface_.self, plan_);
  }
  InterfacePlan(const InterfacePlan&) = delete;
  InterfacePlan& operator=(const InterfacePlan&) = delete;

  void Own(void* plan) { plan_ = plan; }
  void* get() const { return plan_; }

 private:
  const deconv_backend& interface_;
  void* plan_ = nullptr;
};

/// Runs `op` through a plan, in four steps: make the plan, run other operators with it, run the plan of another
/// operator (the rival) beside it, and run `op` on `buffers`. Only the last run is judged. Returns nothing if the
/// backend makes no plan for this operator.
std::optional<RunAnswer> Backend::RunPlanned(const oracle::Operator& op, oracle::Dialect dialect,
                                             const RunBuffers& buffers, int threads) {
  const PlanScenario scenario = PlanScenarioOf(op, dialect, capabilities_);
  if (Supports(scenario.made_for, dialect).answer != DECONV_ANSWER_COMPUTED) return std::nullopt;
  InterfacePlan plan(interface_);
  RunAnswer answer = MakePlan(scenario.made_for, dialect, plan);
  if (answer.answer == DECONV_ANSWER_UNSUPPORTED) return std::nullopt;
  if (answer.answer != DECONV_ANSWER_COMPUTED) return answer;
  for (const oracle::Operator& before : scenario.runs) {
    answer = RunForPlan(before, dialect, threads, plan);
    if (answer.answer == DECONV_ANSWER_COMPUTED) continue;
    answer.message = "when a plan was run before the judged run: " + answer.message;
    return answer;
  }
  InterfacePlan rival(interface_);
  if (scenario.rival && Supports(*scenario.rival, dialect).answer == DECONV_ANSWER_COMPUTED) {
    answer = MakePlan(*scenario.rival, dialect, rival);
    // The backend may have no plan for the rival. If it has one, the rival's run must succeed.
    const bool has_plan = answer.answer != DECONV_ANSWER_UNSUPPORTED;
    if (answer.answer == DECONV_ANSWER_COMPUTED) answer = RunForPlan(*scenario.rival, dialect, threads, rival);
    if (has_plan && answer.answer != DECONV_ANSWER_COMPUTED) {
      answer.message = "with the plan of another operator, beside the plan of this one: " + answer.message;
      return answer;
    }
  }
  return RunInterface(op, dialect, buffers, threads, plan.get());
}

RunAnswer Backend::MakePlan(const oracle::Operator& op, oracle::Dialect dialect, InterfacePlan& plan) {
  const OperatorDescription description(op, dialect);
  const ResolvedRequest resolved(op, dialect, capabilities_);
  deconv_plan_request request{};
  request.size = sizeof(request);
  request.operation = &description.get();
  request.resolved = resolved.get();
  RunAnswer answer = CheckAnswer(static_cast<std::int64_t>(interface_.plan(interface_.self, &request)), request);
  if (answer.answer == DECONV_ANSWER_COMPUTED) {
    plan.Own(request.plan);
  } else {
    answer.message = "when asked for a plan: " + answer.message;
  }
  return answer;
}

RunAnswer Backend::RunForPlan(const oracle::Operator& op, oracle::Dialect dialect, int threads,
                              const InterfacePlan& plan) {
  ScratchBuffers scratch(op, dialect);
  if (!scratch.fits() || Supports(op, dialect).answer != DECONV_ANSWER_COMPUTED) {
    RunAnswer nothing;
    nothing.answer = DECONV_ANSWER_COMPUTED;
    return nothing;
  }
  return RunInterface(op, dialect, scratch.get(), threads, plan.get());
}

RunAnswer Backend::RunInterface(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers,
                                int threads, void* plan) {
  const OperatorDescription description(op, dialect);
  const ResolvedRequest resolved(op, dialect, capabilities_);
  // All fields that the backend must write start with invalid values, so that a field it forgets is noticed.
  deconv_run_request request{};
  request.size = sizeof(request);
  request.operation = &description.get();
  request.data = buffers.data.data();
  request.data_bytes = buffers.data.size();
  request.filter = buffers.filter.data();
  request.filter_bytes = buffers.filter.size();
  request.output = buffers.output.data();
  request.output_bytes = buffers.output.size();
  request.threads = threads;
  request.plan = plan;
  request.resolved = resolved.get();
  request.output_rank = capabilities_.takes_resolved ? 0 : -1;
  std::ranges::fill(request.output_dims, -1);
  return CheckAnswer(static_cast<std::int64_t>(interface_.run(interface_.self, &request)), request);
}

ResolveAnswer Backend::Resolve(const oracle::Operator& op, oracle::Dialect dialect) {
  assert(capabilities_.resolves);
  if (RunAnswer supported = Supports(op, dialect); supported.answer != DECONV_ANSWER_COMPUTED) {
    return {.answer = supported.answer,
            .output_dims = {},
            .pads_begin = std::nullopt,
            .message = std::move(supported.message)};
  }
  const OperatorDescription description(op, dialect);
  deconv_resolve_request request{};
  request.size = sizeof(request);
  request.operation = &description.get();
  request.output_rank = -1;
  std::ranges::fill(request.output_dims, -1);
  RunAnswer checked = CheckAnswer(static_cast<std::int64_t>(interface_.resolve(interface_.self, &request)), request);
  ResolveAnswer answer{.answer = checked.answer,
                       .output_dims = std::move(checked.output_dims),
                       .pads_begin = std::nullopt,
                       .message = std::move(checked.message)};
  if (answer.answer == DECONV_ANSWER_COMPUTED && request.tells_pads_begin != 0) {
    const std::size_t axes = answer.output_dims.size() < 2 ? 0 : answer.output_dims.size() - 2;
    answer.pads_begin.emplace(request.pads_begin, request.pads_begin + axes);
  }
  return answer;
}

}  // namespace conformance
