// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines on a stream.

#include "conformance/report/console.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include "conformance/dialect_fit.h"
#include "conformance/report/coverage_text.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

constexpr int kRed = 31;
constexpr int kGreen = 32;

// More would hide the summary; the reports have them all.
constexpr std::size_t kShownFailures = 20;
constexpr std::size_t kShownWarnings = 3;

struct SuiteCounts {
  std::size_t passed = 0, warned = 0, failed = 0, not_run = 0;
  double worst_ratio = 0;
};

/// The dialect and the clauses that decide the case, a line each.
std::string ClauseText(const CaseResult& result) {
  std::string text = fmt::format("     {}, by the clauses\n", result.dialect);
  for (const std::string& id : result.clauses) {
    const oracle::Clause* clause = oracle::FindClause(id);
    text += fmt::format("       {:<4} {}\n", id, clause != nullptr ? clause->title : "");
  }
  return text;
}

/// The innermost frames, which say where it died.
std::string BacktraceText(const CaseResult& result) {
  constexpr int kMostFrames = 12;
  std::istringstream frames(result.backtrace);
  std::string text;
  std::string frame;
  for (int i = 0; i < kMostFrames && std::getline(frames, frame); ++i) text += fmt::format("       {}\n", frame);
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

void ConsoleReport::Begin(const std::string& backend, std::size_t planned) {
  backend_ = backend;
  planned_ = planned;
  failures_ = 0;
  shown_failures_ = 0;
  start_ = last_progress_ = std::chrono::steady_clock::now();
}

std::string ConsoleReport::FailureText(const CaseResult& result) const {
  std::string text = fmt::format("{} {} {}: {}\n", Coloured("FAIL", kRed), result.id(),
                                 FailureClassNameOf(result.failure), result.message);
  if (!result.reason.empty()) text += fmt::format("     {}\n", result.reason);
  text += ClauseText(result);
  text += BacktraceText(result);
  return text + fmt::format("     replay: {}\n     explain: deconv-cts explain {}\n",
                            ReplayCommand(backend_, result.line), result.line);
}

void ConsoleReport::OnResult(const CaseResult& result, std::size_t done) {
  if (result.status == Status::kFail && result.expected.empty()) {
    ++failures_;
    if (shown_failures_ < kShownFailures) {
      ++shown_failures_;
      ClearProgress();
      Print("{}", FailureText(result));
    }
  }
  if (refusals_ && result.refused) {
    ClearProgress();
    Print("{} {}: {}\n", Coloured("refused", kGreen), result.id(), result.message);
    Print("{}", ClauseText(result));
  }
  Progress(result, done);
}

void ConsoleReport::Progress(const CaseResult& result, std::size_t done) {
  const auto now = std::chrono::steady_clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(50) : std::chrono::milliseconds(10'000);
  if (now - last_progress_ < pause && !(terminal_ && done == planned_)) return;
  last_progress_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line =
      fmt::format("{} {}/{} cases, {} failed, {:.0f} s, {}", backend_, done, planned_, failures_, seconds, result.id());
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

void ConsoleReport::End(const RunRecord& record) {
  ClearProgress();
  std::vector<std::string_view> suites;
  std::map<std::string_view, SuiteCounts> counts;
  std::map<FailureClass, std::size_t> failures;
  std::map<std::string_view, std::size_t> not_run;
  std::map<Status, std::vector<const CaseResult*>> warnings;
  std::int64_t tuples = 0;
  std::int64_t outputs = 0;
  for (const CaseResult& result : record.results) {
    if (result.tuples != 0) {
      tuples += result.tuples;
      outputs += result.outputs;
    }
    if (!counts.contains(result.suite)) suites.push_back(result.suite);
    SuiteCounts& count = counts[result.suite];
    count.worst_ratio = std::max(count.worst_ratio, result.worst_ratio);
    if (result.status == Status::kPass) {
      ++count.passed;
    } else if (IsRight(result.status)) {
      ++count.warned;
      warnings[result.status].push_back(&result);
    } else if (result.status == Status::kFail) {
      ++count.failed;
      ++failures[result.failure];
    } else {
      ++count.not_run;
      ++not_run[result.message];
    }
  }
  if (failures_ > shown_failures_) Print("... and {} more failures\n", failures_ - shown_failures_);
  Print("{:<16} {:>7} {:>7} {:>7} {:>8} {:>18}\n", "suite", "passed", "warned", "failed", "not run",
        "worst error/bound");
  for (const std::string_view suite : suites) {
    const SuiteCounts& count = counts[suite];
    Print("{:<16} {:>7} {:>7} {:>7} {:>8} {:>18.2g}\n", suite, count.passed, count.warned, count.failed, count.not_run,
          count.worst_ratio);
  }
  for (const StatusWord& word : kStatuses) {
    if (!warnings.contains(word.status)) continue;
    const std::vector<const CaseResult*>& cases = warnings[word.status];
    Print("{} {}: {}\n", cases.size(), word.name, word.sentence);
    for (std::size_t i = 0; i < std::min(kShownWarnings, cases.size()); ++i) {
      Print("     {}: {}\n     replay: {}\n", cases[i]->id(), cases[i]->message,
            ReplayCommand(backend_, cases[i]->line));
    }
    if (cases.size() > kShownWarnings) Print("     ... and {} more\n", cases.size() - kShownWarnings);
  }
  if (tuples != 0) Print("sweeps: {} operators, {} outputs\n", tuples, outputs);
  for (const FailureClassName& entry : kFailureClasses) {
    if (failures.contains(entry.failure)) {
      Print("{} {}: {}\n", failures[entry.failure], entry.name, entry.sentence);
    }
  }
  std::vector<std::pair<std::size_t, std::string_view>> reasons;
  reasons.reserve(not_run.size());
  for (const auto& [reason, count] : not_run) reasons.emplace_back(count, reason);
  std::ranges::sort(reasons, std::greater<>());
  constexpr std::size_t kShownReasons = 6;
  for (std::size_t i = 0; i < std::min(kShownReasons, reasons.size()); ++i) {
    Print("{} not run: {}\n", reasons[i].first, reasons[i].second);
  }
  if (reasons.size() > kShownReasons) Print("... and {} more reasons\n", reasons.size() - kShownReasons);
  if (record.declared.fast_algorithm) {
    Print("declares sums by transforms: floating-point outputs were judged by norms (conformance/bound.md)\n");
  }
  for (const DialectFit& fit : FitsOf(record.results)) Print("{}\n", fit.Text());
  if (record.coverage) Print("{}", CoverageSummary(*record.coverage));
  const Tally tally = TallyOf(record);
  std::string verdict = Coloured("conforms", kGreen);
  if (tally.failed != tally.expected) verdict = Coloured("does not conform", kRed);
  if (tally.failed + tally.computed == 0) verdict = Coloured("was not judged", kRed);
  if (record.results.empty() && record.unjudged == 0 && record.shard.count > 1) verdict = "has nothing in this shard";
  std::string warned;
  if (tally.loose != 0) warned += fmt::format("{} loose, ", tally.loose);
  if (tally.powerless != 0) warned += fmt::format("{} powerless, ", tally.powerless);
  const std::string known = tally.expected == 0 ? "" : fmt::format(" ({} of them expected)", tally.expected);
  Print("{} ({} {}) {}: {} passed, {}{} failed{}, {} not run, {:.1f} s\n", record.backend, record.declared.name,
        record.declared.version, verdict, tally.passed, warned, tally.failed, known,
        tally.undeclared + tally.too_large + tally.undefined + tally.inapplicable, record.seconds);
  if (record.unjudged != 0) Print("interrupted: {} of the planned cases were not judged\n", record.unjudged);
  std::fflush(out_);
}

}  // namespace conformance
