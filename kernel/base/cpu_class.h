// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of CPUs and what the parts of the algorithms cost on them. Plans compare estimates of cycles to choose an
// algorithm. The costs belong to the CPU, not to the instruction set: Zen 4 starts one multiply-add of 512 bits in a
// cycle, Zen 5 starts two, and both run the same target. Sizes of blocks are the same on all classes, so that packed
// filters fit plans of other classes; sizes of caches count in estimates and where sums are kept.
#ifndef DECONV_KERNEL_BASE_CPU_CLASS_H_
#define DECONV_KERNEL_BASE_CPU_CLASS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernel/base/status.h"

namespace deconv {

// Cycles of the parts of the register tile of "rows".
struct RowsCosts {
  double product = 0;    // a vector multiplied and added
  double load = 0;       // a vector of data, mostly across two cache lines
  double broadcast = 0;  // a weight
  double branch = 0;     // a phase that a step may serve
  double call = 0;       // begin and end of a tile, for each of its vectors
};

// Cycles of the parts of all algorithms. Fields with a value are what was fitted on Zen 3 and Zen 4 together, but for
// those that say otherwise. A class names only what differs.
struct Costs {
  // A vector multiplied and added in the register tile of "channels". The three kinds are f32, pairs of bf16 by the dot
  // product, and pairs of 16 bits or quads of 8 bits.
  double channels_product = 0;
  double channels_pairs = 0;
  double channels_integer = 1.05;
  // A vector of data permuted, multiplied and added, where groups share a vector.
  double channels_permuted = 1.5;
  // A vector multiplied and added in the tile of "phased" with loads across cache lines, in "col2im" with aligned
  // loads, and of integers.
  double phased_product = 0;
  double phased_load = 0;  // a vector of data, mostly across two cache lines
  double aligned_product = 0;
  double phased_integer = 1.17;
  RowsCosts rows;

  // "channels": each cell of a register tile, each tile, and each tap of a tile.
  double channels_cell = 12;
  double channels_tile = 50;
  double channels_tap = 12;
  // A vector of sums converted to another type and stored.
  double converted_store = 5;
  // An output of 32 bits, an output of 8 or 16 bits, and a unit of data that are transposed by quads between planes and
  // channels.
  double quad_output = 1;
  double quad_narrow_output = 1;
  double quad_unit = 1;
  // "channels": a row of planar outputs of a channel, on top of its outputs. Measured on Zen 5 alone.
  double quad_row = 0;
  // "phased", "rows" and "col2im": an element of data that is transposed by quads into planes. Twice the cost of one in
  // a row is assumed, except on Zen 5.
  double transposed_read = 0.4;
  // "phased" and "rows": what begins and ends a row of a channel that is copied or stored.
  double row = 25;
  // "phased" and "col2im": what begins and ends a register tile.
  double tile_call = 40;
  // A planar output with strides up to 4, where vectors of phases are joined or interleaved: of 32 and 64 bits, of 16
  // bits; and how much more than one of 32 bits an output of 8 bits costs.
  double interleaved_output = 0.25;
  double interleaved_half = 0.25;
  // A planar output where "phased" or "rows" stores two phases from registers. Fitted on Zen 4 and Zen 5. The default
  // is the cost of an interleaved output. "rows" uses this cost only with 32 registers.
  double paired_output = 0.25;
  double interleaved_byte = 0;
  // An output that was stored as 32 bits and is then narrowed.
  double narrowed_output = 0.15;
  // Channels last: an output that is stored by quads of channels; how much more an output of f32 costs if its cache
  // line has left the second-level cache since other channels were stored there; an output of f32 of a tile of
  // up to three channels, and each position of such a tile; and an output of one of several groups. The last
  // cost was fitted on Zen 5 with vectors of 512 bits. Elsewhere it is assumed: with AVX2 on Zen 5, layers that take
  // "rows" because of this cost take 0.73 to 0.92 of the time of "channels".
  double channels_last_output = 2;
  double revisited_output = 0;
  double single_output = 2;
  double single_position = 0;
  double scattered_output = 2;
  // "channels" with groups of few channels: a vector multiplied and added, a unit copied, and a vector of sums.
  double regrouped_product = 1.2;
  double regrouped_unit = 1.5;
  double regrouped_sums = 5;
  // "col2im": a row of products that is added to a row of outputs, and each of its vectors.
  double source_row = 20;
  double source_vector = 1.2;
};

// Bytes of data caches: of a core, or a core's share of a cache that several cores use. Where CPUs of a class differ,
// the smallest common size.
struct CacheSizes {
  int64_t first_level = 0;
  int64_t second_level = 0;
};

struct CpuClass {
  const char* name = nullptr;
  const char* description = nullptr;
  // The target for which kernel/bench/choices.txt holds the choices of the class; null: several.
  const char* target = nullptr;
  CacheSizes caches;
  const Costs* wide = nullptr;   // costs of x86 targets with vectors of 512 bits
  const Costs* fused = nullptr;  // costs of AVX2 and NEON
  const Costs* sve = nullptr;    // costs of SVE; null: one multiply-add in a cycle
  const Costs* other = nullptr;  // costs of all other targets, set by deconv-bench alone; null: defaults
};

// The machine that an algorithm is created for. `target` is the bit of an instruction set in Highway. Estimates use
// the costs of the class `cpu`.
// `keeps_subnormals` says whether sums of bf16 must keep subnormals.
struct Machine {
  int64_t target = 0;
  const CpuClass* cpu = nullptr;
  bool keeps_subnormals = false;
  bool many_workers = false;  // more than kFewWorkers threads share the tasks of a run
};

// With at most this many workers, tasks are so large that one thread loses no time. With more workers, tasks are
// smaller. They copy more data again, but fewer threads are idle.
inline constexpr size_t kFewWorkers = 4;

// All classes. The first one is for CPUs that are not known; it has costs for every target.
std::span<const CpuClass> CpuClasses();

// The class `name`, or null.
const CpuClass* FindCpuClass(const char* name);

// The costs of a class on a target. Where a class has none, SSE has a default that was measured. All other targets, RVV
// among them, cost as one multiply-add in a cycle does, because nothing was measured there.
const Costs& CostsOf(const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_CPU_CLASS_H_
