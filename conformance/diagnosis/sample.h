// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the cases of a run that a diagnosis runs again: few and small cases, of every failure class, operator and
// type.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_SAMPLE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_SAMPLE_H_

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/result.h"

namespace conformance {

struct SampleLimits {
  std::size_t failures = 200;
  std::size_t hangs = 2;      ///< the most hangs among the failures: each costs its whole time limit
  std::size_t crashes = 24;   ///< the most crashes among the failures: each costs a new process
  std::size_t repeats = 4;    ///< the most failures that repeat runs: each takes up to half a second
  std::size_t before = 32;    ///< cases that ran just before a failure
  std::size_t computed = 48;  ///< cases that passed with an output
  std::size_t refused = 64;   ///< invalid cases that were refused; they cost next to nothing
};

/// The limits for a small number of questions, which the sample may not use up.
SampleLimits Scaled(SampleLimits limits, std::size_t questions);

struct SampledCase {
  std::size_t result = 0;  ///< index of the case's result
  SuiteCase suite_case;    ///< without its law (relation between operators), because hypotheses are about values
};

struct Sample {
  std::vector<SampledCase> passes;  ///< also cases that ran just before a failure, whatever their verdict
  std::vector<SampledCase> failures;
  /// The passed cases that the sample does not hold, as indices of results, small ones first. A diagnosis may run them
  /// to compare hypotheses.
  std::vector<std::size_t> others;
  std::size_t all_failures = 0;  ///< number of unexpected failures in the run; some may be unusable for the sample
};

/// Chooses the sample: the smallest case of each combination of failure class, operator, type and refusing clause, then
/// the next smallest of each, up to the limits.
Sample SampleOf(std::span<const CaseResult> results, const Capabilities& declared, const SampleLimits& limits);

/// The case of a result that has one, without its law.
SuiteCase SuiteCaseOf(const CaseResult& result);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_SAMPLE_H_
