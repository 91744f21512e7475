// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the objects of a SARIF report, the JSON that code scanning and editors read: rules, results, fingerprints and
// suppressions. JsonText() replaces bytes that are not UTF-8, which the messages of a backend may contain.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/json_text.h"
#include "conformance/report/facts.h"
#include "conformance/report/printable.h"
#include "conformance/report/report_formats.h"
#include "conformance/suite/case_lists/case_lists.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

using nlohmann::ordered_json;

struct Rule {
  std::string_view id;
  std::string_view sentence;
  std::string_view level;  ///< "error", "warning" or "note"
};

/// A rule for each failure class and each warning. An imprecise case has an error that is improbable for right code: a
/// warning. A vacuous case would pass with a constant output: a note about the case, not about the backend.
std::vector<Rule> Rules() {
  std::vector<Rule> rules;
  for (const FailureClassName& entry : kFailureClasses) rules.push_back({entry.name, entry.sentence, "error"});
  for (const StatusWord& word : kStatuses) {
    if (word.value == Status::kImprecise) rules.push_back({word.name, word.sentence, "warning"});
    if (word.value == Status::kVacuous) rules.push_back({word.name, word.sentence, "note"});
    if (word.value == Status::kSkippedAfterHangs) rules.push_back({word.name, word.sentence, "error"});
  }
  return rules;
}

/// The name of a rule: "WrongValue" for the id "wrong-value".
std::string RuleName(std::string_view id) {
  std::string name;
  bool begins = true;
  for (const char c : id) {
    if (c != '-') name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '-';
  }
  return name;
}

/// The rule that the result breaks; nothing for a pass and for a case that was not run.
std::optional<std::string_view> RuleIdOf(const CaseResult& result) {
  if (result.verdict.status == Status::kFail) return FailureClassNameOf(result.verdict.failure);
  for (const Status status : {Status::kImprecise, Status::kVacuous, Status::kSkippedAfterHangs}) {
    if (result.verdict.status == status) return StatusName(status);
  }
  return std::nullopt;
}

ordered_json RulesToJson(const std::vector<Rule>& rules) {
  ordered_json array = ordered_json::array();
  for (const Rule& rule : rules) {
    array.push_back(
        {{"id", rule.id},
         {"name", RuleName(rule.id)},
         {"shortDescription", {{"text", rule.sentence}}},
         {"fullDescription", {{"text", fmt::format("{} (conformance/verdict/verdicts.md)", rule.sentence)}}},
         {"defaultConfiguration", {{"level", rule.level}}}});
  }
  return array;
}

/// A path as a URI reference: relative ones stay relative.
std::string UriOf(const std::string& path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : std::filesystem::path(path).lexically_normal().generic_string()) {
    uri += kPlain.find(c) != std::string_view::npos ? std::string(1, c)
                                                    : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// Where a viewer shows the result: the line of the file that holds the case.
ordered_json LocationOf(const CaseResult& result) {
  // The path is relative to the working directory, as viewers expect. GitHub refuses a report in which a result has no
  // file. A generated case has none, so its id is used as the path.
  const std::string file = result.origin.file.empty() ? "deconv-cts/" + result.id() : result.origin.file;
  return {
      {"physicalLocation",
       {{"artifactLocation", {{"uri", UriOf(file)}}},
        {"region", {{"startLine", std::max(1, result.origin.file_line)}}}}},
      {"logicalLocations",
       ordered_json::array({{{"name", result.origin.name}, {"fullyQualifiedName", result.id()}, {"kind", "member"}}})}};
}

/// Escapes a message's text, so that a backend's "[words](address)" does not become a link.
std::string Unlinked(std::string text) {
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at)) text.insert(at + 1, " ");
  return text;
}

std::string MessageOf(const RunRecord& run, const CaseResult& result) {
  std::string text = fmt::format("{}: {}", result.id(), PrintableText(result.verdict.message));
  if (!result.origin.reason.empty()) text += fmt::format("\nabout: {}", PrintableText(result.origin.reason));
  if (!result.judged.clauses.empty())
    text += fmt::format("\n{}, by the clauses {}", result.judged.dialect, fmt::join(result.judged.clauses, ", "));
  return Unlinked(text + fmt::format("\nreplay: {}", ReplayCommand(run.backend, result)));
}

ordered_json PropertiesOf(const RunRecord& run, const CaseResult& result) {
  ordered_json properties = {{"case", result.judged.line},
                             {"replay", ReplayCommand(run.backend, result)},
                             {"dialect", result.judged.dialect},
                             {"clauses", result.judged.clauses}};
  if (const auto& wrong =
          result.verdict.status == Status::kFail ? result.outputs.first_wrong : result.outputs.first_imprecise) {
    properties["coordinate"] = wrong->coordinate;
    properties["expected"] = wrong->expected;
    properties["got"] = wrong->got;
    if (std::isfinite(wrong->error)) properties["error"] = wrong->error;
    if (std::isfinite(wrong->bound)) properties["bound"] = wrong->bound;
  }
  if (!result.trace.backtrace.empty()) properties["backtrace"] = result.trace.backtrace;
  return properties;
}

/// The fingerprints of a result, made of the rule and the case alone: equal in every run of the same cases.
ordered_json FingerprintsOf(std::string_view rule, const CaseResult& result) {
  ListHash hash;
  hash.Add(fmt::format("{} {}", rule, result.id()), result.judged.line);
  return {{"ruleAndCase/v1", hash.Text()}};
}

/// The suppressions of a known failure. Other results have an empty list, because SARIF wants all results or none to
/// say whether they are suppressed.
ordered_json SuppressionsOf(const CaseResult& result) {
  ordered_json suppressions = ordered_json::array();
  if (result.verdict.IsKnownFailure()) {
    suppressions.push_back(
        {{"kind", "external"}, {"status", "accepted"}, {"justification", PrintableText(result.verdict.known_failure)}});
  }
  return suppressions;
}

ordered_json ResultsOf(const RunRecord& run, const std::vector<Rule>& rules) {
  ordered_json results = ordered_json::array();
  for (const CaseResult& result : run.results) {
    const auto id = RuleIdOf(result);
    if (!id) continue;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (rules[i].id != *id) continue;
      results.push_back({{"ruleId", *id},
                         {"ruleIndex", i},
                         {"level", rules[i].level},
                         {"message", {{"text", MessageOf(run, result)}}},
                         {"locations", ordered_json::array({LocationOf(result)})},
                         {"partialFingerprints", FingerprintsOf(*id, result)},
                         {"suppressions", SuppressionsOf(result)},
                         {"properties", PropertiesOf(run, result)}});
    }
  }
  return results;
}

/// The invocation of a run. With `with_errors` it lists the backends that could not be loaded; the first run has them.
ordered_json InvocationOf(const RunRecord& run, const RunDescription& description, bool with_errors) {
  ordered_json invocation = {{"executionSuccessful", run.unjudged == 0}, {"exitCode", description.exit_code}};
  ordered_json notifications = ordered_json::array();
  if (with_errors) {
    for (const std::string& error : description.errors) {
      notifications.push_back({{"level", "error"}, {"message", {{"text", PrintableText(error)}}}});
    }
  }
  if (run.unjudged != 0) {
    notifications.push_back(
        {{"level", "error"},
         {"message", {{"text", fmt::format("interrupted: {} cases of the run were not judged", run.unjudged)}}}});
  }
  if (!notifications.empty()) invocation["toolExecutionNotifications"] = notifications;
  return invocation;
}

ordered_json RunToJson(const RunSummary& summary, const RunDescription& description, const std::vector<Rule>& rules,
                       bool with_errors) {
  const RunRecord& run = *summary.run;
  ordered_json facts = ordered_json::object();
  for (const auto& row : RunFactsTable(summary, description).rows) facts[row.front()] = row.back();
  facts["verdict"] = summary.verdict_text;
  facts["counts"] = summary.counts_text;
  return {
      {"tool",
       {{"driver", {{"name", "deconv-cts"}, {"version", description.suite_version}, {"rules", RulesToJson(rules)}}}}},
      // The id identifies backend and shard. An upload with the same id replaces the previous one.
      {"automationDetails",
       {{"id",
         fmt::format("deconv-cts/{}/{}/{}-of-{}/", run.backend, description.level, run.shard.index, run.shard.count)}}},
      {"invocations", ordered_json::array({InvocationOf(run, description, with_errors)})},
      {"columnKind", "unicodeCodePoints"},
      {"results", ResultsOf(run, rules)},
      {"properties", facts}};
}

}  // namespace

std::string SarifReport(std::span<const RunSummary> runs, const RunDescription& description) {
  const std::vector<Rule> rules = Rules();
  ordered_json array = ordered_json::array();
  for (const RunSummary& run : runs) array.push_back(RunToJson(run, description, rules, &run == &runs.front()));
  const ordered_json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", array}};
  return JsonText(log, 1) + "\n";
}

}  // namespace conformance
