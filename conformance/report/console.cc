// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the progress, the failures and the summary of a run to a stream, for the person who started the run.

#include "conformance/report/console.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "conformance/report/facts.h"
#include "conformance/report/printable.h"
#include "conformance/report/table.h"
#include "conformance/verdict/replay_command.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

// Codes of a terminal's escape sequences.
constexpr int kRed = 31;
constexpr int kGreen = 32;

// The most failures that are printed. More would hide the summary; the report files list all failures.
constexpr std::size_t kConsoleFailures = 20;

/// The dialect and the clauses that decide the case, one line each.
std::string ClauseText(const CaseResult& result) {
  std::string text = fmt::format("     {}, by the clauses\n", result.judged.dialect);
  for (const std::string& id : result.judged.clauses) {
    const oracle::Clause* clause = oracle::FindClause(id);
    text += fmt::format("       {:<4} {}\n", id, clause != nullptr ? clause->title : "");
  }
  return text;
}

/// The dialects by which the cases were judged, under their names on the command line.
std::vector<std::string_view> DialectsOf(const RunRecord& record) {
  std::vector<std::string_view> names;
  for (const CaseResult& result : record.results) {
    const bool judged = IsRight(result.verdict.status) || result.verdict.status == Status::kFail;
    if (judged && std::ranges::find(names, result.judged.dialect) == names.end())
      names.push_back(result.judged.dialect);
  }
  return names;
}

/// The first 12 frames of the stack, the innermost ones: they show where the backend died.
std::string BacktraceText(const CaseResult& result) {
  constexpr int kMostFrames = 12;  // a guess: half a screen
  std::istringstream frames(result.trace.backtrace);
  std::string text;
  std::string frame;
  for (int i = 0; i < kMostFrames && std::getline(frames, frame); ++i) text += fmt::format("       {}\n", frame);
  return text;
}

/// The last 20 lines of the backend's standard error: a Python adapter's traceback, for example.
std::string StandardErrorText(const CaseResult& result) {
  constexpr std::size_t kMostLines = 20;  // a guess: most of a screen
  std::istringstream written(PrintableText(result.trace.stderr_tail));
  std::vector<std::string> lines;
  for (std::string line; std::getline(written, line);) lines.push_back(line);
  if (lines.empty()) return {};
  std::string text = "     the backend's standard error:\n";
  for (std::size_t i = lines.size() - std::min(kMostLines, lines.size()); i < lines.size(); ++i) {
    text += fmt::format("       {}\n", lines[i]);
  }
  return text;
}

}  // namespace

ConsoleReport::ConsoleReport(std::FILE* stream) : stream_(stream) {
  is_terminal_ = isatty(fileno(stream)) != 0;
  const char* no_colour = std::getenv("NO_COLOR");
  has_colours_ = is_terminal_ && (no_colour == nullptr || *no_colour == '\0');
}

std::string ConsoleReport::Coloured(std::string_view text, int colour) const {
  return has_colours_ ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
}

void ConsoleReport::Begin(const std::string& backend, std::size_t cases) {
  backend_ = backend;
  cases_ = cases;
  failures_ = 0;
  shown_failures_ = 0;
  explained_.clear();
  start_ = last_progress_ = std::chrono::steady_clock::now();
}

std::string ConsoleReport::FailureText(const CaseResult& result) const { return FailureText(result, ""); }

std::string ConsoleReport::FailureText(const CaseResult& result, const std::string& explained_by) const {
  std::string text = fmt::format("{} {} {}: {}\n", Coloured("FAIL", kRed), result.id(),
                                 FailureClassNameOf(result.verdict.failure), result.verdict.message);
  if (!result.origin.reason.empty()) text += fmt::format("     about: {}\n", result.origin.reason);
  // An error is the backend's own: no clause explains it.
  if (result.verdict.failure != FailureClass::kError) {
    text += explained_by.empty() ? ClauseText(result)
                                 : fmt::format("     {}, by the clauses of {}\n", result.judged.dialect, explained_by);
  }
  text += BacktraceText(result);
  if (prints_refusals_) text += StandardErrorText(result);
  return text + fmt::format("     replay: {}\n     explain: deconv-cts explain {}\n", ReplayCommand(backend_, result),
                            result.judged.line);
}

void ConsoleReport::OnResult(const CaseResult& result, std::size_t done) {
  if (result.verdict.IsNewFailure()) {
    ++failures_;
    if (shown_failures_ < kConsoleFailures) {
      ++shown_failures_;
      ClearProgress();
      const auto [first, is_new] = explained_.try_emplace({result.verdict.failure, result.judged.clauses}, result.id());
      Print("{}", FailureText(result, is_new ? "" : first->second));
    }
  }
  if (prints_refusals_ && IsRight(result.verdict.status) && (result.answer.refused || !result.answer.choices.empty())) {
    ClearProgress();
    Print("{} {}: {}\n", Coloured(result.answer.refused ? "refused" : "open", kGreen), result.id(),
          result.verdict.message);
    Print("{}", ClauseText(result));
  }
  Progress(result, done);
}

void ConsoleReport::Progress(const CaseResult& result, std::size_t done) {
  const auto now = std::chrono::steady_clock::now();
  // A terminal overwrites the line of progress. A log file keeps each one, so lines are rare there.
  const auto pause = is_terminal_ ? std::chrono::milliseconds(50) : std::chrono::milliseconds(10'000);
  if (now - last_progress_ < pause && !(is_terminal_ && done == cases_)) return;
  last_progress_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line =
      fmt::format("{} {}/{} cases, {} failed, {:.0f} s, {}", backend_, done, cases_, failures_, seconds, result.id());
  if (is_terminal_) {
    Print("\r\x1b[K{}", line.substr(0, 100));  // a longer line may wrap, and then it is not overwritten
  } else {
    Print("{}\n", line);
  }
  std::fflush(stream_);
}

void ConsoleReport::ClearProgress() {
  if (is_terminal_) Print("\r\x1b[K");
}

void ConsoleReport::PrintVerdict(const RunSummary& summary) {
  const RunRecord& record = *summary.run;
  const RunVerdict verdict = summary.verdict;
  if (IsGood(verdict)) {
    Print("judged by {}{}{}\n", fmt::join(DialectsOf(record), ", "), selection_.empty() ? "" : "; ", selection_);
  }
  if (!record.sandbox.empty()) Print("sandbox: {}\n", record.sandbox);
  std::string words = summary.verdict_text;
  if (IsGood(verdict)) words = Coloured(words, kGreen);
  if (verdict == RunVerdict::kFails || verdict == RunVerdict::kNotJudged || verdict == RunVerdict::kStale) {
    words = Coloured(words, kRed);
  }
  Print("{} ({}) {}: {}, {:.1f} s\n", record.backend, record.declared.NameAndVersion(), words, summary.counts_text,
        record.seconds);
  if (record.unjudged != 0) Print("incomplete: {} cases of the run were not judged\n", record.unjudged);
}

void ConsoleReport::End(const RunRecord& record) {
  const RunSummary summary = SummaryOf(record);
  ClearProgress();
  if (failures_ > shown_failures_) Print("... and {} more failures\n", failures_ - shown_failures_);
  for (const Table& table : summary.facts) Print("{}", TableText(table, backend_));
  if (!record.replay) Print("judged {}\n", summary.judged_text);
  PrintVerdict(summary);
  std::fflush(stream_);
}

std::string CausesText(const RunRecord& record) {
  constexpr std::size_t kShown = 12;  // a guess: more would fill more than a screen
  const std::string headline = CausesHeadline(record);
  if (headline.empty()) return {};
  std::string text = fmt::format("{}{}\n", record.causes->not_looked_for.empty() ? "" : "causes: ", headline);
  const std::vector<Table> causes = CauseTables(record);
  for (std::size_t i = 0; i < std::min(kShown, causes.size()); ++i) text += TableText(causes[i], record.backend);
  if (causes.size() > kShown) {
    text += fmt::format("... and {} more causes; --html, --json and --markdown list all\n", causes.size() - kShown);
  }
  return text;
}

}  // namespace conformance
