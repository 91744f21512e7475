// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How the register tile of the algorithm "channels" multiplies a unit of data by a unit of weights. A unit is the 32
// bits that one lane multiplies at once: one f32, two bf16 or int16, or four bytes. Each struct below is one way to
// multiply, for the targets that have the instructions. Add() returns a vector of sums, to which it adds the products
// of a vector of data and a vector of weights. The sums are 32-bit lanes.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_PRODUCTS_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_PRODUCTS_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_PRODUCTS_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "kernel/base/convert-inl.h"
#include "kernel/base/quads-inl.h"
#include "kernel/channels/channels_units.h"

#include <hwy/highway.h>

// Targets with dot products of bf16 and of bytes. On other targets Highway emulates these instructions, which takes
// longer than to widen the elements. HWY_NATIVE_DOT_BF16 of Highway is also 1 on Arm targets without the instruction.
// Highway uses NEON's dot product of bytes since version 1.3. Clang 16 cannot compile the dot product of bf16 on x86
// (clang-16-x86 in ci/cross/faults.toml).
#undef DECONV_PAIRS_OF_BF16
#undef DECONV_QUADS_OF_I8
#if HWY_NATIVE_DOT_BF16 && ((HWY_TARGET <= HWY_AVX3_ZEN4 && !(HWY_COMPILER_CLANG && HWY_COMPILER_CLANG < 1700)) || \
                            HWY_TARGET == HWY_NEON_BF16)
#define DECONV_PAIRS_OF_BF16 1
#else
#define DECONV_PAIRS_OF_BF16 0
#endif
#if HWY_TARGET <= HWY_AVX3_DL || HWY_TARGET_IS_SVE || HWY_TARGET_IS_PPC || \
    (HWY_TARGET == HWY_NEON_BF16 && (HWY_MAJOR > 1 || HWY_MINOR >= 3))
#define DECONV_QUADS_OF_I8 1
#else
#define DECONV_QUADS_OF_I8 0
#endif

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The base of most ways to multiply. Weights are units, 32 bits for each lane. All lanes multiply the same unit of
// data.
struct WeightsOfUnits {
  static constexpr bool kGroups = false;       // groups share a vector
  static constexpr bool kLongRows = true;      // rows of many cells have tiles of their own
  static constexpr bool kStoresBytes = false;  // the tile can store its sums as elements of 8 bits
  static constexpr bool kStreams = false;      // stores can bypass the caches: only outputs of f32 do
  static constexpr int64_t kWeightBytes = kUnitBytes;
  template <class D>
  static HWY_INLINE hn::Vec<D> LoadWeights(D d, const char* from) {
    return LoadBytes(d, from);
  }
};

// A unit is one channel of f32. kDepth: channels of a unit. kDepthwise: a lane may multiply its own channel of data.
// kHalf: vectors are half as wide as the target's.
struct SinglesOfF32 : WeightsOfUnits {
  using Lane = float;
  using Tag = hn::ScalableTag<float>;
  static constexpr int64_t kDepth = 1;
  static constexpr bool kStreams = true;
  static constexpr bool kDepthwise = true;
  static constexpr bool kHalf = false;
  template <class V>
  static HWY_INLINE V Add(V value, V weight, V sum) {
    return hn::MulAdd(value, weight, sum);
  }
};

// A vector holds the output channels of several groups. Each lane multiplies a unit of its own group.
struct GroupsOfF32 : SinglesOfF32 {
  static constexpr bool kDepthwise = false;
  static constexpr bool kGroups = true;
};

// Half vectors, for groups of so few output channels that a whole vector would stay half empty. If the group fills the
// half vector, the tile stores it without a mask.
struct HalvesOfF32 : SinglesOfF32 {
#if HWY_TARGET != HWY_SCALAR
  using Tag = hn::Half<hn::ScalableTag<float>>;
#endif
  static constexpr bool kDepthwise = false;
  static constexpr bool kHalf = true;
};

#if HWY_TARGET != HWY_SCALAR
// Weights that are packed in their own 16 bits. The tile widens them to f32 each time that it loads them. It reads half
// as many bytes, which helps layers that read each weight of a large filter only a few times.
template <class T>
struct NarrowWeightsOfF32 : SinglesOfF32 {
  static constexpr bool kDepthwise = false;
  static constexpr bool kLongRows = false;  // there are few cells
  static constexpr bool kStreams = false;
  static constexpr auto kWeightBytes = static_cast<int64_t>(sizeof(T));
  template <class D>
  static HWY_INLINE hn::Vec<D> LoadWeights(D d, const char* from) {
    return WidenElements<T>(d, LoadBytes(hn::Rebind<ElementBits<T>, D>(), from));
  }
};
#endif

#if DECONV_PAIRS_OF_BF16
// A unit is two channels of bf16. The instruction flushes subnormal operands, products and sums to zero.
struct PairsOfBF16 : WeightsOfUnits {
  using Lane = float;
  using Tag = hn::ScalableTag<float>;
  static constexpr int64_t kDepth = 2;
  static constexpr bool kDepthwise = false;
  static constexpr bool kHalf = false;
  template <class V>
  static HWY_INLINE V Add(V value, V weight, V sum) {
    const hn::DFromV<V> d;
    const hn::Repartition<hwy::bfloat16_t, decltype(d)> d16;
    V untouched = hn::Zero(d);
    return hn::ReorderWidenMulAccumulate(d, SameBits(d16, value), SameBits(d16, weight), sum, untouched);
  }
};
#endif

#if HWY_TARGET != HWY_SCALAR
// A unit is two channels of 16-bit integers, or of 8-bit integers if the target has no dot product of bytes.
struct PairsOfI16 : WeightsOfUnits {
  using Lane = int32_t;
  using Tag = hn::ScalableTag<int32_t>;
  static constexpr int64_t kDepth = 2;
  static constexpr bool kDepthwise = true;
  static constexpr bool kHalf = false;
  template <class V>
  static HWY_INLINE V Add(V value, V weight, V sum) {
    const hn::DFromV<V> d;
    const hn::Repartition<int16_t, decltype(d)> d16;
#if HWY_TARGET <= HWY_AVX3_DL
    V untouched = hn::Zero(d);
    return hn::ReorderWidenMulAccumulate(d, SameBits(d16, value), SameBits(d16, weight), sum, untouched);
#else
    return hn::Add(sum, hn::WidenMulPairwiseAdd(d, SameBits(d16, value), SameBits(d16, weight)));
#endif
  }
};
#endif

#if DECONV_QUADS_OF_I8
// A unit is four channels of bytes. The instruction reads bytes as signed or unsigned numbers. Only the lowest 8 bits
// of a sum are stored, and they are the same for both readings. So sums may be cut to bytes between two passes.
struct QuadsOfI8 : WeightsOfUnits {
  using Lane = int32_t;
  using Tag = hn::ScalableTag<int32_t>;
  static constexpr int64_t kDepth = 4;
  static constexpr bool kStoresBytes = true;
  static constexpr bool kDepthwise = false;
  static constexpr bool kHalf = false;
  template <class V>
  static HWY_INLINE V Add(V value, V weight, V sum) {
    const hn::DFromV<V> d;
    const hn::Repartition<int8_t, decltype(d)> weights;
    // Arm multiplies two signed numbers. Other targets multiply an unsigned number by a signed one.
    using Data = std::conditional_t<HWY_ARCH_ARM, int8_t, uint8_t>;
    const hn::Repartition<Data, decltype(d)> data;
    return hn::SumOfMulQuadAccumulate(d, SameBits(data, value), SameBits(weights, weight), sum);
  }
};

// A vector holds the output channels of several groups, as in GroupsOfF32.
struct GroupsOfI8 : QuadsOfI8 {
  static constexpr bool kGroups = true;
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_PRODUCTS_INL_H_
