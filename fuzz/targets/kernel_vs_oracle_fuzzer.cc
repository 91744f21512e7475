// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: for every case, the kernel must give the output of the oracle, the reference implementation. A case is
// an operator and its values as one line of text. The kernel must refuse the case if the oracle refuses it.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/target.h"

const fuzz::InputForm fuzz::kInputForm = {};  // tells the mutator that an input is one case line

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return fuzz::JudgeValuesOfInput("kernel", {bytes, size});
}
