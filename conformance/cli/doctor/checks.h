// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks of `deconv-cts doctor`, which examines the adapter of a library, beside the judging of cases: of the suite
// itself, of the function supports(), of determinism, of the size of the output buffer, and of types that are not
// declared.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_CHECKS_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_CHECKS_H_

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/cli/doctor/doctor.h"
#include "conformance/interface/backend.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/judge.h"
#include "conformance/verdict/judge/limits.h"
#include "oracle/element_type.h"

namespace conformance {

// Checks the suite itself before it judges an adapter: mutants (built-in backends that misbehave in one known way) run
// through the same kind of interface and the same judge. A fault of the suite is then never reported as a fault of the
// adapter.

/// Returns an empty string if every mutant gets the verdict that it must get, else the first mutant that does not.
/// `through_process`: the mutants run behind the process protocol, like "cmd:" backends.
std::string SelfCheck(bool through_process, const JudgeLimits& limits);

/// "none, echo, ...": the mutants of the check.
std::string CheckedMutants();

/// The number of supported operators, up to the first fault.
struct SupportsCheck {
  std::size_t supported = 0;
  std::string fault;  ///< no proper answer, or two different answers to one question; empty if all is right
};

/// Checks the operators of `cases`, which are valid and declared. `limit`: the time limit of each answer.
SupportsCheck CheckSupports(Worker& worker, const Capabilities& declared, std::span<const SuiteCase> cases,
                            std::chrono::nanoseconds limit);

/// Checks whether the backend gives the same bits in several runs, and with several numbers of threads if it declares
/// that. Uses the first of `cases` that the backend computes; nullopt if it computes none.
std::optional<ExaminedStep> CheckRepeats(Judge& judge, std::span<const SuiteCase> cases, const std::string& backend);

// In a run, a buffer is too small if the backend and the dialect resolve an operator to different shapes.

/// `suite_case`: a case that the backend computes correctly. `limit`: its time limit. Returns an empty string if the
/// backend answers other-shape, as it should; otherwise what it does.
std::string CheckSizes(Worker& worker, Arena& arena, const Capabilities& declared, const SuiteCase& suite_case,
                       std::chrono::nanoseconds limit);

/// The undeclared types for which the backend computes a plain case correctly. A crash or hang with such a type is no
/// fault, so each type gets a process of its own. `limit`: the time limit of a run.
std::vector<oracle::ElementType> ComputedButUndeclared(const std::string& backend, const Capabilities& declared,
                                                       std::chrono::nanoseconds limit);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_CHECKS_H_
