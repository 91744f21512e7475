// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prefetches the data of the next block of a thread, a few cache lines at a time, while the thread sums its current
// block. A block is a box of neighbouring outputs that one task computes. It reads rows of the data tensor.
#ifndef DECONV_KERNEL_BASE_BLOCK_FETCH_H_
#define DECONV_KERNEL_BASE_BLOCK_FETCH_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernel/base/blocks.h"
#include "kernel/base/checked.h"
#include "kernel/base/geometry.h"

namespace deconv {

// Returns how many of `lines` cache lines each of `parts` parts of the work prefetches: lines / parts, rounded up.
// Returns 0 if either is 0. Without lines, it divides nothing.
constexpr int64_t ShareOfLines(int64_t lines, int64_t parts) {
  return lines == 0 || parts == 0 ? 0 : DivideUp(lines, parts);
}

class BlockFetch {
 public:
  // An empty object: Fetch does nothing.
  BlockFetch() = default;
  // Will prefetch the data of the block at `position`; `data` is the whole tensor.
  BlockFetch(const Geometry& geometry, const BlockAxes& axes, const TaskPosition& position, const char* data);

  // Returns an upper bound of the cache lines that are left.
  int64_t Lines() const;
  // Removes the next cache line and returns its address; null if none is left.
  const char* NextLine();
  // Prefetches the next `lines` cache lines, or all that are left.
  void Fetch(int64_t lines) {
    if (lines > 0) FetchSome(lines);
  }

 private:
  void FetchSome(int64_t lines);

  // Begins the next row of the innermost axis. Returns false if there is none.
  bool NextRow();

  // The rows of data lie on a grid of (channel, z, y).
  std::array<int64_t, 3> counts_ = {};
  std::array<int64_t, 3> steps_ = {};  // bytes
  std::array<int64_t, 3> index_ = {};  // grid index of the row after this one
  const char* first_ = nullptr;        // the first of all rows
  int64_t row_bytes_ = 0;
  int64_t rows_left_ = 0;
  const char* next_ = nullptr;  // the next cache line of this row
  const char* end_ = nullptr;
};

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_BLOCK_FETCH_H_
