// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For every case that the bytes decode to, kernel and oracle must resolve it alike, without any values.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::ResolveTarget("kernel", {bytes, size});
  return 0;
}
