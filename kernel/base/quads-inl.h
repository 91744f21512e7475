// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and transposes vectors of 32-bit lanes, at any address. Some functions handle parts of vectors, or fill
// a vector with a short row. A quad is the four lanes of a 128-bit block. Example of a transposition with two blocks:
// the vectors a0-a7, b0-b7, c0-c7, d0-d7 become a0 b0 c0 d0 a4 b4 c4 d4, then a1 b1 c1 d1 a5 b5 c5 d5, and so on. So
// each block of a result is a quad, which is stored at an address of its own. (Transposition also takes elements of 8
// and 16 bits.) A parameter `d` is a tag of Highway: its type names the type and the number of the lanes.

#if defined(DECONV_KERNEL_BASE_QUADS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BASE_QUADS_INL_H_
#undef DECONV_KERNEL_BASE_QUADS_INL_H_
#else
#define DECONV_KERNEL_BASE_QUADS_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernel/base/vectors-inl.h"

#include <hwy/highway.h>

// 1 on targets that load and store any number of bytes by a mask. Other targets use a buffer of a whole vector. For
// vectors of unknown size, this buffer would take kilobytes.
#undef DECONV_MASKS_BYTES
#define DECONV_MASKS_BYTES (HWY_TARGET <= HWY_AVX3 || DECONV_SIZELESS_VECTORS)

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr int64_t kQuad = 4;  // floats of a 128-bit block
inline constexpr auto kFloatBytes = static_cast<int64_t>(sizeof(float));

// Returns where a vector begins that covers a row of `count` elements from `begin` on. The last vector is not cut; it
// begins earlier, overlaps the vector before it, and writes the same values again. Example: 10 elements and 4 lanes:
// the vectors begin at 0, 4 and 6.
HWY_INLINE int64_t VectorBegin(int64_t begin, int64_t lanes, int64_t count) {
  return count >= lanes ? std::min(begin, count - lanes) : begin;
}

// Whether a vector is its lanes and nothing else, so that its bytes can be copied. With copies in place of BitCast and
// LoadU, the compiler takes 15 instead of 18 s and 0.3 GB less for channels_dot.cc.
template <class D>
#if DECONV_SIZELESS_VECTORS
inline constexpr bool kFillsVector = false;
#else
inline constexpr bool kFillsVector = sizeof(hn::Vec<D>) == D().MaxBytes();
#endif

// Load and store a vector at any address.
template <class D>
HWY_INLINE hn::Vec<D> LoadBytes(D d, const char* from) {
#if HWY_TARGET == HWY_SCALAR  // a lane is one float, which is not four bytes there
  float value = 0;
  std::memcpy(&value, from, sizeof(value));
  return hn::Set(d, value);
#else
  if constexpr (kFillsVector<D>) {
    hn::Vec<D> v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  } else {
    const hn::Repartition<uint8_t, D> d8;
    return hn::BitCast(d, hn::LoadU(d8, reinterpret_cast<const uint8_t*>(from)));
  }
#endif
}
template <class D>
HWY_INLINE void StoreBytes(hn::Vec<D> v, [[maybe_unused]] D d, char* to) {
#if HWY_TARGET == HWY_SCALAR
  const float value = hn::GetLane(v);
  std::memcpy(to, &value, sizeof(value));
#else
  if constexpr (kFillsVector<D>) {
    std::memcpy(to, &v, sizeof(v));
  } else {
    const hn::Repartition<uint8_t, D> d8;
    hn::StoreU(hn::BitCast(d8, v), d8, reinterpret_cast<uint8_t*>(to));
  }
#endif
}
// hn::BitCast, compiled as a copy where it can be.
template <class D, class V>
HWY_INLINE hn::Vec<D> SameBits(D d, V v) {
  if constexpr (kFillsVector<D> && kFillsVector<hn::DFromV<V>>) {
    hn::Vec<D> same;
    std::memcpy(&same, &v, sizeof(same));
    return same;
  } else {
    return hn::BitCast(d, v);
  }
}
// Loads the first `lanes` lanes of a vector from any address. The lanes behind them are zeros.
template <class D>
HWY_INLINE hn::Vec<D> LoadLanes(D d, const char* from, int64_t lanes) {
#if DECONV_MASKS_BYTES
  const hn::Repartition<uint8_t, D> d8;
  return hn::BitCast(d,
                     hn::LoadN(d8, reinterpret_cast<const uint8_t*>(from), static_cast<size_t>(lanes) * sizeof(float)));
#else
  HWY_ALIGN hn::TFromD<D> buffer[hn::MaxLanes(d)] = {};
  std::memcpy(buffer, from, static_cast<size_t>(lanes) * sizeof(float));
  return hn::Load(d, buffer);
#endif
}
// Stores the first `bytes` bytes of a vector, at most all of them.
template <class D>
HWY_INLINE void StoreFirstBytes(hn::Vec<D> v, [[maybe_unused]] D d, char* to, int64_t bytes) {
#if DECONV_MASKS_BYTES
  const hn::Repartition<uint8_t, D> d8;
  hn::StoreN(hn::BitCast(d8, v), d8, reinterpret_cast<uint8_t*>(to), static_cast<size_t>(bytes));
#else
  HWY_ALIGN hn::TFromD<D> buffer[hn::MaxLanes(d)];
  hn::Store(v, d, buffer);
  std::memcpy(to, buffer, static_cast<size_t>(bytes));
#endif
}
template <class D>
HWY_INLINE void StoreLanes(hn::Vec<D> v, D d, char* to, int64_t lanes) {
  StoreFirstBytes(v, d, to, lanes * static_cast<int64_t>(sizeof(float)));
}

#if HWY_TARGET != HWY_SCALAR

// Calls `visit` with the tag of the widest vectors that `count` lanes fill: D, or its half, or a quarter, down to a
// quad. A quad may be filled partly. For vectors of unknown size, the tag is always that of a quad.
template <class D, class Visit>
HWY_INLINE void WithFilledVectors([[maybe_unused]] D d, [[maybe_unused]] int64_t count, const Visit& visit) {
#if HWY_HAVE_SCALABLE
  visit(hn::FixedTag<hn::TFromD<D>, kQuad>());
#else
  if constexpr (hn::MaxLanes(d) > kQuad) {
    if (count < static_cast<int64_t>(hn::Lanes(d))) return WithFilledVectors(hn::Half<D>(), count, visit);
  }
  visit(d);
#endif
}

// Returns a vector whose block b is the result of `load` for the address `from` + b * pitch bytes.
template <class D, class Load>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const char* HWY_RESTRICT from, int64_t pitch, const Load& load) {
  if constexpr (hn::MaxLanes(d) == kQuad) {
    return load(from);
  } else {
    auto v = hn::InsertBlock<1>(hn::ResizeBitCast(d, load(from)), load(from + pitch));
    if constexpr (hn::MaxLanes(d) == 16) {
      v = hn::InsertBlock<2>(v, load(from + 2 * pitch));
      v = hn::InsertBlock<3>(v, load(from + 3 * pitch));
    }
    return v;
  }
}

// Returns a vector whose block b is the quad at `from` + b * pitch bytes, at any address.
template <class D>
HWY_INLINE hn::Vec<D> LoadQuadBytes(D d, const char* HWY_RESTRICT from, int64_t pitch) {
  return LoadBlocks(d, from, pitch,
                    [](const char* at) HWY_ATTR { return LoadBytes(hn::FixedTag<float, kQuad>(), at); });
}

// Loads a block of 4 to 15 bytes, with zeros behind them.
HWY_INLINE hn::Vec<hn::FixedTag<float, kQuad>> LoadPartBytes(const char* from, int64_t bytes) {
  const hn::FixedTag<float, kQuad> d;
#if DECONV_MASKS_BYTES
  const hn::Repartition<uint8_t, decltype(d)> d8;
  return hn::BitCast(d, hn::LoadN(d8, reinterpret_cast<const uint8_t*>(from), static_cast<size_t>(bytes)));
#elif HWY_IS_LITTLE_ENDIAN
  // Two loads that overlap. With 11 bytes, `high` loads the bytes 3 to 10, and the shift removes 3 to 7.
  uint64_t low = 0;
  uint64_t high = 0;
  if (bytes >= 8) {
    std::memcpy(&low, from, 8);
    std::memcpy(&high, from + bytes - 8, 8);
    high = bytes > 8 ? high >> (8 * (16 - bytes)) : 0;
  } else {
    std::memcpy(&low, from, 4);
    std::memcpy(&high, from + bytes - 4, 4);
    low |= high >> (8 * (8 - bytes)) << 32;
    high = 0;
  }
  return hn::BitCast(d, hn::Dup128VecFromValues(hn::Repartition<uint64_t, decltype(d)>(), low, high));
#else
  HWY_ALIGN float buffer[kQuad] = {};
  std::memcpy(buffer, from, static_cast<size_t>(bytes));
  return hn::Load(d, buffer);
#endif
}

// Returns a vector whose block b holds the 4 to 15 bytes at `from` + b * pitch, with zeros behind them.
template <class D>
HWY_INLINE hn::Vec<D> LoadPartQuadBytes(D d, const char* HWY_RESTRICT from, int64_t pitch, int64_t bytes) {
  return LoadBlocks(d, from, pitch, [bytes](const char* at) HWY_ATTR { return LoadPartBytes(at, bytes); });
}

// Stores block b of a vector at `to` + b * pitch bytes, at any address.
template <class D>
HWY_INLINE void StoreQuadBytes(hn::Vec<D> v, D d, char* HWY_RESTRICT to, int64_t pitch) {
  const hn::Full128<float> d4;
  if constexpr (hn::MaxLanes(d) == kQuad) {
    StoreBytes(v, d4, to);
  } else {
    StoreBytes(hn::ExtractBlock<0>(v), d4, to);
    StoreBytes(hn::ExtractBlock<1>(v), d4, to + pitch);
    if constexpr (hn::MaxLanes(d) == 16) {
      StoreBytes(hn::ExtractBlock<2>(v), d4, to + 2 * pitch);
      StoreBytes(hn::ExtractBlock<3>(v), d4, to + 3 * pitch);
    }
  }
}

// Transposes four by four lanes within each block. A lane of v0 to v3 is a channel, and each vector is a position. With
// lanes of 8 or 16 bits, the four lanes of a channel become a group of neighbouring lanes. The result v0 holds the
// groups of the first channels of each block, v1 the groups that follow, and so on. The comments name the lanes of a
// block if v0 to v3 are a to d.
template <class D, class V>
HWY_INLINE void TransposeQuads(D d, V& v0, V& v1, V& v2, V& v3) {
  const hn::RepartitionToWide<hn::RebindToUnsigned<D>> pairs;
  const auto lower01 = hn::BitCast(pairs, hn::InterleaveLower(d, v0, v1));  // a0 b0 a1 b1
  const auto lower23 = hn::BitCast(pairs, hn::InterleaveLower(d, v2, v3));  // c0 d0 c1 d1
  const auto upper01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v0, v1));  // a2 b2 a3 b3
  const auto upper23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v2, v3));  // c2 d2 c3 d3
  v0 = hn::BitCast(d, hn::InterleaveLower(pairs, lower01, lower23));        // a0 b0 c0 d0
  v1 = hn::BitCast(d, hn::InterleaveUpper(pairs, lower01, lower23));
  v2 = hn::BitCast(d, hn::InterleaveLower(pairs, upper01, upper23));
  v3 = hn::BitCast(d, hn::InterleaveUpper(pairs, upper01, upper23));
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BASE_QUADS_INL_H_
