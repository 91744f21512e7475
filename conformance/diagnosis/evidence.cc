// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the findings about hypotheses (planted faults) when they are needed, and stores them. Some faults crash or
// remember earlier calls, so that they run in workers, which are processes of their own.

#include "conformance/diagnosis/evidence.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/backends/open_backend.h"

namespace conformance {
namespace {

// Faults that hang do so on purpose. Every other fault computes a small case in milliseconds.
constexpr double kSecondsOfHypothesis = 1;
// A hypothesis is given up if it reproduces no failure and has failed this many cases that the backend passed.
constexpr int kMostContradictions = 3;
constexpr int kMostDeaths = 2;
// The message of a leak names the number of calls behind these words. It depends on the speed.
constexpr std::string_view kAfterEachCall = " after each call";
// The number of the call that follows these words depends on the speed, too.
constexpr std::string_view kOutputOfCall = "the output of call ";

bool Died(const Behaviour& behaviour) {
  return !behaviour.calls.empty() && behaviour.calls.back().end != WorkerOutcome::End::kAnswered;
}

/// Whether a hypothesis in this process may explain a trial. A fault that only changes values can only explain wrong
/// values. The runs of a case that repeats runs need a worker.
bool Concerns(const Hypothesis& hypothesis, const Trial& trial) {
  return !trial.repeats() && (!trial.wrong.empty() || !hypothesis.OnlyChangesValues());
}

/// Whether two verdicts state the same damage of memory that was not the backend's to write. Calls do not show it. They
/// do not show a leak either, nor which of many runs was wrong.
bool SameDamage(const CaseResult& one, const CaseResult& other, bool repeats) {
  const auto damage = [repeats](const CaseResult& result) {
    const bool damaged =
        result.verdict.failure == FailureClass::kOutOfBounds || result.verdict.failure == FailureClass::kModifiedInput;
    return damaged || repeats ? result.verdict.failure : FailureClass::kNone;
  };
  // Compare without addresses and numbers of calls, which differ from process to process.
  const auto start_of_message = [](const CaseResult& result) {
    const std::string& message = result.verdict.message;
    if (message.starts_with(kOutputOfCall)) return std::string(kOutputOfCall);
    return message.substr(0, std::min(message.find(kAddress), message.find(kAfterEachCall)));
  };
  return damage(one) == damage(other) &&
         (damage(one) == FailureClass::kNone || start_of_message(one) == start_of_message(other));
}

}  // namespace

/// Compares one hypothesis, which runs in a worker, with the backend.
class Evidence::WorkerTrial {
 public:
  WorkerTrial(std::size_t hypothesis, const std::string& name, const JudgeLimits& limits,
              const std::shared_ptr<TrialSetup>& setup)
      : hypothesis_(hypothesis), observer_(name, limits, setup) {}

  /// Runs the next case on the hypothesis. `seen`: the backend's behaviour on the same case, observed just before.
  void Observe(Row& row, const SuiteCase& suite_case, const Behaviour& seen, const Capabilities& declared) {
    Finding& finding = row.findings[hypothesis_];
    finding = {.similarity = Similarity::kNone, .contradicts = false};
    if (given_up_ || (row.trial.repeats() && missed_repeats_)) return;
    const Behaviour behaviour = observer_.Observe(suite_case);
    const bool fails = behaviour.verdict.verdict.status == Status::kFail;
    // A new process takes as long as a hundred cases. So a hypothesis that dies twice where the backend did not is
    // dropped.
    if (Died(behaviour) && !Died(seen) && ++deaths_ == kMostDeaths) given_up_ = true;
    if (!row.trial.failed) {
      finding.contradicts = fails;
      if (fails && reproduced_ == 0 && ++contradictions_ == kMostContradictions) given_up_ = true;
      return;
    }
    Similarity similarity = Similarity::kNone;
    if (fails && seen.calls.size() == behaviour.calls.size() &&
        SameDamage(seen.verdict, behaviour.verdict, row.trial.repeats())) {
      similarity = Similarity::kSame;
      for (std::size_t i = 0; i < seen.calls.size(); ++i) {
        similarity =
            std::min(similarity, conformance::SimilarityOf(row.trial, seen.calls[i], behaviour.calls[i], declared));
      }
    }
    finding.similarity = similarity;
    reproduced_ += similarity != Similarity::kNone ? 1 : 0;
    missed_repeats_ |= row.trial.repeats() && similarity == Similarity::kNone;
  }
  bool Start() { return !observer_.Start(); }

 private:
  std::size_t hypothesis_;
  ObservingJudge observer_;
  int contradictions_ = 0;
  int deaths_ = 0;
  int reproduced_ = 0;
  bool given_up_ = false;
  bool missed_repeats_ = false;  ///< it did not reproduce a case that repeats runs; each takes up to half a second
};

Evidence::Evidence(Capabilities declared) : declared_(std::move(declared)) {
  for (const faults::Fault& fault : faults::Faults()) hypotheses_.emplace_back(fault);
}

std::size_t Evidence::Add(Trial trial) {
  Row& row = trials_.emplace_back();
  row.trial = std::move(trial);
  row.findings.resize(hypotheses_.size());
  for (std::size_t h = 0; h < hypotheses_.size(); ++h) {
    if (hypotheses_[h].NeedsWorker()) row.findings[h] = {.similarity = Similarity::kNone, .contradicts = false};
  }
  return trials_.size() - 1;
}

std::set<std::string> Evidence::ImplementationsOf(const std::vector<std::size_t>& trials) const {
  std::set<std::string> implementations;
  for (const std::size_t t : trials) implementations.insert(ImplementationOf(t));
  implementations.erase("");
  return implementations;
}

Similarity Evidence::SimilarityOf(std::size_t h, std::size_t t) {
  Row& row = trials_[t];
  Finding& finding = row.findings[h];
  if (finding.similarity) return *finding.similarity;
  if (!Concerns(hypotheses_[h], row.trial)) return finding.similarity.emplace(Similarity::kNone);
  finding.similarity = ReproductionOf(row.trial, hypotheses_[h], declared_);
  return *finding.similarity;
}

bool Evidence::Contradicts(std::size_t h, std::size_t t) {
  Row& row = trials_[t];
  Finding& finding = row.findings[h];
  if (!finding.contradicts) {
    finding.contradicts =
        !IsRight(*row.trial.prepared, hypotheses_[h].Run(*row.trial.prepared, kFirstPoison), declared_);
  }
  return *finding.contradicts;
}

bool Evidence::RunWorkers(const std::string& backend, const JudgeLimits& limits, const QuestionBudget& budget) {
  const auto setup = std::make_shared<TrialSetup>();
  ObservingJudge observer(backend, limits, setup);
  if (observer.Start()) return false;
  JudgeLimits of_hypotheses = limits;
  of_hypotheses.base_seconds = std::min(limits.base_seconds, kSecondsOfHypothesis);
  std::vector<std::unique_ptr<WorkerTrial>> trials;
  for (std::size_t h = 0; h < hypotheses_.size(); ++h) {
    if (!hypotheses_[h].NeedsWorker()) continue;
    auto trial = std::make_unique<WorkerTrial>(h, hypotheses_[h].BackendName(), of_hypotheses, setup);
    if (trial->Start()) trials.push_back(std::move(trial));
  }
  for (Row& row : trials_) {
    if (budget.late()) {
      DropWorkers();
      return false;
    }
    SuiteCase suite_case;
    suite_case.test_case = row.trial.prepared->test_case;
    const Behaviour seen = observer.Observe(suite_case);
    for (const auto& trial : trials) trial->Observe(row, suite_case, seen, declared_);
  }
  return true;
}

void Evidence::DropWorkers() {
  for (Row& row : trials_) {
    for (std::size_t h = 0; h < hypotheses_.size(); ++h) {
      if (hypotheses_[h].NeedsWorker()) row.findings[h] = {.similarity = Similarity::kNone, .contradicts = false};
    }
  }
}

}  // namespace conformance
