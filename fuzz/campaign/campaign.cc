// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a campaign: fuzzing processes ("engines") search a backend for failing cases for a given time. The four steps
// are: prepare the folder, search with engines, prune the corpus, and find the causes of the failures. The corpus is
// the set of inputs from which the engines make new ones; pruning removes inputs that add nothing to the others.

#include "fuzz/campaign/campaign.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/cli/pinned_files.h"
#include "fuzz/campaign/campaign_corpus.h"
#include "fuzz/campaign/campaign_folder.h"
#include "fuzz/campaign/campaign_reports.h"
#include "fuzz/campaign/engine_jobs.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/findings/kept_findings.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The most points that a campaign adds to the curve of the report.
constexpr double kMostPoints = 200;
// At least so many inputs of a large corpus are offered to the search for causes, spread over the corpus.
// JudgedFindings takes the first 80 that are cases.
constexpr std::size_t kLeastOffered = 120;

/// A campaign. RunCampaign() calls its public functions in their order.
class Campaign {
 public:
  Campaign(const CampaignOptions& options, const CampaignProgress& progress)
      : options_(options), progress_(progress), folder_(options) {}

  /// Makes or continues the folder, checks backend and engine, and puts seeds into an empty corpus.
  std::optional<CampaignError> Prepare() {
    if (auto error = MakeFolder()) return error;
    if (auto error = ReadEarlierCampaign()) return error;
    if (auto error = CheckPrograms()) return error;
    WriteRecord();  // campaign.json now names the backend, so that no other backend can use the folder
    if (!record_.write_error.empty()) return CampaignError{true, record_.write_error};
    std::error_code error;
    const bool empty = FilesIn(folder_.corpus, error).empty();
    if (error) {
      return CampaignError{true, fmt::format("{}: cannot be read: {}", folder_.corpus.string(), error.message())};
    }
    // Seeds are inputs to start from. Their folder is removed when all of them are in the corpus. If it still exists,
    // an earlier campaign ended too soon, and the seeds are added again.
    if (!empty && !fs::exists(folder_.seeds, error)) return std::nullopt;
    const auto note_or_error = AddSuiteSeeds(options_, folder_);
    if (const auto* failed = std::get_if<CampaignError>(&note_or_error)) return *failed;
    if (const auto& note = std::get<std::string>(note_or_error); !note.empty()) record_.notes.push_back(note);
    return std::nullopt;
  }

  /// Lets the engines search until the time is over. With a time of 0, only reads the findings of earlier campaigns.
  void Search() {
    if (options_.seconds <= 0) {
      ReadNewFindings();
      return;
    }
    EngineJobs jobs(options_, folder_);
    int rounds = 0;
    while (!jobs.IsOver() && jobs.error().empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      jobs.RestartOrKillEngines();
      if (++rounds % 5 == 0) UpdateRecord(jobs);  // only every half second, because it reads the file of findings
    }
    jobs.End();
    UpdateRecord(jobs);
    WriteRecord();
  }

  /// Ends the search: prunes the corpus, and notes what the reader of the summary should know.
  void EndSearch() {
    // Inputs are added to a corpus that the user names, but never removed from it.
    if (options_.seconds > 0 && options_.corpus.empty() && !Interrupted(options_)) {
      const std::string why = PruneCorpus(options_, folder_);
      if (!why.empty() && !Interrupted(options_)) {
        record_.notes.push_back("the corpus stays as it is, not pruned: " + why);
      }
    }
    std::error_code error;
    record_.inputs = FilesIn(folder_.corpus, error).size();
    if (!HasRoomForFindings(folder_.findings)) {
      record_.notes.push_back(
          fmt::format("{} is full, and later findings were not kept; name another folder with --out to keep new ones",
                      folder_.findings));
    }
    if (error) record_.notes.push_back(fmt::format("{}: cannot be read: {}", folder_.corpus.string(), error.message()));
    WriteRecord();
  }

  /// Judges the findings again, and groups them by cause. Some cases of the corpus are judged too: a cause must agree
  /// with those that pass.
  void FindCauses() {
    if (record_.findings.empty() || Interrupted(options_)) return;
    const CauseEvents events = {.on_progress = [&](const std::string& step) { progress_(record_, step); },
                                .on_cause =
                                    [&](const CampaignCause& cause) {
                                      // WriteRecord() writes the file again at the end, and reports an error.
                                      (void)WriteRegressionFile(folder_.root.string(), options_, cause);
                                    }};
    auto causes = FindCampaignCauses(
        record_.findings, CorpusSample(),
        {.backend = options_.backend,
         .jobs = options_.jobs,
         .limits = Limits(),
         .diagnosis_seconds = options_.diagnosis_seconds,
         .expected = expected_,
         .earlier_cases = [&](const std::string& line) { return ReadEarlierCases(folder_.findings, line); }},
        events);
    if (const auto* error = std::get_if<conformance::BackendError>(&causes)) {
      record_.cause_error = *error;
      return;
    }
    record_.causes = std::get<CampaignCauses>(std::move(causes));
    const std::set<std::string> known(record_.causes->expected.begin(), record_.causes->expected.end());
    record_.expected +=
        std::erase_if(record_.findings, [&](const FoundCase& found) { return known.contains(found.line); });
    WriteRecord();
  }

  CampaignRecord Release() { return std::move(record_); }

 private:
  /// The lines of some cases of the corpus, spread over it.
  std::vector<std::string> CorpusSample() const {
    std::vector<std::string> lines;
    std::error_code ignored;  // EndSearch() has reported it
    const std::vector<fs::path> files = FilesIn(folder_.corpus, ignored);
    const std::size_t step = std::max<std::size_t>(1, files.size() / kLeastOffered);
    for (std::size_t i = 0; i < files.size(); i += step) {
      const auto bytes = BytesOf(files[i]);
      const auto test_case = bytes ? CaseOfText(TextOf(*bytes)) : std::nullopt;
      if (test_case) lines.push_back(ToLine(*test_case));
    }
    return lines;
  }

  conformance::JudgeLimits Limits() const {
    conformance::JudgeLimits limits;
    limits.base_seconds = options_.timeout;
    limits.interrupt = options_.interrupt;
    return limits;
  }

  /// Writes the summary of the current record.
  void WriteRecord() { record_.write_error = WriteSummary(folder_.root.string(), options_, record_); }

  /// Makes the folders of the campaign, and locks the folder.
  std::optional<CampaignError> MakeFolder() {
    std::error_code error;
    for (const fs::path& folder : {folder_.root, folder_.corpus, folder_.state, folder_.root / "findings"}) {
      // The folder around a corpus that the user names must exist: otherwise the name is probably mistyped.
      const bool makes_parents = options_.corpus.empty() || folder != folder_.corpus;
      makes_parents ? fs::create_directories(folder, error) : fs::create_directory(folder, error);
      if (error) return CampaignError{true, fmt::format("{}: cannot be made: {}", folder.string(), error.message())};
    }
    if (const std::string why = lock_.Acquire((folder_.state / "lock").string()); !why.empty()) {
      return CampaignError{true, fmt::format("{}: {}", folder_.root.string(), why)};
    }
    return std::nullopt;
  }

  /// Reads the record of the folder's last campaign, which this campaign continues.
  std::optional<CampaignError> ReadEarlierCampaign() {
    const auto earlier = ReadSummary((folder_.root / "campaign.json").string());
    if (earlier && earlier->backend != options_.backend) {
      return CampaignError{true,
                           fmt::format("{}: found a campaign on backend {}, expected one on {} or none; use --out "
                                       "to name another folder",
                                       folder_.root.string(), earlier->backend, options_.backend)};
    }
    if (earlier) record_ = earlier->record;
    earlier_record_ = record_;
    known_findings_ = ReadFindings(folder_.findings).size();
    return std::nullopt;
  }

  /// Checks that the backend opens, the engine can be started, and findings can be written.
  std::optional<CampaignError> CheckPrograms() {
    conformance::Judge judge(options_.backend, Limits());
    if (const auto opened = judge.Start()) return CampaignError{opened->usage, opened->message};
    record_.declared = judge.capabilities();
    record_.sandbox = judge.sandbox() ? judge.sandbox()->Text() : "";
    conformance::ExpectationsFile file;
    if (std::string error = file.Open(options_.expect, false); !error.empty()) return CampaignError{true, error};
    expected_ = file.entries();
    if (access(options_.engine.c_str(), X_OK) != 0) {
      return CampaignError{true, fmt::format("{}: cannot be started: {}", options_.engine, std::strerror(errno))};
    }
    if (std::ofstream file(folder_.findings, std::ios::app); !file) {
      return CampaignError{true, fmt::format("{}: cannot be opened: {}", folder_.findings, std::strerror(errno))};
    }
    return std::nullopt;
  }

  /// Reads the findings anew, and leaves out known failures. Those may include findings of an earlier campaign.
  void ReadNewFindings() {
    record_.findings = ReadFindings(folder_.findings, &record_.unreadable);
    record_.expected = std::erase_if(record_.findings, [&](const FoundCase& found) {
      const auto test_case = expected_.empty() ? std::nullopt : CaseOfText(found.line);
      if (!test_case) return false;
      conformance::CaseResult result = FailedResultOf(*test_case, FailureClassOf(found), record_.declared);
      result.outputs.largest_error = std::numeric_limits<double>::quiet_NaN();  // unknown until it is judged again
      MarkExpected(expected_, result);
      return !result.verdict.known_failure.empty();
    });
  }

  /// The failure class whose name stands in the finding; kNone if no class has that name.
  static conformance::FailureClass FailureClassOf(const FoundCase& found) {
    const auto named =
        std::ranges::find(conformance::kFailureClasses, found.failure, &conformance::FailureClassName::name);
    return named == conformance::kFailureClasses.end() ? conformance::FailureClass::kNone : named->value;
  }

  /// Brings the record up to date with the engines' counts and findings, and shows the progress. It also adds
  /// points to the curve, and writes the summary every 5 seconds.
  void UpdateRecord(const EngineJobs& jobs) {
    const double seconds = jobs.Seconds();
    const EngineCounts counts = jobs.Counts();
    record_.judged = earlier_record_.judged + counts.judged;
    record_.guarded = earlier_record_.guarded + counts.guarded;
    record_.not_kept = earlier_record_.not_kept;
    record_.not_kept += counts.not_kept;
    record_.features = std::max(counts.features, earlier_record_.features);
    record_.executions = earlier_record_.executions + counts.executions;
    record_.seconds = earlier_record_.seconds + seconds;
    record_.rate = static_cast<double>(counts.executions) / std::max(seconds, 1e-3);
    record_.restarts = earlier_record_.restarts + jobs.early_ends();
    record_.engine_error = jobs.error();
    ReadNewFindings();
    if (record_.findings.size() > known_findings_) record_.last_finding = record_.seconds;
    known_findings_ = record_.findings.size();
    const double seconds_apart = std::max(0.5, options_.seconds / kMostPoints);
    if (record_.curve.empty() || record_.seconds - record_.curve.back().seconds >= seconds_apart || jobs.IsOver()) {
      record_.curve.push_back({record_.seconds, record_.executions, record_.features, record_.findings.size()});
    }
    if (conformance::SecondsSince(written_) > 5) {
      written_ = Clock::now();
      WriteRecord();
    }
    progress_(record_, "");
  }

  const CampaignOptions& options_;
  const CampaignProgress& progress_;
  CampaignFolder folder_;
  FolderLock lock_;
  CampaignRecord record_;
  CampaignRecord earlier_record_;                   ///< record of the folder's earlier campaigns
  Clock::time_point written_ = Clock::now();        ///< when UpdateRecord() last wrote the summary
  std::size_t known_findings_ = 0;                  ///< number of findings when they were last read
  std::vector<conformance::Expectation> expected_;  ///< known failures
};

}  // namespace

std::variant<CampaignRecord, CampaignError> RunCampaign(const CampaignOptions& options,
                                                        const CampaignProgress& progress) {
  Campaign campaign(options, progress);
  if (const auto error = campaign.Prepare()) return *error;
  campaign.Search();
  campaign.EndSearch();
  campaign.FindCauses();
  return campaign.Release();
}

}  // namespace fuzz
