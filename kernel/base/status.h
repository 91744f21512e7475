// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The status that functions inside the library return: a code and a message of fixed size. A failure allocates nothing.
#ifndef DECONV_KERNEL_BASE_STATUS_H_
#define DECONV_KERNEL_BASE_STATUS_H_

#include <cstddef>

#include "kernel/include/deconv/deconv.h"

namespace deconv {

class [[nodiscard]] Status {
 public:
  Status() = default;

  bool Ok() const { return code_ == DECONV_OK; }
  deconv_code Code() const { return code_; }
  const char* Message() const { return message_; }

  // Copies code and message to the caller's struct, of which only struct_bytes bytes are written; it may be null.
  // Returns the code.
  deconv_code Report(deconv_status* caller_status) const;

 private:
  friend Status Fail(deconv_code code, const char* format, ...);

  deconv_code code_ = DECONV_OK;
  char message_[sizeof(deconv_status::message)] = {};
};

// Returns a failure. `format` is a format of printf. The message names the argument, its value, the expected value, and
// the rule.
[[gnu::format(printf, 2, 3)]] Status Fail(deconv_code code, const char* format, ...);

// Fails if a caller's buffer has fewer than `needed` bytes, or is a null pointer although bytes are needed.
Status CheckBuffer(const char* name, const void* pointer, size_t bytes, size_t needed);

// A buffer, and how many of its bytes a call reads or writes.
struct AccessedBuffer {
  const char* name;
  const void* pointer;
  size_t bytes;
};

// Fails if a buffer that the call writes shares a byte with another buffer. A null pointer overlaps nothing.
Status CheckNoOverlap(const AccessedBuffer& written, const AccessedBuffer& other);

// Returns the failure for so many workers that their workspace would be larger than the address space.
Status FailOfTooManyWorkers(size_t workers);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_STATUS_H_
