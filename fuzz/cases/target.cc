// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the case target that judges values. resolve_target.cc is a separate file, because programs link it without
// the judge.

#include "fuzz/cases/target.h"

#include <optional>

#include "fuzz/cases/case_features.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/cases/judge_in_process.h"
#include "fuzz/cases/settings.h"

namespace fuzz {

int RunTarget(const std::string& backend_name, Input input) {
  const auto test_case = BeginInput(input);
  if (!test_case || TooLarge(*test_case)) return kNoCase;
  if (EnvironmentSettings().mutation == Mutation::kCases) MarkFeatures(*test_case);
  if (!EnvironmentSettings().judges) return 0;
  EndInput(JudgeInProcess(OpenedBackend(backend_name), *test_case), *test_case, backend_name);
  return 0;
}

}  // namespace fuzz
