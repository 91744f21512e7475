// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever case the bytes are: kernel and oracle resolve it alike, without any values.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::ResolveTarget("kernel", {bytes, size});
  return 0;
}
