// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Examines an adapter (the code that connects a library to the suite) step by step before its first full run, and gives
// advice. The command `deconv-cts doctor` prints the steps. The doctor first checks the suite itself with mutants
// (backends that are wrong on purpose), so that a fault of the suite is not reported as a fault of the adapter.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_H_

#include <functional>
#include <string>
#include <vector>

namespace conformance {

/// The result of one step, as the doctor prints it.
struct ExaminedStep {
  enum class Mark { kGood, kWarning, kFault, kNotAsked };  ///< kNotAsked: a note, or a step that did not apply
  Mark mark = Mark::kGood;
  std::string name;                 ///< "first cases"
  std::string text;                 ///< what was found, one line
  std::vector<std::string> advice;  ///< what to do about it, and how to reproduce it
};

/// The result of an examination. kOwnSideUnsound: the suite itself does not work on this machine.
struct Examination {
  enum class End { kDone, kOwnSideUnsound, kNotOpened, kUnknownName };
  End end = End::kDone;
  int faults = 0;
  int warnings = 0;
  int judged = 0;  ///< cases of the backend that were computed and found right
};

/// Examines a backend. `backend`: its name, as for --backend. `base_seconds`: the least time limit of each run.
/// `on_step` is called after each step.
Examination Examine(const std::string& backend, double base_seconds,
                    const std::function<void(const ExaminedStep&)>& on_step);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_H_
