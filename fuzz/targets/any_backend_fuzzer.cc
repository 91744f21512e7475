// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For every case that the bytes decode to, the backend of DECONV_FUZZ_BACKEND (a shared library, a command; "kernel" if
// unset) must give what the oracle gives. It need not be instrumented.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/settings.h"
#include "fuzz/cases/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::RunTarget(fuzz::EnvironmentSettings().backend, {bytes, size});
  return 0;
}
