// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The header at the beginning of every packed filter. (A packed filter holds the weights in the order in which a plan
// reads them.) It may come from another process, machine or version of the library. So the header is trusted only as
// far as it was checked.
#ifndef DECONV_KERNEL_PLAN_PACKED_FILTER_H_
#define DECONV_KERNEL_PLAN_PACKED_FILTER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernel/base/status.h"
#include "kernel/plan/plan.h"

namespace deconv {

struct PackedHeader {
  std::array<char, 8> magic = {'d', 'e', 'c', 'o', 'n', 'v', 'p', 'f'};
  uint32_t byte_order = 0x01020304;  // a machine with the other byte order reads 0x04030201
  uint32_t format = 1;               // format of this header; `version` decides the order of the weights behind it
  uint64_t packing_id = 0;           // deconv_plan::packing_id
  uint64_t payload_bytes = 0;        // bytes of the weights
  uint64_t hash = 0;                 // hash of the header, with 0 for this member, and of the payload
  uint32_t finite = 1;               // 1: no weight is NaN or infinite
  uint32_t reserved = 0;
  // Names of the library's version, the algorithm and the target (instruction set), padded with zeros. The last byte is
  // always 0.
  std::array<char, 16> version = {};
  std::array<char, 24> algorithm = {};
  std::array<char, 24> target = {};
};
// Bytes before the weights: two cache lines, so that the weights begin at a cache line if the buffer does. The bytes
// between the struct and the weights are zero.
inline constexpr size_t kPackedHeaderBytes = 128;
static_assert(sizeof(PackedHeader) <= kPackedHeaderBytes && std::has_unique_object_representations_v<PackedHeader>);

// Reads and checks the header of a packed filter. Fails if another version of the library packed it, or a plan with
// another packing id, or if the buffer is too short.
Status ReadPackedFilter(const deconv_plan& plan, const void* packed, size_t packed_bytes, PackedHeader& header);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_PACKED_FILTER_H_
