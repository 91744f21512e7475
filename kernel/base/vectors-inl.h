// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How a register tile holds its vectors. A register tile is a block of sums that stay in registers while products are
// added. The compiler does not know the size of vectors of SVE and RVV, so there are no arrays of them. Instead, a
// function takes each vector as a parameter of its own, and chooses one by its number at compile time. Example:
// Sum(std::index_sequence<0, 1, 2>, V s0, V s1, V s2) adds to all three in a fold expression. The source code of a tile
// loads a weight anew for each product. The compiler merges these loads.

#if defined(DECONV_KERNEL_BASE_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BASE_VECTORS_INL_H_
#undef DECONV_KERNEL_BASE_VECTORS_INL_H_
#else
#define DECONV_KERNEL_BASE_VECTORS_INL_H_
#endif

#include <cstddef>
#include <utility>

#include <hwy/highway.h>

// 1 where the types of vectors have no sizeof (SVE, RVV), so that no array can hold them. This includes SVE_256 and
// SVE2_128, although their HWY_HAVE_SCALABLE is 0.
#undef DECONV_SIZELESS_VECTORS
#define DECONV_SIZELESS_VECTORS (HWY_TARGET_IS_SVE || HWY_TARGET == HWY_RVV)

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns vector number kIndex of `first` and `rest`.
template <size_t kIndex, class V, class... Rest>
HWY_INLINE V& PickVector(V& first, Rest&... rest) {
  if constexpr (kIndex == 0) {
    return first;
  } else {
    return PickVector<kIndex - 1>(rest...);
  }
}

// Returns a zero vector for sum number kIndex. ZeroVector<kSum>(d)... makes a zero vector for each number of kSum. `d`
// is a tag of Highway: its type names the type and the number of the lanes.
template <size_t kIndex, class D>
HWY_INLINE hn::Vec<D> ZeroVector(D d) {
  return hn::Zero(d);
}

// The numbers of `kCount` vectors, as a type from which functions deduce them.
template <auto kCount>
using VectorNumbers = std::make_index_sequence<static_cast<size_t>(kCount)>;

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BASE_VECTORS_INL_H_
