// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of mutants, special backends for tests, that have the function supports() or take resolved geometry. The
// suite asks supports() whether the backend supports an operator. Resolved geometry is sizes and pads that the suite
// has computed. Some mutants are correct; each of the others breaks one promise of the interface.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <variant>

#include <unistd.h>

#include "conformance/interface/answer.h"
#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/faulty_backend.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

using SupportsRequest = deconv_supports_request;

constexpr const char* kOneGroup = "only one group";

/// Returns why the mutant "limited" does not support an operator, or nullptr if it does. Returns nullptr for an invalid
/// operator too, which the mutant refuses when it is run.
const char* LimitOf(const deconv_operator_description& description) {
  const auto made = MakeFaultyGeometry(ReadAttributes(description));
  const auto* geometry = std::get_if<FaultyGeometry>(&made);
  if (geometry == nullptr) return nullptr;
  if (geometry->groups > 1) return kOneGroup;
  for (const FaultyAxis& axis : geometry->axes) {
    if (axis.dilation > 1) return "no dilations";
  }
  for (const FaultyAxis& axis : geometry->axes) {
    const std::int64_t natural = axis.stride * (axis.data - 1) + axis.dilation * (axis.kernel - 1) + 1;
    const std::int64_t pads_end = natural + axis.output_padding - axis.pads_begin - axis.output;
    if (axis.pads_begin != pads_end) return "only equal pads at both ends";
  }
  return nullptr;
}

bool IsGrouped(const deconv_operator_description& description) {
  const char* const limit = LimitOf(description);
  return limit != nullptr && std::strcmp(limit, kOneGroup) == 0;
}

std::int32_t SayNo(SupportsRequest& request, std::string_view why) {
  WriteMessage(request, why);
  return 0;
}

std::int32_t SupportLimited(void* /*self*/, SupportsRequest* request) {
  const char* const limit = LimitOf(*request->operation);
  return limit == nullptr ? 1 : SayNo(*request, limit);
}

std::int32_t SupportOneGroup(void* /*self*/, SupportsRequest* request) {
  return IsGrouped(*request->operation) ? SayNo(*request, kOneGroup) : 1;
}

std::int32_t SupportFickle(void* self, SupportsRequest* request) {
  return ++StateOf(self).questions % 2 == 0 ? SayNo(*request, "not today") : 1;
}

std::int32_t ForgetAfterARun(void* self, SupportsRequest* request) {
  return StateOf(self).calls != 0 ? SayNo(*request, "no memory is left") : 1;
}

/// Answers no with a message that has no terminating zero byte.
std::int32_t SayEndlessly(void* /*self*/, SupportsRequest* request) {
  std::memset(request->message, 'x', sizeof request->message);
  return 0;
}

std::int32_t SayInTwoLines(void* /*self*/, SupportsRequest* request) {
  std::strcpy(request->message, "one\ntwo");
  return 0;
}

std::int32_t WriteToSuite(void* /*self*/, SupportsRequest* /*request*/) {
  [[maybe_unused]] const ssize_t written = write(kSuiteSocket, "yes", 3);
  return 1;
}

std::int32_t CrashIfGrouped(void* /*self*/, SupportsRequest* request) {
  if (IsGrouped(*request->operation)) std::abort();
  return 1;
}

std::int32_t HangIfGrouped(void* /*self*/, SupportsRequest* request) {
  while (IsGrouped(*request->operation)) pause();
  return 1;
}

/// Replaces only the function supports().
template <auto kSupports>
void ReplaceSupports(deconv_backend& interface) {
  interface.supports = kSupports;
}

template <std::int32_t kAnswer>
std::int32_t SupportAlways(void* /*self*/, SupportsRequest* /*request*/) {
  return kAnswer;
}

/// Aborts if the suite runs an operator that supports() did not accept.
deconv_answer RunWithinLimits(void* self, deconv_run_request* request) {
  if (LimitOf(*request->operation) != nullptr) std::abort();
  return RunFaulty(self, request);
}

/// The hook `refuses` of mutants that support no operator.
const char* NoKernelForThisShape(const FaultyGeometry& /*geometry*/) { return "no kernel for this shape"; }

/// Acts like a library that prints to stdout, with and without its buffer, and waits for a key.
void PrintAndAsk() {
  std::puts("{\"id\": 0, \"answer\": \"computed\"}");
  [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, "tracing ...\n", 12);
  [[maybe_unused]] const int key = std::getchar();
}

void PrintAtEachStep(deconv_backend& interface) {
  PrintAndAsk();
  interface.supports = [](void* self, SupportsRequest* request) {
    PrintAndAsk();
    return SupportOneGroup(self, request);
  };
  interface.run = [](void* self, deconv_run_request* request) {
    PrintAndAsk();
    return RunFaulty(self, request);
  };
}

/// Computes from the resolved geometry alone, like a plain function that would crash without it.
deconv_answer RunResolved(void* /*self*/, deconv_run_request* request) {
  if (request->resolved == nullptr) std::abort();
  const deconv_resolved_geometry& from = *request->resolved;
  FaultyGeometry geometry;
  geometry.type = from.element_type;
  geometry.channels_last = from.channels_last != 0;
  geometry.filter_order =
      from.filter_layout == DECONV_FILTER_XIO ? FilterOrder::kChannelsLast : FilterOrder::kChannelsFirst;
  geometry.batch = from.batch;
  geometry.groups = from.groups;
  geometry.in_channels = from.in_channels / from.groups;
  geometry.out_channels = from.out_channels / from.groups;
  for (std::int32_t j = 0; j < from.spatial_rank; ++j) {
    geometry.axes.push_back({.data = from.data[j],
                             .kernel = from.kernel[j],
                             .stride = from.strides[j],
                             .dilation = from.dilations[j],
                             .pads_begin = from.pads_begin[j],
                             .output = from.output[j]});
  }
  Compute(geometry, geometry, {}, static_cast<const unsigned char*>(request->data),
          static_cast<const unsigned char*>(request->filter), static_cast<unsigned char*>(request->output));
  request->output_rank = 0;  // the output's dims are left to the suite
  return DECONV_ANSWER_COMPUTED;
}

deconv_answer ClaimOtherDims(void* self, deconv_run_request* request) {
  const deconv_answer answer = RunResolved(self, request);
  WriteOutputDims(*request, std::array<std::int64_t, 3>{7, 7, 7});
  return answer;
}

deconv_answer ClaimOtherRank(void* self, deconv_run_request* request) {
  const deconv_answer answer = RunResolved(self, request);
  request->output_rank = 99;
  return answer;
}

void DeclareTakesResolved(deconv_backend_description& description, const State& /*state*/) {
  description.takes_resolved = 1;
}

/// Replaces run() and supports(), and removes resolve().
template <auto kRun, auto kSupports>
void TakeResolved(deconv_backend& interface) {
  interface.run = kRun;
  interface.resolve = nullptr;
  interface.supports = kSupports;
}

// Columns: name, what the mutant does, and the hooks that do it.
constexpr std::array kSupportsMutants = {
    Mutant("limited", "supports one group, dilations of 1 and equal pads, says so, and dies if it is run on others",
           {.interface =
                [](deconv_backend& interface) {
                  interface.supports = SupportLimited;
                  interface.run = RunWithinLimits;
                }}),
    Mutant("fickle", "says at every second question that it supports nothing",
           {.interface = ReplaceSupports<SupportFickle>}),
    Mutant("unfaithful", "says that it supports an operator, and then that it does not",
           {.refuses = NoKernelForThisShape, .unsupported = true, .interface = ReplaceSupports<SupportAlways<1>>}),
    Mutant("forgetful", "is unfaithful, and after a run says that it supports nothing",
           {.refuses = NoKernelForThisShape, .unsupported = true, .interface = ReplaceSupports<ForgetAfterARun>}),
    Mutant("supports_all", "says that it supports every operator", {.interface = ReplaceSupports<SupportAlways<1>>}),
    Mutant("supports_nothing", "says that it supports nothing, and not why",
           {.interface = ReplaceSupports<SupportAlways<0>>}),
    Mutant("supports_5", "returns 5 from supports()", {.interface = ReplaceSupports<SupportAlways<5>>}),
    Mutant("supports_minus_1", "returns -1 from supports()", {.interface = ReplaceSupports<SupportAlways<-1>>}),
    Mutant("supports_endless", "gives a reason without end", {.interface = ReplaceSupports<SayEndlessly>}),
    Mutant("supports_lines", "gives a reason of two lines", {.interface = ReplaceSupports<SayInTwoLines>}),
    Mutant("supports_socket", "writes its answer into the suite's socket",
           {.interface = ReplaceSupports<WriteToSuite>}),
    Mutant("supports_crash", "aborts when it is asked about a grouped operator",
           {.interface = ReplaceSupports<CrashIfGrouped>}),
    Mutant("supports_hang", "never answers when it is asked about a grouped operator",
           {.interface = ReplaceSupports<HangIfGrouped>}),
    Mutant("unsupported", "calls unsupported what it, or a fault beside it, refuses although it is valid",
           {.unsupported = true}),
    Mutant("prints", "supports one group, and prints and reads a key at each step", {.interface = PrintAtEachStep}),
    Mutant("resolved", "takes resolved geometry, and looks at nothing else",
           {.declares = DeclareTakesResolved, .interface = TakeResolved<RunResolved, nullptr>}),
    Mutant("resolved_one_group", "takes resolved geometry, and supports one group",
           {.declares = DeclareTakesResolved, .interface = TakeResolved<RunResolved, SupportOneGroup>}),
    Mutant("resolved_dims", "takes resolved geometry, and answers other dims",
           {.declares = DeclareTakesResolved, .interface = TakeResolved<ClaimOtherDims, nullptr>}),
    Mutant("resolved_rank", "takes resolved geometry, and answers a rank of 99",
           {.declares = DeclareTakesResolved, .interface = TakeResolved<ClaimOtherRank, nullptr>}),
};

}  // namespace

std::span<const Fault> SupportsMutants() { return kSupportsMutants; }

}  // namespace conformance::faults
