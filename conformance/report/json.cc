// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes each record of the JSON report (a run, a case, causes, the summary) as one object on one line. Programs read
// the report, and so do later commands: resume, merge, diff and the HTML page.

#include "conformance/report/json.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/text/json_text.h"
#include "conformance/interface/capabilities_json.h"
#include "conformance/report/facts.h"
#include "conformance/report/support/support_map.h"

namespace conformance {
namespace {

using nlohmann::ordered_json;

// JsonText replaces bytes that are not UTF-8, which a backend's messages may contain.
std::string LineOf(const ordered_json& object) { return JsonText(object) + "\n"; }

/// The record of a run. `planned` is the number of cases that it should judge.
ordered_json RunToJson(const RunRecord& run, const RunDescription& description, std::size_t planned) {
  ordered_json object = {
      {"record", "run"},
      {"suite_version", description.suite_version},
      {"backend", run.backend},
      {"declared", CapabilitiesToJson(run.declared)},
      {"level", description.level},
      {"suites", description.suites},
      {"seed", description.seed},
      {"key", description.key},
      {"plan", {{"cases", run.case_list_size}, {"hash", run.case_list_hash}, {"origin", description.case_list}}},
      {"shard", {{"index", run.shard.index}, {"count", run.shard.count}}},
      {"planned", planned}};
  if (!run.sandbox.empty()) object["sandbox"] = run.sandbox;
  return object;
}

ordered_json CaseObject(const std::string& backend, const CaseResult& result) {
  ordered_json object = {{"record", "case"}, {"backend", backend}};
  object.update(CaseToJson(result));
  return object;
}

ordered_json SupportObject(const RunRecord& run, const SupportMap& map) {
  ordered_json object = {{"record", "support"}, {"backend", run.backend}};
  object.update(SupportToJson(map));
  return object;
}

ordered_json CausesObject(const RunRecord& run) {
  const FailureCauses& causes = *run.causes;
  ordered_json list = ordered_json::array();
  for (const Cause& cause : causes.causes) {
    list.push_back({{"kind", NameOf(kCauseKinds, cause.kind)},
                    {"title", cause.title},
                    {"condition", cause.condition},
                    {"place", cause.wrong_outputs},
                    {"hypotheses", cause.hypotheses},
                    {"details", cause.details},
                    {"failures", cause.failures},
                    {"presumed", cause.presumed},
                    {"smallest", cause.smallest}});
  }
  ordered_json object = {{"record", "causes"},    {"backend", run.backend},    {"failures", causes.failures},
                         {"tried", causes.tried}, {"seconds", causes.seconds}, {"out_of_time", causes.out_of_time},
                         {"clusters", list}};
  if (!causes.not_looked_for.empty()) object["not_looked_for"] = causes.not_looked_for;
  return object;
}

ordered_json TablesToJson(const std::vector<Table>& tables) {
  ordered_json array = ordered_json::array();
  for (const Table& table : tables) {
    ordered_json& object = array.emplace_back(ordered_json::object());
    if (!table.title.empty()) object["title"] = table.title;
    for (const Column& column : table.columns) {
      object["columns"].push_back({{"name", column.name}, {"number", column.number}});
    }
    if (!table.rows.empty()) object["rows"] = table.rows;
    if (!table.notes.empty()) object["notes"] = table.notes;
    for (const CaseResult* result : table.cases) object["cases"].push_back(result->origin.case_index);
  }
  return array;
}

std::string_view ToneName(Tone tone) { return tone == Tone::kGood ? "good" : tone == Tone::kBad ? "bad" : "open"; }

/// The headline and the tables of a run, with the same texts as in the reports for people.
ordered_json WordsObject(const RunSummary& summary, const RunDescription& description) {
  std::vector<Table> facts = summary.facts;
  facts.push_back(RunFactsTable(summary, description));
  return {{"verdict", summary.verdict_text},       {"tone", ToneName(summary.tone)},
          {"counts", summary.counts_text},         {"replay", summary.replay},
          {"facts", TablesToJson(facts)},          {"causes_headline", summary.causes_headline},
          {"causes", TablesToJson(summary.causes)}};
}

ordered_json SummaryObject(std::span<const RunSummary> runs, const RunDescription& description) {
  ordered_json backends = ordered_json::array();
  for (const RunSummary& summary : runs) {
    const Tally& tally = summary.tally;
    ordered_json fits = ordered_json::array();
    for (const DialectFit& fit : summary.fits) {
      ordered_json entry = {{"declared", fit.declared}, {"deciding", fit.deciding}, {"fitting", fit.fitting}};
      if (!fit.better.empty()) {
        entry["better"] = fit.better;
        entry["better_fitting"] = fit.better_fitting;
      }
      fits.push_back(std::move(entry));
    }
    ordered_json choices = ordered_json::array();
    for (const ChoiceCount& count : summary.choices) {
      choices.push_back(
          {{"clause", count.clause}, {"point", count.point}, {"computed", count.computed}, {"refused", count.refused}});
    }
    ordered_json needed = ordered_json::array();
    for (const ToleranceOfType& entry : summary.needed) {
      needed.push_back(NeededToJson(entry.needed));
      needed.back()["right"] = entry.right;
    }
    backends.push_back({{"backend", summary.run->backend},
                        {"passed", tally.passed},
                        {"imprecise", tally.imprecise},
                        {"vacuous", tally.vacuous},
                        {"failed", tally.failed},
                        {"expected_failures", tally.expected},
                        {"undeclared", tally.undeclared},
                        {"unsupported", tally.unsupported},
                        {"too_large", tally.too_large},
                        {"undefined", tally.undefined},
                        {"inapplicable", tally.inapplicable},
                        {"not_judged", tally.not_judged},
                        {"skipped_after_hangs", tally.skipped_after_hangs},
                        {"dialect_fits", fits},
                        {"choices", choices},
                        {"needed", needed},
                        {"unjudged", summary.run->unjudged},
                        {"seconds", summary.run->seconds},
                        {"words", WordsObject(summary, description)}});
  }
  ordered_json object = {{"record", "summary"},
                         {"headline", Headline(runs)},
                         {"backends", backends},
                         {"exit_code", description.exit_code}};
  if (runs.size() > 1) object["comparison"] = TablesToJson(ComparisonTables(runs));
  if (!description.errors.empty()) object["errors"] = description.errors;
  return object;
}

}  // namespace

std::string RunLine(const RunRecord& run, const RunDescription& description, std::size_t planned) {
  return LineOf(RunToJson(run, description, planned));
}

std::string CaseLine(const std::string& backend, const CaseResult& result) {
  return LineOf(CaseObject(backend, result));
}

void ForEachRecord(std::span<const RunSummary> runs, const RunDescription& description,
                   const std::function<void(ordered_json record)>& use) {
  for (const RunSummary& summary : runs) {
    const RunRecord& run = *summary.run;
    use(RunToJson(run, description, run.results.size() + run.unjudged));
    for (const CaseResult& result : run.results) use(CaseObject(run.backend, result));
    const SupportMap& support = summary.support;
    if (!support.all.whole() || run.declared.answers_supports) use(SupportObject(run, support));
    if (run.causes) use(CausesObject(run));
  }
  use(SummaryObject(runs, description));
}

std::string JsonReport(std::span<const RunSummary> runs, const RunDescription& description) {
  std::string text;
  ForEachRecord(runs, description, [&](const ordered_json& record) { text += LineOf(record); });
  return text;
}

}  // namespace conformance
