// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how similar the backend's answer to a case is to the answer of a hypothesis (a backend with a known defect).

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

/// A trial is a case on which the backend was observed.
struct Trial {
  std::size_t result = 0;  ///< index of the case's result in the run
  std::unique_ptr<PreparedCase> prepared;
  Behaviour behaviour;
  bool failed = false;
  /// For each output whether it is wrong. Empty if no output of the right size was written, or if the case repeats
  /// runs.
  std::vector<bool> wrong;
  double largest_bound = 0;

  /// Whether the case repeats runs. The calls then have other operands than `prepared`, or another operator.
  bool repeats() const { return prepared->test_case.repeats.has_value(); }
};

/// Makes a trial from an observed case, and finds the wrong outputs of the first call that has wrong outputs.
Trial TrialOf(std::size_t result, std::unique_ptr<PreparedCase> prepared, Behaviour behaviour,
              const Capabilities& declared);

enum class Similarity {
  kNone,
  kClose,  ///< the same outputs are wrong, and each differs by no more than rounding allows
  kSame,   ///< equal bit for bit; any two NaN count as equal
};

/// Compares a call of the trial with the same call of a hypothesis.
Similarity SimilarityOf(const Trial& trial, const Call& call, const Call& hypothesis, const Capabilities& declared);

/// The declaration of arithmetic by which all outputs of a failed trial would be right. Absent if no declaration helps.
std::optional<ExcusingWord> ExcusingWordOf(const Trial& trial, const Capabilities& declared);

/// Whether a judge would have accepted this call, as the first run of the case.
bool IsRight(const PreparedCase& prepared, const Call& call, const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_SIMILARITY_H_
