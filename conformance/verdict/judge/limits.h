// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Limits on the judging of one case: time, memory, work, and the extra time for minimizing a failure. Also a few other
// settings of a judge.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_LIMITS_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_LIMITS_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "conformance/backends/worker/worker.h"

namespace conformance {

/// One run of a backend before its verdict, for the callback `on_run`.
struct RunObservation {
  std::byte poison;  ///< the byte that filled the output before the run
  const WorkerOutcome& outcome;
  std::span<const std::byte> output;  ///< valid until the call returns; empty for an operator that the dialect refuses
};

/// The limits, and a few other settings of a judge.
struct JudgeLimits {
  double base_seconds = 10;       ///< time limit of a run: TimeFor() adds the time for its work
  double steps_per_second = 5e6;  ///< steps per second of a slow backend; TimeFor() divides the work by it
  double patience = 1;            ///< factor of the whole time limit, for slow machines
  std::uint64_t bytes = std::uint64_t{12} << 30;  ///< memory for the buffers and for the oracle
  /// The most work (`WorkOf`) of a case that is run. The oracle took 3 s for 9e7 steps
  /// (spec-examples/convolution_example3), so 1e12 steps take about 9 hours. The largest case of the suites has less
  /// than a twentieth of this work.
  double most_work = 1e12;
  /// Memory of the backend's process besides the buffers. A large case may take four times its estimate
  /// (Judge::MayRun).
  std::uint64_t worker_bytes = std::uint64_t{4} << 30;
  const std::atomic<int>* interrupt = nullptr;  ///< a value other than 0 ends the case early
  /// Time to minimize one case that breaks a law. All cases of a judge together get at most four times as much. 0: do
  /// not minimize.
  double minimize_seconds = 0;
  /// Whether a backend that is a separate program gets dense sweeps too. They have 200,000 operators, and each takes
  /// such a backend some milliseconds.
  bool dense_to_processes = true;
  bool finds_dialects = true;  ///< report which dialects the answer to a deciding case fits
  /// Called after each run of the backend for the cases that are judged by the oracle's values.
  std::function<void(const RunObservation&)> on_run = nullptr;

  /// The time limit of a run with this many steps of work (`WorkOf`).
  std::chrono::nanoseconds TimeFor(double work) const {
    const std::chrono::duration<double> limit(patience * (base_seconds + work / steps_per_second));
    return std::chrono::duration_cast<std::chrono::nanoseconds>(limit);
  }
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_LIMITS_H_
