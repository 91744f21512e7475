// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the strength of the suite: which planted faults its cases find, and whether it fails a backend that is
// right. All backends run side by side, so that the oracle computes each case once.

#ifndef DECONV_CONFORMANCE_RUN_POWER_POWER_H_
#define DECONV_CONFORMANCE_RUN_POWER_POWER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/verdict/judge/judge.h"

namespace conformance {

struct PowerOptions {
  std::vector<std::string> faulty = {};   ///< backends that some case must fail
  std::vector<std::string> correct = {};  ///< backends that no case may fail ...
  std::vector<std::string> fast = {};     ///< ... and those of them that are tried on large cases too
  /// The faulty backends that keep something from case to case. They start afresh with every case batch, as in a run.
  /// The others would only lose time with it.
  std::vector<std::string> stateful = {};
  /// The correct backends that have the values of another one. They meet the first seed alone.
  std::vector<std::string> seedless = {};
  std::uint64_t seeds = 1;  ///< the correct ones meet the case list's values with 0 to seeds - 1 added to every seed
  int jobs = 1;
  JudgeLimits limits = {};
  /// The time limit of a second try, for a fault that nothing but a hang would kill. On a busy machine anything may
  /// hang once.
  double patient_seconds = 20;
  /// A fault that so many cases have failed is killed well enough and tried no further; 0: every case meets every
  /// fault.
  std::size_t enough_kills = 0;
  /// A planted fault is a plain loop with questions in it: a case with more products than this would take as long as
  /// a thousand others, and is left to the fast backends ...
  double most_products = 1e6;
  /// ... unless nothing else has killed a fault: in the end it meets cases with up to so many products, half a minute
  /// of the loop.
  double most_products_of_survivors = 1e8;
};

/// The results of one backend.
struct TriedBackend {
  std::string backend;
  std::size_t judged = 0;
  std::size_t failed = 0;       ///< judged cases that it failed
  std::size_t first_place = 0;  ///< the lowest position, from 1, of a case that failed it; 0: none
  std::string first_line;       ///< line of that case
  std::string first_message;
  FailureClass first_failure = FailureClass::kNone;
  bool retired = false;  ///< died or hung so often that the rest was not run
};

struct PowerRecord {
  std::vector<TriedBackend> faulty;
  std::vector<TriedBackend> correct;
  std::vector<std::uint32_t> kills;  ///< how many faults each case of the case list killed
  /// ... and whether it was tried on all of them. Large cases and sweeps are tried on those that no other case killed.
  std::vector<bool> tried;
  double seconds = 0;

  std::size_t Killed() const;
  /// Percent of the faulty backends that some case failed; 100 of none.
  double Score() const;
  /// The median number of cases until the first kill, over the killed faults, if cases are drawn at random without
  /// putting back. For k kills among N cases it is (N + 1) / (k + 1).
  double MedianRandomDraws() const;
  std::size_t FailuresOfCorrect() const;
};

struct PowerProgress {
  std::size_t done = 0;   ///< cases, every seed counted
  std::size_t total = 0;  ///< every seed counted
  std::size_t alive = 0;  ///< faulty backends that nothing has killed yet
};

/// `on_progress` is called by one thread at a time.
std::variant<PowerRecord, BackendError> MeasurePower(const std::vector<SuiteCase>& case_list,
                                                     const PowerOptions& options,
                                                     const std::function<void(const PowerProgress&)>& on_progress);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_POWER_POWER_H_
