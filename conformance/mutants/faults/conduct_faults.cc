// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults of conduct: state that outlives a call, races, crashes and hangs. Faults that happen only sometimes
// depend on the case, so that a test knows when they happen.

#include <algorithm>
#include <array>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include <unistd.h>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

void KeepFilter(Call& call) {
  const auto* const filter = static_cast<const unsigned char*>(call.request.filter);
  if (call.state.memory.size() != call.request.filter_bytes) {
    call.state.memory.assign(filter, filter + call.request.filter_bytes);
  }
  if (!call.state.memory.empty()) call.request.filter = call.state.memory.data();
}

// As a cache of packed filters does whose key is the address.
void KeepFilterOfPointer(Call& call) {
  const auto* const filter = static_cast<const unsigned char*>(call.request.filter);
  if (call.state.pointer != call.request.filter || call.state.memory.size() != call.request.filter_bytes) {
    call.state.pointer = call.request.filter;
    call.state.memory.assign(filter, filter + call.request.filter_bytes);
  }
  if (!call.state.memory.empty()) call.request.filter = call.state.memory.data();
}

bool SameTensors(const FaultyGeometry& one, const FaultyGeometry& other) {
  const auto same = [](const FaultyAxis& a, const FaultyAxis& b) {
    return a.data == b.data && a.kernel == b.kernel && a.output == b.output;
  };
  return one.type == other.type && one.batch == other.batch && one.groups == other.groups &&
         one.in_channels == other.in_channels && one.out_channels == other.out_channels &&
         one.channels_last == other.channels_last && one.filter_order == other.filter_order &&
         std::ranges::equal(one.axes, other.axes, same);
}

// As a cache of geometries does whose key is the sizes of the tensors.
void KeepPlan(Call& call) {
  const auto found = std::ranges::find_if(
      call.state.geometries, [&](const FaultyGeometry& geometry) { return SameTensors(geometry, call.geometry); });
  if (found != call.state.geometries.end()) {
    call.values = *found;
  } else {
    call.state.geometries.push_back(call.geometry);
  }
}

void KeepDilations(Call& call) {
  if (!call.state.geometries.empty() && call.state.geometries.front().axes.size() == call.geometry.axes.size()) {
    for (std::size_t j = 0; j < call.geometry.axes.size(); ++j) {
      call.values.axes[j].dilation = call.state.geometries.front().axes[j].dilation;
    }
  }
  call.state.geometries.assign(1, call.geometry);
}

// As a cache of results does that does not look at the data.
void KeepOutput(Call& call) {
  auto* const output = static_cast<unsigned char*>(call.request.output);
  const bool known = !call.state.geometries.empty() && call.state.geometries.front().hash == call.geometry.hash;
  if (known && call.state.memory.size() == call.request.output_bytes) {
    std::ranges::copy(call.state.memory, output);
    return;
  }
  call.state.geometries.assign(1, call.geometry);
  call.state.memory.assign(output, output + call.request.output_bytes);
}

void CrashIfChosen(Call& call) {
  if (call.geometry.chosen) (void)std::raise(SIGSEGV);
}

void HangIfChosen(Call& call) {
  while (call.geometry.chosen) (void)pause();
}

void ExitIfChosen(Call& call) {
  constexpr int kAsIfAllWereWell = 0;
  if (call.geometry.chosen) _exit(kAsIfAllWereWell);
}

void CrashOnZeroBatch(Call& call) {
  if (call.geometry.batch == 0) (void)std::raise(SIGFPE);
}

void CrashOnEmptyData(Call& call) {
  if (std::ranges::any_of(call.geometry.axes, [](const FaultyAxis& axis) { return axis.data == 0; }))
    (void)std::raise(SIGSEGV);
}

void CrashOnManyOutputs(Call& call) {
  constexpr std::int64_t kMany = 65536;
  if (call.geometry.OutputCount() > kMany) (void)std::raise(SIGSEGV);
}

// The output that two threads meet at, in a case that has such luck.
bool IsRaced(const FaultyGeometry& geometry, const Place& place) {
  if (!geometry.chosen) return false;
  const auto count = static_cast<std::uint64_t>(geometry.OutputCount());
  return static_cast<std::uint64_t>(geometry.OutputOffset(place)) == geometry.hash / 64 % count;
}

template <int kTimes>
void RaceFirstProduct(const FaultyGeometry& geometry, Product& product) {
  if (product.data.channel == geometry.in_channels - 1 && IsRaced(geometry, product.output)) product.times = kTimes;
}

bool IsMiddle(const FaultyGeometry& geometry, const Place& place) {
  return geometry.chosen && geometry.OutputOffset(place) == geometry.OutputCount() / 2;
}

bool IsLast(const FaultyGeometry& geometry, const Place& place) {
  return geometry.OutputOffset(place) == geometry.OutputCount() - 1;
}

// The channels of every second call from the last to the first: other roundings, other bits.
void ReverseEverySecond(const FaultyGeometry& geometry, Product& product) {
  if (geometry.calls % 2 == 0) return;
  product.data.channel = product.filter.in_channel = geometry.in_channels - 1 - product.data.channel;
}

void LeaveRoundingUpward(Call& /*call*/) { std::fesetround(FE_UPWARD); }

void LeaveSignalsBlocked(Call& /*call*/) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void LeaveLocaleChanged(Call& /*call*/) { std::setlocale(LC_NUMERIC, "C.UTF-8"); }

constexpr std::array kConductFaults = {
    Fault{.name = "leaves_rounding_upward",
          .mutant_class = "R3",
          .sentence = "leaves the thread's rounding mode upward after each call",
          .link = "",
          .hooks = {.after = LeaveRoundingUpward}},
    Fault{.name = "leaves_signals_blocked",
          .mutant_class = "R3",
          .sentence = "leaves a signal blocked after each call",
          .link = "",
          .hooks = {.after = LeaveSignalsBlocked}},
    Fault{.name = "leaves_locale_changed",
          .mutant_class = "R3",
          .sentence = "leaves the process's locale changed after each call",
          .link = "",
          .hooks = {.after = LeaveLocaleChanged}},
    Fault{.name = "keeps_filter",
          .mutant_class = "R2",
          .sentence = "reuses the filter of the previous call if it had as many bytes",
          .link = "",
          .hooks = {.before = KeepFilter}},
    Fault{.name = "keeps_filter_of_pointer",
          .mutant_class = "R2",
          .sentence = "reuses the filter of the previous call if it had the same address",
          .link = "",
          .hooks = {.before = KeepFilterOfPointer}},
    Fault{.name = "keeps_plan_of_sizes",
          .mutant_class = "R2",
          .sentence = "reuses strides, dilations and pads of an earlier call if all tensors had the same sizes",
          .link = "",
          .hooks = {.before = KeepPlan}},
    Fault{.name = "keeps_dilations",
          .mutant_class = "R2",
          .sentence = "reuses the dilations of the previous call if it had as many axes",
          .link = "",
          .hooks = {.before = KeepDilations}},
    Fault{.name = "keeps_output",
          .mutant_class = "R2",
          .sentence = "returns the output of the previous call if the operator is the same",
          .link = "",
          .hooks = {.after = KeepOutput}},
    Fault{.name = "second_call_unwritten",
          .mutant_class = "R2",
          .sentence = "does not store the last output in every second call",
          .link = "https://github.com/tensorflow/tensorflow/issues/23318",
          .hooks = {.leaves =
                        [](const FaultyGeometry& geometry, const Place& place, std::int64_t /*products*/) {
                          return geometry.calls % 2 == 1 && IsLast(geometry, place);
                        },
                    .counts_calls = true}},
    Fault{.name = "second_call_reordered",
          .mutant_class = "R2",
          .sentence = "adds up in another order in every second call, so that bits differ from run to run",
          .link = "https://github.com/PaddlePaddle/Paddle/issues/21406",
          .hooks = {.product = ReverseEverySecond, .counts_calls = true}},
    Fault{.name = "hundredth_call_zero",
          .mutant_class = "R2",
          .sentence = "stores zeros from the hundredth call on",
          .link = "",
          .hooks = {.times = [](const FaultyGeometry& geometry,
                                const Place& /*place*/) { return geometry.calls < 99 ? 1 : 0; },
                    .counts_calls = true}},
    Fault{.name = "race_loses_update",
          .mutant_class = "R1",
          .sentence = "loses one update of one output in one case in 16 (?every=N: in N)",
          .link = "https://github.com/XiaoMi/mace/issues/217",
          .hooks = {.product = RaceFirstProduct<0>}},
    Fault{.name = "race_repeats_update",
          .mutant_class = "R1",
          .sentence = "makes one update of one output twice in one case in 16 (?every=N: in N)",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/f5da17b434",
          .hooks = {.product = RaceFirstProduct<2>}},
    Fault{.name = "race_loses_output",
          .mutant_class = "R1",
          .sentence = "stores zero in the middle of the output, where threads meet, in one case in 16 (?every=N: in N)",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/4b74a3e359",
          .hooks = {.times = [](const FaultyGeometry& geometry,
                                const Place& place) { return IsMiddle(geometry, place) ? 0 : 1; }}},
    Fault{.name = "crashes_sometimes",
          .mutant_class = "M1",
          .sentence = "dies by SIGSEGV on one case in 16 (?every=N: in N)",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/542",
          .hooks = {.before = CrashIfChosen}},
    Fault{.name = "hangs_sometimes",
          .mutant_class = "R1",
          .sentence = "never returns on one case in 16 (?every=N: in N)",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/6035",
          .hooks = {.before = HangIfChosen}},
    Fault{.name = "exits_sometimes",
          .mutant_class = "R1",
          .sentence = "ends its process with status 0 on one case in 16 (?every=N: in N)",
          .link = "",
          .hooks = {.before = ExitIfChosen}},
    Fault{.name = "crashes_on_zero_batch",
          .mutant_class = "Z1",
          .sentence = "dies by SIGFPE on a batch of 0",
          .link = "https://github.com/tensorflow/tensorflow/issues/13643",
          .hooks = {.before = CrashOnZeroBatch}},
    Fault{.name = "crashes_on_empty_data",
          .mutant_class = "Z1",
          .sentence = "dies by SIGSEGV on data with a spatial size of 0",
          .link = "https://github.com/microsoft/onnxruntime/issues/3728",
          .hooks = {.before = CrashOnEmptyData}},
    Fault{.name = "crashes_on_many_outputs",
          .mutant_class = "I1",
          .sentence = "dies by SIGSEGV on more than 65536 outputs",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/7fcafaae2c",
          .hooks = {.before = CrashOnManyOutputs}},
};

}  // namespace

std::span<const Fault> ConductFaults() { return kConductFaults; }

}  // namespace conformance::faults
