// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of CPU classes, and what the parts of the algorithms cost on them, in cycles (cpu_class.h). The comment of
// each constant says how its numbers were measured. A layer is an operator of kernel/bench/layers.txt; a layer in
// another type or memory layout counts as another one.
#include "kernel/base/cpu_class.h"

#include <cstring>

#include <hwy/targets.h>

namespace deconv {
namespace {

// One multiply-add of a vector in a cycle, for targets without costs of their own. Fitted to whole layers on Zen 4 with
// vectors of 512 bits and an earlier kernel.
constexpr Costs kOneProduct = {
    .channels_product = 1.05,
    .channels_pairs = 1.05,
    .phased_product = 1.17,
    .phased_load = 2.34,
    .aligned_product = 1.1,
    .rows = {.product = 1.2, .load = 1.9, .broadcast = 0, .branch = 0.3, .call = 20},
};

// One multiply-add of 512 bits in a cycle: Zen 4. Fitted by deconv-bench --calibrate on a Genoa server (family 25,
// model 17). Before "rows" stored pairs of phases from registers, the estimates chose an algorithm within 5 % of the
// fastest for 203 of 204 layers. Later channels_product was raised from 0.987 for the other layer, cyclegan_up2 in f32.
// Assumed for Intel's client cores with AVX-512, for Zen 5 with halved vectors, and for CPUs that are not known.
constexpr Costs kZen4 = {
    .channels_product = 1.01,
    .channels_pairs = 1.06,
    .channels_integer = 1.07,
    .channels_permuted = 1.32,
    .phased_product = 1.07,
    .phased_load = 1.78,
    .aligned_product = 1.09,
    .phased_integer = 1.44,
    .rows = {.product = 1.02, .load = 1.79, .broadcast = 0, .branch = 0.35, .call = 15},
    .channels_cell = 7.5,
    .channels_tile = 42.5,
    .channels_tap = 11.4,
    .converted_store = 5.1,
    .quad_output = 1.33,
    .quad_narrow_output = 0.475,
    .quad_unit = 0.9,
    .quad_row = 0.25,
    .transposed_read = 0.31,
    .row = 15,
    .tile_call = 61,
    .interleaved_output = 0.575,
    .interleaved_half = 0.3,
    .paired_output = 0.0925,
    .narrowed_output = 0.155,
    .channels_last_output = 2.1,
    .revisited_output = 0.125,
    .single_output = 1.85,
    .scattered_output = 1.4,
    .regrouped_product = 1.24,
    .source_row = 24.5,
    .source_vector = 1.35,
};

// CPUs that start two multiply-adds and at most three loads in a cycle. Fitted to whole layers on Zen 3 with vectors of
// 256 bits and an earlier kernel. Assumed for Arm cores that start two of 128 bits, and for SVE of Neoverse V1, which
// starts two of 256 bits.
constexpr Costs kTwoProducts = {
    .channels_product = 0.6,
    .channels_pairs = 0.6,
    .phased_product = 0.8,
    .phased_load = 1.6,
    .aligned_product = 0.67,
    .rows = {.product = 0.65, .load = 1.0, .broadcast = 0.7, .branch = 0.75, .call = 30},
};

// Two multiply-adds of 256 bits in a cycle: AVX2. Fitted by deconv-bench --calibrate to AVX2 on Zen 4. Before "rows"
// stored pairs, the estimates chose an algorithm within 5 % of the fastest for 193 of 204 layers. Those of kTwoProducts
// did so for 186. Assumed for all other CPUs with AVX2. Zen 2, Zen 3, and Haswell and later start two as well (Agner
// Fog, "The microarchitecture of Intel, AMD and VIA CPUs").
constexpr Costs kZenAvx2 = {
    .channels_product = 0.493,
    .channels_pairs = 0.6,
    .channels_integer = 0.643,
    .phased_product = 0.635,
    .phased_load = 1.01,
    .aligned_product = 0.577,
    .phased_integer = 0.868,
    .rows = {.product = 0.502, .load = 0.843, .broadcast = 0.788, .branch = 0.7, .call = 8},
    .channels_cell = 10.5,
    .channels_tile = 41.2,
    .channels_tap = 13.2,
    .converted_store = 3.4,
    .quad_output = 0.775,
    .quad_narrow_output = 0.5,
    .quad_unit = 0.6,
    .transposed_read = 0.34,
    .row = 51.9,
    .tile_call = 56,
    .interleaved_half = 0.237,
    .narrowed_output = 0.17,
    .channels_last_output = 1.88,
    .single_output = 1.65,
    .scattered_output = 1.5,
    .regrouped_product = 1.24,
    .regrouped_unit = 1.47,
    .source_row = 17,
    .source_vector = 1.26,
};

// CPUs that start four multiply-adds of 128 bits and two or three loads in a cycle (Arm's software optimization guides
// for Neoverse V1 and V2). No cost was measured. Products, loads and broadcasts cost a little more than half of
// kTwoProducts; the rest is equal.
constexpr Costs kFourProducts = {
    .channels_product = 0.35,
    .channels_pairs = 0.35,
    .phased_product = 0.45,
    .phased_load = 1.0,
    .aligned_product = 0.38,
    .rows = {.product = 0.37, .load = 0.6, .broadcast = 0.4, .branch = 0.75, .call = 30},
};

// Products and sums of 128 bits by instructions of their own, on targets of x86 without a fused multiply-add. Fitted by
// deconv-bench --calibrate on Zen 5 to SSE4, which has the same tiles. kOneProduct chose an algorithm within 5 % of the
// fastest there for 180 of 204 layers. In the fit all second-level caches counted as full. Assumed for all other CPUs.
// The cost of a scattered output was reduced later, as in the other classes.
constexpr Costs kSse = {
    .channels_product = 0.676,
    .channels_pairs = 1.05,
    .channels_integer = 0.65,
    .phased_product = 0.725,
    .phased_load = 0.695,
    .aligned_product = 0.746,
    .phased_integer = 0.743,
    .rows = {.product = 0.932, .load = 0.67, .broadcast = 0, .branch = 0.3, .call = 21},
    .channels_cell = 5.25,
    .channels_tile = 20,
    .channels_tap = 9.8,
    .quad_output = 1.08,
    .quad_narrow_output = 0.65,
    .quad_unit = 1.1,
    .transposed_read = 0.3,
    .row = 15,
    .tile_call = 21,
    .interleaved_output = 0.225,
    .interleaved_half = 0.225,
    .channels_last_output = 2.15,
    .revisited_output = 0.1,
    .single_output = 1.98,
    .scattered_output = 3.3,
    .regrouped_product = 0.9,
    .regrouped_unit = 1.4,
    .regrouped_sums = 4.5,
    .source_row = 18.5,
    .source_vector = 1.02,
};

// Intel's server cores, which start two multiply-adds of 512 bits in a cycle. Fitted on Emerald Rapids to one question:
// which algorithm is the fastest for each layer of kernel/bench/layers.txt in f32. So a single cost means little. Of
// the layers where kOneProduct chose wrongly, unet_up2, unet_up4, fcn8s_up, hifigan_u1, hifigan_u3 and spec_group1d now
// take the fastest. spec_ex1, sam_up2 and maskrcnn, which lost 5 to 9 %, do not. The dot product of bf16 was measured
// at half the speed of f32. Assumed for Skylake-SP and Ice Lake-SP, which have the same two units (Intel's optimization
// manual).
constexpr Costs kIntelServer = {
    .channels_product = 0.59,
    .channels_pairs = 2.2,
    .phased_product = 0.616,
    .phased_load = 2.43,
    .aligned_product = 0.589,
    .rows = {.product = 0.578, .load = 1.1, .broadcast = 0.64, .branch = 1.0, .call = 17},
    .channels_cell = 24,
    .channels_tile = 59,
    .channels_tap = 7,
    .quad_output = 0.8,
    .quad_narrow_output = 0.8,
    .quad_unit = 1.6,
    .tile_call = 24,
    .interleaved_output = 1.47,
    .interleaved_half = 1.47,
    .paired_output = 1.47,
    .channels_last_output = 0.63,
    .single_output = 1.1,
    .source_row = 34.5,
    .source_vector = 0.94,
};

// Zen 5 with full vectors of 512 bits: two multiply-adds and two loads in a cycle, one load where it crosses a cache
// line. The costs were fitted together on a Turin server (family 26, model 2). The estimates choose the fastest
// algorithm of each layer of kernel/bench/layers.txt in f32, bf16 and i8, in both layouts. Some costs were fitted
// later, to fewer layers:
// - revisited_output to spec_ex1 and fcn8s_up in f32;
// - rows.product and transposed_read to fsrcnn_x3;
// - converted_store, narrowed_output and channels_pairs to spec_ex1 in bf16;
// - interleaved_half to unet_up4 in f16, quad_row to vnet_up in f16;
// - scattered_output and single_position to all layers again.
// paired_output was 0.173 before "rows" stored pairs. It was reduced so that spec_ex1 in bf16 goes on taking "rows",
// which pairs made faster on Zen 4. The lower cost was not measured on Zen 5.
//
// The nine costs that deconv-bench --calibrate measures are within 25 percent of the measurement. Only sums of the
// other costs have a meaning.
constexpr Costs kZen5 = {
    .channels_product = 0.545,
    .channels_pairs = 0.53,
    .channels_integer = 0.672,
    .channels_permuted = 0.655,
    .phased_product = 0.565,
    .phased_load = 1.36,
    .aligned_product = 0.572,
    .phased_integer = 0.68,
    .rows = {.product = 0.541, .load = 1.25, .broadcast = 0.8, .branch = 0.221, .call = 14.5},
    .channels_cell = 6.57,
    .channels_tile = 51.6,
    .channels_tap = 4.71,
    .converted_store = 2.5,
    .quad_output = 1.02,
    .quad_narrow_output = 0.36,
    .quad_unit = 1.02,
    .quad_row = 5,
    .transposed_read = 0.2,
    .row = 28.1,
    .tile_call = 42.5,
    .interleaved_output = 0.698,
    .interleaved_half = 0.3,
    .paired_output = 0.12,
    .interleaved_byte = 0.08,
    .narrowed_output = 0.3,
    .channels_last_output = 0.37,
    .revisited_output = 1.35,
    .single_output = 0,
    .single_position = 3.1,
    .scattered_output = 1.03,
    .regrouped_product = 1.7,
    .regrouped_unit = 0.74,
    .regrouped_sums = 4.4,
    .source_row = 19,
    .source_vector = 1.3,
};

constexpr int64_t kKib = 1024;

// Sizes of caches are those that vendors publish. Where there are several, it is the smaller one. "apple" has a
// second-level cache of 12 MiB for four cores, "spacemit-x60" one of 512 KiB. Those of "default" are assumed. The
// columns are: name, description, target with choices in kernel/bench/choices.txt, bytes of the first-level and the
// second-level cache, costs with vectors of 512 bits on x86, costs of AVX2 and NEON, and costs of SVE. Every row has
// costs of x86, because deconv-bench and tests may ask any class for the costs of any target.
// clang-format off: a table.
constexpr CpuClass kClasses[] = {
    {"default", "CPU that is not known", nullptr, {32 * kKib, 512 * kKib}, &kZen4, &kZenAvx2},
    {"intel-client", "Intel Core without AVX-512", "AVX2", {32 * kKib, 256 * kKib}, &kZen4, &kZenAvx2},
    {"intel-client-avx512", "Intel Core with AVX-512", "AVX3", {48 * kKib, 512 * kKib}, &kZen4, &kZenAvx2},
    {"skylake-sp", "Intel Skylake-SP to Cooper Lake", "AVX3", {32 * kKib, 1024 * kKib}, &kIntelServer, &kZenAvx2},
    {"ice-lake-sp", "Intel Ice Lake-SP", "AVX3", {48 * kKib, 1280 * kKib}, &kIntelServer, &kZenAvx2},
    {"sapphire-rapids", "Intel Sapphire, Emerald and Granite Rapids", "AVX3_ZEN4", {48 * kKib, 2048 * kKib},
     &kIntelServer, &kZenAvx2},
    {"zen2", "AMD Zen 2", "AVX2", {32 * kKib, 512 * kKib}, &kZen4, &kZenAvx2},
    {"zen3", "AMD Zen 3", "AVX2", {32 * kKib, 512 * kKib}, &kZen4, &kZenAvx2},
    {"zen4", "AMD Zen 4", "AVX3_ZEN4", {32 * kKib, 1024 * kKib}, &kZen4, &kZenAvx2},
    {"zen5", "AMD Zen 5 with vectors of 512 bits", "AVX3_ZEN4", {48 * kKib, 1024 * kKib}, &kZen5, &kZenAvx2},
    {"zen5-mobile", "AMD Zen 5 with halved vectors", "AVX3_ZEN4", {48 * kKib, 1024 * kKib}, &kZen4, &kZenAvx2},
    {"neoverse-n1", "Arm Neoverse N1", "NEON", {64 * kKib, 512 * kKib}, &kZen4, &kTwoProducts},
    {"neoverse-n2", "Arm Neoverse N2", "NEON_BF16", {64 * kKib, 512 * kKib}, &kZen4, &kTwoProducts},
    {"neoverse-v1", "Arm Neoverse V1", "SVE_256", {64 * kKib, 1024 * kKib}, &kZen4, &kFourProducts,
     &kTwoProducts},
    {"neoverse-v2", "Arm Neoverse V2", "NEON_BF16", {64 * kKib, 1024 * kKib}, &kZen4, &kFourProducts},
    {"apple", "Apple M1 and later", "NEON", {128 * kKib, 3072 * kKib}, &kZen4, &kFourProducts},
    {"spacemit-x60", "SpacemiT X60, with vectors of 256 bits", "RVV", {32 * kKib, 128 * kKib}, &kZen4,
     &kTwoProducts},
};
// clang-format on

}  // namespace

std::span<const CpuClass> CpuClasses() { return kClasses; }

const CpuClass* FindCpuClass(const char* name) {
  for (const CpuClass& known : kClasses) {
    if (std::strcmp(known.name, name) == 0) return &known;
  }
  return nullptr;
}

const Costs& CostsOf(const Machine& machine) {
  constexpr int64_t kWide = HWY_AVX3 | HWY_AVX3_DL | HWY_AVX3_ZEN4;
  constexpr int64_t kFused = HWY_AVX2 | HWY_ALL_NEON;
  if ((machine.target & kWide) != 0) return *machine.cpu->wide;
  if ((machine.target & kFused) != 0) return *machine.cpu->fused;
  const bool is_sve = (machine.target & HWY_ALL_SVE) != 0;
  if (const Costs* const own = is_sve ? machine.cpu->sve : machine.cpu->other; own != nullptr) return *own;
  return (machine.target & HWY_SSE2) != 0 ? kSse : kOneProduct;
}

}  // namespace deconv
