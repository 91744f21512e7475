// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the progress, the failures and the summary of a run to a stream.

#include "conformance/report/console.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "conformance/report/needed_text.h"
#include "conformance/report/printable.h"
#include "conformance/report/summary.h"
#include "conformance/report/support/support_text.h"
#include "conformance/verdict/dialect_fit.h"
#include "conformance/verdict/open_choice.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

constexpr int kRed = 31;
constexpr int kGreen = 32;

// More lines would hide the summary; the reports list all.
constexpr std::size_t kConsoleFailures = 20;
constexpr std::size_t kShownWarnings = 3;

/// The dialect and the clauses that decide the case, one line each.
std::string ClauseText(const CaseResult& result) {
  std::string text = fmt::format("     {}, by the clauses\n", result.dialect);
  for (const std::string& id : result.clauses) {
    const oracle::Clause* clause = oracle::FindClause(id);
    text += fmt::format("       {:<4} {}\n", id, clause != nullptr ? clause->title : "");
  }
  return text;
}

/// The dialects by which the cases were judged, under their names on the command line.
std::vector<std::string_view> DialectsOf(const RunRecord& record) {
  std::vector<std::string_view> names;
  for (const CaseResult& result : record.results) {
    const bool judged = IsRight(result.status) || result.status == Status::kFail;
    if (judged && std::ranges::find(names, result.dialect) == names.end()) names.push_back(result.dialect);
  }
  return names;
}

/// The innermost frames, which show where the backend died.
std::string BacktraceText(const CaseResult& result) {
  constexpr int kMostFrames = 12;
  std::istringstream frames(result.backtrace);
  std::string text;
  std::string frame;
  for (int i = 0; i < kMostFrames && std::getline(frames, frame); ++i) text += fmt::format("       {}\n", frame);
  return text;
}

/// The last lines of what the backend wrote to its standard error: a Python adapter's traceback, for example.
std::string StandardErrorText(const CaseResult& result) {
  constexpr std::size_t kMostLines = 20;
  std::istringstream written(PrintableText(result.standard_error));
  std::vector<std::string> lines;
  for (std::string line; std::getline(written, line);) lines.push_back(line);
  if (lines.empty()) return {};
  std::string text = "     the backend's standard error:\n";
  for (std::size_t i = lines.size() - std::min(kMostLines, lines.size()); i < lines.size(); ++i) {
    text += fmt::format("       {}\n", lines[i]);
  }
  return text;
}

/// A list of phrases, broken between phrases where it is wider than a terminal.
std::string Wrapped(std::string_view list) {
  constexpr std::size_t kWidth = 118;
  std::string text;
  std::size_t column = 0;
  while (!list.empty()) {
    const std::size_t comma = list.find("), ");
    const std::string_view phrase = list.substr(0, comma == std::string_view::npos ? comma : comma + 3);
    if (column != 0 && column + phrase.size() > kWidth) {
      text.back() = '\n';  // in place of the blank
      text += "  ";
      column = 2;
    }
    text += phrase;
    column += phrase.size();
    list.remove_prefix(phrase.size());
  }
  return text;
}

}  // namespace

ConsoleReport::ConsoleReport(std::FILE* out) : out_(out) {
  terminal_ = isatty(fileno(out)) != 0;
  const char* no_colour = std::getenv("NO_COLOR");
  colours_ = terminal_ && (no_colour == nullptr || *no_colour == '\0');
}

std::string ConsoleReport::Coloured(std::string_view text, int colour) const {
  return colours_ ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
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
                                 FailureClassNameOf(result.failure), result.message);
  if (!result.reason.empty()) text += fmt::format("     about: {}\n", result.reason);
  // An error is the backend's own: no clause explains it.
  if (result.failure != FailureClass::kError) {
    text += explained_by.empty() ? ClauseText(result)
                                 : fmt::format("     {}, by the clauses of {}\n", result.dialect, explained_by);
  }
  text += BacktraceText(result);
  if (refusals_) text += StandardErrorText(result);
  return text + fmt::format("     replay: {}\n     explain: deconv-cts explain {}\n", ReplayCommand(backend_, result),
                            result.line);
}

void ConsoleReport::OnResult(const CaseResult& result, std::size_t done) {
  if (result.status == Status::kFail && result.expected.empty()) {
    ++failures_;
    if (shown_failures_ < kConsoleFailures) {
      ++shown_failures_;
      ClearProgress();
      const auto [first, is_new] = explained_.try_emplace({result.failure, result.clauses}, result.id());
      Print("{}", FailureText(result, is_new ? "" : first->second));
    }
  }
  if (refusals_ && IsRight(result.status) && (result.refused || !result.choices.empty())) {
    ClearProgress();
    Print("{} {}: {}\n", Coloured(result.refused ? "refused" : "open", kGreen), result.id(), result.message);
    Print("{}", ClauseText(result));
  }
  Progress(result, done);
}

void ConsoleReport::Progress(const CaseResult& result, std::size_t done) {
  const auto now = std::chrono::steady_clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(50) : std::chrono::milliseconds(10'000);
  if (now - last_progress_ < pause && !(terminal_ && done == cases_)) return;
  last_progress_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line =
      fmt::format("{} {}/{} cases, {} failed, {:.0f} s, {}", backend_, done, cases_, failures_, seconds, result.id());
  if (terminal_) {
    Print("\r\x1b[K{}", line.substr(0, 100));
  } else {
    Print("{}\n", line);
  }
  std::fflush(out_);
}

void ConsoleReport::ClearProgress() {
  if (terminal_) Print("\r\x1b[K");
}

void ConsoleReport::PrintSuites(const RunRecord& record) {
  Print("{:<16} {:>7} {:>7} {:>7} {:>8} {:>18}\n", "suite", "passed", "warned", "failed", "not run",
        "worst error/bound");
  for (const SuiteCounts& count : CountsBySuite(record)) {
    Print("{:<16} {:>7} {:>7} {:>7} {:>8} {:>18.2g}\n", count.suite, count.passed, count.warned, count.failed,
          count.not_run, count.worst_ratio);
  }
}

void ConsoleReport::PrintWarnings(const RunRecord& record) {
  std::map<Status, std::vector<const CaseResult*>> warnings;
  for (const CaseResult& result : record.results) {
    if (IsRight(result.status) && result.status != Status::kPass) warnings[result.status].push_back(&result);
  }
  for (const StatusWord& word : kStatuses) {
    if (!warnings.contains(word.status)) continue;
    const std::vector<const CaseResult*>& cases = warnings[word.status];
    Print("{} {}: {}\n", cases.size(), word.name, word.sentence);
    for (std::size_t i = 0; i < std::min(kShownWarnings, cases.size()); ++i) {
      Print("     {}: {}\n     replay: {}\n", cases[i]->id(), cases[i]->message, ReplayCommand(backend_, *cases[i]));
    }
    if (cases.size() > kShownWarnings) Print("     ... and {} more\n", cases.size() - kShownWarnings);
  }
}

/// What is worth knowing besides failures and warnings: sweeps, failure classes, cases that were not run, dialects.
void ConsoleReport::PrintNotes(const RunRecord& record) {
  if (const std::string sweeps = SweepsText(record); !sweeps.empty()) Print("sweeps: {}\n", sweeps);
  for (const auto& [entry, count] : CountsByClass(record)) Print("{} {}: {}\n", count, entry.name, entry.sentence);
  const auto reasons = ReasonsWithoutVerdict(record);
  constexpr std::size_t kShownReasons = 6;
  for (std::size_t i = 0; i < std::min(kShownReasons, reasons.size()); ++i) {
    Print("{} {}: {}\n", reasons[i].cases, reasons[i].word, reasons[i].reason);
  }
  if (reasons.size() > kShownReasons)
    Print("... and {} more reasons; --html and --json list all\n", reasons.size() - kShownReasons);
  // A replay of a few cases is no map.
  if (!record.replay)
    Print("{}", SupportLines(SupportMapOf(record.results, record.declared), SupportReasons::kLeftOut));
  if (record.declared.takes_resolved) Print("{}\n", kResolutionNotJudged);
  for (const Fact& fact : OwnArithmeticOf(record)) Print("{}: {}\n", fact.name, fact.value);
  if (record.declared.fast_algorithm) {
    Print(
        "the backend declares sums by transforms, so floating-point outputs were judged by norms "
        "(conformance/verdict/bound.md)\n");
  }
  for (const NeededOfType& entry : NeededByType(record)) Print("tolerance: {}\n", ToText(entry));
  const std::vector<DialectFit> fits = FitsOf(record.results);
  for (const DialectFit& fit : fits) Print("{}\n", fit.Text());
  if (!fits.empty())
    Print(
        "(a deciding case is one on which dialects differ, so that the answer shows which dialect the backend "
        "follows)\n");
  for (const std::string& line : ChoiceLines(record.results)) Print("{}\n", Wrapped(line));
  if (!record.replay) Print("judged {}\n", JudgedText(record));
  const Tally tally = TallyOf(record);
  // So many cases that the others may say little about the backend.
  if (tally.too_large * 10 > record.results.size()) {
    Print("warning: {} of {} cases need more than --memory, --work or --budget allows and were not run\n",
          tally.too_large, record.results.size());
  }
}

void ConsoleReport::PrintVerdict(const RunRecord& record) {
  const Verdict verdict = VerdictOf(record);
  if (IsGood(verdict)) {
    Print("judged by {}{}{}\n", fmt::join(DialectsOf(record), ", "), selection_.empty() ? "" : "; ", selection_);
  }
  std::string words = VerdictText(record);
  if (IsGood(verdict)) words = Coloured(words, kGreen);
  if (verdict == Verdict::kFails || verdict == Verdict::kNotJudged || verdict == Verdict::kStale) {
    words = Coloured(words, kRed);
  }
  Print("{} ({} {}) {}: {}, {:.1f} s\n", record.backend, record.declared.name, record.declared.version, words,
        CountsText(record), record.seconds);
  if (record.unjudged != 0) Print("incomplete: {} cases of the run were not judged\n", record.unjudged);
}

void ConsoleReport::End(const RunRecord& record) {
  ClearProgress();
  if (failures_ > shown_failures_) Print("... and {} more failures\n", failures_ - shown_failures_);
  PrintSuites(record);
  PrintWarnings(record);
  PrintNotes(record);
  PrintVerdict(record);
  std::fflush(out_);
}

}  // namespace conformance
