// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a report as a Markdown page, for the summary of a CI job, part by part. A part that does not fit is left out
// whole, because the text after a truncated table would become part of the table.

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/report/facts.h"
#include "conformance/report/printable.h"
#include "conformance/report/report_formats.h"
#include "conformance/verdict/picture.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

// The most causes, failures and bytes of a message. The page of a CI job should be short; the other reports list all.
constexpr std::size_t kShownCauses = 10;
constexpr std::size_t kShownFailures = 20;
constexpr std::size_t kMostMessageBytes = 2000;

/// The text with escapes, so that Markdown shows each of its characters unchanged.
std::string MarkdownEscaped(std::string_view text) {
  // Characters that are written as entities, which never have a meaning in Markdown. A backslash does not escape them
  // everywhere: "|" would still end a cell.
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

/// A page of limited size. After the first part that does not fit, all parts are left out and counted.
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
  std::string Build() {
    if (left_out_ != 0)
      text_ += fmt::format("\n*{} more parts are left out, because the page may not be larger.*\n", left_out_);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kReserve = 100;  // bytes kept free for the line that counts the parts left out

  std::size_t most_;
  std::size_t left_out_ = 0;
  std::string text_;
};

std::string_view MarkOf(Tone tone) {
  return tone == Tone::kGood ? "\u2705" : tone == Tone::kBad ? "\u274C" : "\u26A0\uFE0F";
}

std::string HeadOf(std::span<const RunSummary> runs, const RunDescription& description) {
  std::string text = "# deconv-cts\n\n";
  for (const RunSummary& summary : runs) {
    const RunRecord& run = *summary.run;
    text += fmt::format("{} **{}** ({}) **{}**: {}, {:.1f} s\n\n", MarkOf(summary.tone), MarkdownText(run.backend),
                        MarkdownText(run.declared.NameAndVersion()), summary.verdict_text, summary.counts_text,
                        run.seconds);
  }
  for (const std::string& error : description.errors) text += fmt::format("\u274C {}\n\n", MarkdownText(error));
  if (runs.empty()) text += "No backend was judged.\n\n";
  return text + fmt::format("Suite {}, level {}, exit code {}.\n", MarkdownText(description.suite_version),
                            MarkdownText(description.level), description.exit_code);
}

/// A judged case with the command that replays it and the picture of its wrong outputs.
std::string CaseText(const std::string& backend, const CaseResult& result) {
  const std::string_view word = result.verdict.status == Status::kFail ? FailureClassNameOf(result.verdict.failure)
                                                                       : StatusName(result.verdict.status);
  std::string text = fmt::format("\n**{}** {}: {}\n", MarkdownText(result.id()), word,
                                 MarkdownText(Shortened(result.verdict.message, kMostMessageBytes)));
  if (result.verdict.IsKnownFailure())
    text += fmt::format("\nExpected to fail: {}\n", MarkdownText(result.verdict.known_failure));
  if (!result.origin.reason.empty()) {
    text += fmt::format("\nAbout: {}\n", MarkdownText(Shortened(result.origin.reason, kMostMessageBytes)));
  }
  text += '\n' + MarkdownBlock(ReplayCommand(backend, result));
  if (result.outputs.wrong_grid) {
    text += '\n' + MarkdownBlock(PictureText(*result.outputs.wrong_grid, result.judged.output_dims, false));
  }
  return text;
}

/// A row of a table. Line ends in a cell become commas.
std::string RowText(std::span<const std::string> cells) {
  std::string text = "|";
  for (const std::string& cell : cells) {
    std::string line = cell;
    for (std::size_t at = 0; (at = line.find('\n', at)) != std::string::npos;) line.replace(at, 1, ", ");
    text += fmt::format(" {} |", MarkdownText(line));
  }
  return text + '\n';
}

/// Adds the report of a run to the page. Tables with a title are folded, so that the visible part is short.
void AddRun(const RunSummary& summary, const RunDescription& description, Page& page) {
  const RunRecord& run = *summary.run;
  page.Add(fmt::format("\n## {}\n", MarkdownText(run.backend)));
  const auto add = [&](const Table& table) {
    const std::string title = MarkdownText(table.title);
    const std::string text = MarkdownTable(table);
    page.Add(title.empty()        ? text
             : table.rows.empty() ? fmt::format("\n{}\n{}", title, text)
                                  : fmt::format("\n<details><summary>{}</summary>\n{}\n</details>\n", title, text));
    for (std::size_t i = 0; i < std::min(table.shown, table.cases.size()); ++i) {
      page.Add(CaseText(run.backend, *table.cases[i]));
    }
  };
  for (const Table& fact : summary.facts) add(fact);
  if (!summary.causes_headline.empty()) {
    page.Add(fmt::format("\n### Causes: {}\n", MarkdownText(summary.causes_headline)));
    const std::vector<Table>& causes = summary.causes;
    for (std::size_t i = 0; i < std::min(kShownCauses, causes.size()); ++i) add(causes[i]);
    if (causes.size() > kShownCauses) page.Add(fmt::format("\n... and {} more.\n", causes.size() - kShownCauses));
  }
  const std::vector<const CaseResult*>& failures = summary.failures;
  const std::size_t shown = std::min(kShownFailures, failures.size());
  if (shown != 0) {
    page.Add(shown == failures.size() ? fmt::format("\n### Failures: {}\n", failures.size())
                                      : fmt::format("\n### Failures: the first {} of {}\n", shown, failures.size()));
  }
  for (std::size_t i = 0; i < shown; ++i) page.Add(CaseText(run.backend, *failures[i]));
  add(RunFactsTable(summary, description));
}

}  // namespace

std::string MarkdownText(std::string_view text) {
  std::string markdown;
  const std::string line = PrintableLine(text);
  for (const TextPiece& piece : SplitAtAddresses(line)) {
    markdown += piece.link ? fmt::format("<{}>", piece.text) : MarkdownEscaped(piece.text);
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

std::string MarkdownTable(const Table& table) {
  std::string text;
  if (!table.rows.empty()) {
    std::vector<Column> columns = table.columns;
    // A table without columns (a list, see table.h) gets empty headings, because Markdown has no table without a
    // heading row.
    columns.resize(table.rows.front().size());
    std::vector<std::string> names;
    std::string rule = "|";
    for (const Column& column : columns) {
      names.push_back(column.name);
      rule += column.number ? "---:|" : "---|";
    }
    text += '\n' + RowText(names) + rule + '\n';
    const std::size_t shown = std::min(table.shown, table.rows.size());
    for (std::size_t i = 0; i < shown; ++i) text += RowText(table.rows[i]);
    if (shown != table.rows.size()) text += fmt::format("\n... and {} more.\n", table.rows.size() - shown);
  }
  if (!table.notes.empty()) text += '\n';
  for (const std::string& note : table.notes) text += fmt::format("- {}\n", MarkdownText(note));
  return text;
}

std::string MarkdownReport(std::span<const RunSummary> runs, const RunDescription& description,
                           std::size_t most_bytes) {
  Page page(most_bytes);
  page.Add(HeadOf(runs, description));
  if (runs.size() > 1) page.Add("\n## Backends compared\n");
  for (const Table& table : ComparisonTables(runs)) {
    page.Add(table.title.empty() ? MarkdownTable(table)
                                 : fmt::format("\n{}\n{}", MarkdownText(table.title), MarkdownTable(table)));
  }
  for (const RunSummary& run : runs) AddRun(run, description, page);
  return page.Build();
}

}  // namespace conformance
