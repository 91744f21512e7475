// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) beyond the
// arithmetic: caches that return old values, races, crashes, hangs, and changed state of the caller. A fault that
// strikes only some cases chooses them by a hash of the case (FaultyGeometry::chosen), so that each run meets the same
// ones.

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

// Uses the filter of the first call in the following calls with as many bytes.
void KeepFilter(Call& call) {
  const auto* const filter = static_cast<const unsigned char*>(call.request.filter);
  if (call.state.memory.size() != call.request.filter_bytes) {
    call.state.memory.assign(filter, filter + call.request.filter_bytes);
  }
  if (!call.state.memory.empty()) call.request.filter = call.state.memory.data();
}

// Acts like a cache of packed filters whose key is the address.
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

// Acts like a cache of geometries whose key is the sizes of the tensors.
void KeepPlan(Call& call) {
  const auto found = std::ranges::find_if(
      call.state.geometries, [&](const FaultyGeometry& geometry) { return SameTensors(geometry, call.geometry); });
  if (found != call.state.geometries.end()) {
    call.values = *found;
  } else {
    call.state.geometries.push_back(call.geometry);
  }
}

// Uses the dilations of the call before, and remembers those of this call.
void KeepDilations(Call& call) {
  if (!call.state.geometries.empty() && call.state.geometries.front().axes.size() == call.geometry.axes.size()) {
    for (std::size_t j = 0; j < call.geometry.axes.size(); ++j) {
      call.values.axes[j].dilation = call.state.geometries.front().axes[j].dilation;
    }
  }
  call.state.geometries.assign(1, call.geometry);
}

// Acts like a cache of results that does not look at the data.
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
  constexpr int kAsIfAllWereWell = 0;  // the exit status of success
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

// Whether the fault acts as if two threads wrote this output at the same time. The hash chooses the case, and its bits
// above the lowest six choose the output.
bool IsRaced(const FaultyGeometry& geometry, const TensorIndex& output) {
  if (!geometry.chosen) return false;
  const auto count = static_cast<std::uint64_t>(geometry.OutputCount());
  return static_cast<std::uint64_t>(geometry.OutputOffset(output)) == geometry.hash / 64 % count;
}

// Adds the product of the last input channel kTimes: 0 loses an update of the output, and 2 repeats it.
template <int kTimes>
void RaceLastChannel(const FaultyGeometry& geometry, Product& product) {
  if (product.data.channel == geometry.in_channels - 1 && IsRaced(geometry, product.output)) product.times = kTimes;
}

bool IsMiddle(const FaultyGeometry& geometry, const TensorIndex& output) {
  return geometry.chosen && geometry.OutputOffset(output) == geometry.OutputCount() / 2;
}

bool IsLast(const FaultyGeometry& geometry, const TensorIndex& output) {
  return geometry.OutputOffset(output) == geometry.OutputCount() - 1;
}

// Adds the channels from the last to the first in every second call, so that sums round to other bits.
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

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kConductFaults = {
    Planted("leaves_rounding_upward", "R3", "leaves the thread's rounding mode upward after each call",
            {.after = LeaveRoundingUpward}),
    Planted("leaves_signals_blocked", "R3", "leaves a signal blocked after each call", {.after = LeaveSignalsBlocked}),
    Planted("leaves_locale_changed", "R3", "leaves the process's locale changed after each call",
            {.after = LeaveLocaleChanged}),
    Planted("keeps_filter", "R2", "reuses the filter of the previous call if it had as many bytes",
            {.before = KeepFilter}),
    Planted("keeps_filter_of_pointer", "R2", "reuses the filter of the previous call if it had the same address",
            {.before = KeepFilterOfPointer}),
    Planted("keeps_plan_of_sizes", "R2",
            "reuses strides, dilations and pads of an earlier call if all tensors had the same sizes",
            {.before = KeepPlan}),
    Planted("keeps_dilations", "R2", "reuses the dilations of the previous call if it had as many axes",
            {.before = KeepDilations}),
    Planted("keeps_output", "R2", "returns the output of the previous call if the operator is the same",
            {.after = KeepOutput}),
    Planted("second_call_unwritten", "R2", "does not store the last output in every second call",
            {.leaves = [](const FaultyGeometry& geometry, const TensorIndex& output,
                          std::int64_t /*products*/) { return geometry.calls % 2 == 1 && IsLast(geometry, output); },
             .counts_calls = true},
            "https://github.com/tensorflow/tensorflow/issues/23318"),
    Planted("second_call_reordered", "R2",
            "adds up in another order in every second call, so that bits differ from run to run",
            {.product = ReverseEverySecond, .counts_calls = true},
            "https://github.com/PaddlePaddle/Paddle/issues/21406"),
    Planted("hundredth_call_zero", "R2", "stores zeros from the hundredth call on",
            {.times = [](const FaultyGeometry& geometry,
                         const TensorIndex& /*output*/) { return geometry.calls < 99 ? 1 : 0; },
             .counts_calls = true}),
    Planted("race_loses_update", "R1", "loses one update of one output in one case in 16 (?every=N: in N)",
            {.product = RaceLastChannel<0>}, "https://github.com/XiaoMi/mace/issues/217"),
    Planted("race_repeats_update", "R1", "makes one update of one output twice in one case in 16 (?every=N: in N)",
            {.product = RaceLastChannel<2>}, "https://github.com/uxlfoundation/oneDNN/commit/f5da17b434"),
    Planted("race_loses_output", "R1",
            "stores zero in the middle of the output, where threads meet, in one case in 16 (?every=N: in N)",
            {.times = [](const FaultyGeometry& geometry,
                         const TensorIndex& output) { return IsMiddle(geometry, output) ? 0 : 1; }},
            "https://github.com/uxlfoundation/oneDNN/commit/4b74a3e359"),
    Planted("crashes_sometimes", "M1", "dies by SIGSEGV on one case in 16 (?every=N: in N)", {.before = CrashIfChosen},
            "https://github.com/uxlfoundation/oneDNN/issues/542"),
    Planted("hangs_sometimes", "R1", "never returns on one case in 16 (?every=N: in N)", {.before = HangIfChosen},
            "https://github.com/uxlfoundation/oneDNN/issues/6035"),
    Planted("exits_sometimes", "R1", "ends its process with status 0 on one case in 16 (?every=N: in N)",
            {.before = ExitIfChosen}),
    Planted("crashes_on_zero_batch", "Z1", "dies by SIGFPE on a batch of 0", {.before = CrashOnZeroBatch},
            "https://github.com/tensorflow/tensorflow/issues/13643"),
    Planted("crashes_on_empty_data", "Z1", "dies by SIGSEGV on data with a spatial size of 0",
            {.before = CrashOnEmptyData}, "https://github.com/microsoft/onnxruntime/issues/3728"),
    Planted("crashes_on_many_outputs", "I1", "dies by SIGSEGV on more than 65536 outputs",
            {.before = CrashOnManyOutputs}, "https://github.com/uxlfoundation/oneDNN/commit/7fcafaae2c"),
};

}  // namespace

std::span<const Fault> ConductFaults() { return kConductFaults; }

}  // namespace conformance::faults
