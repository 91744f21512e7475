// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the structs of the C interface (deconv.h). They are tagged: each begins with its size, the member struct_bytes,
// so that later versions can add members at its end. A caller that was compiled with an older header passes a shorter
// struct: the members that it lacks count as zero. A caller with a newer header passes a longer struct: it is accepted
// if all bytes that are unknown here are zero.
#ifndef DECONV_KERNEL_BASE_TAGGED_STRUCT_H_
#define DECONV_KERNEL_BASE_TAGGED_STRUCT_H_

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "kernel/base/status.h"
#include "kernel/include/deconv/deconv.h"

namespace deconv {

// No struct will ever have more bytes. A larger size means that the caller did not set it, so the struct is not read.
inline constexpr size_t kMaxStructBytes = 4096;

// Fails if the size of a struct is wrong, or if a longer struct has bytes behind the known ones that are not zero. The
// first version of the struct had `least_bytes` bytes, this version has `known_bytes` bytes. `name` is that of the
// argument.
inline Status CheckTagged(const char* name, const void* from, size_t least_bytes, size_t known_bytes) {
  size_t bytes = 0;
  std::memcpy(&bytes, from, sizeof(bytes));
  if (bytes < least_bytes) {
    return Fail(DECONV_INVALID_ARGUMENT,
                "%s: struct_bytes is %zu, expected sizeof of the struct, which is %zu in version %s", name, bytes,
                known_bytes, deconv_version());
  }
  if (bytes > kMaxStructBytes) {
    return Fail(DECONV_INVALID_ARGUMENT, "%s: struct_bytes is %zu, expected sizeof of the struct, at most %zu", name,
                bytes, kMaxStructBytes);
  }
  const char* struct_begin = static_cast<const char*>(from);
  for (size_t i = known_bytes; i < bytes; ++i) {
    if (struct_begin[i] == 0) continue;
    return Fail(DECONV_INVALID_ARGUMENT,
                "%s: struct_bytes is %zu and byte %zu is set, expected 0 behind the %zu bytes that version %s knows",
                name, bytes, i, known_bytes, deconv_version());
  }
  return {};
}

// Checks the caller's struct and copies it to a struct of this version. Members that the caller lacks become zero.
template <class T>
Status ReadTagged(const char* name, const T* from, size_t least_bytes, T& to) {
  to = T();
  if (Status status = CheckTagged(name, from, least_bytes, sizeof(T)); !status.Ok()) return status;
  std::memcpy(&to, from, std::min(from->struct_bytes, sizeof(T)));
  return {};
}

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_TAGGED_STRUCT_H_
