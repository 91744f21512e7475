// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever case the bytes are: the backend that DECONV_FUZZ_BACKEND names (a shared library, a command, "kernel" if it
// is not set) gives what the oracle says. It need not be instrumented.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/settings.h"
#include "fuzz/cases/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::RunTarget(fuzz::EnvironmentSettings().backend, {bytes, size});
  return 0;
}
