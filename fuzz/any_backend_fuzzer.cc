// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever case the bytes are: the backend that DECONV_FUZZ_BACKEND names (a shared library, a command, "kernel" if it
// is not set) gives what the oracle says. It need not be instrumented.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "conformance/byte_codec.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const char* const named = std::getenv("DECONV_FUZZ_BACKEND");
  fuzz::RunTarget(named == nullptr ? "kernel" : named, conformance::DecodeCase({bytes, size}));
  return 0;
}
