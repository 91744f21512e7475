// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts, watches and restarts the engines of a campaign, which searches a backend for wrong answers. An engine is a
// process that runs libFuzzer; several search in parallel. If an engine ends before its time, the backend probably
// crashed, and the engine's current input becomes a finding (a failing case that is kept).

#ifndef DECONV_FUZZ_CAMPAIGN_ENGINE_JOBS_H_
#define DECONV_FUZZ_CAMPAIGN_ENGINE_JOBS_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign_folder.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/cases/shared_state.h"

namespace fuzz {

/// The work of all engines since the search began.
struct EngineCounts {
  std::uint64_t executions = 0;
  std::uint64_t judged = 0;    ///< executions of cases that the backend declares to support
  std::uint64_t guarded = 0;   ///< judged executions whose buffers had guard pages
  NotKept not_kept;            ///< failing cases that were not kept, by the reason
  std::uint64_t features = 0;  ///< different features (properties such as "stride 2") of all cases
};

/// The engines of a campaign. The campaign calls RestartOrKillEngines() again and again until IsOver().
class EngineJobs {
 public:
  /// Starts the engines; the search begins.
  EngineJobs(const CampaignOptions& options, const CampaignFolder& folder);

  /// Restarts engines that have ended, and kills engines that make no progress. Call it several times a second.
  void RestartOrKillEngines();
  /// Ends all engines. Waits until the current inputs end or exceed their time limit.
  void End();

  double Seconds() const;  ///< seconds since the search began
  bool IsOver() const;     ///< the time is over, or the user has interrupted
  EngineCounts Counts() const;
  /// How often an engine ended before its time.
  std::uint64_t early_ends() const { return early_ends_; }
  /// The last error for which the search must end; empty if there is none.
  const std::string& error() const { return error_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// An engine with its state, its options, and the time of its last progress.
  struct Job {
    Engine engine;
    MappedState state;  ///< the memory that is shared with the engine, which writes it
    EngineOptions options;
    std::uint64_t executions = 0;                    ///< executions at the last call of HasProgressed()
    Clock::time_point last_progress = Clock::now();  ///< when the engine was last seen to begin an input
  };

  std::unique_ptr<Job> MakeJob(int number) const;
  void Start(Job& job);
  void RestartOrKill(Job& job);
  void WaitForEnd(Job& job);
  void RecordFinding(Job& job, const EngineEnd& end);
  static bool HasProgressed(Job& job);
  static bool IsStuck(const Job& job);

  const CampaignOptions& options_;
  const CampaignFolder& folder_;
  Clock::time_point start_ = Clock::now();
  std::vector<std::unique_ptr<Job>> jobs_;
  std::uint64_t early_ends_ = 0;  ///< engines that ended before their time
  int idle_ends_ = 0;             ///< ends in a row of engines that had begun no input
  std::string error_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_ENGINE_JOBS_H_
