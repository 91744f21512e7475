// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures two limits of this machine: the rate of multiply-adds in registers, and the time to read and write the
// memory of a layer (an operator of layers.txt) once. No implementation can run a layer in less time than either limit
// allows. The limit that gives the longer time is the limit of the layer.
#ifndef DECONV_KERNEL_BENCH_LIMITS_H_
#define DECONV_KERNEL_BENCH_LIMITS_H_

#include <cstddef>
#include <span>

#include "deconv/deconv.h"
#include "kernel/bench/pool.h"

namespace deconv::bench {

// Returns the multiply-adds in a nanosecond of all workers (threads of the pool) together, by the fastest instruction
// of the target. The instruction sums products of `type` as the kernel does: f16 and bf16 in f32, 8-bit integers in f32
// or 32 bits, 16-bit ones in 32 bits. `target` is the bit of an instruction set in Highway, the library for vector
// instructions.
double PeakMultiplyAdds(deconv_type type, int64_t target, Pool& pool);

// The memory of one execution.
struct MemoryTraffic {
  std::span<const std::byte> data;
  std::span<const std::byte> packed_filter;
  std::span<std::byte> output;
};

// Returns the nanoseconds to read data and packed filter and to write the output once. Each worker does its share. The
// memory is in those caches in which repeated executions leave it. Overwrites the output.
double MemoryTrafficNs(const MemoryTraffic& memory, int64_t target, Pool& pool);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_LIMITS_H_
