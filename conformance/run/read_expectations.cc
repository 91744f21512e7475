// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the TOML file of known failures that `deconv-cts run --expect` names, with the library toml++. An error names
// the line, the value that was found, and the expected one.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

// Some malformed files violate an assertion of toml++ 3.3, although its code reports the files correctly. If NDEBUG is
// defined, the library lets the compiler assume that the assertion holds. So NDEBUG is undefined here, and assertions
// do nothing.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "conformance/case/text/lines.h"
#include "conformance/case/text/names.h"
#include "conformance/run/expectations.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

const std::array<std::string, 12> kKeys = {"pattern", "clause", "cause",   "failure",   "largest_error", "reason",
                                           "owner",   "link",   "expires", "sometimes", "failures",      "level"};
constexpr std::string_view kHeader = "[[expect]]";

[[noreturn]] void Complain(const toml::node& node, const std::string& message) {
  throw std::invalid_argument(fmt::format("line {}: {}", node.source().begin.line, message));
}

/// The text of a key, or "" if an optional key is absent.
std::string Text(const toml::table& entry, std::string_view key, bool required) {
  const toml::node* node = entry.get(key);
  if (node == nullptr) {
    if (required) Complain(entry, fmt::format("{} is missing", key));
    return "";
  }
  const auto text = node->value_exact<std::string>();
  if (!text || (required && text->empty())) Complain(*node, fmt::format("{}: expected a text in quotes", key));
  return *text;
}

FailureClass ReadFailure(const toml::table& entry) {
  const std::string name = Text(entry, "failure", true);
  std::vector<std::string> names;
  for (const FailureClassName& known : kFailureClasses) {
    if (known.value == FailureClass::kSuiteError) continue;  // an error of the suite is no failure of a backend
    if (known.name == name) return known.value;
    names.emplace_back(known.name);
  }
  Complain(*entry.get("failure"), fmt::format("failure: '{}' is not a failure class{}", name, DidYouMean(name, names)));
}

/// The clause of an entry, or "" if it names none.
std::string ReadClause(const toml::table& entry) {
  std::string id = Text(entry, "clause", false);
  if (id.empty() || oracle::FindClause(id) != nullptr) return id;
  std::vector<std::string> ids;
  std::vector<std::string_view> of_chapter;  // a letter stands for a chapter
  for (const oracle::Clause& clause : oracle::Clauses()) {
    ids.emplace_back(clause.id);
    if (clause.id.front() == id.front()) of_chapter.push_back(clause.id);
  }
  Complain(*entry.get("clause"), fmt::format("clause: '{}' is not a clause{}; expected {}", id, DidYouMean(id, ids),
                                             of_chapter.empty() ? "one of oracle/clauses.md"
                                                                : fmt::format("{}", fmt::join(of_chapter, ", "))));
}

/// Reads `failures` and `level`. Both or none must be present, because the number of failures depends on the level.
void ReadFailures(const toml::table& entry, Expectation& expectation) {
  const toml::node* failures = entry.get("failures");
  const toml::node* level = entry.get("level");
  if (failures == nullptr && level == nullptr) return;
  if (failures == nullptr) Complain(*level, "level: belongs to a number of failures; add failures = N");
  if (level == nullptr) Complain(*failures, "failures: needs the level of the run; add, for example, level = \"gate\"");
  const auto number = failures->value_exact<std::int64_t>();
  if (!number || *number < 1) Complain(*failures, "failures: expected a whole number, 1 or more");
  const auto name = level->value_exact<std::string>();
  const auto known = name ? ParseLevel(*name) : std::nullopt;
  if (!known) Complain(*level, "level: expected \"smoke\", \"gate\" or \"full\"");
  if (!expectation.cause.empty()) {
    Complain(*failures, "failures: not allowed beside cause, because a diagnosis need not try every failure");
  }
  expectation.failures = *number;
  expectation.level = *known;
  expectation.failures_line = failures->source().begin.line;
}

Expectation ReadEntry(const toml::table& entry) {
  for (const auto& [key, node] : entry) {
    if (std::ranges::find(kKeys, key.str()) == kKeys.end()) {
      Complain(node, fmt::format("unknown key '{}'{}", key.str(), DidYouMean(key.str(), kKeys)));
    }
  }
  Expectation expectation;
  expectation.line = entry.source().begin.line;
  expectation.pattern = Text(entry, "pattern", false);
  expectation.clause = ReadClause(entry);
  expectation.cause = Text(entry, "cause", false);
  if (expectation.pattern.empty() && expectation.clause.empty()) {
    Complain(entry, "pattern is missing; an entry needs a pattern or a clause, and \"*\" is every case");
  }
  expectation.failure = ReadFailure(entry);
  expectation.reason = Text(entry, "reason", true);
  expectation.owner = Text(entry, "owner", false);
  expectation.link = Text(entry, "link", false);
  if (const toml::node* node = entry.get("largest_error")) {
    const auto value = node->value<double>();
    if (!value || !(*value >= 0)) Complain(*node, "largest_error: expected a number, 0 or more");
    expectation.largest_error = *value;
  }
  if (const toml::node* node = entry.get("expires")) {
    const auto date = node->value_exact<toml::date>();
    if (!date) Complain(*node, "expires: expected a date such as 2030-01-31, without quotes");
    expectation.expires = std::chrono::year_month_day{std::chrono::year{date->year}, std::chrono::month{date->month},
                                                      std::chrono::day{date->day}};
  }
  if (const toml::node* node = entry.get("sometimes")) {
    const auto value = node->value_exact<bool>();
    if (!value) Complain(*node, "sometimes: expected true or false");
    expectation.sometimes = *value;
  }
  ReadFailures(entry, expectation);
  return expectation;
}

bool IsHeader(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line.substr(first).starts_with("[[");
}

}  // namespace

std::variant<std::vector<Expectation>, std::string> ReadExpectations(std::string_view toml_text) {
  try {
    const toml::table file = toml::parse(toml_text);
    const std::vector<std::string_view> lines = LinesOf(toml_text);
    std::vector<Expectation> expectations;
    for (const auto& [key, node] : file) {
      if (key.str() != "expect" || !node.is_array_of_tables()) {
        Complain(node, fmt::format("{}: not allowed here; the file may hold only {} entries", key.str(), kHeader));
      }
      for (const toml::node& entry : *node.as_array()) {
        // --update-expectations edits the file at the lines of the headers.
        const std::size_t line = entry.source().begin.line;
        if (line == 0 || line > lines.size() || !IsHeader(lines[line - 1])) {
          Complain(entry, fmt::format("expected a header {} before each entry", kHeader));
        }
        expectations.push_back(ReadEntry(*entry.as_table()));
      }
    }
    return expectations;
  } catch (const toml::parse_error& error) {
    return fmt::format("line {}: {}", error.source().begin.line, error.description());
  } catch (const std::invalid_argument& error) {
    return std::string(error.what());
  }
}

}  // namespace conformance
