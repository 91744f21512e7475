// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever case the bytes are: the backend that DECONV_FUZZ_BACKEND names (a shared library, a command, "kernel" if it
// is not set) gives what the oracle says. It need not be instrumented.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "conformance/worker_process.h"
#include "fuzz/settings.h"
#include "fuzz/target.h"

// An isolated backend runs in another process of this program.
extern "C" int LLVMFuzzerInitialize(int* count, char*** values) {
  const int served = conformance::ServeIfWorker({*values, static_cast<std::size_t>(*count)});
  if (served >= 0) std::_Exit(served);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::RunTarget(fuzz::EnvironmentSettings().backend, {bytes, size});
  return 0;
}
