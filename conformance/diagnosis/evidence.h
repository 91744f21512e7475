// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Records how each hypothesis behaves on each case that the backend ran again. A hypothesis is a planted fault, that is
// a backend with one known defect. Each finding is computed when it is first needed.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_EVIDENCE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_EVIDENCE_H_

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/question_budget.h"
#include "conformance/diagnosis/similarity.h"

namespace conformance {

/// The comparison of one hypothesis with the backend on one trial. A trial is a case on which the backend was observed.
struct Finding {
  std::optional<Similarity> similarity;  ///< for a failing trial
  std::optional<bool> contradicts;       ///< for a passing trial: whether the hypothesis would have failed it
};

class Evidence {
 public:
  /// Makes a hypothesis of every planted fault. `declared`: what the backend declares.
  explicit Evidence(Capabilities declared);

  std::size_t hypotheses() const { return hypotheses_.size(); }
  Hypothesis& hypothesis(std::size_t h) { return hypotheses_[h]; }
  const Capabilities& declared() const { return declared_; }

  /// Adds a trial and returns its index.
  std::size_t Add(Trial trial);
  const Trial& trial(std::size_t t) const { return trials_[t].trial; }
  /// The implementation that ran the trial. A refusal and a death name none.
  const std::string& ImplementationOf(std::size_t t) const {
    return trials_[t].trial.behaviour.verdict.answer.implementation;
  }
  std::set<std::string> ImplementationsOf(const std::vector<std::size_t>& trials) const;

  /// How similar the answers of hypothesis `h` are to those of the backend, on failing trial `t`.
  Similarity SimilarityOf(std::size_t h, std::size_t t);
  bool Contradicts(std::size_t h, std::size_t t);

  /// Runs the hypotheses that need a worker (a process of their own). The backend and these hypotheses run all stored
  /// trials again, in the same order. Before this call, and for trials that are added later, these hypotheses reproduce
  /// and contradict nothing. Returns false if the time ended before all trials had run; then the new findings are
  /// dropped.
  bool RunWorkers(const std::string& backend, const JudgeLimits& limits, const QuestionBudget& budget);

 private:
  struct Row {
    Trial trial;
    std::vector<Finding> findings;  ///< of each hypothesis
  };
  class WorkerTrial;
  /// Resets the findings of hypotheses in workers: they reproduce and contradict nothing.
  void DropWorkers();

  Capabilities declared_;
  std::vector<Hypothesis> hypotheses_;
  std::vector<Row> trials_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_EVIDENCE_H_
