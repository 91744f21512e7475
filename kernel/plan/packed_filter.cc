// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements three functions of the C interface. deconv_pack_filter writes a header, and behind it the weights in the
// order in which a plan reads them. deconv_packed_filter_read reads the header. deconv_packed_filter_check finds
// damaged bytes.
#include "kernel/plan/packed_filter.h"

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/base/fp_environment.h"
#include "kernel/base/status.h"
#include "kernel/base/tagged_struct.h"
#include "kernel/include/deconv/deconv.h"
#include "kernel/plan/plan.h"

namespace deconv {
namespace {

// Writes a name into a field of the header, and zeros behind it. A name that is too long is cut.
template <size_t kSize>
void WriteName(const char* name, std::array<char, kSize>& field) {
  field = {};
  std::copy_n(name, std::min(std::strlen(name), kSize - 1), field.begin());
}

template <size_t kSize>
bool HasName(const std::array<char, kSize>& field, const char* name) {
  std::array<char, kSize> expected;
  WriteName(name, expected);
  return field == expected;
}

// Returns the hash with a word added. For a given word, different hashes stay different; for a given hash, different
// words give different results. So a change of a single word always changes the final hash.
uint64_t HashWord(uint64_t hash, uint64_t word) {
  hash =
      (hash ^ word) * 0x9e3779b97f4a7c15u;  // 2^64 divided by the golden ratio; odd, so that no two products are equal
  return hash ^ (hash >> 32);
}

// Returns `hash` with `count` bytes added. Words of eight bytes are first added to eight independent hashes in turn: a
// CPU computes these at the same time, but each step on one hash must wait for the step before it. The eight hashes,
// and the words of the last incomplete round, are then added to `hash`.
uint64_t HashBytes(const char* bytes, size_t count, uint64_t hash) {
  constexpr size_t kStates = 8;  // a guess: 64 bytes, a cache line, in each round
  std::array<uint64_t, kStates> states = {};
  size_t at = 0;
  for (; at + sizeof(states) <= count; at += sizeof(states)) {
    std::array<uint64_t, kStates> words;
    std::memcpy(words.data(), bytes + at, sizeof(words));
    for (size_t i = 0; i < kStates; ++i) states[i] = HashWord(states[i], words[i]);
  }
  for (const uint64_t state : states) hash = HashWord(hash, state);
  for (; at < count; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min(sizeof(word), count - at));
    hash = HashWord(hash, word);
  }
  return hash;
}

// Returns the hash of `header` (with 0 for its hash) and of all bytes behind the header in `packed`. It begins with 1,
// since a hash of 0 would stay 0 while the words are 0.
uint64_t HashOfPackedFilter(PackedHeader header, const char* packed) {
  header.hash = 0;
  const uint64_t header_hash = HashBytes(reinterpret_cast<const char*>(&header), sizeof(header), 1);
  return HashBytes(packed + sizeof(header), kPackedHeaderBytes - sizeof(header) + header.payload_bytes, header_hash);
}

// Fails if the header is not that of a packed filter. If it passes, its strings end with a zero byte.
Status CheckHeader(const PackedHeader& header) {
  const PackedHeader expected;
  if (header.magic != expected.magic) {
    return Fail(DECONV_INVALID_ARGUMENT, "packed_filter: is not a packed filter, expected \"%.8s\" at its beginning",
                expected.magic.data());
  }
  if (header.byte_order != expected.byte_order || header.format != expected.format) {
    return Fail(DECONV_INVALID_ARGUMENT,
                "packed_filter: has byte order %08" PRIx32 " and format %" PRIu32 ", expected %08" PRIx32
                " and %" PRIu32,
                header.byte_order, header.format, expected.byte_order, expected.format);
  }
  if (header.version.back() != 0 || header.algorithm.back() != 0 || header.target.back() != 0) {
    return Fail(DECONV_INVALID_ARGUMENT, "packed_filter: has a damaged header, expected names that end in a zero byte");
  }
  return {};
}

// Copies the header from the buffer. Fails if another version wrote it, or a plan with another packing id.
Status ReadHeader(const deconv_plan& plan, const void* packed, PackedHeader& header) {
  std::memcpy(&header, packed, sizeof(header));
  if (Status s = CheckHeader(header); !s.Ok()) return s;
  if (!HasName(header.version, deconv_version())) {
    return Fail(DECONV_INVALID_ARGUMENT, "packed_filter: was packed by version %s, expected %s", header.version.data(),
                deconv_version());
  }
  if (header.packing_id != plan.packing_id || header.payload_bytes != plan.algorithm->PackedBytes() ||
      !HasName(header.algorithm, plan.algorithm_name) || !HasName(header.target, plan.algorithm->Target())) {
    return Fail(DECONV_INVALID_ARGUMENT,
                "packed_filter: was packed for another plan: %016" PRIx64 ", %s on %s, %" PRIu64
                " bytes; expected %016" PRIx64 ", %s on %s, %zu bytes; pack the filter again with this plan",
                header.packing_id, header.algorithm.data(), header.target.data(),
                kPackedHeaderBytes + header.payload_bytes, plan.packing_id, plan.algorithm_name,
                plan.algorithm->Target(), plan.packed_bytes);
  }
  return {};
}

// Writes header and weights. The buffers have passed CheckBuffer.
Status PackWithHeader(const deconv_plan& plan, const char* filter, char* packed) {
  const FloatEnvironment environment;
  std::memset(packed, 0, kPackedHeaderBytes);
  PackedHeader header;
  header.packing_id = plan.packing_id;
  header.payload_bytes = plan.algorithm->PackedBytes();
  WriteName(deconv_version(), header.version);
  WriteName(plan.algorithm_name, header.algorithm);
  WriteName(plan.algorithm->Target(), header.target);
  if (header.payload_bytes > 0) header.finite = plan.algorithm->Pack(filter, packed + kPackedHeaderBytes) ? 1 : 0;
  header.hash = HashOfPackedFilter(header, packed);
  std::memcpy(packed, &header, sizeof(header));
  return {};
}

// Fails if the plan does not accept the packed filter, or if a byte of it was damaged.
Status CheckPackedFilter(const deconv_plan& plan, const void* packed, size_t packed_bytes) {
  PackedHeader header;
  if (Status s = ReadPackedFilter(plan, packed, packed_bytes, header); !s.Ok()) return s;
  const uint64_t hash = HashOfPackedFilter(header, static_cast<const char*>(packed));
  if (hash != header.hash) {
    return Fail(DECONV_INVALID_ARGUMENT, "packed_filter: is damaged: hashes to %016" PRIx64 ", expected %016" PRIx64,
                hash, header.hash);
  }
  return {};
}

Status ReadInfo(const void* packed, size_t packed_bytes, deconv_packed_filter_info& info) {
  if (Status s = CheckTagged("info", &info, sizeof(info), sizeof(info)); !s.Ok()) return s;
  if (Status s = CheckBuffer("packed", packed, packed_bytes, kPackedHeaderBytes); !s.Ok()) return s;
  PackedHeader header;
  std::memcpy(&header, packed, sizeof(header));
  if (Status s = CheckHeader(header); !s.Ok()) return s;
  info.packing_id = header.packing_id;
  info.bytes = kPackedHeaderBytes + header.payload_bytes;
  std::copy(header.version.begin(), header.version.end(), info.version);
  std::copy(header.algorithm.begin(), header.algorithm.end(), info.algorithm);
  std::copy(header.target.begin(), header.target.end(), info.target);
  return {};
}

}  // namespace

Status ReadPackedFilter(const deconv_plan& plan, const void* packed, size_t packed_bytes, PackedHeader& header) {
  // The header is checked before the size: for a packed filter of another plan, a longer buffer would not help.
  if (packed != nullptr && packed_bytes >= kPackedHeaderBytes) {
    if (Status s = ReadHeader(plan, packed, header); !s.Ok()) return s;
  }
  return CheckBuffer("packed_filter", packed, packed_bytes, plan.packed_bytes);
}

}  // namespace deconv

extern "C" {

deconv_code deconv_pack_filter(const deconv_plan* plan, const void* filter, size_t filter_bytes, void* packed,
                               size_t packed_bytes, deconv_status* status) {
  using namespace deconv;  // NOLINT(google-build-using-namespace): the definitions of one C function
  if (plan == nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "plan: is a null pointer, expected a plan of deconv_plan_create")
        .Report(status);
  }
  if (const Status s = CheckBuffer("filter", filter, filter_bytes, plan->geometry.filter_bytes); !s.Ok()) {
    return s.Report(status);
  }
  if (const Status s = CheckBuffer("packed", packed, packed_bytes, plan->packed_bytes); !s.Ok()) {
    return s.Report(status);
  }
  if (const Status s =
          CheckNoOverlap({"packed", packed, plan->packed_bytes}, {"filter", filter, plan->geometry.filter_bytes});
      !s.Ok()) {
    return s.Report(status);
  }
  return PackWithHeader(*plan, static_cast<const char*>(filter), static_cast<char*>(packed)).Report(status);
}

deconv_code deconv_packed_filter_read(const void* packed, size_t packed_bytes, deconv_packed_filter_info* info,
                                      deconv_status* status) {
  using deconv::Fail;
  if (info == nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "info: is a null pointer, expected a deconv_packed_filter_info")
        .Report(status);
  }
  return deconv::ReadInfo(packed, packed_bytes, *info).Report(status);
}

deconv_code deconv_packed_filter_check(const deconv_plan* plan, const void* packed, size_t packed_bytes,
                                       deconv_status* status) {
  using namespace deconv;  // NOLINT(google-build-using-namespace): the definitions of one C function
  if (plan == nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "plan: is a null pointer, expected a plan of deconv_plan_create")
        .Report(status);
  }
  return CheckPackedFilter(*plan, packed, packed_bytes).Report(status);
}

}  // extern "C"
