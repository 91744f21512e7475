// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the strength of the suite: which planted faults (backends that are wrong on purpose) its cases find, and
// whether it fails a correct backend. A case kills a fault if it fails the faulty backend. All backends run side by
// side, so that the oracle computes each case once.

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

/// The backends that are tried, and the part of the suite that they run.
struct PowerOptions {
  std::vector<std::string> faulty = {};   ///< backends with a planted fault, which some case must find
  std::vector<std::string> correct = {};  ///< backends that must pass every case
  std::vector<std::string> fast = {};     ///< the correct backends that are fast enough to run large cases too
  /// The faulty backends that keep state from case to case. They get a new process for every case batch, as in a run.
  /// The other backends do not need it, and it takes time.
  std::vector<std::string> stateful = {};
  /// The correct backends that compute the same values as another one. They run only with the first seed.
  std::vector<std::string> first_seed_only = {};
  std::uint64_t seeds = 1;  ///< correct backends run each case `seeds` times, with 0 to seeds - 1 added to its seed
  int jobs = 1;
  JudgeLimits limits = {};
  /// The time limit of a second try, for a fault that only a hang would kill. On a busy machine any backend may hang
  /// once.
  double patient_seconds = 20;
  /// After so many kills (cases that fail it) a fault is not tried further. 0: every case is tried on every fault.
  std::size_t enough_kills = 0;
  /// The most products of an ordinary case. A backend with a planted fault is a slow loop, in which a larger case takes
  /// as long as a thousand others. Larger cases are tried only on the fast backends ...
  double most_products = 1e6;
  /// ... and at the end on faults that no other case has killed, up to this many products: half a minute of the loop.
  double most_products_of_survivors = 1e8;
};

/// The results of one backend.
struct TriedBackend {
  std::string backend;
  std::size_t judged = 0;
  std::size_t failed = 0;          ///< judged cases that it failed
  std::size_t first_position = 0;  ///< the lowest position, from 1, of a case that failed it; 0: none
  std::string first_line;          ///< that case as text, its case line
  std::string first_message;
  FailureClass first_failure = FailureClass::kNone;
  bool retired = false;  ///< died or hung so often that the rest was not run
};

/// The result of a measurement.
struct PowerRecord {
  std::vector<TriedBackend> faulty;
  std::vector<TriedBackend> correct;
  std::vector<std::uint32_t> kills;  ///< for each case of the case list, how many faults it killed
  /// For each case, whether it was tried on all faults. Large cases and sweeps run only on faults that no other case
  /// killed.
  std::vector<bool> tried;
  double seconds = 0;

  std::size_t Killed() const;
  /// Percent of the faulty backends that at least one case killed; 100 if there are no faulty backends.
  double Score() const;
  /// The number of random cases after which a fault is found, as the median over the killed faults. If k of N cases
  /// kill a fault and cases are drawn at random without repetition, the first kill takes (N + 1) / (k + 1) draws on
  /// average. Example: 2 of 3 cases kill the fault: 4/3 draws.
  double MedianRandomDraws() const;
  std::size_t FailuresOfCorrect() const;
};

struct PowerProgress {
  std::size_t done = 0;   ///< cases, every seed counted
  std::size_t total = 0;  ///< every seed counted
  std::size_t alive = 0;  ///< faulty backends that no case has killed yet
};

/// Runs the measurement, or returns the error of a backend that does not start. One thread at a time calls
/// `on_progress`.
std::variant<PowerRecord, BackendError> MeasurePower(const std::vector<SuiteCase>& case_list,
                                                     const PowerOptions& options,
                                                     const std::function<void(const PowerProgress&)>& on_progress);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_POWER_POWER_H_
