// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See campaign.h.

#include "fuzz/campaign/campaign.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "conformance/codec/codec.h"
#include "fuzz/campaign/campaign_summary.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/cases/shared_state.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A backend that ends its process so often is put into one of its own: an engine that starts anew reads its corpus
// first, which costs more than the isolation.
constexpr std::uint64_t kEndsBeforeIsolation = 3;
// Ends one after the other in which not a single input was run: the engine does not work here.
constexpr int kMostIdleEnds = 5;
// A backend in the engine's process may print as much as it likes.
constexpr std::uintmax_t kMostLogBytes = 16 << 20;
// As the engine ends itself at a case that takes too long.
constexpr EngineEnd kHung = {.status = 70, .signal = 0};

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Of a folder: two campaigns would take each other's engines for their own.
class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock() {
    if (file_ >= 0) close(file_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Empty, or why the folder cannot be had. A process that ends, however, gives it back.
  std::string Take(const std::string& path) {
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) return fmt::format("cannot be locked: {}", std::strerror(errno));
    return flock(file_, LOCK_EX | LOCK_NB) == 0 ? "" : "found another campaign at work, expected none";
  }

 private:
  int file_ = -1;
};

/// An engine with what belongs to it.
struct Job {
  Engine engine;
  MappedState state;
  EngineOptions options;
  std::uint64_t executions = 0;  ///< when it was last seen to go on
  Clock::time_point moved = Clock::now();
};

class Campaign {
 public:
  Campaign(const CampaignOptions& options, const CampaignProgress& progress)
      : options_(options),
        progress_(progress),
        folder_(options.folder),
        corpus_(options.corpus.empty() ? folder_ / "corpus" : fs::path(options.corpus)),
        seeds_(folder_ / "state" / "seeds"),
        findings_((folder_ / "findings.jsonl").string()) {}

  std::optional<CampaignError> Prepare() {
    std::error_code error;
    for (const fs::path& folder : {folder_, corpus_, folder_ / "state", folder_ / "findings"}) {
      // A corpus of somebody's may be new, but not in a folder that is mistyped.
      const bool own = options_.corpus.empty() || folder != corpus_;
      own ? fs::create_directories(folder, error) : fs::create_directory(folder, error);
      if (error) return CampaignError{true, fmt::format("{}: cannot be made: {}", folder.string(), error.message())};
    }
    if (const std::string taken = lock_.Take((folder_ / "state" / "lock").string()); !taken.empty()) {
      return CampaignError{true, fmt::format("{}: {}", folder_.string(), taken)};
    }
    const auto earlier = ReadSummary((folder_ / "campaign.json").string());
    if (earlier && earlier->backend != options_.backend) {
      return CampaignError{true, fmt::format("{}: found a campaign on backend {}, expected one on {} or none; --out "
                                             "names another folder",
                                             folder_.string(), earlier->backend, options_.backend)};
    }
    if (earlier) record_ = earlier->record;
    before_ = record_;
    known_findings_ = ReadFindings(findings_).size();
    const auto opened = conformance::Judge(options_.backend, LimitsOf()).Start();
    if (opened) return CampaignError{opened->usage, opened->message};
    if (access(options_.engine.c_str(), X_OK) != 0) {
      return CampaignError{true, fmt::format("{}: cannot be started: {}", options_.engine, std::strerror(errno))};
    }
    if (std::ofstream file(findings_, std::ios::app); !file) {
      return CampaignError{true, fmt::format("{}: cannot be opened: {}", findings_, std::strerror(errno))};
    }
    Write();  // from here on the folder is this backend's
    if (!record_.write_error.empty()) return CampaignError{true, record_.write_error};
    std::error_code unread;
    const bool empty = FilesIn(corpus_, unread).empty();
    if (unread) return CampaignError{true, fmt::format("{}: cannot be read: {}", corpus_.string(), unread.message())};
    // Where the seeds still lie, an earlier campaign ended before it had sown them all.
    if (empty || fs::exists(seeds_, error)) return SowSeeds();
    return std::nullopt;
  }

  void Search() {
    start_ = Clock::now();
    if (options_.seconds <= 0) {
      record_.findings = ReadFindings(findings_, &record_.unreadable);
      return;
    }
    std::vector<std::unique_ptr<Job>> jobs;
    for (int i = 0; i < options_.jobs; ++i) jobs.push_back(MakeJob(i));
    for (const auto& job : jobs) Start(*job);
    int tick = 0;
    while (!Over() && record_.engine_error.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      for (const auto& job : jobs) Attend(*job);
      if (++tick % 5 == 0) Observe(jobs);
    }
    for (const auto& job : jobs) {
      if (!StandsStill(*job)) job->engine.Interrupt();
    }
    for (const auto& job : jobs) LetEnd(*job);
    Observe(jobs);
    Write();
  }

  void Finish() {
    // A folder of somebody's is added to, and nothing is taken from it.
    if (options_.seconds > 0 && options_.corpus.empty() && !Interrupted()) {
      const std::string why = Prune();
      if (!why.empty() && !Interrupted()) record_.notes.push_back("the corpus stays as it is, not pruned: " + why);
    }
    std::error_code error;
    record_.inputs = FilesIn(corpus_, error).size();
    if (error) record_.notes.push_back(fmt::format("{}: cannot be read: {}", corpus_.string(), error.message()));
    Write();
  }

  void Group() {
    if (record_.findings.empty() || Interrupted()) return;
    std::vector<std::string> passing;
    std::error_code ignored;  // Finish() tells of it
    const std::vector<fs::path> files = FilesIn(corpus_, ignored);
    const std::size_t step = std::max<std::size_t>(1, files.size() / 120);
    for (std::size_t i = 0; i < files.size(); i += step) {
      if (const auto bytes = BytesOf(files[i])) passing.push_back(ToLine(conformance::DecodeCase(*bytes)));
    }
    auto groups = FindCampaignCauses(record_.findings, passing,
                                     {.backend = options_.backend,
                                      .jobs = options_.jobs,
                                      .limits = LimitsOf(),
                                      .diagnosis_seconds = options_.diagnosis_seconds});
    if (const auto* error = std::get_if<conformance::BackendError>(&groups)) {
      record_.group_error = *error;
      return;
    }
    record_.groups = std::get<CampaignCauses>(std::move(groups));
    Write();
  }

  /// The summary as it stands.
  void Write() { record_.write_error = WriteSummary(folder_.string(), options_, record_); }
  CampaignRecord Take() { return std::move(record_); }

 private:
  conformance::JudgeLimits LimitsOf() const {
    conformance::JudgeLimits limits;
    limits.base_seconds = options_.timeout;
    limits.interrupt = options_.interrupt;
    return limits;
  }

  bool Interrupted() const { return options_.interrupt != nullptr && *options_.interrupt != 0; }
  bool Over() const { return SecondsSince(start_) >= options_.seconds || Interrupted(); }

  EngineOptions BaseOptions() const {
    EngineOptions engine;
    engine.program = options_.engine;
    engine.backend = options_.backend;
    engine.findings = findings_;
    engine.timeout = options_.timeout;
    engine.isolated = options_.isolated;
    engine.seed = options_.seed;
    return engine;
  }

  // What of the suites' cases is new to the features: the rest would be run at every start for nothing.
  std::optional<CampaignError> SowSeeds() {
    std::error_code error;
    fs::remove_all(seeds_, error);
    if (!error) fs::create_directories(seeds_, error);
    if (error) return CampaignError{true, fmt::format("{}: cannot be made: {}", seeds_.string(), error.message())};
    const auto written = WriteSeeds(seeds_);
    if (const auto* why = std::get_if<std::string>(&written)) return CampaignError{true, *why};
    const std::string why = std::get<std::size_t>(written) == 0 ? "" : Merge(corpus_, seeds_, "seeds");
    if (why.empty()) {
      fs::remove_all(seeds_, error);
    } else if (!Interrupted()) {
      record_.notes.push_back(
          fmt::format("the suites' cases may be missing in the corpus, the next campaign sows them again: {}", why));
    }
    return std::nullopt;
  }

  /// Of `from`, into `into`, what adds to its features; NAME.log in state/ tells of it. Empty, or why some may be
  /// missing.
  std::string Merge(const fs::path& into, const fs::path& from, const std::string& name) const {
    EngineOptions merge = BaseOptions();
    merge.corpora = {into.string(), from.string()};
    merge.merge = (folder_ / "state" / (name + ".merge")).string();
    merge.log = (folder_ / "state" / (name + ".log")).string();
    for (const std::string& file : {merge.merge, merge.log}) {  // else it would go on with the last one
      std::error_code error;
      fs::remove(file, error);
      if (error) return fmt::format("{}: cannot be removed: {}", file, error.message());
    }
    Engine engine;
    if (std::string why = engine.Start(merge); !why.empty()) return why;
    const auto end = EndOf(engine);
    if (!end) return "it was interrupted";
    if (!end->clean()) return fmt::format("{}, see {}", end->Text(), merge.log);
    if (!IsWhole(merge.merge)) return fmt::format("{} breaks off, see {}", merge.merge, merge.log);
    std::error_code ignored;  // it has said what it had to
    fs::remove(merge.merge, ignored);
    return {};
  }

  /// Nothing if an interruption came first.
  std::optional<EngineEnd> EndOf(Engine& engine) const {
    while (!Interrupted()) {
      if (const auto end = engine.Poll()) return end;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return std::nullopt;
  }

  std::unique_ptr<Job> MakeJob(int number) const {
    auto job = std::make_unique<Job>();
    job->options = BaseOptions();
    job->options.corpora = {corpus_.string()};
    job->options.state = (folder_ / "state" / fmt::format("engine-{}.state", number)).string();
    job->options.log = (folder_ / "state" / fmt::format("engine-{}.log", number)).string();
    job->options.seed = options_.seed * 1000 + static_cast<std::uint32_t>(number) + 1;
    std::error_code error;
    fs::remove(job->options.state, error);
    fs::remove(job->options.log, error);
    job->state = MapState(job->options.state);
    return job;
  }

  void Start(Job& job) {
    if (job.state == nullptr) {
      record_.engine_error = fmt::format("{}: cannot be mapped", job.options.state);
      return;
    }
    job.options.isolated = options_.isolated || ends_ >= kEndsBeforeIsolation;
    job.state->input_size = 0;
    job.executions = job.state->executions;
    job.moved = Clock::now();
    if (std::string error = job.engine.Start(job.options); !error.empty()) record_.engine_error = std::move(error);
  }

  // Whatever has ended is started anew, and what it was at is a finding; what stands still is ended.
  void Attend(Job& job) {
    if (const auto end = job.engine.Poll()) {
      const bool idle = !Moves(job);
      idle_ends_ = idle ? idle_ends_ + 1 : 0;
      Blame(job, *end);
      job.options.seed += 7919;  // another way from the same corpus
      if (idle_ends_ >= kMostIdleEnds) {
        record_.engine_error =
            fmt::format("{}: {} before it ran an input, see {}", job.options.program, end->Text(), job.options.log);
        return;
      }
      if (!Over()) Start(job);
      return;
    }
    std::error_code error;
    if (fs::file_size(job.options.log, error) > kMostLogBytes && !error) fs::resize_file(job.options.log, 0, error);
    if (Moves(job)) {
      idle_ends_ = 0;
    } else if (SecondsSince(job.moved) > 30 + 30 * options_.timeout) {
      job.engine.Kill();  // the engine's own alarm did not help
      Blame(job, kHung);
      Start(job);
    }
  }

  // Whether it has begun an input since it was last asked.
  static bool Moves(Job& job) {
    if (job.state->executions == job.executions) return false;
    job.executions = job.state->executions;
    job.moved = Clock::now();
    return true;
  }

  // An isolated backend is blamed by the judge; if the engine itself ends, the case may be innocent, and is judged
  // again like all findings.
  void Blame(Job& job, const EngineEnd& end) {
    ++ends_;
    ++record_.restarts;
    if (job.state->input_size == 0) return;  // it ran none
    const std::size_t size = std::min<std::size_t>(job.state->input_size, job.state->input.size());
    const auto test_case = conformance::DecodeCase(std::span(job.state->input).first(size));
    job.state->input_size = 0;
    const char* const failure = end.hung() ? "hang" : end.swelled() ? "memory" : "crash";
    std::string error = AppendFinding(findings_, {.line = ToLine(test_case),
                                                  .failure = failure,
                                                  .message = fmt::format("{}: {}", failure, end.Text()),
                                                  .time = SecondsSince1970()});
    if (!error.empty()) record_.engine_error = std::move(error);
  }

  // At one input for longer than inputs take: it may hang, which its own alarm will tell.
  static bool StandsStill(const Job& job) { return job.engine.runs() && SecondsSince(job.moved) > 1; }

  // Ends that nobody asked for are findings up to the last moment.
  void LetEnd(Job& job) {
    const double patience = StandsStill(job) && !Interrupted() ? 2 + 2 * options_.timeout : 1;
    for (const auto asked = Clock::now(); job.engine.runs() && SecondsSince(asked) < patience;) {
      if (const auto end = job.engine.Poll()) {
        if (!end->interrupted()) Blame(job, *end);
        return;
      }
      Moves(job);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (!job.engine.runs()) return;
    const bool hangs = !Moves(job) && SecondsSince(job.moved) > options_.timeout;
    job.engine.Kill();
    if (hangs) Blame(job, kHung);
  }

  void Observe(const std::vector<std::unique_ptr<Job>>& jobs) {
    const double seconds = SecondsSince(start_);
    std::uint64_t executions = 0;
    record_.judged = before_.judged;
    std::array<std::uint8_t, kFeatures / 8> seen{};
    for (const auto& job : jobs) {
      if (job->state == nullptr) continue;
      executions += job->state->executions;
      record_.judged += job->state->judged;
      for (std::size_t i = 0; i < seen.size(); ++i) seen[i] |= job->state->seen[i];
    }
    std::uint64_t features = 0;
    for (const std::uint8_t byte : seen) features += static_cast<std::uint64_t>(std::popcount(byte));
    record_.features = std::max(features, before_.features);
    record_.executions = before_.executions + executions;
    record_.seconds = before_.seconds + seconds;
    record_.rate = static_cast<double>(executions) / std::max(seconds, 1e-3);
    record_.findings = ReadFindings(findings_, &record_.unreadable);
    if (record_.findings.size() > known_findings_) record_.last_finding = record_.seconds;
    known_findings_ = record_.findings.size();
    const double apart = std::max(0.5, options_.seconds / 200);
    if (record_.curve.empty() || record_.seconds - record_.curve.back().seconds >= apart || Over()) {
      record_.curve.push_back({record_.seconds, record_.executions, record_.features, record_.findings.size()});
    }
    if (SecondsSince(written_) > 5) {
      written_ = Clock::now();
      Write();
    }
    progress_(record_);
  }

  // Takes away the inputs that add nothing to the others, and changes no file. Empty, or why all of them stay.
  std::string Prune() {
    const fs::path pruned = folder_ / "state" / "pruned";
    std::error_code error;
    const std::vector<fs::path> files = FilesIn(corpus_, error);  // what is added from now on stays
    if (error) return fmt::format("{}: cannot be read: {}", corpus_.string(), error.message());
    if (files.empty()) return {};
    fs::remove_all(pruned, error);
    if (!error) fs::create_directories(pruned, error);
    if (error) return fmt::format("{}: cannot be made: {}", pruned.string(), error.message());
    if (std::string why = Merge(pruned, corpus_, "prune"); !why.empty()) return why;
    const auto count = ChosenBy(folder_ / "state" / "prune.log");
    const auto others = count ? NotChosen(files, pruned, *count) : std::nullopt;
    if (!others) return fmt::format("{} is not what was chosen, as on a full disk", pruned.string());
    for (const fs::path& file : *others) fs::remove(file, error);
    fs::remove_all(pruned, error);
    return {};
  }

  const CampaignOptions& options_;
  const CampaignProgress& progress_;
  FolderLock lock_;
  fs::path folder_;
  fs::path corpus_;
  fs::path seeds_;
  std::string findings_;
  CampaignRecord record_;
  CampaignRecord before_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point written_ = Clock::now();
  std::size_t known_findings_ = 0;
  std::uint64_t ends_ = 0;
  int idle_ends_ = 0;
};

}  // namespace

std::variant<CampaignRecord, CampaignError> RunCampaign(const CampaignOptions& options,
                                                        const CampaignProgress& progress) {
  Campaign campaign(options, progress);
  if (const auto error = campaign.Prepare()) return *error;
  campaign.Search();
  campaign.Finish();
  campaign.Group();
  return campaign.Take();
}

}  // namespace fuzz
