// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions with which tasks of the algorithms "phased", "rows" and "col2im" begin and end. They copy data into a
// padded block, and store sums in the output. They are compiled for each target and element type. The three algorithms
// call them by pointers, so they are not compiled again for each algorithm.
#ifndef DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_H_
#define DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_H_

#include <cstdint>

#include "kernel/base/algorithm.h"
#include "kernel/base/blocks.h"
#include "kernel/base/geometry.h"
#include "kernel/blocks/block_layout.h"

namespace deconv {

struct BlockFunctions {
  // Copies the data of a block to `padded`, widened to the compute type (the type of the sums). In the copy, each
  // channel is an image of its own (planar), with zeros outside of the data. A mask is an extra channel: 1 inside of
  // the data, else 0.
  void (*pad)(const BlockLayout& layout, const RunBuffers& buffers, const TaskPosition& position, bool with_mask,
              char* padded) = nullptr;
  // Copies `count` neighbouring positions of `channels` channels, one row for each channel. `from` is the first
  // position of channel 0. Rows are `pitch` elements of the compute type apart.
  void (*widen_rows)(const TensorStrides& strides, const char* from, int64_t count, int64_t channels, int64_t pitch,
                     char* to) = nullptr;
  // Stores the sums of a span of neighbouring cells. A span that covers several rows is cut into its rows.
  void (*store_span)(const BlockLayout& layout, const TaskPosition& position, const CellSpan& span,
                     const Fragment& fragment, char* output) = nullptr;
  // Stores one channel of a row of planar outputs.
  void (*store_channel)(const ChannelOfCells& cells, char* to) = nullptr;
  // Stores some channels of `count` neighbouring positions of a row, channels last. The positions lie `position_pitch`
  // elements apart in the output. `from` is the first sum of the row, of the compute type.
  void (*store_channels_last)(const char* from, const SumsLayout& sums, int64_t stride, int64_t count,
                              int64_t position_pitch, char* to) = nullptr;
};

// Returns the functions of a target for an element type; null if the target has no vectors of the compute type.
// `sums_in_f32`: the compute type is f32, also for integers of 8 bits.
const BlockFunctions* ChooseBlocks(deconv_type type, bool sums_in_f32, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_BLOCKS_BLOCK_FUNCTIONS_H_
