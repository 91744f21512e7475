// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes each fact of a run (a list of cases on one backend, the library under test) from its results, and writes it
// as a table. A fact is what a reader of the report wants to know, such as the failures of each suite.

#include "conformance/report/facts.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/interface/capabilities_json.h"
#include "conformance/interface/describe_operator.h"

namespace conformance {
namespace {

/// The words of a JSON list with commas between them, or "none".
std::string Joined(const nlohmann::ordered_json& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words.get<std::vector<std::string>>(), ", "));
}

/// "sweeps: 219252 operators, 113487 outputs", and how many operators were skipped. A sweep is one case that stands for
/// many small operators. Empty for a run without sweeps.
std::string SweepsText(const RunRecord& run) {
  std::int64_t judged = 0;
  std::int64_t skipped = 0;
  std::int64_t outputs = 0;
  for (const CaseResult& result : run.results) {
    judged += result.sweep.judged;
    skipped += result.sweep.skipped;
    outputs += result.sweep.judged != 0 ? result.outputs.count : 0;
  }
  if (judged == 0 && skipped == 0) return {};
  std::string text = fmt::format("sweeps: {} operators, {} outputs", judged, outputs);
  if (skipped != 0) text += fmt::format("; {} operators skipped that the backend cannot do", skipped);
  return text;
}

/// How many outputs the declared deviations excuse: "structural NaN: 12 outputs of 3 cases excused". Such an output
/// breaks the specification in a way that the backend admits.
std::string ExcusedText(const RunRecord& run) {
  std::int64_t outputs = 0;
  std::int64_t cases = 0;
  for (const CaseResult& result : run.results) {
    outputs += result.outputs.excused;
    cases += result.outputs.excused != 0 ? 1 : 0;
  }
  const bool nan = (run.declared.known_deviations & DECONV_DEVIATION_STRUCTURAL_NAN) != 0;
  const bool clamped = (run.declared.known_deviations & DECONV_DEVIATION_CLAMPED_INFINITY) != 0;
  return fmt::format("{}{}{}: {} outputs of {} cases excused", nan ? "structural NaN" : "",
                     nan && clamped ? " and " : "", clamped ? "clamped infinity" : "", outputs, cases);
}

/// The numbers of cases of each suite by verdict, and the number of operators in sweeps.
Table SuiteTable(const RunSummary& summary) {
  const std::vector<SuiteCounts>& counts = summary.suites;
  const bool expected = std::ranges::any_of(counts, [](const SuiteCounts& count) { return count.expected != 0; });
  Table table{.columns = {{"suite"}, {"passed", true}, {"warned", true}, {"failed", true}}};
  if (expected) table.columns.push_back({"expected", true});
  table.columns.insert(table.columns.end(), {{"not run", true}, {"worst error/bound", true}});
  for (const SuiteCounts& count : counts) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {std::string(count.suite), std::to_string(count.passed), std::to_string(count.warned),
           std::to_string(count.failed)};
    if (expected) row.push_back(std::to_string(count.expected));
    row.push_back(std::to_string(count.not_run));
    row.push_back(fmt::format("{:.2g}", count.worst_ratio));
  }
  if (std::string sweeps = SweepsText(*summary.run); !sweeps.empty()) table.notes.push_back(std::move(sweeps));
  return table;
}

/// A table for each status that is a warning, with its cases.
std::vector<Table> WarningTables(const RunRecord& run) {
  std::vector<Table> tables;
  for (const StatusWord& word : kStatuses) {
    if (!IsRight(word.value) || word.value == Status::kPass) continue;
    Table table{.shown = 3};
    for (const CaseResult& result : run.results) {
      if (result.verdict.status == word.value) table.cases.push_back(&result);
    }
    if (table.cases.empty()) continue;
    table.title = fmt::format("{} {}: {}", table.cases.size(), word.name, word.sentence);
    tables.push_back(std::move(table));
  }
  return tables;
}

/// The failure classes with their numbers of cases and their meaning.
Table FailureClassTable(const RunRecord& run) {
  std::map<FailureClass, std::size_t> failures;
  for (const CaseResult& result : run.results) {
    if (result.verdict.status == Status::kFail) ++failures[result.verdict.failure];
  }
  Table table;
  for (const FailureClassName& entry : kFailureClasses) {
    if (!failures.contains(entry.value)) continue;
    table.rows.push_back({std::to_string(failures[entry.value]), std::string(entry.name), std::string(entry.sentence)});
  }
  return table;
}

/// The table of implementations that the backend names, with the failures of each. Empty if it names fewer than two.
Table ImplementationTable(const RunRecord& run) {
  struct Count {
    std::size_t failed = 0;
    std::size_t judged = 0;
  };
  std::map<std::string_view, Count> counts;
  bool fails = false;
  for (const CaseResult& result : run.results) {
    const bool failed = result.verdict.status == Status::kFail;
    if (result.answer.implementation.empty() || !(failed || IsRight(result.verdict.status))) continue;
    Count& count = counts[result.answer.implementation];
    ++count.judged;
    count.failed += failed ? 1 : 0;
    fails = fails || failed;
  }
  if (!fails || counts.size() < 2) return {};
  std::vector<std::pair<std::string_view, Count>> order(counts.begin(), counts.end());
  // ~count sorts the largest count first.
  std::ranges::sort(order, {}, [](const auto& one) { return std::pair(~one.second.failed, one.first); });
  Table table{.title = "failures by implementation",
              .columns = {{"implementation"}, {"failed", true}, {"judged", true}}};
  for (const auto& [name, count] : order) {
    table.rows.push_back({std::string(name), std::to_string(count.failed), std::to_string(count.judged)});
  }
  return table;
}

/// The reasons why cases have no verdict, the most frequent one first.
Table ReasonTable(const RunRecord& run) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> counts;
  std::size_t too_large = 0;
  for (const CaseResult& result : run.results) {
    // Skip cases that were run. The answer to an undefined operator is listed among the choices.
    if (IsRight(result.verdict.status) || result.verdict.status == Status::kFail ||
        result.verdict.status == Status::kUndefined)
      continue;
    ++counts[{result.verdict.status == Status::kNotJudged ? "not judged" : "not run", result.verdict.message}];
    too_large += result.verdict.status == Status::kTooLarge ? 1 : 0;
  }
  std::vector<std::tuple<std::size_t, std::string_view, std::string_view>> reasons;
  for (const auto& [words, cases] : counts) reasons.emplace_back(~cases, words.first, words.second);
  std::ranges::sort(reasons);  // the most cases first, because of the ~
  Table table{.shown = 6};
  for (const auto& [cases, word, reason] : reasons) {
    table.rows.push_back({std::to_string(~cases), std::string(word), std::string(reason)});
  }
  // More than a tenth of the cases were too large, so the other cases may say little about the backend.
  if (too_large * 10 > run.results.size()) {
    table.notes.push_back(
        fmt::format("warning: {} of {} cases need more than --memory, --work or --budget allows and were not run",
                    too_large, run.results.size()));
  }
  return table;
}

/// The declarations that change how outputs are judged and that few backends make.
Table DeclarationTable(const RunRecord& run) {
  Table table;
  for (const TypeArithmetic& row : run.declared.arithmetic) {
    table.rows.push_back({fmt::format("sums of {}", ElementTypeName(row.type)), ArithmeticText(row.arithmetic)});
  }
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    if ((run.declared.saturating_types >> ElementTypeId(type) & 1) != 0) {
      table.rows.push_back({fmt::format("sums of {}", ElementTypeName(type)), "overflow saturates"});
    }
    if (run.declared.ComputesInF32(type)) {
      table.rows.push_back({fmt::format("sums of {}", ElementTypeName(type)), "computed in f32"});
    }
  }
  if (run.declared.known_deviations != 0) {
    table.rows.push_back({"known deviation", ExcusedText(run)});
  }
  if (run.declared.takes_resolved) {
    table.rows.push_back({"resolution", "the resolution was the suite's and was not judged"});
  }
  if (run.declared.fast_algorithm) {
    table.rows.push_back({"algorithm", "fast: judged by the norms of all products that are mixed"});
  }
  return table;
}

/// The tolerance that a test without error bounds would have needed for each type. An output cancels if its products
/// largely cancel each other, so that its relative error says little.
Table NeededTable(const std::vector<ToleranceOfType>& needed) {
  if (needed.empty()) return {};
  Table table{.title = "the tolerance that a test without error bounds would have needed",
              .columns = {{"type"},
                          {"rtol", true},
                          {"ulp", true},
                          {"atol beside rtol", true},
                          {"atol alone", true},
                          {"outputs", true},
                          {"cancelling", true},
                          {"cases"}},
              .notes = {"rtol and ulp: for the outputs that neither cancel by half nor underflow",
                        "atol: a part of a case's largest output, beside an rtol of 2 units or alone"}};
  for (const auto& [right, one] : needed) {
    table.rows.push_back({std::string(oracle::ElementTypeName(one.type)), ToleranceText(one.rtol),
                          fmt::format("{:.4g}", one.ulps), ToleranceText(one.atol_beside), ToleranceText(one.atol),
                          std::to_string(one.outputs), std::to_string(one.cancelling), right ? "right" : "failed"});
  }
  return table;
}

/// A row for each declared dialect: how many of the deciding cases (on which dialects differ) its answers fit.
Table DialectTable(const std::vector<DialectFit>& fits) {
  if (fits.empty()) return {};
  const bool better = std::ranges::any_of(fits, [](const DialectFit& fit) { return !fit.better.empty(); });
  Table table{.title = "which dialects the answers fit",
              .columns = {{"declared dialect"}, {"fits", true}, {"deciding cases", true}},
              .notes = {"(a deciding case is one on which dialects differ, so that the answer shows which dialect the "
                        "backend follows)"}};
  if (better) table.columns.push_back({"fits better"});
  for (const DialectFit& fit : fits) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {fit.declared, std::to_string(fit.fitting), std::to_string(fit.deciding)};
    if (better) row.push_back(fit.better.empty() ? "" : fmt::format("{}: {}", fit.better, fit.better_fitting));
  }
  return table;
}

/// The table of what the backend does at the points that its dialects leave open.
Table ChoiceTable(const std::vector<ChoiceCount>& counts) {
  Table table;
  const auto add = [&](std::string_view verb, const auto& belongs) {
    std::string points;
    for (const ChoiceCount& count : counts) {
      if (!belongs(count)) continue;
      points += fmt::format("{}{} ({})", points.empty() ? "" : "\n", count.point, count.clause);
    }
    if (!points.empty()) table.rows.push_back({fmt::format("at open points the backend {}", verb), std::move(points)});
  };
  add("computes", [](const ChoiceCount& count) { return count.refused == 0; });
  add("refuses", [](const ChoiceCount& count) { return count.computed == 0; });
  add("computes some cases and refuses others", [](const ChoiceCount& c) { return c.computed != 0 && c.refused != 0; });
  return table;
}

}  // namespace

Table SupportTable(const SupportMap& map) {
  if (map.all.whole()) return {};
  Table table{.title = fmt::format("support: {} of {} cases of the declared operators ({})", map.all.supported,
                                   map.all.total, ShareText(map.all)),
              .columns = {{"operators"}, {"supported cases"}}};
  for (std::size_t i = 0; i < kSupportDimensions.size(); ++i) {
    std::string lacking;
    for (const SupportMap::Value& value : map.ValuesOf(i)) {
      if (value.count.whole()) continue;
      lacking += fmt::format("{}{}: {} of {}", lacking.empty() ? "" : "\n", value.name, value.count.supported,
                             value.count.total);
    }
    if (!lacking.empty()) table.rows.push_back({std::string(kSupportDimensions.at(i)), std::move(lacking)});
  }
  return table;
}

Table SupportReasonTable(const SupportMap& map) {
  Table table{.shown = 10};
  for (const SupportReason& reason : map.reasons) {
    // Adds who gave the reason, unless the text says so itself: supports(), when asked, or the declaration.
    const bool says = !reason.asked && reason.reason.find("declared") != std::string::npos;
    const std::string_view source = says ? "" : reason.asked ? " (said when asked)" : " (declared)";
    table.rows.push_back({std::to_string(reason.cases), "not supported", reason.reason + std::string(source)});
  }
  return table;
}

std::string ToleranceText(double value) { return value == 0 ? "0" : fmt::format("{:.2g}", value); }

std::vector<Table> FactsOf(const RunSummary& summary) {
  const RunRecord& run = *summary.run;
  std::vector<Table> tables = {SuiteTable(summary)};
  std::ranges::move(WarningTables(run), std::back_inserter(tables));
  tables.push_back(FailureClassTable(run));
  tables.push_back(ImplementationTable(run));
  tables.push_back(ReasonTable(run));
  // A replay has too few cases for a support map.
  if (!run.replay) tables.push_back(SupportTable(summary.support));
  tables.push_back(DeclarationTable(run));
  tables.push_back(NeededTable(summary.needed));
  tables.push_back(DialectTable(summary.fits));
  tables.push_back(ChoiceTable(summary.choices));
  std::erase_if(tables, [](const Table& table) { return table.empty(); });
  return tables;
}

Table BackendTable(const RunRecord& run) {
  const nlohmann::ordered_json declared = CapabilitiesToJson(run.declared);
  const auto word = [&](const char* member) { return declared.at(member).get<std::string>(); };
  Table table{.rows = {
                  {"backend", run.backend},
                  {"calls itself", run.declared.NameAndVersion()},
                  {"dialects", Joined(declared.at("dialects"))},
                  {"operators", Joined(declared.at("operators"))},
                  {"element types", Joined(declared.at("element_types"))},
                  {"ranks", fmt::format("{} to {}", run.declared.min_rank, run.declared.max_rank)},
                  {"sums", fmt::format("kept in {}, rounded {}, subnormals {}, overflow {}", word("accumulator"),
                                       word("rounding"), word("subnormals"), word("overflow"))},
              }};
  std::ranges::move(DeclarationTable(run).rows, std::back_inserter(table.rows));
  if (!run.sandbox.empty()) table.rows.push_back({"sandbox", run.sandbox});
  if (!run.declared.fast_algorithm) table.rows.push_back({"algorithm", "direct"});
  return table;
}

Table RunFactsTable(const RunSummary& summary, const RunDescription& description) {
  const RunRecord& run = *summary.run;
  Table table = summary.backend;
  table.title = "what was judged";
  const auto add = [&](const char* name, std::string value) { table.rows.push_back({name, std::move(value)}); };
  add("suite version", description.suite_version);
  add("level", description.level);
  if (!description.suites.empty()) add("suites", fmt::format("{}", fmt::join(description.suites, ", ")));
  add("plan", fmt::format("{} cases, hash {}{}{}", run.case_list_size, run.case_list_hash,
                          description.case_list.empty() ? "" : ", ", description.case_list));
  add("judged", summary.judged_text);
  add("seed", std::to_string(description.seed));
  if (run.shard.count > 1) add("shard", fmt::format("{} of {}", run.shard.index, run.shard.count));
  if (run.unjudged != 0) add("not judged", fmt::format("{} cases: interrupted", run.unjudged));
  add("time", fmt::format("{:.1f} s", run.seconds));
  return table;
}

std::string CausesHeadline(const RunRecord& run) {
  if (!run.causes || (run.causes->causes.empty() && run.causes->not_looked_for.empty())) return {};
  const FailureCauses& causes = *run.causes;
  if (!causes.not_looked_for.empty()) return fmt::format("not looked for: {}", causes.not_looked_for);
  return fmt::format("{} cause{} of {} failure{}{}{}", causes.causes.size(), causes.causes.size() == 1 ? "" : "s",
                     causes.failures, causes.failures == 1 ? "" : "s", causes.causes.size() > 1 ? ", worst first" : "",
                     causes.out_of_time ? "; the search was cut short, --diagnosis-seconds allows more" : "");
}

std::vector<Table> CauseTables(const RunRecord& run) {
  std::vector<Table> tables;
  if (!run.causes) return tables;
  for (const Cause& cause : run.causes->causes) {
    Table& table = tables.emplace_back();
    table.title = fmt::format("{}. {} failure{}: {}", tables.size(), cause.failures.size(),
                              cause.failures.size() == 1 ? "" : "s", cause.title);
    table.notes = cause.details;
    if (cause.presumed != 0) {
      table.notes.push_back(
          fmt::format("{} of the failures were not run again; they are of the same kind", cause.presumed));
    }
    if (const CaseResult* smallest = ResultAt(run.results, cause.smallest)) {
      table.notes.emplace_back("the smallest failing case:");
      table.cases = {smallest};
    }
  }
  return tables;
}

}  // namespace conformance
