// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of memory:
// reads and writes outside the three buffers, changed inputs, and a need for aligned buffers.

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

enum Buffer { kData, kFilter, kOutput };

struct Extent {
  unsigned char* begin;
  std::size_t bytes;
};

// Returns a buffer of the request for writing. The inputs are const; writing to them is the fault.
template <Buffer kBuffer>
Extent BufferOf(const deconv_run_request& request) {
  if (kBuffer == kOutput) return {static_cast<unsigned char*>(request.output), request.output_bytes};
  const void* const input = kBuffer == kData ? request.data : request.filter;
  return {static_cast<unsigned char*>(const_cast<void*>(input)),
          kBuffer == kData ? request.data_bytes : request.filter_bytes};
}

// Inverts the bytes, so that each of them changes.
void Spoil(unsigned char* at, std::size_t bytes) {
  std::transform(at, at + bytes, at, [](unsigned char byte) { return static_cast<unsigned char>(~byte); });
}

// `volatile` keeps the compiler from leaving out the read.
void Read(const unsigned char* at) {
  [[maybe_unused]] const unsigned char byte = *static_cast<const volatile unsigned char*>(at);
}

// Inverts the element that begins kElements elements behind the end.
template <Buffer kBuffer, std::ptrdiff_t kElements>
void WriteBehind(Call& call) {
  const std::size_t bytes = BytesOf(call.geometry.type);
  const Extent buffer = BufferOf<kBuffer>(call.request);
  Spoil(buffer.begin + buffer.bytes + kElements * static_cast<std::ptrdiff_t>(bytes), bytes);
}

// Inverts the element that begins kElements elements before the first one.
template <Buffer kBuffer, std::ptrdiff_t kElements>
void WriteBefore(Call& call) {
  const std::size_t bytes = BytesOf(call.geometry.type);
  Spoil(BufferOf<kBuffer>(call.request).begin - kElements * static_cast<std::ptrdiff_t>(bytes), bytes);
}

// Reads the byte that lies kBytes bytes behind the first one after the end.
template <Buffer kBuffer, std::ptrdiff_t kBytes>
void ReadBehind(Call& call) {
  const Extent buffer = BufferOf<kBuffer>(call.request);
  Read(buffer.begin + buffer.bytes + kBytes);
}

template <Buffer kBuffer, std::ptrdiff_t kBytes>
void ReadBefore(Call& call) {
  Read(BufferOf<kBuffer>(call.request).begin - kBytes);
}

// Reads a full vector of 16 bytes where fewer bytes of the filter are left.
void ReadVectorsOfFilter(Call& call) {
  constexpr std::size_t kVector = 16;
  if (call.request.filter_bytes % kVector != 0) ReadBehind<kFilter, 0>(call);
}

// A channel tail is the rest of the output channels behind full blocks of four.
void WriteBehindIfChannelTail(Call& call) {
  if (call.geometry.out_channels % 4 != 0) WriteBehind<kOutput, 0>(call);
}

template <Buffer kBuffer>
void SpoilLast(Call& call) {
  const Extent buffer = BufferOf<kBuffer>(call.request);
  const std::size_t bytes = BytesOf(call.geometry.type);
  if (buffer.bytes > 0) Spoil(buffer.begin + buffer.bytes - bytes, bytes);
}

void CrashIfUnaligned(Call& call) {
  constexpr std::uintptr_t kVector = 16;
  for (const void* buffer : {call.request.data, call.request.filter, static_cast<const void*>(call.request.output)}) {
    if (reinterpret_cast<std::uintptr_t>(buffer) % kVector != 0) (void)std::raise(SIGSEGV);
  }
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hook before or
// after the run, a real bug of this kind.
constexpr std::array kMemoryFaults = {
    Planted("writes_past_end", "M1", "writes one element behind the output", {.after = WriteBehind<kOutput, 0>},
            "https://github.com/uxlfoundation/oneDNN/commit/6d7c4ef79c"),
    Planted("writes_before_begin", "M1", "writes one element in front of the output",
            {.after = WriteBefore<kOutput, 1>}),
    Planted("writes_far_past_end", "M1", "writes one element 17 elements behind the output",
            {.after = WriteBehind<kOutput, 16>}, "https://github.com/uxlfoundation/oneDNN/commit/4c2f48dd92"),
    Planted("writes_far_before_begin", "M1", "writes one element 16 elements in front of the output",
            {.after = WriteBefore<kOutput, 16>}),
    Planted("writes_past_data", "M1", "writes one element behind the data", {.after = WriteBehind<kData, 0>}),
    Planted("writes_before_data", "M1", "writes one element in front of the data", {.after = WriteBefore<kData, 1>}),
    Planted("writes_past_filter", "M1", "writes one element behind the filter", {.after = WriteBehind<kFilter, 0>}),
    Planted("writes_before_filter", "M1", "writes one element in front of the filter",
            {.after = WriteBefore<kFilter, 1>}),
    Planted("writes_past_end_of_channel_tail", "M1",
            "writes one element behind the output if four do not divide the output channels",
            {.after = WriteBehindIfChannelTail}, "https://github.com/uxlfoundation/oneDNN/issues/6035"),
    Planted("reads_past_end", "M1", "reads one byte behind the data", {.before = ReadBehind<kData, 0>},
            "https://github.com/uxlfoundation/oneDNN/commit/00d490bbca"),
    Planted("reads_before_data", "M1", "reads one byte in front of the data", {.before = ReadBefore<kData, 1>}),
    Planted("reads_past_filter", "M1", "reads one byte behind the filter", {.before = ReadBehind<kFilter, 0>},
            "https://github.com/google/XNNPACK/issues/11118"),
    Planted("reads_before_filter", "M1", "reads one byte in front of the filter", {.before = ReadBefore<kFilter, 1>}),
    Planted("reads_past_output", "M1", "reads one byte behind the output", {.before = ReadBehind<kOutput, 0>},
            "https://github.com/apache/tvm/issues/6236"),
    Planted("reads_before_output", "M1", "reads one byte in front of the output", {.before = ReadBefore<kOutput, 1>}),
    Planted("reads_far_past_data", "M1", "reads 64 bytes behind the data", {.before = ReadBehind<kData, 64>}),
    Planted("reads_filter_by_vectors", "M1", "reads behind the filter where 16 bytes do not divide it",
            {.before = ReadVectorsOfFilter}, "https://github.com/uxlfoundation/oneDNN/commit/00d490bbca"),
    Planted("needs_alignment", "M1", "dies by SIGSEGV on a buffer that is not aligned to 16 bytes",
            {.before = CrashIfUnaligned}),
    Planted("modifies_data", "M1", "changes the last element of the data after use", {.after = SpoilLast<kData>}),
    Planted("modifies_filter", "M1", "changes the last element of the filter after use", {.after = SpoilLast<kFilter>}),
};

}  // namespace

std::span<const Fault> MemoryFaults() { return kMemoryFaults; }

}  // namespace conformance::faults
