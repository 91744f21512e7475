// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats the changes between two reports of a backend, as text for people and as JSON for programs.

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"
#include "conformance/report/diff.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

using nlohmann::ordered_json;

// The most cases that the text lists for newly failing cases and for each other change. --json lists all of them.
constexpr std::size_t kMostFailing = 20;
constexpr std::size_t kMostOthers = 5;

/// The verdict in a word or two: "pass", "wrong-value (expected)".
std::string VerdictWord(const CaseResult& result) {
  std::string word(result.verdict.status == Status::kFail ? FailureClassNameOf(result.verdict.failure)
                                                          : StatusName(result.verdict.status));
  if (result.verdict.IsKnownFailure()) word += " (expected)";
  return word;
}

std::string IdOf(const CasePair& pair) {
  return (pair.new_result != nullptr ? pair.new_result : pair.old_result)->id();
}

/// The id of a case and its change, such as "attributes/a: pass -> wrong-value", without indentation.
std::string PairText(Change change, const CasePair& pair) {
  switch (change) {
    case Change::kNew:
    case Change::kVanished:
      return fmt::format("{}: {}", IdOf(pair),
                         VerdictWord(pair.new_result != nullptr ? *pair.new_result : *pair.old_result));
    case Change::kErrorDrift:
      return fmt::format("{}: {:.3g} of the bound before, {:.3g} now", IdOf(pair), pair.old_result->outputs.worst_ratio,
                         pair.new_result->outputs.worst_ratio);
    case Change::kRenamed:
      return fmt::format("{} -> {}", pair.old_result->id(), pair.new_result->id());
    case Change::kOtherCase:
      return fmt::format("{}: {} -> {}", IdOf(pair), pair.old_result->judged.line, pair.new_result->judged.line);
    default:
      return fmt::format("{}: {} -> {}{}{}", IdOf(pair), VerdictWord(*pair.old_result), VerdictWord(*pair.new_result),
                         pair.new_result->verdict.message.empty() ? "" : ": ", pair.new_result->verdict.message);
  }
}

/// A line for each pair of old and new implementation: the number of its cases and the first one.
std::string ImplementationsText(const std::vector<CasePair>& pairs) {
  std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::string>> groups;
  for (const CasePair& pair : pairs) {
    auto& [count, first] = groups[{pair.old_result->answer.implementation, pair.new_result->answer.implementation}];
    if (count++ == 0) first = IdOf(pair);
  }
  std::string text;
  std::size_t shown = 0;
  for (const auto& [names, group] : groups) {
    if (++shown > kMostOthers) continue;
    const auto name = [](const std::string& word) { return word.empty() ? std::string("(no name)") : word; };
    text += fmt::format("     {} -> {}: {} cases, first {}\n", name(names.first), name(names.second), group.first,
                        group.second);
  }
  if (shown > kMostOthers) text += fmt::format("     ... and {} more\n", shown - kMostOthers);
  return text;
}

/// The first cases of a change, one line each.
std::string ListText(Change change, const BackendDiff& backend) {
  const std::vector<CasePair>& pairs = backend.of(change);
  if (change == Change::kOtherImplementation) return ImplementationsText(pairs);
  const bool failing = change == Change::kNewlyFailing;
  const std::size_t most = failing ? kMostFailing : kMostOthers;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, pairs.size()); ++i) {
    text += fmt::format("     {}\n", PairText(change, pairs[i]));
    if (failing) text += fmt::format("       replay: {}\n", ReplayCommand(backend.new_name, *pairs[i].new_result));
  }
  if (pairs.size() > most) text += fmt::format("     ... and {} more\n", pairs.size() - most);
  return text;
}

/// The result of a case in one of the reports, or null if the report lacks the case.
ordered_json SideToJson(const CaseResult* result) {
  if (result == nullptr) return nullptr;
  ordered_json object = {
      {"id", result->id()}, {"case", result->judged.line}, {"status", StatusName(result->verdict.status)}};
  if (result->verdict.status == Status::kFail) object["failure"] = FailureClassNameOf(result->verdict.failure);
  if (result->verdict.IsKnownFailure()) object["expected"] = result->verdict.known_failure;
  if (!result->verdict.message.empty()) object["message"] = result->verdict.message;
  object["worst_error_over_bound"] =
      std::isfinite(result->outputs.worst_ratio) ? ordered_json(result->outputs.worst_ratio) : ordered_json(nullptr);
  if (!result->answer.implementation.empty()) object["implementation"] = result->answer.implementation;
  return object;
}

}  // namespace

std::string DiffText(const ReportDiff& diff) {
  std::string text;
  for (const std::string& warning : diff.warnings) text += fmt::format("note: {}\n", warning);
  for (const BackendDiff& backend : diff.backends) {
    text += fmt::format("{}: {} cases compared\n", backend.new_name, backend.compared);
    bool changed = !backend.choices.empty() || !backend.tolerances.empty();
    for (const std::string& tolerance : backend.tolerances) text += fmt::format("        tolerance: {}\n", tolerance);
    for (const std::string& choice : backend.choices) text += fmt::format("        open point {}\n", choice);
    for (const ChangeWord& word : kChanges) {
      const std::size_t count = backend.of(word.change).size();
      if (count == 0) continue;
      changed = true;
      text += fmt::format("{:>7} {:<20} {}\n", count, word.name, word.sentence);
    }
    if (!changed) text += "        nothing changed\n";
    for (const ChangeWord& word : kChanges) {
      if (backend.of(word.change).empty()) continue;
      text += fmt::format("{}:\n{}", word.name, ListText(word.change, backend));
    }
  }
  return text;
}

std::string DiffJson(const ReportDiff& diff, int exit_code) {
  ordered_json backends = ordered_json::array();
  for (const BackendDiff& backend : diff.backends) {
    ordered_json changes = ordered_json::object();
    for (const ChangeWord& word : kChanges) {
      ordered_json pairs = ordered_json::array();
      for (const CasePair& pair : backend.of(word.change)) {
        pairs.push_back({{"old", SideToJson(pair.old_result)}, {"new", SideToJson(pair.new_result)}});
      }
      changes[std::string(word.name)] = std::move(pairs);
    }
    backends.push_back({{"old_backend", backend.old_name},
                        {"backend", backend.new_name},
                        {"compared", backend.compared},
                        {"choices", backend.choices},
                        {"tolerances", backend.tolerances},
                        {"changes", std::move(changes)}});
  }
  const ordered_json object = {{"notes", diff.warnings}, {"backends", backends}, {"exit_code", exit_code}};
  return JsonText(object, 1) + "\n";
}

}  // namespace conformance
