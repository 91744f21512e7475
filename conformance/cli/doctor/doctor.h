// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Examines an adapter step by step before its first full run, and says in words what is missing. The doctor first
// checks the suite itself with mutants, so that a fault of the suite is not reported as a fault of the adapter.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_H_

#include <functional>
#include <string>
#include <vector>

namespace conformance {

struct ExaminedStep {
  enum class Mark { kGood, kWarning, kFault, kNotAsked };
  Mark mark = Mark::kGood;
  std::string name;                 ///< "first cases"
  std::string text;                 ///< what was found, one line
  std::vector<std::string> advice;  ///< what to do about it, and how to reproduce it
};

struct Examination {
  enum class End { kDone, kOwnSideUnsound, kNotOpened, kUnknownName };
  End end = End::kDone;
  int faults = 0;
  int warnings = 0;
  int judged = 0;  ///< cases of the backend that were computed and found right
};

/// Examines a backend. `backend`: as --backend takes it. `base_seconds`: least time limit of each run. `on_step` is
/// called after each step.
Examination Examine(const std::string& backend, double base_seconds,
                    const std::function<void(const ExaminedStep&)>& on_step);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_H_
