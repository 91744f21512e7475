// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For every case that the bytes decode to, the kernel must give what the oracle gives, or refuse it if the oracle
// refuses it.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::RunTarget("kernel", {bytes, size});
  return 0;
}
