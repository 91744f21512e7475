// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of CPUs and what the parts of the algorithms cost on them. Plans compare estimates of cycles to choose an
// algorithm: "channels", "phased", "rows" or "col2im" (kernel/README.md). The costs belong to the CPU, not to the
// instruction set: Zen 4 starts one multiply-add of 512 bits in a cycle, Zen 5 starts two, and both run the same
// target (code for an instruction set). Sizes of blocks are the same on all classes, so that packed filters fit plans
// of other classes. Sizes of caches count in estimates, and decide where sums are kept.
#ifndef DECONV_KERNEL_BASE_CPU_CLASS_H_
#define DECONV_KERNEL_BASE_CPU_CLASS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernel/base/status.h"

namespace deconv {

// Cycles of the parts of the register tile of "rows": a block of sums that stay in registers while products are added.
// Each comment names what is counted.
struct RowsCosts {
  double product = 0;    // to multiply a vector and add it
  double load = 0;       // to load a vector of data, mostly across two cache lines
  double broadcast = 0;  // to copy a weight to all lanes
  double branch = 0;     // to test whether a step has a tap of a phase
  double call = 0;       // to begin and end a tile, for each of its vectors
};

// Cycles of the parts of all algorithms. A default that is not 0 was fitted on Zen 3 and Zen 4 together, unless its
// comment says otherwise. A class of CPUs sets only the costs that differ.
struct Costs {
  // "channels": to multiply a vector and add it in the register tile. The vector holds f32, pairs of bf16 (dot
  // product), or pairs of 16-bit or quads of 8-bit integers.
  double channels_product = 0;
  double channels_pairs = 0;
  double channels_integer = 1.05;
  // "channels", if groups share a vector: to permute a vector of data, multiply it and add it.
  double channels_permuted = 1.5;
  // To multiply a vector and add it in the register tile of "phased". aligned_product is for the aligned loads of
  // "col2im" in the same tile, and phased_integer for integers.
  double phased_product = 0;
  double phased_load = 0;  // a vector of data, mostly across two cache lines
  double aligned_product = 0;
  double phased_integer = 1.17;
  RowsCosts rows;

  // "channels": costs of each cell of a register tile, of each tile, and of each tap of a tile.
  double channels_cell = 12;
  double channels_tile = 50;
  double channels_tap = 12;
  // To convert a vector of sums to another type and store it.
  double converted_store = 5;
  // "channels" with planar tensors (each channel is an image of its own), by squares of four positions and four
  // channels: to transpose an output of 32 bits, an output of 8 or 16 bits, and a unit of data. A unit is the one, two
  // or four input channels that a lane multiplies at once.
  double quad_output = 1;
  double quad_narrow_output = 1;
  double quad_unit = 1;
  // "channels": to begin and end a row of planar outputs of a channel. Measured on Zen 5 alone.
  double quad_row = 0;
  // "phased", "rows" and "col2im": to copy an element of at most 4 bytes with channels last, from 4 input channels on.
  // Assumed to be twice the cost of an element of planar data, except on Zen 5.
  double transposed_read = 0.4;
  // "phased" and "rows": to begin and end the copy or the store of a row of a channel.
  double row = 25;
  // "phased" and "col2im": to begin and end a register tile.
  double tile_call = 40;
  // To store a planar output of 32 and 64 bits, and of 16 bits, if phases are interleaved (strides up to 4). A phase is
  // the outputs of one remainder modulo the stride. An output of 8 bits costs interleaved_byte more.
  double interleaved_output = 0.25;
  double interleaved_half = 0.25;
  // To store a planar output if "phased" or "rows" stores two phases from registers. Fitted on Zen 4 and Zen 5. The
  // default is the cost of an interleaved output. "rows" uses this cost only with 32 registers.
  double paired_output = 0.25;
  double interleaved_byte = 0;
  // To narrow an output that was stored in scratch as 32 bits.
  double narrowed_output = 0.15;
  // To store an output with channels last:
  // - channels_last_output: by four channels at a time;
  // - revisited_output: more cycles for f32, if its cache line left the second-level cache since the last store there;
  // - single_output, single_position: in f32, by a tile of up to three channels, for each output and each position;
  // - scattered_output: an output of one of several groups. Fitted on Zen 5 with vectors of 512 bits, assumed
  //   elsewhere: with AVX2 on Zen 5, layers for which this cost chooses "rows" take 0.73 to 0.92 of the time of
  //   "channels".
  double channels_last_output = 2;
  double revisited_output = 0;
  double single_output = 2;
  double single_position = 0;
  double scattered_output = 2;
  // "channels" with regrouped data (groups of few channels): to multiply and add a vector, to copy a unit, and to begin
  // and end a vector of sums.
  double regrouped_product = 1.2;
  double regrouped_unit = 1.5;
  double regrouped_sums = 5;
  // "col2im": to add a row of products to a row of outputs, for each row and for each vector.
  double source_row = 20;
  double source_vector = 1.2;
};

// Bytes of the data caches of a core, or a core's share of a shared cache. If CPUs differ, the smallest common size.
struct CacheSizes {
  int64_t first_level = 0;
  int64_t second_level = 0;
};

struct CpuClass {
  const char* name = nullptr;
  const char* description = nullptr;
  // The target for which kernel/bench/choices.txt has the choices of the class; null if it has several targets.
  const char* target = nullptr;
  CacheSizes caches;
  const Costs* wide = nullptr;   // costs of x86 targets with vectors of 512 bits
  const Costs* fused = nullptr;  // costs of AVX2 and NEON
  const Costs* sve = nullptr;    // costs of SVE; null: one multiply-add in a cycle
  const Costs* other = nullptr;  // costs of all other targets, set by deconv-bench alone; null: defaults
};

// The machine that an algorithm is created for. `target` is the bit of an instruction set in Highway. Estimates use the
// costs of the class `cpu`. `keeps_subnormals` says whether sums of bf16 must keep subnormals.
struct Machine {
  int64_t target = 0;
  const CpuClass* cpu = nullptr;
  bool keeps_subnormals = false;
  bool many_workers = false;  // more than kFewWorkers threads share the tasks of a run
};

// With at most this many workers, tasks are so large that one thread loses no time. With more workers, tasks are
// smaller. They copy more data again, but fewer threads are idle.
inline constexpr size_t kFewWorkers = 4;

// Returns all classes. The first class, "default", is for unknown CPUs; it has costs for every target.
std::span<const CpuClass> CpuClasses();

// Returns the class `name`, or null if the name is unknown.
const CpuClass* FindCpuClass(const char* name);

// Returns the costs of the machine's class on its target. If the class has none for the target, SSE has measured
// defaults. Other targets, such as RVV, were not measured: they get those of one multiply-add in a cycle.
const Costs& CostsOf(const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_CPU_CLASS_H_
