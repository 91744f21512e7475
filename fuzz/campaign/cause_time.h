// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides the time of a search for causes among its steps. At the end of a campaign, the search finds out which defects
// of the backend cause its findings, the failing cases. Its steps judge the findings again, name causes, and minimize a
// case of each cause. A step ends when its time is over or the user interrupts.

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

  /// The time of the step begins with Begin(). Until then only the user ends it. `interrupt` is the number of the
  /// user's signal, 0 without one; the pointer may be null.
  explicit Deadline(const std::atomic<int>* interrupt)
      : watcher_([this, interrupt](const std::stop_token& destroyed) {
          while (!destroyed.stop_requested() && stop_ == 0) {
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
  std::jthread watcher_;
};

/// Computes the seconds that each step of the search may take, and the seconds that are left. The time begins when the
/// backend has loaded: on a busy machine, a large library loads longer than the whole search may take.
class CauseTime {
 public:
  explicit CauseTime(const CauseOptions& options) : options_(options) {}

  /// Called when the backend has loaded. The later steps load it again, so they get the time that this took in
  /// addition.
  void Begin() {
    seconds_ += kMoreLoads * conformance::SecondsSince(start_);
    start_ = std::chrono::steady_clock::now();
  }

  bool interrupted() const { return options_.limits.interrupt != nullptr && *options_.limits.interrupt != 0; }
  /// Seconds that are left of the search; 0 after an interrupt, negative if the time is over.
  double SecondsLeft() const { return interrupted() ? 0 : seconds_ - conformance::SecondsSince(start_); }
  /// Seconds to judge the findings again: a share of all, but at least 4 s, so that a few cases are always judged. A
  /// hang takes up to 7 times the time limit of a case: the case runs once, and a second time with 6 times the limit if
  /// the backend was still computing. `hangs`: some finding is a hang.
  double SecondsToJudge(bool hangs) const {
    constexpr double kShare = 0.35;
    constexpr double kLeast = 4;
    return std::max(kShare * seconds_, hangs ? kLeast + 7 * options_.limits.base_seconds : kLeast);
  }
  /// Seconds that the backend may run to name causes, that is, to find planted faults (known defects of a test backend)
  /// that give its answers. Half of the time that is left: the failures without a name need the rest, to be minimized
  /// and divided into causes.
  double SecondsToRunBackend() const { return SecondsLeft() / 2; }
  /// The most seconds to name causes, with everything beside the runs of the backend. On a busy machine this takes
  /// longer than expected.
  double SecondsToName() const { return kShareToName * SecondsLeft(); }
  /// Seconds to minimize a case of the next cause, if `causes` causes are left. It may take twice its share of the
  /// time: most causes take less.
  double SecondsToMinimize(std::size_t causes) const {
    constexpr double kShares = 2;
    return std::min(options_.minimize_seconds,
                    kShares * SecondsLeft() / static_cast<double>(std::max<std::size_t>(1, causes)));
  }

 private:
  /// All shares of this class are guesses. They only decide how many causes can be found in a given time.
  static constexpr double kShareToName = 0.8;
  /// The steps that load the backend again: judging failures alone, naming causes, and minimizing.
  static constexpr int kMoreLoads = 3;
  const CauseOptions& options_;
  double seconds_ = options_.diagnosis_seconds;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAUSE_TIME_H_
