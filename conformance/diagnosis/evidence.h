// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Records what each hypothesis does on each case that the backend ran. Each finding is computed when it is first
// needed.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_EVIDENCE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_EVIDENCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/question_budget.h"
#include "conformance/diagnosis/similarity.h"

namespace conformance {

/// The result of comparing one hypothesis with one trial (a case on which the backend was observed).
struct Finding {
  std::optional<Similarity> similarity;  ///< of a failing trial
  std::optional<bool> contradicts;       ///< of a passing one: the hypothesis would have failed
};

class Evidence {
 public:
  /// All planted faults are hypotheses. `declared`: what the backend declares.
  explicit Evidence(Capabilities declared);

  std::size_t hypotheses() const { return hypotheses_.size(); }
  Hypothesis& hypothesis(std::size_t h) { return hypotheses_[h]; }
  const Capabilities& declared() const { return declared_; }

  /// Adds a trial and returns its index.
  std::size_t Add(Trial trial);
  const Trial& trial(std::size_t t) const { return trials_[t].trial; }

  Similarity SimilarityOf(std::size_t h, std::size_t t);
  bool Contradicts(std::size_t h, std::size_t t);

  /// Tries the hypotheses that need a worker. The backend and these hypotheses run all trials so far again, in the same
  /// order. Before this call, and for trials that are added later, they reproduce and contradict nothing. Returns false
  /// if the time ended before all trials had run; then their results are dropped.
  bool RunWorkers(const std::string& backend, const JudgeLimits& limits, const QuestionBudget& budget);

 private:
  struct Row {
    Trial trial;
    std::vector<Finding> findings;  ///< of each hypothesis
  };
  class WorkerTrial;
  /// Forgets what hypotheses in workers did: they reproduce nothing.
  void DropWorkers();

  Capabilities declared_;
  std::vector<Hypothesis> hypotheses_;
  std::vector<Row> trials_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_EVIDENCE_H_
