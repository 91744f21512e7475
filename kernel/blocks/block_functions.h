// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ends of "phased", "rows" and "col2im": the copy of data into a padded block, and the store of sums. A target
// compiles them once for each element type, and the three algorithms call them by pointers.
#ifndef DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_H_
#define DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_H_

#include <cstdint>

#include "kernel/base/algorithm.h"
#include "kernel/base/blocks.h"
#include "kernel/base/geometry.h"
#include "kernel/blocks/block_layout.h"

namespace deconv {

struct BlockFunctions {
  // Copies the data of a block to `padded`, widened to the compute type: planar whatever the memory layout is, with
  // zeros where a tap reaches outside of the data. With a mask, an extra channel has 1 where data are real.
  void (*pad)(const BlockLayout& layout, const RunBuffers& buffers, const BlockPlace& place, bool with_mask,
              char* padded) = nullptr;
  // Copies `count` neighbouring positions of `channels` channels, from the first position of channel 0, to rows that
  // are `pitch` elements of the compute type apart.
  void (*widen_rows)(const TensorStrides& strides, const char* from, int64_t count, int64_t channels, int64_t pitch,
                     char* to) = nullptr;
  // Stores the sums of a run: cuts them where rows end.
  void (*store_run)(const BlockLayout& layout, const BlockPlace& place, const CellRun& run, const Fragment& fragment,
                    char* output) = nullptr;
  void (*store_channel)(const ChannelOfCells& cells, char* to) = nullptr;
  // Stores some channels of a row of `count` positions, channels last. Positions are `position` elements apart.
  void (*store_channels_last)(const SumsOfCells& sums, int64_t stride, int64_t count, int64_t position,
                              char* to) = nullptr;
};

// `floats`: the compute type is f32, also for integers of 8 bits. Null if the target has no vectors of the compute
// type.
const BlockFunctions* ChooseBlocks(deconv_type type, bool floats, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_H_
