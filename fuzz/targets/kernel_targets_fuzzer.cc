// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: for every case, the kernel must give the output of the oracle, the reference implementation, with every
// instruction set of this machine. A case is an operator and its values as one line of text. kernel_vs_oracle_fuzzer.cc
// tests only the best instruction set.

#include <cstddef>
#include <cstdint>
#include <string>

#include <deconv/deconv.h>

#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/target.h"

const fuzz::InputForm fuzz::kInputForm = {};  // tells the mutator that an input is one case line

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  for (std::size_t i = 0; deconv_target(i) != nullptr;
       ++i) {  // the name of an instruction set; null after the last one
    const int status = fuzz::JudgeValuesOfInput(std::string("kernel?target=") + deconv_target(i), {bytes, size});
    if (status != 0) return status;  // the input is no case, or too large a case
  }
  return 0;
}
