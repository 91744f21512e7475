// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of mutants, backends that misbehave on purpose, whose runs go wrong: values, time, answer or process. Tests
// of the suite use them to see that the suite survives and reports such a backend. A mutant whose name begins with
// "four" is right unless the last axis of the data has 4 elements; so a test chooses the case that fails.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "conformance/interface/answer.h"
#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/faulty_backend.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

/// Replaces each stored output of a floating type by the result of `change`.
template <typename Change>
void ChangeOutputs(Call& call, Change change) {
  const std::int32_t type = call.geometry.type;
  if (!IsFloating(type)) return;  // StoreDouble() would write eight bytes
  auto* at = static_cast<unsigned char*>(call.request.output);
  for (std::int64_t i = 0; i < call.geometry.OutputCount(); ++i, at += BytesOf(type)) {
    StoreDouble(type, change(i, LoadDouble(type, at)), at);
  }
}

double StoreF64InBf16(std::int32_t type, double sum, std::int64_t /*products*/) {
  return type == DECONV_ID_F64 ? static_cast<double>(RoundTo(DECONV_ID_BF16, static_cast<float>(sum))) : sum;
}

/// Rounds sums of types below 64 bits to bf16. The 64-bit sum has not wrapped yet, so its value is known.
std::uint64_t StoreIntegerInBf16(std::int32_t type, std::uint64_t sum) {
  if (BytesOf(type) == 8) return sum;
  const auto rounded = RoundTo(DECONV_ID_BF16, static_cast<float>(static_cast<std::int64_t>(sum)));
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded));
}

void CopyData(Call& call) {
  auto* const output = static_cast<char*>(call.request.output);
  const auto* const data = static_cast<const char*>(call.request.data);
  for (std::size_t i = 0; i < call.request.output_bytes && call.request.data_bytes != 0; ++i) {
    output[i] = data[i % call.request.data_bytes];
  }
}

void StoreNanAtEnd(Call& call) {
  if (!IsFloating(call.geometry.type)) return;
  const std::int64_t last = call.geometry.OutputCount() - 1;
  ChangeOutputs(call, [last](std::int64_t i, double value) { return i == last ? NAN : value; });
}

/// Moves output 1 up by as many numbers of f32 as the configuration says.
void MoveOutputAway(Call& call) {
  const int ulps = std::atoi(call.state.value.c_str());
  ChangeOutputs(call, [ulps](std::int64_t i, double value) {
    auto moved = static_cast<float>(value);
    for (int step = 0; i == 1 && step < ulps; ++step) moved = std::nextafter(moved, INFINITY);
    return moved;
  });
}

void MoveOutputOfOneThread(Call& call) {
  if (call.request.threads != 1) return;
  ChangeOutputs(call, [](std::int64_t i, double value) { return i == 1 ? value + 1 : value; });
}

/// Rounds each partial sum towards zero to f32.
double CutToF32(std::int32_t /*type*/, double sum, double product, std::int64_t /*nth*/) {
  const double exact = sum + product;
  const auto nearest = static_cast<float>(exact);
  return std::abs(nearest) > std::abs(exact) ? std::nextafter(nearest, 0.0F) : nearest;
}

/// The Euclidean norm of a tensor.
double NormOf(std::int32_t type, const void* tensor, std::size_t bytes) {
  const auto* const elements = static_cast<const unsigned char*>(tensor);
  double squares = 0;
  for (std::size_t at = 0; at < bytes; at += BytesOf(type)) squares += std::pow(LoadDouble(type, elements + at), 2);
  return std::sqrt(squares);
}

/// Adds an error of 2^kExponent times the norms of the operands to every output, like an algorithm by transforms.
template <int kExponent>
void Smear(Call& call) {
  const std::int32_t type = call.geometry.type;
  const double norm = NormOf(type, call.request.data, call.request.data_bytes) *
                      NormOf(type, call.request.filter, call.request.filter_bytes);
  ChangeOutputs(call, [norm](std::int64_t, double value) { return value + std::ldexp(norm, kExponent); });
}

/// Adds channels from the last to the first if the number of threads is not 1.
void ChooseOrderByThreads(Call& call) { call.values.calls = call.request.threads != 1 ? 1 : 0; }

void ReverseChannels(const FaultyGeometry& geometry, Product& product) {
  if (geometry.calls == 0) return;
  product.data.channel = product.filter.in_channel = geometry.in_channels - 1 - product.data.channel;
}

/// Gives a wrong value that no planted fault gives, if the stride along the first axis is 3 or more. With kSecond also
/// if the first axis has no pad.
template <bool kSecond>
void MakeDefect(Call& call) {
  const FaultyAxis& axis = call.geometry.axes.front();
  if (axis.stride < 3 && !(kSecond && axis.pads_begin == 0)) return;
  ChangeOutputs(call, [](std::int64_t, double value) { return value == 0 ? 0 : 2 * std::abs(value) + 1; });
}

/// Declares only floating types, because ChangeOutputs changes no others.
void DeclareFloats(deconv_backend_description& description, const State& /*state*/) {
  description.element_types = 1U << DECONV_ID_F64 | 1U << DECONV_ID_F32 | 1U << DECONV_ID_F16 | 1U << DECONV_ID_BF16;
}

/// Uses the filter of a plan's first run in all of its runs.
void KeepFilterOfPlan(Call& call) {
  if (call.plan == nullptr) return;
  const auto* const filter = static_cast<const unsigned char*>(call.request.filter);
  if (call.plan->ran.empty()) call.state.memory.assign(filter, filter + call.request.filter_bytes);
  call.request.filter = call.state.memory.data();
}

/// Does kAction if the last axis of the data has 4 elements.
template <auto kAction>
void OnFour(Call& call) {
  if (call.geometry.axes.back().data == 4) kAction(call);
}

void EatMemory(Call& call) {
  for (;;) call.state.lost.emplace_back(std::size_t{1} << 20, 'x');
}

void WriteToNull(Call& /*call*/) {
  volatile char* const nothing = nullptr;
  *nothing = 0;  // NOLINT(clang-analyzer-core.NullDereference)
}

void ReadFarBehindData(Call& call) {
  const auto* const data = static_cast<const volatile unsigned char*>(call.request.data);
  for (std::size_t i = 0; i < call.request.data_bytes + 8192; ++i) [[maybe_unused]]
    const unsigned char byte = data[i];
}

/// Uses the CPU until `end`.
void ComputeUntil(std::chrono::steady_clock::time_point end) {
  while (std::chrono::steady_clock::now() < end) {
  }
}

void ComputeForEver(Call& call) {
  if (call.geometry.chosen) ComputeUntil(std::chrono::steady_clock::time_point::max());
}

/// Behaves like a backend that compiles each operator before its first run. The configuration is the time in ms.
void ComputeLongInFirstRun(Call& call) {
  const auto same = [&](const FaultyGeometry& geometry) { return geometry.hash == call.geometry.hash; };
  if (std::ranges::any_of(call.state.geometries, same)) return;
  call.state.geometries.push_back(call.geometry);
  ComputeUntil(std::chrono::steady_clock::now() + std::chrono::milliseconds(std::atoi(call.state.value.c_str())));
}

[[noreturn]] void ThrowNoStrides() { throw std::runtime_error("no strides"); }

/// Throws an exception in a `noexcept` function, which ends the process.
void LetExceptionEscape(Call& /*call*/) noexcept { ThrowNoStrides(); }  // NOLINT(bugprone-exception-escape)

/// Whether this process is the first one that asks for the file `mark`. The first one creates the file.
bool IsFirstOf(const std::string& mark) { return open(mark.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0; }

/// Chooses the trouble of a case by a hash of the operator and its values. "crash" is chosen in 1 % of the cases,
/// "protocol" in 0.5 %, "hang" in 0.2 %, and an empty text (no trouble) in all others.
std::string_view TroubleOf(const Call& call) {
  std::uint64_t hash = call.geometry.hash ^ 0xCBF29CE484222325;  // FNV-1a, with its start value and its prime
  const auto add = [&hash](const void* from, std::size_t bytes) {
    const auto* const at = static_cast<const unsigned char*>(from);
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * 0x100000001B3;
  };
  add(call.request.data, call.request.data_bytes);
  add(call.request.filter, call.request.filter_bytes);
  // FNV's low bits are weak, so that the bits are mixed once more.
  const std::uint64_t per_mille = ((hash ^ hash >> 29) * 0xBF58476D1CE4E5B9 >> 20) % 1000;
  if (per_mille < 10) return "crash";
  if (per_mille < 12) return "hang";
  return per_mille < 17 ? "protocol" : "";
}

void MakeTrouble(Call& call) {
  const std::string_view trouble = TroubleOf(call);
  [[maybe_unused]] ssize_t written = write(STDOUT_FILENO, "computed\n", 9);
  call.state.lost.emplace_back(std::size_t{1} << 20, 'x');
  if (trouble == "crash") std::abort();
  if (trouble == "protocol") written = write(kSuiteSocket, "computed\n", 9);
  while (trouble == "hang") pause();
}

/// Lets run() compute the operator correctly, and then changes its answer if outputs were computed.
template <auto kChange>
void ChangeAnswer(deconv_backend& interface) {
  interface.run = [](void* self, deconv_run_request* request) {
    const deconv_answer answer = RunFaulty(self, request);
    return answer == DECONV_ANSWER_COMPUTED ? kChange(*request) : answer;
  };
}

deconv_answer GrowShape(deconv_run_request& request) {
  ++request.output_dims[request.output_rank - 1];
  return DECONV_ANSWER_OTHER_SHAPE;
}

deconv_answer GiveUnknownAnswer(deconv_run_request& /*request*/) {
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): the answer must be out of range
  return static_cast<deconv_answer>(DECONV_ANSWER_ERROR + 1);
}

/// Checks the size of the data's buffer before it resolves the operator.
deconv_answer CheckSizesFirst(void* self, deconv_run_request* request) {
  const deconv_tensor_description& data = request->operation->data;
  std::size_t bytes = BytesOf(data.element_type);
  for (std::int64_t j = 0; j < data.dims.count; ++j) bytes *= static_cast<std::size_t>(data.dims.values[j]);
  return request->data_bytes == bytes ? RunFaulty(self, request) : DECONV_ANSWER_ERROR;
}

deconv_answer RefuseWithoutData(void* self, deconv_run_request* request) {
  return request->data == nullptr ? DECONV_ANSWER_REFUSED : RunFaulty(self, request);
}

/// Fails on dilations, with another message for each rank. Also fails on a stride of 3 or more along the last axis,
/// with another message for a large batch.
deconv_answer FailInSeveralWords(void* self, deconv_run_request* request) {
  const deconv_operator_description& op = *request->operation;
  const auto fail = [&](const char* words) {
    std::snprintf(request->message, sizeof(request->message), "%s", words);
    return DECONV_ANSWER_ERROR;
  };
  if (op.dilations.values != nullptr &&
      std::ranges::any_of(std::span(op.dilations.values, static_cast<std::size_t>(op.dilations.count)),
                          [](auto d) { return d > 1; })) {
    return fail(op.data.dims.count == 3 ? "the line is dilated" : "dilation of a plane");
  }
  if (op.strides.values != nullptr && op.strides.count > 0 && op.strides.values[op.strides.count - 1] >= 3) {
    return fail(op.data.dims.values[0] < 3 ? "wrong number of rows" : "a batch has lost rows");
  }
  return RunFaulty(self, request);
}

// Columns: name, what the mutant does, and the hooks that do it.
constexpr std::array kRunMutants = {
    Mutant("echo", "copies the data to the output", {.after = CopyData}),
    Mutant("wrong_shape", "makes the last dimension one larger", {.interface = ChangeAnswer<GrowShape>}),
    Mutant("nan", "writes NaN as the last output", {.after = StoreNanAtEnd}),
    Mutant("wide_types_in_bf16", "rounds sums of f64 and of integers of up to 32 bits to bf16",
           {.numbers = {.stores = StoreF64InBf16, .stores_integer = StoreIntegerInBf16}}),
    Mutant("garbage", "returns an answer that the interface does not define",
           {.interface = ChangeAnswer<GiveUnknownAnswer>}),
    Mutant("slow", "waits 20 ms in each run", {.before = [](Call&) { usleep(20000); }}),
    Mutant("computes_for_ever", "computes without an end in one case in 16 (?every=N: in N)",
           {.before = ComputeForEver}),
    Mutant("slow_at_first", "computes for a time in the first run of each operator (?ms=N)",
           {.before = ComputeLongInFirstRun, .takes = "ms"}),
    Mutant("checks_sizes_first", "reports an error for a buffer of another size before it looks at attributes",
           {.interface = [](deconv_backend& interface) { interface.run = CheckSizesFirst; }}),
    Mutant("refuses_without_data", "refuses where there are no data",
           {.interface = [](deconv_backend& interface) { interface.run = RefuseWithoutData; }}),
    Mutant("fails_in_several_words", "reports errors for dilations and for long strides, each in several words",
           {.interface = [](deconv_backend& interface) { interface.run = FailInSeveralWords; }}),

    Mutant("ulps", "moves output 1 some numbers of f32 away (?ulps=N)", {.after = MoveOutputAway, .takes = "ulps"}),
    Mutant("f32_sums_truncated", "cuts sums of f32 off instead of rounding them", {.numbers = {.adds = CutToF32}}),
    Mutant("smeared", "adds 2^-23 of the operands' norms to every output", {.after = Smear<-23>}),
    Mutant("smeared_far", "adds 2^-8 of the operands' norms to every output", {.after = Smear<-8>}),
    Mutant("order_by_threads", "adds in another order with other numbers of threads than 1",
           {.product = ReverseChannels, .before = ChooseOrderByThreads, .max_threads = 2}),
    Mutant("wrong_with_one_thread", "moves output 1 with one thread",
           {.after = MoveOutputOfOneThread, .max_threads = 2}),
    Mutant("first_defect", "gives wrong values with a stride of 3 or more along the first axis",
           {.after = MakeDefect<false>, .declares = DeclareFloats}),
    Mutant("two_defects", "has the first defect, and gives wrong values without a pad along the first axis",
           {.after = MakeDefect<true>, .declares = DeclareFloats}),

    Mutant("plan_refused", "offers plans, and cannot make any",
           {.plans = true,
            .interface =
                [](deconv_backend& interface) { interface.plan = [](auto...) { return DECONV_ANSWER_UNSUPPORTED; }; }}),
    Mutant("plan_missing", "makes plans without writing them",
           {.plans = true,
            .interface =
                [](deconv_backend& interface) { interface.plan = [](auto...) { return DECONV_ANSWER_COMPUTED; }; }}),
    Mutant("plan_keeps_filter", "a plan keeps the filter of its first run",
           {.before = KeepFilterOfPlan, .plans = true}),
    Mutant("plan_keeps_dims", "answers the dims of the operator that the plan was made for",
           {.after =
                [](Call& call) {
                  if (call.plan != nullptr) WriteOutputDims(call.request, call.plan->made_for.OutputDims());
                },
            .plans = true}),

    Mutant("four_socket", "writes into the suite's socket",
           {.before = OnFour<[](Call&) { [[maybe_unused]] const ssize_t n = write(kSuiteSocket, "no answer", 9); }>}),
    Mutant("four_eats_memory", "allocates memory without end", {.before = OnFour<EatMemory>}),
    Mutant("four_exits", "ends its process with status 0", {.before = OnFour<[](Call&) { _exit(0); }>}),
    Mutant("four_aborts", "aborts with a last word", {.before = OnFour<[](Call&) {
                                                        std::fputs("assertion failed: strides\n", stderr);
                                                        std::abort();
                                                      }>}),
    Mutant("four_throws", "throws an exception that nothing catches", {.before = OnFour<LetExceptionEscape>}),
    Mutant("four_null", "writes to NULL", {.before = OnFour<WriteToNull>}),
    Mutant("four_overruns", "reads two pages behind the data", {.before = OnFour<ReadFarBehindData>}),
    Mutant("four_killed", "is killed", {.before = OnFour<[](Call&) { std::raise(SIGKILL); }>}),
    Mutant("four_killed_once", "is killed if it is the first process to make a file (?mark=PATH)",
           {.before = OnFour<[](Call& call) {
              if (IsFirstOf(call.state.value)) std::raise(SIGKILL);
            }>,
            .takes = "mark"}),
    Mutant("four_stalls_once", "sleeps for an hour if it is the first process to make a file (?mark=PATH)",
           {.before = OnFour<[](Call& call) {
              if (IsFirstOf(call.state.value)) sleep(3600);
            }>,
            .takes = "mark"}),

    Mutant("troubled", "prints and leaks in each run, and in some cases dies, hangs or writes into the suite's socket",
           {.after = MakeTrouble}),
    Mutant("flips_but_dot_i8", "names an implementation for i8 that is right, and flips the filter in another one",
           {.product =
                [](const FaultyGeometry& geometry, Product& product) {
                  if (geometry.type == DECONV_ID_I8) return;
                  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
                    product.filter.tap[j] = geometry.axes[j].kernel - 1 - product.filter.tap[j];
                  }
                },
            .after =
                [](Call& call) {
                  WriteImplementation(call.request, call.geometry.type == DECONV_ID_I8 ? "dot_i8" : "gemm");
                }}),
    Mutant("troubled_marked", "is right, and names the trouble that \"troubled\" makes as its implementation",
           {.after = [](Call& call) { WriteImplementation(call.request, TroubleOf(call)); }}),
};

}  // namespace

std::span<const Fault> RunMutants() { return kRunMutants; }

}  // namespace conformance::faults
