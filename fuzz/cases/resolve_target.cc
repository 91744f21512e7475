// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements JudgeGeometryOfInput, which compares only the sizes and pads that a backend computes from the attributes
// of an input's case.

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/judge_in_process.h"
#include "fuzz/cases/target.h"

namespace fuzz {

// MarkFeatures(), which reports properties of the case to the engine as coverage, is not called. The engine already
// sees the branches of the code that computes sizes and pads. Marking would compute these once more.
int JudgeGeometryOfInput(const std::string& backend_name, Input input) {
  const auto test_case = ReadCaseOfInput(input);
  if (!test_case) return kNoCase;
  AbortOnFinding(JudgeGeometryInProcess(OpenedBackend(backend_name), *test_case), *test_case, backend_name);
  return 0;
}

}  // namespace fuzz
