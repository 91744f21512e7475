// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the verdicts of several backends (libraries under test) case by case, for reports of runs with more than
// one. One table counts by suite, the other lists the cases on which the backends differ.

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/report/facts.h"

namespace conformance {
namespace {

/// The verdicts of all backends on one case; nullptr for a backend without one.
using Verdicts = std::vector<const CaseResult*>;

/// Whether the backend was run on the case and its answer was found right, right with a warning, or wrong.
bool WasJudged(const CaseResult* result) {
  return result != nullptr && (IsRight(result->verdict.status) || result->verdict.status == Status::kFail);
}

/// Whether two judged backends have different failure classes. A warning such as imprecise is no difference.
bool VerdictsDiffer(const Verdicts& verdicts) {
  const auto failure_of = [](const CaseResult* one) {
    return one->verdict.status == Status::kFail ? one->verdict.failure : FailureClass::kNone;
  };
  const auto first = std::ranges::find_if(verdicts, WasJudged);
  return std::any_of(first, verdicts.end(), [&](const CaseResult* other) {
    return WasJudged(other) && failure_of(other) != failure_of(*first);
  });
}

/// The verdict in a word: "pass", "imprecise", a failure class, "not run".
std::string_view WordOf(const CaseResult* result) {
  if (result == nullptr) return "-";
  if (result->verdict.status == Status::kFail) return FailureClassNameOf(result->verdict.failure);
  return IsRight(result->verdict.status) ? StatusName(result->verdict.status) : "not run";
}

/// A row for each suite, and in each backend's column the counts "passed/failed/not run".
Table SuitesOf(std::span<const RunSummary> runs) {
  Table table{.columns = {{"passed/failed/not run"}}};
  std::map<std::string_view, std::size_t> rows;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    table.columns.push_back({runs[run].run->backend, true});
    for (const SuiteCounts& counts : runs[run].suites) {
      const auto [at, is_new] = rows.try_emplace(counts.suite, table.rows.size());
      if (is_new) {
        table.rows.emplace_back(runs.size() + 1, "0/0/0").front() = counts.suite;
      }
      table.rows[at->second][run + 1] =
          fmt::format("{}/{}/{}", counts.passed + counts.warned, counts.failed, counts.not_run);
    }
  }
  return table;
}

/// A row for each case on which backends differ, with the word of each verdict.
Table CasesOf(std::span<const RunSummary> runs) {
  Table table{.columns = {{"case"}}, .shown = 10};
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> positions;
  std::vector<Verdicts> cases;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    table.columns.push_back({runs[run].run->backend});
    for (const CaseResult& result : runs[run].run->results) {
      const auto [at, is_new] =
          positions.try_emplace({result.origin.suite, result.origin.name, result.judged.line}, cases.size());
      if (is_new) cases.emplace_back(runs.size(), nullptr);
      cases[at->second][run] = &result;
    }
  }
  const auto common =
      std::ranges::count_if(cases, [](const Verdicts& one) { return std::ranges::count_if(one, WasJudged) > 1; });
  for (const Verdicts& verdicts : cases) {
    if (!VerdictsDiffer(verdicts)) continue;
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back((*std::ranges::find_if(verdicts, WasJudged))->id());
    for (const CaseResult* result : verdicts) row.emplace_back(WordOf(result));
  }
  table.title = common == 0 ? "no case was judged on more than one backend"
                            : fmt::format("the backends differ on {} of the {} cases on which at least two were judged",
                                          table.rows.size(), common);
  return table;
}

}  // namespace

std::vector<Table> ComparisonTables(std::span<const RunSummary> runs) {
  if (runs.size() < 2) return {};
  return {SuitesOf(runs), CasesOf(runs)};
}

}  // namespace conformance
