// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the similarity of two answers to a case: how similar the backend's answer and a hypothesis's answer are.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_SIMILARITY_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_SIMILARITY_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/diagnosis/observing_judge.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// A case on which the backend was observed.
struct Trial {
  std::size_t result = 0;  ///< which of the run's results it is
  std::unique_ptr<PreparedCase> prepared;
  Behaviour behaviour;
  bool failed = false;
  std::vector<bool> wrong;  ///< its wrong outputs; empty if it wrote none of the right size
  double largest_bound = 0;
};

/// Makes a trial from an observed case, and finds the wrong outputs of the first call that has some.
Trial TrialOf(std::size_t result, std::unique_ptr<PreparedCase> prepared, Behaviour behaviour,
              const Capabilities& declared);

enum class Similarity {
  kNone,
  kClose,  ///< the same outputs are wrong, and each differs by no more than rounding allows
  kSame,   ///< bit for bit; any NaN is the NaN
};

/// Compares a call of the trial with the same call of a hypothesis.
Similarity SimilarityOf(const Trial& trial, const Call& call, const Call& hypothesis, const Capabilities& declared);

/// The declaration of arithmetic by which all outputs of a failed trial would be right. Absent if no declaration helps.
std::optional<ExcusingWord> ExcusingWordOf(const Trial& trial, const Capabilities& declared);

/// Whether a judge would have found this first call right.
bool IsRight(const PreparedCase& prepared, const Call& call, const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_SIMILARITY_H_
