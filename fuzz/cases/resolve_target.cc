// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the target that compares only sizes.

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/resolve_in_process.h"
#include "fuzz/cases/target.h"

namespace fuzz {

// Cases are not marked: the features of a resolution are the branches of the resolvers, which the engine sees, and
// marking would resolve each case once more.
int ResolveTarget(const std::string& backend_name, Input input) {
  const auto test_case = BeginInput(input);
  if (!test_case) return kNoCase;
  EndInput(ResolveInProcess(OpenedBackend(backend_name), *test_case), *test_case, backend_name);
  return 0;
}

}  // namespace fuzz
