// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For every case, the backend of DECONV_FUZZ_BACKEND (a shared library, a command; "kernel" if
// unset) must give what the oracle gives. It need not be instrumented.

#include <cstddef>
#include <cstdint>

#include "fuzz/cases/case_mutator.h"
#include "fuzz/findings/campaign_target.h"

const fuzz::WordLine fuzz::kWordLine = {};

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return fuzz::RunCampaignTarget({bytes, size});
}
