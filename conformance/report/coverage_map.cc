// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts judged and failed cases by pairs of attribute classes.

#include "conformance/report/coverage_map.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "conformance/case/case.h"
#include "conformance/covering/model.h"
#include "conformance/measured_coverage/classify.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

struct ClassifiedCase {
  ClassRow row;
  oracle::OperatorKind kind;
  oracle::Dialect dialect;
  bool is_law = false;
};

std::optional<ClassifiedCase> ClassifiedOf(const CaseResult& result) {
  if (!IsRight(result.status) && result.status != Status::kFail) return std::nullopt;
  const auto parsed = ParseCaseLine(result.line);
  const auto dialect = oracle::ParseDialect(result.dialect);
  const auto* test_case = std::get_if<Case>(&parsed);
  if (test_case == nullptr || !dialect || test_case->sweep) return std::nullopt;
  const oracle::Resolution resolution = oracle::Resolve(test_case->op, *dialect);
  if (!resolution.ok()) return std::nullopt;
  const auto row = Classify(test_case->op, *resolution.geometry);
  if (!row) return std::nullopt;
  return ClassifiedCase{*row, test_case->op.kind, *dialect, test_case->law.has_value()};
}

void Count(CellCount& cell, bool failed) {
  ++cell.judged;
  cell.failed += failed ? 1 : 0;
}

PairMap EmptyPairMap(oracle::OperatorKind kind, oracle::Dialect dialect) {
  const Model& model = ModelOf(kind, dialect);
  PairMap map{.kind = kind, .dialect = dialect, .classes = {}, .cells = {}, .feasible = {}};
  for (const Parameter parameter : model.parameters()) {
    for (const std::uint8_t value : model.classes(parameter)) map.classes.push_back({parameter, value});
  }
  map.cells.resize(map.classes.size() * map.classes.size());
  map.feasible.resize(map.cells.size());
  for (std::size_t row = 0; row < map.classes.size(); ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      if (!map.IsPair(row, column)) continue;
      ClassRow pair;
      pair[map.classes[row].parameter] = map.classes[row].value;
      pair[map.classes[column].parameter] = map.classes[column].value;
      map.feasible[map.At(row, column)] = model.Feasible(pair);
    }
  }
  return map;
}

void CountPairs(PairMap& map, const ClassRow& row, bool failed) {
  const auto has = [&](std::size_t i) { return row[map.classes[i].parameter] == map.classes[i].value; };
  for (std::size_t i = 0; i < map.classes.size(); ++i) {
    if (!has(i)) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (has(j)) Count(map.cells[map.At(i, j)], failed);
    }
  }
}

}  // namespace

CoverageMaps CoverageMapsOf(const RunRecord& run) {
  CoverageMaps maps;
  for (const OperatorCoverage& entry : run.coverage->operators) {
    maps.pairs.push_back(EmptyPairMap(entry.kind, entry.dialect));
  }
  std::array<std::vector<std::vector<CellCount>>, kParameters> counts;  // [parameter][class][suite]
  for (std::size_t p = 0; p < kParameters; ++p) counts[p].resize(ClassNames(static_cast<Parameter>(p)).size());
  std::map<std::string_view, std::size_t> columns;
  for (const CaseResult& result : run.results) {
    const auto classified = ClassifiedOf(result);
    if (!classified) continue;
    const bool failed = result.status == Status::kFail;
    const auto [at, is_new] = columns.try_emplace(result.suite, maps.suites.suites.size());
    if (is_new) maps.suites.suites.push_back(result.suite);
    for (std::size_t p = 0; p < kParameters; ++p) {
      const auto parameter = static_cast<Parameter>(p);
      if (!classified->row.Has(parameter)) continue;
      std::vector<CellCount>& cells = counts[p][classified->row[parameter]];
      cells.resize(std::max(cells.size(), at->second + 1));
      Count(cells[at->second], failed);
    }
    if (classified->is_law) continue;  // its outputs are not compared with the oracle's
    const auto map = std::ranges::find_if(maps.pairs, [&](const PairMap& candidate) {
      return candidate.kind == classified->kind && candidate.dialect == classified->dialect;
    });
    if (map != maps.pairs.end()) CountPairs(*map, classified->row, failed);
  }
  for (std::size_t p = 0; p < kParameters; ++p) {
    for (std::size_t value = 0; value < counts[p].size(); ++value) {
      // A class that no operator of the run has is not missing.
      const AttributeClass entry{static_cast<Parameter>(p), static_cast<std::uint8_t>(value)};
      const bool exists = std::ranges::any_of(run.coverage->operators, [&](const OperatorCoverage& judged) {
        return std::ranges::count(ModelOf(judged.kind, judged.dialect).classes(entry.parameter), entry.value) != 0;
      });
      if (!exists) continue;
      counts[p][value].resize(maps.suites.suites.size());
      maps.suites.classes.push_back(entry);
      maps.suites.cells.push_back(std::move(counts[p][value]));
    }
  }
  return maps;
}

}  // namespace conformance
