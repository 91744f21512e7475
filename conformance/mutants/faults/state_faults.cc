// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of state:
// inputs that are changed and restored, leaks of memory, files and threads, outputs that depend on the number of
// threads, and caches and plans that wrongly keep values of an earlier run. A plan is an operator that is prepared once
// and run many times.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "conformance/interface/answer.h"
#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

// Acts like an implementation that flips an operand in place and restores it. The last byte is inverted twice.
void ChangeAndRestore(const void* input, std::size_t bytes) {
  if (bytes == 0) return;
  auto* const last = static_cast<volatile unsigned char*>(const_cast<void*>(input)) + bytes - 1;
  for (int i = 0; i < 2; ++i) *last = static_cast<unsigned char>(~*last);
}

void RestoreData(Call& call) { ChangeAndRestore(call.request.data, call.request.data_bytes); }
void RestoreFilter(Call& call) { ChangeAndRestore(call.request.filter, call.request.filter_bytes); }

// Leaks memory in each call. The memory stays reachable, so that leak checkers do not report the suite's own tests.
void LosePackedFilter(Call& call) {
  const auto* const filter = static_cast<const unsigned char*>(call.request.filter);
  if (filter != nullptr) call.state.lost.emplace_back(filter, filter + call.request.filter_bytes);
}

void LoseOpenFile(Call& /*call*/) { (void)open("/dev/null", O_RDONLY | O_CLOEXEC); }

// One call in 16 leaves a thread behind. If every call did, the threads would exceed the limits of containers.
constexpr std::uint64_t kCallsForAThread = 16;

void LoseThread(Call& call) {
  if (call.state.calls % kCallsForAThread != 0) return;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&small, std::size_t{1} << 16);
  pthread_t thread{};
  const auto sleep = [](void*) -> void* {
    for (;;) pause();
  };
  (void)pthread_create(&thread, &small, sleep, nullptr);
  pthread_attr_destroy(&small);
}

// Inverts all bits of the last output element.
void SpoilLastOutput(const Call& call) {
  auto* const output = static_cast<unsigned char*>(call.request.output);
  const auto bytes = static_cast<std::size_t>(BytesOf(call.geometry.type));
  if (call.request.output_bytes < bytes) return;
  unsigned char* const end = output + call.request.output_bytes;
  std::transform(end - bytes, end, end - bytes, [](unsigned char byte) { return static_cast<unsigned char>(~byte); });
}

// Tests often try only one, two, four or all threads.
void SpoilWithThreeThreads(Call& call) {
  if (call.request.threads == 3) SpoilLastOutput(call);
}

// Spoils the last output if the number of threads is even, above 2, and does not divide the rows. Rows are the
// positions of the last axis but one, or of the only axis.
void SpoilWithUnevenRows(Call& call) {
  const std::vector<FaultyAxis>& axes = call.geometry.axes;
  const std::int64_t rows = axes[axes.size() < 2 ? 0 : axes.size() - 2].output;
  const std::int32_t threads = call.request.threads;
  if (threads > 2 && threads % 2 == 0 && rows % threads != 0) SpoilLastOutput(call);
}

// Leaves the samples beyond the batch of the plan's operator at zero.
void KeepBatch(Call& call) {
  const std::int64_t batch = call.geometry.batch;
  if (call.plan == nullptr || call.plan->made_for.batch >= batch) return;
  const std::size_t sample = call.request.output_bytes / static_cast<std::size_t>(batch);
  auto* const output = static_cast<unsigned char*>(call.request.output);
  std::fill(output + sample * static_cast<std::size_t>(call.plan->made_for.batch), output + call.request.output_bytes,
            static_cast<unsigned char>(0));
}

// Uses the pads_begin of the operator for which the plan was made.
void KeepPads(Call& call) {
  if (call.plan == nullptr) return;
  for (std::size_t j = 0; j < call.values.axes.size(); ++j) {
    call.values.axes[j].pads_begin = call.plan->made_for.axes[j].pads_begin;
  }
}

// Behaves like a library whose plans share one table of axes. The first run of each plan fills the table anew.
void ShareAxes(Call& call) {
  if (call.plan == nullptr) return;
  if (call.plan->ran.empty()) call.state.geometries.assign(1, call.geometry);
  const std::vector<FaultyAxis>& shared = call.state.geometries.front().axes;
  for (std::size_t j = 0; j < std::min(shared.size(), call.values.axes.size()); ++j) {
    call.values.axes[j].stride = shared[j].stride;
    call.values.axes[j].dilation = shared[j].dilation;
  }
}

bool HaveSameSizes(const FaultyGeometry& one, const FaultyGeometry& other) {
  const auto same = [](const FaultyAxis& a, const FaultyAxis& b) { return a.data == b.data && a.output == b.output; };
  return one.batch == other.batch && std::ranges::equal(one.axes, other.axes, same);
}

bool HaveSameData(const FaultyGeometry& one, const FaultyGeometry& other) {
  return one.batch == other.batch && std::ranges::equal(one.axes, other.axes, {}, &FaultyAxis::data, &FaultyAxis::data);
}

// Acts like a plan that confuses two sets of sizes: those of its operator and those of the last run. It is wrong once
// it has run other sizes and comes back.
void ForgetOwnOperator(Call& call) {
  if (call.plan == nullptr || !HaveSameSizes(call.geometry, call.plan->made_for)) return;
  const bool ran_other_sizes = std::ranges::any_of(
      call.plan->ran, [&](const FaultyGeometry& ran) { return !HaveSameSizes(ran, call.plan->made_for); });
  if (ran_other_sizes) SpoilLastOutput(call);
}

// Acts like a plan that computes its output dims anew only if the data have other sizes.
void KeepOutputSize(Call& call) {
  if (call.plan == nullptr || !HaveSameData(call.geometry, call.plan->made_for)) return;
  WriteOutputDims(call.request, call.plan->made_for.OutputDims());
}

// The numbers of an axis on which a cached table depends.
constexpr std::array kKeyMembers = {&FaultyAxis::data, &FaultyAxis::kernel, &FaultyAxis::stride, &FaultyAxis::dilation,
                                    &FaultyAxis::pads_begin};

// Whether all axes are equal in all numbers of the key except `missing`.
bool SameAxesBut(std::int64_t FaultyAxis::* missing, const FaultyGeometry& one, const FaultyGeometry& other) {
  return std::ranges::equal(one.axes, other.axes, [missing](const FaultyAxis& a, const FaultyAxis& b) {
    return std::ranges::all_of(kKeyMembers, [&](auto member) { return member == missing || a.*member == b.*member; });
  });
}

// Acts like a cache that keeps a table for each axis. The key lacks one number, so it finds a wrong table.
template <std::int64_t FaultyAxis::* kMissing>
void KeepAxes(Call& call) {
  for (const FaultyGeometry& known : call.state.geometries) {
    if (!SameAxesBut(kMissing, known, call.geometry)) continue;
    for (std::size_t j = 0; j < known.axes.size(); ++j) call.values.axes[j].*kMissing = known.axes[j].*kMissing;
    return;
  }
  call.state.geometries.push_back(call.geometry);
}

// The most threads that a mutant declares: the state_faults_test runs each number up to it.
constexpr int kThreads = 8;

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and hooks that
// change steps of a correct loop (fault_hooks.h).
constexpr std::array kStateFaults = {
    Planted("restores_data", "M1", "changes the data during the call and restores them", {.before = RestoreData}),
    Planted("restores_filter", "M1", "changes the filter during the call and restores it", {.before = RestoreFilter}),
    Planted("loses_packed_filter", "R2", "does not free its copy of the filter after a call",
            {.before = LosePackedFilter}),
    Planted("loses_open_file", "R2", "does not close a file that each call opens", {.before = LoseOpenFile}),
    Planted("loses_thread", "R2", "leaves a sleeping thread behind after every 16th call", {.before = LoseThread}),
    Planted("wrong_with_three_threads", "R1", "spoils the last output with exactly three threads",
            {.after = SpoilWithThreeThreads, .max_threads = kThreads}),
    Planted("wrong_with_uneven_rows", "R1",
            "spoils the last output with an even number of threads above 2 that does not divide the rows",
            {.after = SpoilWithUnevenRows, .max_threads = kThreads}),
    Planted("cache_lacks_strides", "R2", "keeps tables of axes, under a key without the strides",
            {.before = KeepAxes<&FaultyAxis::stride>}),
    Planted("cache_lacks_dilations", "R2", "keeps tables of axes, under a key without the dilations",
            {.before = KeepAxes<&FaultyAxis::dilation>}),
    Planted("cache_lacks_pads_begin", "R2", "keeps tables of axes, under a key without pads_begin",
            {.before = KeepAxes<&FaultyAxis::pads_begin>}),
    Planted("plan_keeps_batch", "R2", "a plan computes as many samples as the operator has that it was made for",
            {.after = KeepBatch, .plans = true}),
    Planted("plan_keeps_pads", "R2", "a plan keeps the pads_begin of the operator that it was made for",
            {.before = KeepPads, .plans = true}),
    Planted("plans_share_axes", "R2", "all plans share one table of strides and dilations",
            {.before = ShareAxes, .plans = true}),
    Planted("plan_forgets_its_operator", "R2",
            "a plan spoils the last output when it goes back to the operator that it was made for",
            {.after = ForgetOwnOperator, .plans = true}),
    Planted("plan_keeps_output_size", "R2",
            "a plan answers its first output dims as long as the data have the same dims",
            {.after = KeepOutputSize, .plans = true}),
};

}  // namespace

std::span<const Fault> StateFaults() { return kStateFaults; }

}  // namespace conformance::faults
