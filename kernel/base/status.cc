// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats messages, and copies them into the caller's struct.
#include "kernel/base/status.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <stdarg.h>

namespace deconv {

Status Fail(deconv_code code, const char* format, ...) {
  Status status;
  status.code_ = code;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(status.message_, sizeof(status.message_), format, arguments);
  va_end(arguments);
  return status;
}

Status CheckBuffer(const char* name, const void* pointer, size_t bytes, size_t needed) {
  if (pointer == nullptr && needed > 0) {
    return Fail(DECONV_INVALID_ARGUMENT, "%s: is a null pointer, expected a buffer of at least %zu bytes", name,
                needed);
  }
  if (bytes < needed) {
    return Fail(DECONV_BUFFER_TOO_SMALL, "%s: has %zu bytes, expected at least %zu", name, bytes, needed);
  }
  return {};
}

Status CheckNoOverlap(const AccessedBuffer& written, const AccessedBuffer& other) {
  if (written.pointer == nullptr || other.pointer == nullptr || written.bytes == 0 || other.bytes == 0) return {};
  const auto begin = reinterpret_cast<uintptr_t>(written.pointer);
  const auto other_begin = reinterpret_cast<uintptr_t>(other.pointer);
  // The distance of the begins is compared, because begin + bytes could overflow.
  const bool written_is_first = begin < other_begin;
  const size_t distance = written_is_first ? other_begin - begin : begin - other_begin;
  const size_t first_bytes = written_is_first ? written.bytes : other.bytes;
  if (distance >= first_bytes) return {};
  const size_t shared = std::min(first_bytes - distance, written_is_first ? other.bytes : written.bytes);
  return Fail(DECONV_INVALID_ARGUMENT, "%s: shares %zu bytes with %s, expected buffers that do not overlap",
              written.name, shared, other.name);
}

Status FailOfTooManyWorkers(size_t workers) {
  return Fail(DECONV_OVERFLOW, "workers: is %zu, whose workspace cannot be addressed; pass fewer", workers);
}

deconv_code Status::Report(deconv_status* caller_status) const {
  if (caller_status == nullptr) return code_;
  constexpr size_t code_end = offsetof(deconv_status, code) + sizeof(deconv_code);
  constexpr size_t message_begin = offsetof(deconv_status, message);
  if (caller_status->struct_bytes >= code_end) caller_status->code = code_;
  if (caller_status->struct_bytes > message_begin) {
    const size_t message_bytes = std::min(caller_status->struct_bytes, sizeof(deconv_status)) - message_begin;
    const size_t length = std::min(std::strlen(message_), message_bytes - 1);
    std::memcpy(caller_status->message, message_, length);
    caller_status->message[length] = '\0';
  }
  return code_;
}

}  // namespace deconv
