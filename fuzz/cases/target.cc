// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements RunTarget, which judges values. ResolveTarget has its own file, resolve_target.cc, so that programs can
// link it without the judge.

#include "fuzz/cases/target.h"

#include <optional>

#include "fuzz/cases/case_features.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/cases/judge_in_process.h"
#include "fuzz/cases/settings.h"

namespace fuzz {

int RunTarget(const std::string& backend_name, Input input) {
  const auto test_case = BeginInput(input);
  // The engine does not keep inputs for which kNoCase is returned.
  if (!test_case || TooLarge(*test_case)) return kNoCase;
  // Only the case mutator gets feedback about cases: the engine keeps inputs with new features (case_features.h).
  if (EnvironmentSettings().mutation == Mutation::kCases) MarkFeatures(*test_case);
  // When corpora are merged by features, no case is judged, because features do not depend on the backend.
  if (!EnvironmentSettings().judges) return 0;
  EndInput(JudgeInProcess(OpenedBackend(backend_name), *test_case), *test_case, backend_name);
  return 0;
}

}  // namespace fuzz
