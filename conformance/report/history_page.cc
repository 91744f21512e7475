// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a history (a file with the counts of past runs) as SVG, and puts the picture and the table on an HTML page. The
// tooltip of a bar names its run.

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "conformance/report/history.h"
#include "conformance/report/printable.h"

namespace conformance {
namespace {

// Sizes in SVG units, chosen by looking at pictures. A panel shows the runs of one backend and level.
constexpr int kWidth = 960;  // of the picture
constexpr int kLeft = 60;    // margins, with the numbers of both axes
constexpr int kRight = 60;
constexpr int kPanel = 220;  // height of a panel
constexpr int kBars = 140;   // height of the highest bar
constexpr int kTop = 40;     // space above the bars of a panel, for its title

/// The text with XML escapes; bytes that cannot be printed are replaced.
std::string SvgText(std::string_view text) {
  std::string escaped;
  for (const char c : PrintableText(std::string(text))) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::size_t JudgedCases(const HistoryEntry& entry) { return entry.passed + entry.failed; }

/// The first 9 characters of a revision, as Git shows it.
std::string ShortRevision(const std::string& revision) { return revision.substr(0, 9); }

/// The runs of each backend and level, in the order in which they appear.
std::vector<std::vector<const HistoryEntry*>> RunGroups(std::span<const HistoryEntry> entries) {
  std::vector<std::vector<const HistoryEntry*>> groups;
  for (const HistoryEntry& entry : entries) {
    const auto same = std::ranges::find_if(groups, [&entry](const auto& group) {
      return group.front()->backend == entry.backend && group.front()->level == entry.level;
    });
    if (same == groups.end()) {
      groups.push_back({&entry});
    } else {
      same->push_back(&entry);
    }
  }
  for (auto& group : groups) {
    if (group.size() > kMostShownRuns) group.erase(group.begin(), group.end() - kMostShownRuns);
  }
  return groups;
}

/// One bar, from the bottom: passed, expected to fail, failed. A run of `most_cases` cases has the highest bar.
std::string RunBar(const HistoryEntry& entry, double x, double width, double most_cases, int bottom) {
  std::string svg = fmt::format(
      "<g><title>{} {} {}: {} passed, {} failed ({} of them expected), {} not run, {:.1f} s, exit code {}</title>",
      SvgText(entry.time), SvgText(ShortRevision(entry.revision)), SvgText(entry.version), entry.passed, entry.failed,
      entry.expected, entry.not_run, entry.seconds, entry.exit_code);
  double y = bottom;
  for (const auto& [count, colour] :
       {std::pair{entry.passed, "#2e7d32"}, {entry.expected, "#f9a825"}, {entry.failed - entry.expected, "#c62828"}}) {
    // At least 2 units, so that a single failure among thousands of cases is visible.
    const double height = count == 0 ? 0 : std::max(2.0, kBars * static_cast<double>(count) / most_cases);
    y -= height;
    if (count != 0) {
      svg += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)", x, y, width,
                         height, colour);
    }
  }
  return svg + "</g>\n";
}

/// The bars of the runs of one backend and level, and a line of their times. Both are scaled to the largest value.
std::string RunPanel(const std::vector<const HistoryEntry*>& group, int top) {
  const int bottom = top + kTop + kBars;
  double most_cases = 1, most_seconds = 1e-9;  // not 0, because heights are divided by them
  for (const HistoryEntry* entry : group) {
    most_cases = std::max(most_cases, static_cast<double>(JudgedCases(*entry)));
    most_seconds = std::max(most_seconds, entry->seconds);
  }
  const double step = static_cast<double>(kWidth - kLeft - kRight) / static_cast<double>(group.size());
  const double width = std::min(0.8 * step, 24.0);
  std::string svg = fmt::format(R"(<text x="{}" y="{}" class="title">{}, level {}</text>)", kLeft, top + 20,
                                SvgText(group.front()->backend), SvgText(group.front()->level));
  svg += fmt::format(R"(<text x="{}" y="{}" text-anchor="end">{:.0f}</text>)", kLeft - 6, top + kTop + 4, most_cases);
  svg += fmt::format(R"(<text x="{}" y="{}">{:.3g} s</text>)", kWidth - kRight + 6, top + kTop + 4, most_seconds);
  std::string line, labels;
  const std::size_t label_step = std::max<std::size_t>(1, group.size() / 10);  // about ten runs have a label
  for (std::size_t i = 0; i < group.size(); ++i) {
    const double x = kLeft + step * static_cast<double>(i) + (step - width) / 2;
    svg += RunBar(*group[i], x, width, most_cases, bottom);
    line += fmt::format("{:.1f},{:.1f} ", x + width / 2, bottom - kBars * group[i]->seconds / most_seconds);
    if (i % label_step == 0) {
      const std::string& revision = group[i]->revision;
      labels += fmt::format(R"(<text x="{:.1f}" y="{}">{}</text>)", x, bottom + 16,
                            SvgText(revision.empty() ? group[i]->time.substr(0, 10) : ShortRevision(revision)));
    }
  }
  return svg + fmt::format(R"(<polyline points="{}" class="seconds"/>)", line) + labels + "\n";
}

}  // namespace

Table HistoryTable(std::span<const HistoryEntry> entries) {
  Table table{.title = fmt::format("{} runs, the last one first", entries.size()),
              .columns = {{"time"},
                          {"revision"},
                          {"backend"},
                          {"version"},
                          {"level"},
                          {"passed", true},
                          {"failed", true},
                          {"expected", true},
                          {"not run", true},
                          {"seconds", true},
                          {"exit", true}},
              .shown = 20};
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    table.rows.push_back({entry->time, ShortRevision(entry->revision), entry->backend, entry->version, entry->level,
                          std::to_string(entry->passed), std::to_string(entry->failed), std::to_string(entry->expected),
                          std::to_string(entry->not_run), fmt::format("{:.1f}", entry->seconds),
                          std::to_string(entry->exit_code)});
  }
  return table;
}

std::string HistorySvg(std::span<const HistoryEntry> entries) {
  const auto groups = RunGroups(entries);
  const int height = kPanel * static_cast<int>(groups.size()) + 30;
  std::string svg =
      fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}">)"
                  "<style>text{{font:12px sans-serif;fill:#444}}.title{{font-size:15px}}"
                  ".seconds{{fill:none;stroke:#1565c0;stroke-width:1.5}}</style>\n",
                  kWidth, height);
  int top = 0;
  for (const auto& group : groups) {
    svg += RunPanel(group, top);
    top += kPanel;
  }
  return svg + fmt::format(R"(<text x="{}" y="{}">green: passed, yellow: expected to fail, red: failed; )"
                           "blue line: seconds</text></svg>\n",
                           kLeft, top + 16);
}

std::string HistoryHtml(std::span<const HistoryEntry> entries) {
  const Table table = HistoryTable(entries);
  std::string rows;
  for (const auto& row : table.rows) {
    rows += "<tr>";
    for (const std::string& cell : row) rows += fmt::format("<td>{}</td>", SvgText(cell));
    rows += "</tr>\n";
  }
  std::string head;
  for (const Column& column : table.columns) head += fmt::format("<th>{}</th>", column.name);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>deconv-cts: history</title>\n"
      "<style>body{{font-family:sans-serif;margin:2em}}td,th{{padding:2px 10px;text-align:left}}</style>\n"
      "<h1>History of runs</h1>\n{}<h2>{}</h2>\n<table><tr>{}</tr>\n{}</table></html>\n",
      HistorySvg(entries), SvgText(table.title), head, rows);
}

}  // namespace conformance
