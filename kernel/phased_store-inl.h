// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// From the tile of sums to the output: all phases of a row interleaved, narrowed to the element type, exactly as many
// elements as the row has.

#if defined(DECONV_KERNEL_PHASED_STORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_STORE_INL_H_
#undef DECONV_KERNEL_PHASED_STORE_INL_H_
#else
#define DECONV_KERNEL_PHASED_STORE_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernel/convert.h"
#include "kernel/phased_layout.h"
#include "kernel/phased_pad-inl.h"
#include "kernel/quads-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A run of cells of one row of outputs, for the channels of the tile.
template <class C>
struct Fragment {
  const C* tile = nullptr;  // [phase][row of the tile][column], at the first cell
  int64_t rows = 0;
  int64_t channel = 0;     // of the group
  int64_t output_row = 0;  // oz * height + oy
  int64_t first_cell = 0;
  int64_t cells = 0;
};

// to[cell * kStride + t] = phases[t][cell], vectors where a stored element is a sum as it stands.
template <class T, int64_t kStride>
HWY_INLINE void Interleave(const Compute<T>* HWY_RESTRICT from, int64_t phase_pitch, int64_t cells,
                           char* HWY_RESTRICT to) {
  int64_t cell = 0;
  if constexpr (sizeof(T) == sizeof(Compute<T>)) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    T* aligned = reinterpret_cast<T*>(to);
    const T* sums = reinterpret_cast<const T*>(from);
    if (reinterpret_cast<uintptr_t>(to) % sizeof(T) == 0) {
      for (; cell + lanes <= cells; cell += lanes) {
        const auto v0 = hn::LoadU(d, sums + cell);
        if constexpr (kStride == 1) hn::StoreU(v0, d, aligned + cell);
        if constexpr (kStride == 2) {
          hn::StoreInterleaved2(v0, hn::LoadU(d, sums + phase_pitch + cell), d, aligned + cell * 2);
        }
        if constexpr (kStride == 3) {
          hn::StoreInterleaved3(v0, hn::LoadU(d, sums + phase_pitch + cell),
                                hn::LoadU(d, sums + 2 * phase_pitch + cell), d, aligned + cell * 3);
        }
        if constexpr (kStride == 4) {
          hn::StoreInterleaved4(v0, hn::LoadU(d, sums + phase_pitch + cell),
                                hn::LoadU(d, sums + 2 * phase_pitch + cell),
                                hn::LoadU(d, sums + 3 * phase_pitch + cell), d, aligned + cell * 4);
        }
      }
    }
  }
  for (; cell < cells; ++cell) {
    for (int64_t t = 0; t < kStride; ++t) {
      StoreElement<T>(to, cell * kStride + t, Narrow<T>(from[t * phase_pitch + cell]));
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
// to[cell * cell_bytes + k * kFloatBytes] = source_of(k)[cell] for k < count, which is at least 4: quads of sources and
// vectors of cells. Returns how many cells are done: none of less than a quad.
template <class SourceOf>
HWY_INLINE int64_t StoreByQuads(const SourceOf& source_of, int64_t count, int64_t cells, char* HWY_RESTRICT to,
                                int64_t cell_bytes) {
  if (cells < kQuad) return 0;
  WithFilledVectors(hn::ScalableTag<float>(), cells, [&](auto d) {
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t quad = 0; quad < count; quad += kQuad) {
      const int64_t k = VectorBegin(quad, kQuad, count);
      const float* sources[kQuad];
      for (int64_t j = 0; j < kQuad; ++j) sources[j] = source_of(k + j);
      for (int64_t begin = 0; begin < cells; begin += lanes) {
        const int64_t cell = VectorBegin(begin, lanes, cells);
        hn::Vec<decltype(d)> v[kQuad];
        for (int64_t j = 0; j < kQuad; ++j) v[j] = hn::LoadU(d, sources[j] + cell);
        TransposeQuads(d, v);
        for (int64_t j = 0; j < kQuad; ++j) {
          StoreQuadBytes(v[j], d, to + (cell + j) * cell_bytes + k * kFloatBytes, kQuad * cell_bytes);
        }
      }
    }
  });
  return cells;
}
#endif

// Strides beyond those that interleave whole vectors.
template <class T>
void InterleaveAny(const Compute<T>* HWY_RESTRICT from, int64_t phase_pitch, int64_t phases, int64_t cells,
                   char* HWY_RESTRICT to) {
  int64_t cell = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, float>) {
    if (phases >= kQuad) {
      cell = StoreByQuads([&](int64_t t) { return from + t * phase_pitch; }, phases, cells, to, phases * kFloatBytes);
    }
  }
#endif
  // Cells outside: where there are none, a stride may be beyond counting.
  for (; cell < cells; ++cell) {
    for (int64_t t = 0; t < phases; ++t) {
      StoreElement<T>(to, cell * phases + t, Narrow<T>(from[t * phase_pitch + cell]));
    }
  }
}

// One channel, contiguous outputs: whole cells, then the phases that the last cell of a row still has.
template <class T>
void StoreChannel(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole, int64_t rest, char* to) {
  switch (stride) {
    case 1:
      Interleave<T, 1>(from, phase_pitch, whole, to);
      break;
    case 2:
      Interleave<T, 2>(from, phase_pitch, whole, to);
      break;
    case 3:
      Interleave<T, 3>(from, phase_pitch, whole, to);
      break;
    case 4:
      Interleave<T, 4>(from, phase_pitch, whole, to);
      break;
    default:
      InterleaveAny<T>(from, phase_pitch, stride, whole, to);
      break;
  }
  for (int64_t t = 0; t < rest; ++t) {
    StoreElement<T>(to, whole * stride + t, Narrow<T>(from[t * phase_pitch + whole]));
  }
}

// Sums of neighbouring cells of a row: [phase][channel][cell].
template <class C>
struct SumsOfCells {
  const C* first = nullptr;
  int64_t channels = 0;
  int64_t channel_pitch = 0;
  int64_t phase_pitch = 0;
};

// Some channels of a row of `count` positions, channels last, `position` elements apart.
template <class T>
void StoreChannelsLast(const SumsOfCells<Compute<T>>& sums, int64_t stride, int64_t count, int64_t position, char* to) {
  int64_t cell = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, float>) {
    const int64_t whole = count / stride;
    const int64_t cell_elements = whole > 0 ? stride * position : 0;  // a stride may be beyond counting
    const int64_t cell_bytes = cell_elements * kFloatBytes;
    if (sums.channels == position && cell_elements >= kQuad) {
      const auto source_of = [&](int64_t k) {
        return sums.first + k / position * sums.phase_pitch + k % position * sums.channel_pitch;
      };
      cell = StoreByQuads(source_of, cell_elements, whole, to, cell_bytes);
    } else if (whole > 0 && sums.channels >= kQuad) {
      for (int64_t t = 0; t < stride; ++t) {
        const auto source_of = [&](int64_t k) { return sums.first + t * sums.phase_pitch + k * sums.channel_pitch; };
        cell = StoreByQuads(source_of, sums.channels, whole, to + t * position * kFloatBytes, cell_bytes);
      }
    }
  }
#endif
  for (int64_t i = cell * stride; i < count; ++cell) {
    const Compute<T>* from = sums.first + cell;
    for (const int64_t end = std::min(i + stride, count); i < end; ++i, from += sums.phase_pitch) {
      for (int64_t channel = 0; channel < sums.channels; ++channel) {
        StoreElement<T>(to, i * position + channel, Narrow<T>(from[channel * sums.channel_pitch]));
      }
    }
  }
}

template <class T>
void StoreFragment(const PhasedLayout& layout, const BlockPlace& place, const Fragment<Compute<T>>& fragment,
                   char* output) {
  const Geometry& geometry = layout.geometry;
  const Axis& x = layout.axes[2].axis;
  const TensorStrides& strides = geometry.output_strides;
  const auto element = static_cast<int64_t>(sizeof(T));
  const int64_t column_pitch = layout.tile.columns;
  const int64_t phase_pitch = fragment.rows * column_pitch;
  const int64_t first = fragment.first_cell * x.stride;
  const int64_t count = std::min(fragment.cells * x.stride, x.output - first);
  const int64_t base = place.batch * strides.batch +
                       (place.group * geometry.out_channels + fragment.channel) * strides.channel +
                       (fragment.output_row * x.output + first) * strides.position;
  char* to = output + base * element;
  if (strides.position == 1) {
    // At the end of a row the last cell may lack its later phases.
    const bool all = count == fragment.cells * x.stride;
    const int64_t whole = all ? fragment.cells : count / x.stride;
    for (int64_t row = 0; row < fragment.rows; ++row) {
      StoreChannel<T>(fragment.tile + row * column_pitch, phase_pitch, x.stride, whole, count - whole * x.stride,
                      to + row * strides.channel * element);
    }
    return;
  }
  StoreChannelsLast<T>({fragment.tile, fragment.rows, column_pitch, phase_pitch}, x.stride, count, strides.position,
                       to);
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_STORE_INL_H_
