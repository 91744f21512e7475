// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prefetches a range of bytes into the caches. It is for bytes that the hardware prefetches too late, such as short
// rows that lie far apart.
#ifndef DECONV_KERNEL_BASE_FETCH_LINES_H_
#define DECONV_KERNEL_BASE_FETCH_LINES_H_

#include "kernel/base/algorithm.h"

#include <hwy/cache_control.h>

namespace deconv {

// Prefetches the cache lines of the bytes [first, end).
inline void FetchLines(const char* first, const char* end) {
  for (const char* line = first; line < end; line += kLineBytes) hwy::Prefetch(line);
  hwy::Prefetch(end - 1);  // the last line, if `first` lies inside of a line
}

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_FETCH_LINES_H_
