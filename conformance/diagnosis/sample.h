// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the cases of a run that a diagnosis runs again: few and small ones, of every failure class, operator and
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
  std::size_t hangs = 2;      ///< of them: each costs its whole time limit
  std::size_t crashes = 24;   ///< of them: each costs a new process
  std::size_t before = 32;    ///< cases that ran just before one of them
  std::size_t computed = 48;  ///< cases that passed with an output
  std::size_t refused = 64;   ///< ... and invalid ones that were refused, which cost next to nothing
};

struct SampledCase {
  std::size_t result = 0;  ///< index
  SuiteCase suite_case;    ///< without its law: hypotheses are about values
};

struct Sample {
  std::vector<SampledCase> passes;  ///< and what ran just before a failure
  std::vector<SampledCase> failures;
  /// All the others that hypotheses can be told apart by, small ones first; indices of results.
  std::vector<std::size_t> others;
  std::size_t all_failures = 0;
};

/// Small cases before large ones, and every failure class, operator and type in turn.
Sample SampleOf(std::span<const CaseResult> results, const Capabilities& declared, const SampleLimits& limits);

/// The case of a result that has one, without its law.
SuiteCase SuiteCaseOf(const CaseResult& result);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_SAMPLE_H_
