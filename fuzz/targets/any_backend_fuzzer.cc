// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: for every case, a backend must give the output of the oracle, the reference implementation. A case is an
// operator and its values as one line of text. The environment variable DECONV_FUZZ_BACKEND names the backend, such as
// a shared library or a command; the default is the kernel. The backend may be compiled without coverage counters.
// Linked with libFuzzer, this target is the program deconv-fuzz-engine, which campaigns start.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/case_mutator.h"
#include "fuzz/findings/campaign_target.h"

const fuzz::InputForm fuzz::kInputForm = {};  // tells the mutator that an input is one case line

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return fuzz::JudgeInputOfCampaign({bytes, size});
}
