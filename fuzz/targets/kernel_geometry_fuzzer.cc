// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: for every case, the kernel must resolve the same sizes and pads as the oracle, or refuse like it. No
// values are computed.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/target.h"

const fuzz::InputForm fuzz::kInputForm = {};  // an input is one case line

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return fuzz::JudgeGeometryOfInput("kernel", {bytes, size});
}
