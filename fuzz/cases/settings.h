// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the settings of a fuzz target, a function that a fuzzing engine (libFuzzer) calls with one input after another.
// The settings come from environment variables, because the engine reads the command line. An input is usually a case:
// an operator and its values as one line of text.

#ifndef DECONV_FUZZ_CASES_SETTINGS_H_
#define DECONV_FUZZ_CASES_SETTINGS_H_

#include <optional>
#include <string>
#include <vector>

namespace fuzz {

/// How new inputs are made.
enum class Mutation {
  kCases,    ///< the case mutator changes fields of a case, such as its strides (case_mutator.h)
  kBytes,    ///< the engine changes bytes and knows nothing of cases
  kUniform,  ///< the case mutator draws every input anew
};

// The environment variables. Each one sets the member of Settings with the same name.
inline constexpr const char* kBackendVariable = "DECONV_FUZZ_BACKEND";
inline constexpr const char* kMutationVariable = "DECONV_FUZZ_MUTATION";  ///< "cases", "bytes" or "uniform"
inline constexpr const char* kFindingsVariable = "DECONV_FUZZ_FINDINGS";
inline constexpr const char* kStateVariable = "DECONV_FUZZ_STATE";
inline constexpr const char* kIsolatedVariable = "DECONV_FUZZ_ISOLATED";  ///< "1": true
inline constexpr const char* kSandboxVariable = "DECONV_FUZZ_SANDBOX";    ///< "A:B": the paths A and B
inline constexpr const char* kTimeoutVariable = "DECONV_FUZZ_TIMEOUT";
inline constexpr const char* kJudgesVariable = "DECONV_FUZZ_JUDGES";  ///< "0": false
inline constexpr const char* kExpectVariable = "DECONV_FUZZ_EXPECT";
inline constexpr const char* kCasesVariable = "DECONV_FUZZ_CASES";  ///< sets `prints_cases`, whatever its value is

struct Settings {
  std::string backend = "kernel";  ///< the backend under test, as the option --backend of deconv-cts names it
  Mutation mutation = Mutation::kCases;
  std::string findings;   ///< file to which wrong answers are written; empty: the first one aborts the process
  std::string state;      ///< file of the state that is shared with other processes (shared_state.h); empty: none
  std::string expect;     ///< file of known failures, which are no findings; empty: none is known
  bool isolated = false;  ///< run the backend in a process of its own
  std::optional<std::vector<std::string>> sandbox;  ///< set: sandbox the backend; it may also read these paths
  double timeout = 10;                              ///< seconds for a case, if the backend is isolated
  bool judges = true;         ///< false: report the features of cases to the engine, but run no backend
  bool prints_cases = false;  ///< print each case line before the case runs
};

/// Reads this process's environment once. A value that is not allowed ends the process with exit code 2.
const Settings& EnvironmentSettings();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_SETTINGS_H_
