// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements JudgeValuesOfInput, which compares output values. JudgeGeometryOfInput has its own file,
// resolve_target.cc, so that programs can link it without the code that compares values.

#include "fuzz/cases/target.h"

#include <optional>

#include "fuzz/cases/case_features.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/cases/judge_in_process.h"
#include "fuzz/cases/settings.h"

namespace fuzz {

int JudgeValuesOfInput(const std::string& backend_name, Input input) {
  const auto test_case = ReadCaseOfInput(input);
  // The engine does not keep inputs for which kNoCase is returned.
  if (!test_case || IsTooLarge(*test_case)) return kNoCase;
  // The case mutator makes new inputs from those that the engine keeps, which are those with new features. A feature is
  // a property of the case, such as "stride 2" (case_features.h). Other mutations get no such feedback.
  if (EnvironmentSettings().mutation == Mutation::kCases) MarkFeatures(*test_case);
  // When the engine only merges folders of inputs by their features, the settings turn judging off. It is not needed,
  // because features do not depend on the backend.
  if (!EnvironmentSettings().judges) return 0;
  AbortOnFinding(JudgeInProcess(OpenedBackend(backend_name), *test_case), *test_case, backend_name);
  return 0;
}

}  // namespace fuzz
