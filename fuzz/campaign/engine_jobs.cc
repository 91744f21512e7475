// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts, watches and restarts the engines of a campaign, processes that fuzz a backend with libFuzzer. The input of an
// engine that dies becomes a finding, a failing case that is kept.

#include "fuzz/campaign/engine_jobs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/elapsed.h"
#include "fuzz/cases/case_features.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/findings/finding_file.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

// After so many early ends, restarted engines run the backend in a separate process. This is slower, but cheaper than
// more restarts: a restarted engine reads its whole corpus (the inputs that are kept).
constexpr std::uint64_t kEndsBeforeIsolation = 3;
// After so many ends in a row in which no engine began an input, the engine does not work on this machine.
constexpr int kMostIdleEnds = 5;
// Added to the seed of a restarted engine, so that it searches in another way from the same corpus.
constexpr std::uint64_t kSeedStep = 7919;
// A longer log is emptied, because a backend in the engine's process may print without limit.
constexpr std::uintmax_t kMostLogBytes = 16 << 20;

}  // namespace

EngineJobs::EngineJobs(const CampaignOptions& options, const CampaignFolder& folder)
    : options_(options), folder_(folder) {
  for (int i = 0; i < options_.jobs; ++i) jobs_.push_back(MakeJob(i));
  for (const auto& job : jobs_) Start(*job);
}

void EngineJobs::RestartOrKillEngines() {
  for (const auto& job : jobs_) RestartOrKill(*job);
}

void EngineJobs::End() {
  for (const auto& job : jobs_) {
    if (!IsStuck(*job)) job->engine.Interrupt();
  }
  for (const auto& job : jobs_) WaitForEnd(*job);
}

double EngineJobs::Seconds() const { return conformance::SecondsSince(start_); }

bool EngineJobs::IsOver() const { return Seconds() >= options_.seconds || Interrupted(options_); }

EngineCounts EngineJobs::Counts() const {
  EngineCounts counts;
  std::array<std::uint8_t, kFeatures / 8> seen{};
  for (const auto& job : jobs_) {
    if (job->state == nullptr) continue;
    counts.executions += job->state->executions;
    counts.judged += job->state->judged;
    counts.guarded += job->state->guarded;
    counts.not_kept += job->state->not_kept;
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] |= job->state->seen[i];
  }
  for (const std::uint8_t byte : seen) counts.features += static_cast<std::uint64_t>(std::popcount(byte));
  return counts;
}

std::unique_ptr<EngineJobs::Job> EngineJobs::MakeJob(int number) const {
  auto job = std::make_unique<Job>();
  job->options = EngineOptionsOf(options_, folder_);
  job->options.corpora = {folder_.corpus.string()};
  job->options.state = (folder_.state / fmt::format("engine-{}.state", number)).string();
  job->options.log = (folder_.state / fmt::format("engine-{}.log", number)).string();
  // A campaign has fewer than 1000 engines, so campaigns with different seeds start with different seeds of engines.
  job->options.seed = options_.seed * 1000 + static_cast<std::uint32_t>(number) + 1;
  std::error_code error;
  fs::remove(job->options.state, error);
  fs::remove(job->options.log, error);
  job->state = MapState(job->options.state);
  return job;
}

void EngineJobs::Start(Job& job) {
  if (job.state == nullptr) {
    error_ = fmt::format("{}: cannot be mapped", job.options.state);
    return;
  }
  job.options.isolated = options_.isolated || early_ends_ >= kEndsBeforeIsolation;
  job.state->input_size = 0;
  job.executions = job.state->executions;
  job.last_progress = Clock::now();
  if (std::string error = job.engine.Start(job.options); !error.empty()) error_ = std::move(error);
}

// Restarts an engine that has ended, and records its input as a finding. Kills an engine that makes no progress.
void EngineJobs::RestartOrKill(Job& job) {
  if (const auto end = job.engine.Poll()) {
    const bool idle = !HasProgressed(job);
    idle_ends_ = idle ? idle_ends_ + 1 : 0;
    RecordFinding(job, *end);
    job.options.seed += kSeedStep;
    if (idle_ends_ >= kMostIdleEnds) {
      error_ = fmt::format("{}: {} before it ran an input, see {}", job.options.program, end->Text(), job.options.log);
      return;
    }
    if (!IsOver()) Start(job);
    return;
  }
  std::error_code error;
  if (fs::file_size(job.options.log, error) > kMostLogBytes && !error) fs::resize_file(job.options.log, 0, error);
  if (HasProgressed(job)) {
    idle_ends_ = 0;
  } else if (conformance::SecondsSince(job.last_progress) > 30 + 30 * options_.timeout) {
    // libFuzzer's own alarm, which ends an engine after at most 20 times the time limit (engine.cc), did not help.
    job.engine.Kill();
    RecordFinding(job, kHung);
    job.options.seed += kSeedStep;
    if (!IsOver()) Start(job);
  }
}

// Whether the engine has begun an input since the last call.
bool EngineJobs::HasProgressed(Job& job) {
  if (job.state->executions == job.executions) return false;
  job.executions = job.state->executions;
  job.last_progress = Clock::now();
  return true;
}

// Records the current input of an ended engine as a finding. The case may not be the reason for the end; like all
// findings, it is judged again later. With an isolated backend, the judge records the finding instead.
void EngineJobs::RecordFinding(Job& job, const EngineEnd& end) {
  ++early_ends_;
  if (job.state->input_size == 0) return;  // the engine ran no input
  const std::size_t size = std::min<std::size_t>(job.state->input_size, job.state->input.size());
  const auto test_case = CaseOfText(TextOf(std::span(job.state->input).first(size)));
  job.state->input_size = 0;
  if (!test_case) return;  // the engine ended while it wrote the input
  if (!HasRoomForFindings(folder_.findings)) return;
  const char* const failure = end.hung() ? "hang" : end.out_of_memory() ? "memory" : "crash";
  const std::string line = ToLine(*test_case);
  // An earlier case may have damaged the process, so the earlier cases are kept. This happens only a few times before
  // the backend is isolated.
  if (!end.hung() && !job.options.isolated) {
    std::vector<std::string> earlier = HistoryOf(*job.state);
    if (!earlier.empty() && earlier.back() == line) earlier.pop_back();  // the last line is the finding itself
    WriteEarlierCases(folder_.findings, line, earlier);
  }
  std::string error = AppendFinding(folder_.findings, {.line = line,
                                                       .failure = failure,
                                                       .message = fmt::format("{}: {}", failure, end.Text()),
                                                       .time = SecondsSince1970()});
  if (!error.empty()) error_ = std::move(error);
}

// Whether the engine has worked on one input for more than a second. If it hangs, libFuzzer's own alarm ends it later.
bool EngineJobs::IsStuck(const Job& job) {
  return job.engine.runs() && conformance::SecondsSince(job.last_progress) > 1;
}

// Waits until an engine ends, and kills it if that takes too long. If it ends without having been asked, its input is a
// finding. An engine that is stuck was not asked (End): it gets the time to show whether its input is a hang.
void EngineJobs::WaitForEnd(Job& job) {
  const double seconds_to_wait = IsStuck(job) && !Interrupted(options_) ? 2 + 2 * options_.timeout : 1;
  for (const auto start = Clock::now(); job.engine.runs() && conformance::SecondsSince(start) < seconds_to_wait;) {
    if (const auto end = job.engine.Poll()) {
      if (!end->interrupted()) RecordFinding(job, *end);
      return;
    }
    HasProgressed(job);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (!job.engine.runs()) return;
  const bool hangs = !HasProgressed(job) && conformance::SecondsSince(job.last_progress) > options_.timeout;
  job.engine.Kill();
  if (hangs) RecordFinding(job, kHung);
}

}  // namespace fuzz
