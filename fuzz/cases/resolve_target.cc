// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the case target that compares only sizes and pads, without values.

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/judge_in_process.h"
#include "fuzz/cases/target.h"

namespace fuzz {

// MarkFeatures() is not called. The engine already sees the branches of the resolvers as coverage, and marking would
// resolve each case once more.
int ResolveTarget(const std::string& backend_name, Input input) {
  const auto test_case = BeginInput(input);
  if (!test_case) return kNoCase;
  EndInput(ResolveInProcess(OpenedBackend(backend_name), *test_case), *test_case, backend_name);
  return 0;
}

}  // namespace fuzz
