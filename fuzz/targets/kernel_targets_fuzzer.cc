// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: for every case, the kernel must give the output of the oracle, with every instruction set of this
// machine.

#include <cstddef>
#include <cstdint>
#include <string>

#include <deconv/deconv.h>

#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/target.h"

const fuzz::InputForm fuzz::kInputForm = {};  // an input is one case line

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  for (std::size_t i = 0; deconv_target(i) != nullptr; ++i) {
    const int answer = fuzz::JudgeValuesOfInput(std::string("kernel?target=") + deconv_target(i), {bytes, size});
    if (answer != 0) return answer;
  }
  return 0;
}
