// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the table BlockFunctions of an element type for one target (instruction set): the functions that copy data into
// a padded block and store sums. The table has one type of pointer for all element types: pointers to bytes.

#if defined(DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_INL_H_
#undef DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_INL_H_
#else
#define DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_INL_H_
#endif

#include <cstdint>

#include "kernel/base/convert.h"
#include "kernel/blocks/block_functions.h"
#include "kernel/blocks/pad-inl.h"
#include "kernel/blocks/store-inl.h"
#include "kernel/blocks/store_row-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// PadBlock with a pointer to bytes.
template <class T>
void PadBlockOf(const BlockLayout& layout, const RunBuffers& buffers, const TaskPosition& position, bool with_mask,
                char* padded) {
  PadBlock<T>(layout, buffers, position, with_mask, reinterpret_cast<Compute<T>*>(padded));
}

// WidenRows with a pointer to bytes.
template <class T>
void WidenRowsOf(const TensorStrides& strides, const char* from, int64_t count, int64_t channels, int64_t pitch,
                 char* to) {
  WidenRows<T>(strides, from, count, channels, pitch, reinterpret_cast<Compute<T>*>(to));
}

template <class T>
const BlockFunctions* BlockFunctionsOf() {
  static constexpr BlockFunctions functions = {&PadBlockOf<T>, &WidenRowsOf<T>, &StoreSpan<T>, &StoreChannel<T>,
                                               &StoreChannelsLast<T>};
  return &functions;
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_INL_H_
