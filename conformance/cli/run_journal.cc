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
  if (const std::string error = journal_.Open(path); !error.empty()) {
    fmt::print(stderr, "deconv-cts: {}; the run continues, but cannot be resumed if it is killed\n", error);
    return;
  }
  if (!resume) return journal_.Clear();
  auto read = journal_.Read();
  if (const auto* error = std::get_if<std::string>(&read)) {
    fmt::print(stderr, "deconv-cts: {}; starting from the beginning\n", *error);
    return journal_.Clear();
  }
  auto& content = std::get<std::optional<ReportContent>>(read);
  if (!content || content->description.key != key) {
    fmt::print(stderr,
               "deconv-cts: {}: holds no run with the same cases, limits and programs; starting from the beginning\n",
               path);
    return journal_.Clear();
  }
  journal_.DropIncompleteLine();
  for (RunRecord& run : content->runs) known_[run.backend] = std::move(run.results);
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
