// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the journal, reads the verdicts of the run that is resumed, and appends new verdicts.

#include "conformance/cli/run_journal.h"

#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace conformance {

void RunJournal::Open(const std::string& path, bool resume, const std::string& key) {
  const bool named = !path.empty();
  if (const std::string error = journal_.Open(named ? path : JournalPath(key)); !error.empty()) {
    fmt::print(stderr, "deconv-cts: {}; the run continues, but cannot be resumed if it is killed\n", error);
    return;
  }
  if (!resume) return Restart(named);
  auto read = journal_.Read();
  if (const auto* error = std::get_if<std::string>(&read)) {
    fmt::print(stderr, "deconv-cts: {}; starting from the beginning\n", *error);
    return Restart(named);
  }
  auto& content = std::get<std::optional<ReportContent>>(read);
  if (!content || content->description.key != key) {
    fmt::print(stderr,
               "deconv-cts: {}: holds no run with the same cases, limits and programs; starting from the beginning\n",
               journal_.path());
    return Restart(named);
  }
  journal_.DropIncompleteLine();
  for (RunRecord& run : content->runs) known_[run.backend] = std::move(run.results);
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
  const auto at = known_.find(backend);
  return at == known_.end() ? std::vector<CaseResult>() : at->second;
}

void RunJournal::Begin(const RunRecord& run, const RunDescription& description, std::size_t cases) {
  if (!known_.contains(run.backend)) journal_.Append(RunLine(run, description, cases));
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
