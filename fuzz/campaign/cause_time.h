// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides the time of a search for causes among its steps: judging the findings again, explaining them, and minimizing
// a case of each cause. A step ends when its time is over or the user interrupts.

#ifndef DECONV_FUZZ_CAMPAIGN_CAUSE_TIME_H_
#define DECONV_FUZZ_CAMPAIGN_CAUSE_TIME_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <stop_token>
#include <thread>

#include "conformance/case/text/elapsed.h"
#include "fuzz/campaign/campaign_causes.h"

namespace fuzz {

/// Ends a step of the search when its time is over, or when the user interrupts it. A thread of its own then sets
/// stop() to a value other than 0; the code of the step polls it.
class Deadline {
 public:
  Deadline(double seconds, const std::atomic<int>* interrupt) : Deadline(interrupt) { Begin(seconds); }

  /// The time of the step begins with Begin(). Until then only the user ends it.
  explicit Deadline(const std::atomic<int>* interrupt)
      : watch_([this, interrupt](const std::stop_token& ends) {
          while (!ends.stop_requested() && stop_ == 0) {
            if (interrupt != nullptr && *interrupt != 0) stop_ = interrupt->load();
            if (Clock::now() >= until_.load()) stop_ = 1;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}

  void Begin(double seconds) {
    until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  /// Points to a number that is 0 until the step has to end.
  const std::atomic<int>* stop() const { return &stop_; }
  bool over() const { return stop_ != 0; }

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<Clock::time_point> until_ = Clock::time_point::max();
  std::atomic<int> stop_ = 0;
  std::jthread watch_;
};

/// Computes the seconds that each step of the search may take, and the seconds that are left. The time begins when the
/// backend has loaded: on a busy machine, a large library loads longer than the whole search may take.
class CauseTime {
 public:
  explicit CauseTime(const CauseOptions& options) : options_(options) {}

  /// Called when the backend has loaded. The other steps load it again, so they get the time that this took.
  void Begin() {
    seconds_ += kMoreLoads * conformance::SecondsSince(start_);
    start_ = std::chrono::steady_clock::now();
  }

  bool interrupted() const { return options_.limits.interrupt != nullptr && *options_.limits.interrupt != 0; }
  /// Seconds that are left of the search; 0 after an interrupt, negative if the time is over.
  double left() const { return interrupted() ? 0 : seconds_ - conformance::SecondsSince(start_); }
  /// Seconds to judge the findings again: a share of all, but at least 4 s, so that a few cases are always judged. A
  /// hang takes up to 7 times the time limit: once, and 6 times more if the backend was still computing.
  double SecondsToJudge(bool hangs) const {
    constexpr double kShare = 0.35;
    constexpr double kLeast = 4;
    return std::max(kShare * seconds_, hangs ? kLeast + 7 * options_.limits.base_seconds : kLeast);
  }
  /// Seconds that the backend may run to find the names of causes: half of the time that is left. The failures without
  /// a name need the rest, to be minimized and divided.
  double SecondsToRunBackend() const { return left() / 2; }
  /// The most seconds to find the names of causes, with everything beside the runs of the backend. On a busy machine
  /// this takes longer than expected.
  double SecondsToName() const { return kShareOfNames * left(); }
  /// Seconds to minimize the next of `causes` causes that are left. It may take twice its share: most take less.
  double SecondsToMinimize(std::size_t causes) const {
    constexpr double kShareOfFirst = 2;
    return std::min(options_.minimize_seconds,
                    kShareOfFirst * left() / static_cast<double>(std::max<std::size_t>(1, causes)));
  }

 private:
  /// All shares of this class are guesses. They only decide how many causes can be found in a given time.
  static constexpr double kShareOfNames = 0.8;
  /// The steps that load the backend again: judging failures alone, naming causes, and minimizing.
  static constexpr int kMoreLoads = 3;
  const CauseOptions& options_;
  double seconds_ = options_.diagnosis_seconds;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAUSE_TIME_H_
