// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Two limits of this machine, measured: multiply-adds in registers, and reading and writing the memory of a layer once.
// The slower of the two is the limit of the layer and says what binds it.
#ifndef DECONV_KERNEL_BENCH_LIMITS_H_
#define DECONV_KERNEL_BENCH_LIMITS_H_

#include <cstddef>
#include <span>

#include "deconv/deconv.h"
#include "kernel/bench/pool.h"

namespace deconv::bench {

// Multiply-adds of a nanosecond on all workers together, by the fastest instruction of the target that sums products of
// `type` as the kernel does (f16 and bf16 in f32, integers of 8 bits in f32 or 32 bits, of 16 bits in 32 bits).
// `target` is a bit of Highway's.
double PeakMultiplyAdds(deconv_type type, int64_t target, Pool& pool);

// The memory of one execution.
struct Touched {
  std::span<const std::byte> data;
  std::span<const std::byte> packed_filter;
  std::span<std::byte> output;
};

// Nanoseconds to read data and packed filter and to write the output once, each worker its share, in the caches in
// which repeated executions find them. Destroys the output.
double TouchNs(const Touched& memory, int64_t target, Pool& pool);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_LIMITS_H_
