// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan behind the public handle: geometry, algorithm, and the header that every packed filter begins with.
#ifndef DECONV_KERNEL_PLAN_H_
#define DECONV_KERNEL_PLAN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernel/algorithm.h"
#include "kernel/geometry.h"

namespace deconv {

// First bytes of a packed filter. `plan` tells plans apart whose packings differ.
struct PackedHeader {
  std::array<char, 8> magic = {'d', 'e', 'c', 'o', 'n', 'v', 'p', 'f'};
  uint32_t version = 1;
  uint32_t finite = 1;
  uint64_t plan = 0;
  uint64_t payload_bytes = 0;
};
// The payload begins on a cache line of its own if the buffer does.
inline constexpr size_t kPackedHeaderBytes = 64;
static_assert(sizeof(PackedHeader) <= kPackedHeaderBytes);

// A hash of all that decides the packing: filter shape, strides, phases, algorithm, target.
uint64_t PackingId(const Geometry& geometry, const char* algorithm, const char* target);

}  // namespace deconv

struct deconv_plan {  // NOLINT(readability-identifier-naming): the C interface's name
  deconv::Geometry geometry;
  std::array<int64_t, deconv::kMaxAxes> pads_begin = {};
  std::array<int64_t, deconv::kMaxAxes> pads_end = {};
  const char* algorithm_name = nullptr;
  std::unique_ptr<deconv::Algorithm> algorithm;
  uint64_t packing_id = 0;
  size_t packed_bytes = 0;
};

#endif  // DECONV_KERNEL_PLAN_H_
