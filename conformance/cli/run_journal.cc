// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes the inputs of a run to its key, opens the journal, reads the verdicts of the run that is resumed, and appends
// new verdicts.

#include "conformance/cli/run_journal.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "conformance/backends/process_interface.h"
#include "conformance/cli/version.h"
#include "conformance/suite/case_lists/case_lists.h"

namespace conformance {
namespace {

/// Identifies a program on disk by path, size and time; empty if the path is no file.
std::string FileIdentity(const std::string& path) {
  std::error_code error;
  const auto file = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_regular_file(file, error)) return "";
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}", file.string(), std::filesystem::file_size(file, error), written);
}

/// Identifies a library, or each file that is a word of a command ("cmd:python3 backend.py").
std::string BackendIdentity(const std::string& backend) {
  if (!backend.starts_with(kProcessPrefix)) return FileIdentity(backend.substr(0, backend.find('?')));
  std::istringstream command(backend.substr(kProcessPrefix.size()));
  std::string identity;
  for (std::string word; command >> word;) {
    std::erase_if(word, [](char c) { return c == '\'' || c == '"'; });
    identity += FileIdentity(word) + '\n';
  }
  return identity;
}

}  // namespace

std::string KeyOf(const RunArguments& arguments, const std::vector<SuiteCase>& case_list, const Shard& shard) {
  ListHash hash;
  hash.Add(kSuiteVersion, HashOf(case_list));
  hash.Add(fmt::format("{}/{}", shard.index, shard.count), FileIdentity("/proc/self/exe"));
  hash.Add(fmt::format("{} {} {} {} {} {}", arguments.budget_seconds, arguments.timeout, arguments.memory_gib,
                       arguments.worker_memory_gib, arguments.max_hangs, arguments.work),
           "");
  for (const std::string& backend : arguments.backends) {
    hash.Add(backend, BackendIdentity(backend));
  }
  std::set<std::string> values;
  for (const SuiteCase& suite_case : case_list) {
    const Case& test_case = suite_case.test_case;
    if (const auto& file = test_case.filter_values) values.insert(file->path);
    for (const auto* given : {&test_case.given_data, &test_case.given_filter, &test_case.recorded}) {
      if (!*given) continue;
      if (const auto* npy = std::get_if<NpyValues>(&**given)) values.insert(npy->path);
    }
  }
  for (const std::string& path : values) hash.Add(path, FileIdentity(path));
  return hash.Text();
}

void RunJournal::Open(const std::string& path, bool resume, const std::string& key) {
  const bool has_path_of_user = !path.empty();
  if (const std::string error = journal_.Open(has_path_of_user ? path : JournalPath(key)); !error.empty()) {
    fmt::print(stderr, "deconv-cts: {}; the run continues, but cannot be resumed if it is killed\n", error);
    return;
  }
  if (!resume) return Restart(has_path_of_user);
  auto read = journal_.Read();
  if (const auto* error = std::get_if<std::string>(&read)) {
    fmt::print(stderr, "deconv-cts: {}; starting from the beginning\n", *error);
    return Restart(has_path_of_user);
  }
  auto& content = std::get<std::optional<ReportContent>>(read);
  if (!content || content->description.key != key) {
    fmt::print(stderr,
               "deconv-cts: {}: holds no run with the same cases, limits and programs; starting from the beginning\n",
               journal_.path());
    return Restart(has_path_of_user);
  }
  journal_.DropIncompleteLine();
  for (RunRecord& run : content->runs) recorded_results_[run.backend] = std::move(run.results);
}

void RunJournal::Restart(bool keep_old) {
  if (!keep_old || !journal_.HasVerdicts()) return journal_.Clear();
  const std::string path = journal_.path();
  std::string moved;
  const std::string error = journal_.MoveAside(moved);
  fmt::print(
      stderr, "deconv-cts: {}\n",
      error.empty() ? fmt::format("{}: the verdicts of a run that was killed are in {} now", path, moved) : error);
}

std::vector<CaseResult> RunJournal::RecordedResultsOf(const std::string& backend) const {
  const auto at = recorded_results_.find(backend);
  return at == recorded_results_.end() ? std::vector<CaseResult>() : at->second;
}

void RunJournal::Begin(const RunRecord& run, const RunDescription& description, std::size_t cases) {
  if (!recorded_results_.contains(run.backend)) journal_.Append(RunLine(run, description, cases));
}

void RunJournal::Add(const std::string& backend, const CaseResult& result) {
  journal_.Append(CaseLine(backend, result));
}

void RunJournal::End(bool whole) {
  if (whole) return journal_.Remove();
  if (journal_.is_open())
    fmt::print(stderr, "deconv-cts: the run is incomplete; repeat the command with --resume to continue it\n");
}

}  // namespace conformance
