// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the heat maps and lists of covered combinations.

#include "conformance/report/html/html_coverage.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/report/coverage_text.h"
#include "conformance/report/html/html_element.h"
#include "conformance/report/printable.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

/// What a cell shows: how much of what was judged there failed.
enum class Heat { kNone, kRight, kFew, kSome, kMost };
constexpr std::array<const char*, 5> kHeatStyles = {"none", "right", "few", "part", "most"};

Heat HeatOf(const CellCount& cell) {
  if (cell.judged == 0) return Heat::kNone;
  if (cell.failed == 0) return Heat::kRight;
  const double share = static_cast<double>(cell.failed) / static_cast<double>(cell.judged);
  return share < 0.1 ? Heat::kFew : share < 0.5 ? Heat::kSome : Heat::kMost;
}

void AddLegend(pugi::xml_node parent, bool pairs) {
  pugi::xml_node legend = AddElement(parent, "p", "legend");
  const auto add = [&](const char* style, std::string_view words) {
    AddElement(AddElement(legend, "span"), "i", style);
    AddText(legend.last_child(), words);
  };
  add("right", "judged, all right");
  add("few", "below 10 % failed");
  add("part", "below 50 %");
  add("most", "50 % or more");
  add("none", "not judged");
  if (pairs) add("never", "no such operator exists");
}

void AddSuiteMap(pugi::xml_node parent, const SuiteMap& map) {
  AddElement(parent, "h4", "", "Classes of attributes by suites");
  AddLegend(parent, false);
  pugi::xml_node table = AddElement(AddElement(parent, "div", "scroll"), "table", "heat");
  pugi::xml_node head = AddElement(AddElement(table, "thead"), "tr");
  AddElement(head, "th", "", "attribute");
  AddElement(head, "th", "", "class");
  for (const std::string_view suite : map.suites) AddElement(AddElement(head, "th", "suite"), "span", "", suite);
  pugi::xml_node body = AddElement(table, "tbody");
  for (std::size_t i = 0; i < map.classes.size(); ++i) {
    const AttributeClass& entry = map.classes[i];
    const bool begins = i == 0 || map.classes[i - 1].parameter != entry.parameter;
    pugi::xml_node row = AddElement(body, "tr", begins ? "begins" : "");
    AddElement(row, "th", "", begins ? ParameterName(entry.parameter) : std::string_view());
    AddElement(row, "td", "class", entry.name());
    for (const CellCount& cell : map.cells[i]) {
      pugi::xml_node shown = AddElement(row, "td", kHeatStyles[static_cast<std::size_t>(HeatOf(cell))]);
      if (cell.judged == 0) continue;
      AddText(shown,
              cell.failed == 0 ? fmt::format("{}", cell.judged) : fmt::format("{}/{}", cell.failed, cell.judged));
    }
  }
}

/// A triangle: a row and a column for each class, groups of rows named at the left.
void AddPairMap(pugi::xml_node parent, const RunRecord& run, const OperatorCoverage& entry, const PairMap& map,
                std::size_t number) {
  constexpr std::int64_t kNames = 14;  // units left of the triangle
  const auto size = static_cast<std::int64_t>(map.classes.size());
  pugi::xml_node details = AddElement(parent, "details", "pairs");
  if (number == 0) details.append_attribute("open") = "";
  const std::string title = fmt::format(
      "{}: pairs {}/{}, triples {}/{}, core with one more {}/{}, pairs of axes {}/{}",
      OperatorInDialect(entry.kind, entry.dialect), entry.pairs.covered, entry.pairs.feasible, entry.triples.covered,
      entry.triples.feasible, entry.core.covered, entry.core.feasible, entry.axes.covered, entry.axes.feasible);
  AddElement(details, "summary", "", title);
  pugi::xml_node drawing = AddDrawing(AddElement(details, "div", "scroll"), "triangle", size + kNames, size, title);
  SetAttribute(drawing, "data-backend", PrintableLine(run.backend));
  SetAttribute(drawing, "data-map", fmt::format("{}", number));
  SetAttribute(drawing, "data-names", fmt::format("{}", kNames));
  const auto draw = [&](const char* style, const auto& drawn) {
    AddPath(drawing, style, CellPath(size + kNames, size, [&](std::int64_t column, std::int64_t row) {
              if (column < kNames) return false;
              const auto i = static_cast<std::size_t>(row);
              const auto j = static_cast<std::size_t>(column - kNames);
              return map.IsPair(i, j) && drawn(map.At(i, j));
            }));
  };
  draw("never", [&](std::size_t at) { return !map.feasible[at] && map.cells[at].judged == 0; });
  draw("none", [&](std::size_t at) { return map.feasible[at] && map.cells[at].judged == 0; });
  for (std::size_t heat = 1; heat < kHeatStyles.size(); ++heat) {
    draw(kHeatStyles[heat], [&](std::size_t at) { return HeatOf(map.cells[at]) == static_cast<Heat>(heat); });
  }
  std::string lines;
  for (std::int64_t i = 0; i < size; ++i) {
    const AttributeClass& shown = map.classes[static_cast<std::size_t>(i)];
    if (i != 0 && map.classes[static_cast<std::size_t>(i - 1)].parameter == shown.parameter) continue;
    lines += fmt::format("M0 {}h{}M{} {}v{}", i, kNames + i, kNames + i, i, size - i);
    pugi::xml_node name = AddElement(drawing, "text", "", ParameterName(shown.parameter));
    name.append_attribute("x") = "0.2";
    name.append_attribute("y") = fmt::format("{}", static_cast<double>(i) + 1.1).c_str();
  }
  AddPath(drawing, "lines", lines);
  AddElement(details, "p", "readout", "Each cell: one class of one attribute combined with one class of another.");
}

void AddRegimes(pugi::xml_node parent, const TapRegimes& regimes) {
  AddElement(parent, "h4", "", "Taps that reach an output, by stride phase");
  pugi::xml_node table = AddElement(AddElement(parent, "div", "scroll"), "table", "heat");
  pugi::xml_node head = AddElement(AddElement(table, "thead"), "tr");
  AddElement(head, "th", "", "phase");
  for (const std::string_view regime : kTapRegimeNames) AddElement(AddElement(head, "th", "suite"), "span", "", regime);
  pugi::xml_node body = AddElement(table, "tbody");
  for (std::size_t p = 0; p < kPhaseClassNames.size(); ++p) {
    pugi::xml_node row = AddElement(body, "tr", "begins");
    AddElement(row, "th", "", kPhaseClassNames[p]);
    for (std::size_t r = 0; r < kTapRegimeNames.size(); ++r) {
      const auto phase = static_cast<PhaseClass>(p);
      const auto regime = static_cast<TapRegime>(r);
      const std::size_t count = regimes.count(phase, regime);
      if (!Exists(phase, regime)) {
        AddElement(row, "td", "never");
      } else {
        AddElement(row, "td", count == 0 ? "none" : "right", fmt::format("{}", count));
      }
    }
  }
}

}  // namespace

void AddCoverage(pugi::xml_node parent, const RunRecord& run, const CoverageMaps& maps) {
  const Coverage& coverage = *run.coverage;
  AddElement(parent, "p", "", CoverageSummary(coverage));
  AddSuiteMap(parent, maps.suites);
  AddElement(parent, "h4", "", "Pairs of classes");
  AddLegend(parent, true);
  for (std::size_t i = 0; i < maps.pairs.size(); ++i) AddPairMap(parent, run, coverage.operators[i], maps.pairs[i], i);
  AddRegimes(parent, coverage.regimes);
  if (coverage.missing_clauses.empty()) return;
  AddElement(parent, "h4", "", fmt::format("Clauses that no case covers: {}", coverage.missing_clauses.size()));
  pugi::xml_node list = AddElement(parent, "ul", "clauses");
  for (const std::string_view id : coverage.missing_clauses) {
    const oracle::Clause* clause = oracle::FindClause(id);
    AddElement(list, "li", "", fmt::format("{} {}", id, clause == nullptr ? "" : clause->title));
  }
}

}  // namespace conformance
