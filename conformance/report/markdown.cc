// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the page part by part. A part is written whole or left out, because a cut table would swallow the text after
// it.

#include "conformance/report/markdown.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/report/causes_text.h"
#include "conformance/report/comparison.h"
#include "conformance/report/needed_text.h"
#include "conformance/report/printable.h"
#include "conformance/report/summary.h"
#include "conformance/report/support/support_text.h"
#include "conformance/verdict/dialect_fit.h"
#include "conformance/verdict/open_choice.h"
#include "conformance/verdict/picture.h"

namespace conformance {
namespace {

// A page that is read between two other jobs; the other reports have everything.
constexpr std::size_t kShownCauses = 10;
constexpr std::size_t kShownFailures = 20;
constexpr std::size_t kShownDiffering = 20;
constexpr std::size_t kMostMessageBytes = 2000;

std::string Escaped(std::string_view text) {
  // As entities, which are never structure, those that a backslash does not disarm everywhere: "|" ends a cell.
  constexpr std::string_view kEntities = "<>&|`";
  constexpr std::string_view kEscaped = "\\*_{}[]#~$!";
  std::string escaped;
  for (const char c : text) {
    if (kEntities.find(c) != std::string_view::npos) {
      escaped += fmt::format("&#{};", static_cast<int>(c));
    } else {
      if (kEscaped.find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

/// A page up to a size: parts that do not fit are counted, and those behind them too.
class Page {
 public:
  explicit Page(std::size_t most) : most_(most - std::min(most, kReserve)) {}

  void Add(std::string_view part) {
    if (left_out_ == 0 && text_.size() + part.size() <= most_) {
      text_ += part;
    } else {
      ++left_out_;
    }
  }
  std::string Take() {
    if (left_out_ != 0)
      text_ += fmt::format("\n*{} more parts are left out, because the page may not be larger.*\n", left_out_);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kReserve = 100;  // for the last line

  std::size_t most_;
  std::size_t left_out_ = 0;
  std::string text_;
};

std::string Mark(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConforms:
    case Verdict::kMeetsExpectations:
      return "\u2705";
    case Verdict::kFails:
      return "\u274C";
    default:
      return "\u26A0\uFE0F";
  }
}

std::string Headline(std::span<const RunRecord> runs, const RunDescription& description) {
  std::string text = "# deconv-cts\n\n";
  for (const RunRecord& run : runs) {
    const Verdict verdict = VerdictOf(run);
    text += fmt::format("{} **{}** ({} {}) **{}**: {}, {:.1f} s\n\n", Mark(verdict), MarkdownText(run.backend),
                        MarkdownText(run.declared.name), MarkdownText(run.declared.version), VerdictText(run),
                        CountsText(run), run.seconds);
  }
  for (const std::string& error : description.errors) text += fmt::format("\u274C {}\n\n", MarkdownText(error));
  if (runs.empty()) text += "No backend was judged.\n\n";
  return text + fmt::format("Suite {}, level {}, exit code {}.\n", MarkdownText(description.suite_version),
                            MarkdownText(description.level), description.exit_code);
}

std::string ComparisonPart(std::span<const RunRecord> runs) {
  const BackendComparison comparison = CompareBackends(runs);
  std::string text = "\n## Backends compared\n\nEach cell: passed / failed / not run.\n\n| suite |";
  std::string rule = "\n|---|";
  for (const std::string_view backend : comparison.backends) {
    text += fmt::format(" {} |", MarkdownText(backend));
    rule += "---:|";
  }
  text += rule + '\n';
  for (const ComparedSuite& suite : comparison.suites) {
    text += fmt::format("| {} |", MarkdownText(suite.suite));
    for (const SuiteCounts& counts : suite.counts) {
      text += fmt::format(" {} / {} / {} |", counts.passed + counts.warned, counts.failed, counts.not_run);
    }
    text += '\n';
  }
  text += fmt::format("\nThe backends differ on {} of the {} cases on which at least two were judged.\n",
                      comparison.differing.size(), comparison.common);
  if (comparison.differing.empty()) return text;
  text += "\n| case |";
  for (const std::string_view backend : comparison.backends) text += fmt::format(" {} |", MarkdownText(backend));
  text += "\n|---|";
  for (std::size_t i = 0; i < comparison.backends.size(); ++i) text += "---|";
  text += '\n';
  for (std::size_t i = 0; i < std::min(kShownDiffering, comparison.differing.size()); ++i) {
    text += fmt::format("| {} |", MarkdownText(comparison.differing[i].any().id()));
    for (const CaseResult* result : comparison.differing[i].results) text += fmt::format(" {} |", OutcomeWord(result));
    text += '\n';
  }
  if (comparison.differing.size() > kShownDiffering) {
    text += fmt::format("\n... and {} more.\n", comparison.differing.size() - kShownDiffering);
  }
  return text;
}

std::string SuitesPart(const RunRecord& run) {
  std::string text =
      "\n| suite | passed | warned | failed | expected | not run | worst error/bound |\n|---|---:|---:|---:|---:|---:|"
      "---:|\n";
  for (const SuiteCounts& counts : CountsBySuite(run)) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {:.2g} |\n", MarkdownText(counts.suite), counts.passed,
                        counts.warned, counts.failed, counts.expected, counts.not_run, counts.worst_ratio);
  }
  for (const auto& [entry, count] : CountsByClass(run)) {
    text += fmt::format("\n- {} **{}**: {}", count, entry.name, MarkdownText(entry.sentence));
  }
  text += '\n';
  if (const auto needed = NeededByType(run); !needed.empty()) {
    text +=
        "\n| type | rtol needed | ulp needed | atol beside rtol, of the largest output | at rtol 0 | cases "
        "|\n|---|---:|---:|---:|---:|---|\n";
    for (const NeededOfType& entry : needed) {
      text += fmt::format("| {} | {} | {:.4g} | {} | {} | {} |\n", oracle::ElementTypeName(entry.needed.type),
                          ToleranceText(entry.needed.rtol), entry.needed.ulps, ToleranceText(entry.needed.atol_beside),
                          ToleranceText(entry.needed.atol), entry.right ? "right" : "failed");
    }
  }
  if (const std::string sweeps = SweepsText(run); !sweeps.empty()) text += fmt::format("\nSweeps: {}\n", sweeps);
  for (const DialectFit& fit : FitsOf(run.results)) text += fmt::format("\n{}\n", MarkdownText(fit.Text()));
  for (const std::string& line : ChoiceLines(run.results)) text += fmt::format("\n{}\n", MarkdownText(line));
  return text;
}

/// The picture of the first result among these places that has one.
std::string PictureOf(const RunRecord& run, const Cause& cause) {
  std::vector<std::size_t> places = {cause.smallest};
  places.insert(places.end(), cause.failures.begin(), cause.failures.end());
  for (const std::size_t place : places) {
    const CaseResult* result = ResultAt(run.results, place);
    if (result == nullptr || !result->wrong_grid) continue;
    return fmt::format("{}\n{}", result->id(), PictureText(*result->wrong_grid, result->output_dims, false));
  }
  return {};
}

std::string CausePart(const RunRecord& run, const Cause& cause, std::size_t number) {
  std::string text = fmt::format("\n{}. **{} failure{}**: {}\n", number, cause.failures.size(),
                                 cause.failures.size() == 1 ? "" : "s", MarkdownText(cause.title));
  for (const std::string& note : CauseNotes(cause)) text += fmt::format("   - {}\n", MarkdownText(note));
  if (const CaseResult* smallest = ResultAt(run.results, cause.smallest)) {
    text += fmt::format("\nSmallest:\n\n{}", MarkdownBlock(ReplayCommand(run.backend, *smallest)));
  }
  if (const std::string picture = PictureOf(run, cause); !picture.empty()) text += '\n' + MarkdownBlock(picture);
  return text;
}

std::string FailurePart(const RunRecord& run, const CaseResult& result) {
  const std::string_view failure = FailureClassNameOf(result.failure);
  std::string text = fmt::format("\n**{}** {}: {}\n", MarkdownText(result.id()), failure,
                                 MarkdownText(Shortened(result.message, kMostMessageBytes)));
  if (!result.expected.empty()) text += fmt::format("\nExpected to fail: {}\n", MarkdownText(result.expected));
  if (!result.reason.empty()) {
    text += fmt::format("\nAbout: {}\n", MarkdownText(Shortened(result.reason, kMostMessageBytes)));
  }
  return text + '\n' + MarkdownBlock(ReplayCommand(run.backend, result));
}

void AddFailures(const RunRecord& run, Page& page) {
  const std::vector<const CaseResult*> failures = FailuresOf(run);
  if (failures.empty()) return;
  const std::size_t shown = std::min(kShownFailures, failures.size());
  page.Add(shown == failures.size() ? fmt::format("\n### Failures: {}\n", failures.size())
                                    : fmt::format("\n### Failures: the first {} of {}\n", shown, failures.size()));
  for (std::size_t i = 0; i < shown; ++i) page.Add(FailurePart(run, *failures[i]));
}

void AddRun(const RunRecord& run, const RunDescription& description, Page& page) {
  page.Add(fmt::format("\n## {}\n", MarkdownText(run.backend)));
  page.Add(SuitesPart(run));
  if (run.causes) {
    page.Add(fmt::format("\n### Causes: {}\n", MarkdownText(CausesHeadline(*run.causes))));
    const std::vector<Cause>& causes = run.causes->causes;
    for (std::size_t i = 0; i < std::min(kShownCauses, causes.size()); ++i) page.Add(CausePart(run, causes[i], i + 1));
    if (causes.size() > kShownCauses) page.Add(fmt::format("\n... and {} more.\n", causes.size() - kShownCauses));
  }
  AddFailures(run, page);
  if (const SupportMap map = SupportMapOf(run.results, run.declared); !map.all.whole()) {
    page.Add(fmt::format("\n<details><summary>What is supported: {}</summary>\n\n{}\n</details>\n", ShareText(map.all),
                         SupportMarkdown(map, MarkdownText)));
  }
  std::string facts = "\n<details><summary>What was judged</summary>\n\n| | |\n|---|---|\n";
  for (const Fact& fact : FactsOf(run, description)) {
    facts += fmt::format("| {} | {} |\n", MarkdownText(fact.name), MarkdownText(fact.value));
  }
  page.Add(facts + "\n</details>\n");
}

}  // namespace

std::string MarkdownText(std::string_view text) {
  std::string markdown;
  const std::string line = PrintableLine(text);
  for (const TextPiece& piece : PiecesOf(line)) {
    markdown += piece.link ? fmt::format("<{}>", piece.text) : Escaped(piece.text);
  }
  return markdown;
}

std::string MarkdownBlock(std::string_view lines) {
  std::size_t longest = 2;
  std::size_t ticks = 0;
  for (const char c : lines) {
    ticks = c == '`' ? ticks + 1 : 0;
    longest = std::max(longest, ticks);
  }
  std::string text = PrintableText(lines);
  if (!text.ends_with('\n')) text += '\n';
  const std::string fence(longest + 1, '`');
  return fmt::format("{0}text\n{1}{0}\n", fence, text);
}

std::string MarkdownReport(std::span<const RunRecord> runs, const RunDescription& description, std::size_t most_bytes) {
  Page page(most_bytes);
  page.Add(Headline(runs, description));
  if (runs.size() > 1) page.Add(ComparisonPart(runs));
  for (const RunRecord& run : runs) AddRun(run, description, page);
  return page.Take();
}

}  // namespace conformance
