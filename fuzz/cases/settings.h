// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the settings of a fuzz target. They come from environment variables, because the command line belongs to the
// engine.

#ifndef DECONV_FUZZ_CASES_SETTINGS_H_
#define DECONV_FUZZ_CASES_SETTINGS_H_

#include <optional>
#include <string>
#include <vector>

namespace fuzz {

/// How new inputs are made.
enum class Mutation {
  kCases,    ///< the case mutator changes fields (case_mutator.h); cases with new features are kept (case_features.h)
  kBytes,    ///< the engine changes bytes and knows nothing of cases
  kUniform,  ///< the case mutator draws every input anew
};

inline constexpr const char* kBackendVariable = "DECONV_FUZZ_BACKEND";    ///< as --backend names it; default: kernel
inline constexpr const char* kMutationVariable = "DECONV_FUZZ_MUTATION";  ///< cases, bytes, uniform
inline constexpr const char* kFindingsVariable =
    "DECONV_FUZZ_FINDINGS";                                         ///< a file for findings; without it, one aborts
inline constexpr const char* kStateVariable = "DECONV_FUZZ_STATE";  ///< a file: the shared state (shared_state.h)
inline constexpr const char* kIsolatedVariable = "DECONV_FUZZ_ISOLATED";  ///< "1": the backend has its own process
inline constexpr const char* kSandboxVariable = "DECONV_FUZZ_SANDBOX";    ///< "A:B": paths that a sandbox lets it read
inline constexpr const char* kTimeoutVariable = "DECONV_FUZZ_TIMEOUT";    ///< seconds for a case, if isolated
inline constexpr const char* kJudgesVariable = "DECONV_FUZZ_JUDGES";      ///< "0": mark features, but judge no case
inline constexpr const char* kExpectVariable = "DECONV_FUZZ_EXPECT";      ///< a file of known failures
inline constexpr const char* kCasesVariable = "DECONV_FUZZ_CASES";        ///< each case line is printed before it runs

/// The values of the environment variables above, in their order.
struct Settings {
  std::string backend = "kernel";
  Mutation mutation = Mutation::kCases;
  std::string findings;
  std::string state;
  std::string expect;
  bool isolated = false;
  std::optional<std::vector<std::string>> sandbox;  ///< set: sandbox the backend; it may also read these paths
  double timeout = 10;
  bool judges = true;
  bool prints_cases = false;
};

/// Reads this process's environment once. A value that is not allowed ends the process with exit code 2.
const Settings& EnvironmentSettings();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_SETTINGS_H_
