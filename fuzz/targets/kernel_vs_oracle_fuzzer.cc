// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever case the bytes are: the kernel gives what the oracle says, or refuses where the oracle refuses.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::RunTarget("kernel", {bytes, size});
  return 0;
}
