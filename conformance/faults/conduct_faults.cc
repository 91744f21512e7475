// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of conduct: memory that is not the backend's, state that outlives a call, crashes and hangs. What happens
// sometimes is chosen by the case, so that everybody can say when it must have happened.

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include <unistd.h>

#include "conformance/faults/fault.h"
#include "conformance/faults/number.h"

namespace conformance::faults {
namespace {

// Inverts an element's bytes: never what was there before.
void Spoil(unsigned char* at, std::size_t bytes) {
  std::transform(at, at + bytes, at, [](unsigned char byte) { return static_cast<unsigned char>(~byte); });
}

// The request's inputs are const, as is right; writing to them is the fault.
void SpoilInput(const void* input, std::size_t input_bytes, std::size_t element_bytes) {
  if (input_bytes == 0) return;
  auto* const last = static_cast<unsigned char*>(const_cast<void*>(input)) + input_bytes - element_bytes;
  Spoil(last, element_bytes);
}

void WritePastEnd(Call& call) {
  Spoil(static_cast<unsigned char*>(call.request.output) + call.request.output_bytes, BytesOf(call.plan.type));
}

void WriteBeforeBegin(Call& call) {
  const std::size_t bytes = BytesOf(call.plan.type);
  Spoil(static_cast<unsigned char*>(call.request.output) - bytes, bytes);
}

void ReadPastEnd(Call& call) {
  const volatile unsigned char* end = static_cast<const unsigned char*>(call.request.data) + call.request.data_bytes;
  [[maybe_unused]] const unsigned char byte = *end;
}

void KeepFilter(Call& call) {
  const auto* const filter = static_cast<const unsigned char*>(call.request.filter);
  if (call.state.memory.size() != call.request.filter_bytes) {
    call.state.memory.assign(filter, filter + call.request.filter_bytes);
  }
  if (!call.state.memory.empty()) call.request.filter = call.state.memory.data();
}

void CrashIfChosen(Call& call) {
  if (call.chosen()) (void)std::raise(SIGSEGV);
}

void HangIfChosen(Call& call) {
  while (call.chosen()) (void)pause();
}

void CrashIfUnaligned(Call& call) {
  constexpr std::uintptr_t kVector = 16;
  for (const void* buffer : {call.request.data, call.request.filter, static_cast<const void*>(call.request.output)}) {
    if (reinterpret_cast<std::uintptr_t>(buffer) % kVector != 0) (void)std::raise(SIGSEGV);
  }
}

constexpr std::array kFaults = {
    Fault{.name = "writes_past_end",
          .mutant_class = "M1",
          .sentence = "writes one element behind the output",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/6d7c4ef79c",
          .hooks = {.after = WritePastEnd}},
    Fault{.name = "writes_before_begin",
          .mutant_class = "M1",
          .sentence = "writes one element in front of the output",
          .link = "",
          .hooks = {.after = WriteBeforeBegin}},
    Fault{.name = "reads_past_end",
          .mutant_class = "M1",
          .sentence = "reads one byte behind the data",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/00d490bbca",
          .hooks = {.before = ReadPastEnd}},
    Fault{.name = "needs_alignment",
          .mutant_class = "M1",
          .sentence = "dies by SIGSEGV on a buffer that is not aligned to 16 bytes",
          .link = "",
          .hooks = {.before = CrashIfUnaligned}},
    Fault{.name = "modifies_data",
          .mutant_class = "M1",
          .sentence = "changes the last element of the data after use",
          .link = "",
          .hooks = {.after =
                        [](Call& call) {
                          SpoilInput(call.request.data, call.request.data_bytes, BytesOf(call.plan.type));
                        }}},
    Fault{.name = "modifies_filter",
          .mutant_class = "M1",
          .sentence = "changes the last element of the filter after use",
          .link = "",
          .hooks = {.after =
                        [](Call& call) {
                          SpoilInput(call.request.filter, call.request.filter_bytes, BytesOf(call.plan.type));
                        }}},
    Fault{.name = "keeps_filter",
          .mutant_class = "R2",
          .sentence = "uses the filter of the call before again if it had as many bytes",
          .link = "",
          .hooks = {.before = KeepFilter}},
    Fault{.name = "crashes_sometimes",
          .mutant_class = "M1",
          .sentence = "dies by SIGSEGV on one case in 16 (\"?every=N\": in N)",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/542",
          .hooks = {.before = CrashIfChosen}},
    Fault{.name = "hangs_sometimes",
          .mutant_class = "R1",
          .sentence = "never returns on one case in 16 (\"?every=N\": in N)",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/6035",
          .hooks = {.before = HangIfChosen}},
};

}  // namespace

std::span<const Fault> ConductFaults() { return kFaults; }

}  // namespace conformance::faults
