// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A buffer between two inaccessible pages (guard pages), for tests. If it touches a guard page, a read or write of the
// first byte outside of the buffer at this side ends the program.
#ifndef DECONV_KERNEL_TESTING_GUARDED_H_
#define DECONV_KERNEL_TESTING_GUARDED_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include <sys/mman.h>
#include <unistd.h>

namespace deconv::testing {

// Where the buffer lies: its last byte before the second guard page, its first byte behind the first one, or one byte
// further. The last address is misaligned for every type of more than one byte.
enum class Flush { kWithEnd, kWithBegin, kOdd };

class Guarded {
 public:
  // Every byte begins as `poison`.
  Guarded(size_t bytes, Flush flush, int poison = 0xCB) : bytes_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    inner_ = (bytes + 1 + page - 1) / page * page;  // whole pages, with a byte to spare for kOdd
    mapped_ = inner_ + 2 * page;
    void* memory = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    base_ = static_cast<std::byte*>(memory);
    if (mprotect(base_ + page, inner_, PROT_READ | PROT_WRITE) != 0) std::abort();
    std::memset(base_ + page, poison, inner_);
    begin_ = flush == Flush::kWithEnd ? base_ + page + inner_ - bytes : base_ + page + (flush == Flush::kOdd ? 1 : 0);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(base_, mapped_); }

  void MakeReadOnly() {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (mprotect(base_ + page, inner_, PROT_READ) != 0) std::abort();
  }

  std::span<std::byte> bytes() const { return {begin_, bytes_}; }

 private:
  size_t bytes_;      // size of the buffer
  size_t inner_;      // bytes of the pages between the guard pages
  size_t mapped_;     // bytes of all pages
  std::byte* base_;   // the first guard page
  std::byte* begin_;  // the buffer
};

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_GUARDED_H_
