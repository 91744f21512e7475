// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A buffer between two inaccessible pages (guard pages). It touches one of them, so that an access to the first byte
// outside of the buffer ends the program.
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

enum class Flush { kWithEnd, kWithBegin, kOdd };  // kOdd: one byte behind the first page, misaligned for every type

class Guarded {
 public:
  Guarded(size_t bytes, Flush flush, int poison = 0xCB) : bytes_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    inner_ = (bytes + 1 + page - 1) / page * page;
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
  size_t bytes_;
  size_t inner_;
  size_t mapped_;
  std::byte* base_;
  std::byte* begin_;
};

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_GUARDED_H_
