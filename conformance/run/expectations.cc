// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the TOML file of known failures, matches its entries with results, and writes an updated text.

#include "conformance/run/expectations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fnmatch.h>
#include <toml++/toml.h>

#include "conformance/text/nearest.h"

namespace conformance {
namespace {

const std::array<std::string, 7> kKeys = {"pattern", "failure", "largest_error", "reason",
                                          "link",    "expires", "sometimes"};
constexpr std::string_view kHeader = "[[expect]]";

[[noreturn]] void Complain(const toml::node& node, const std::string& message) {
  throw std::invalid_argument(fmt::format("line {}: {}", node.source().begin.line, message));
}

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
    if (known.failure == FailureClass::kSuiteError) continue;  // nobody's backend is to be expected to have it
    if (known.name == name) return known.failure;
    names.emplace_back(known.name);
  }
  Complain(*entry.get("failure"), fmt::format("failure: '{}' is not a failure class{}", name, DidYouMean(name, names)));
}

Expectation ReadEntry(const toml::table& entry) {
  for (const auto& [key, node] : entry) {
    if (std::ranges::find(kKeys, key.str()) == kKeys.end()) {
      Complain(node, fmt::format("unknown key '{}'{}", key.str(), DidYouMean(key.str(), kKeys)));
    }
  }
  Expectation expectation;
  expectation.line = entry.source().begin.line;
  expectation.pattern = Text(entry, "pattern", true);
  expectation.failure = ReadFailure(entry);
  expectation.reason = Text(entry, "reason", true);
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
  return expectation;
}

bool Matches(const Expectation& expectation, const CaseResult& result, const Renames& renames) {
  return renames.Matches(expectation.pattern, result.id()) ||
         fnmatch(expectation.pattern.c_str(), result.line.c_str(), 0) == 0;
}

/// Empty, or how the failure is another one than was expected.
std::string Differs(const Expectation& expectation, const CaseResult& result) {
  if (result.failure != expectation.failure) {
    return fmt::format("expected {} (line {})", FailureClassNameOf(expectation.failure), expectation.line);
  }
  if (std::isfinite(expectation.largest_error) && !(result.largest_error <= expectation.largest_error)) {
    return fmt::format("expected an error of at most {:g} (line {})", expectation.largest_error, expectation.line);
  }
  return "";
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    const auto byte = static_cast<unsigned char>(c);
    quoted += byte < 0x20 || byte >= 0x7F ? '?' : c;  // a backend's texts may be no UTF-8
  }
  return quoted + "\"";
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool IsHeader(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line.substr(first).starts_with("[[");
}
bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }
bool IsComment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] == '#';
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
        // An update goes by the lines of the headers.
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

void MarkExpected(std::span<const Expectation> expectations, CaseResult& result, const Renames& renames) {
  result.expected.clear();
  if (result.status != Status::kFail) return;
  const auto meets = [&](const Expectation& one) {
    return Matches(one, result, renames) && Differs(one, result).empty();
  };
  if (const auto at = std::ranges::find_if(expectations, meets); at != expectations.end()) result.expected = at->reason;
}

Reconciled Reconcile(std::span<const Expectation> expectations, std::chrono::year_month_day today,
                     std::span<const RunRecord> runs, const Renames& renames) {
  struct Counts {
    std::size_t run = 0, met = 0;
    const CaseResult* first_unmet = nullptr;
  };
  Reconciled reconciled;
  std::vector<Counts> counts(expectations.size());
  const auto look_at = [&](const CaseResult& result) {
    const bool fails = result.status == Status::kFail;
    if (!fails && !IsRight(result.status)) return;
    const bool unexpected = fails && result.expected.empty() && result.failure != FailureClass::kSuiteError;
    if (unexpected) reconciled.unexpected.push_back(&result);
    for (std::size_t i = 0; i < expectations.size(); ++i) {
      if (!Matches(expectations[i], result, renames)) continue;
      const std::string differs = fails ? Differs(expectations[i], result) : expectations[i].sometimes ? "" : "passes";
      ++counts[i].run;
      counts[i].met += differs.empty() ? 1 : 0;
      if (!differs.empty() && counts[i].first_unmet == nullptr) counts[i].first_unmet = &result;
      if (unexpected) {
        reconciled.differences.push_back(
            fmt::format("{}: {}, {}", result.id(), FailureClassNameOf(result.failure), differs));
      }
    }
  };
  for (const RunRecord& run : runs) std::ranges::for_each(run.results, look_at);
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    const Expectation& expectation = expectations[i];
    const auto& [run, met, first_unmet] = counts[i];
    if (run == 0) continue;
    // One file may serve several backends: then an entry is met if one of them meets it.
    if (met == 0) reconciled.stale.push_back(i);
    if (met == 0 || (met < run && runs.size() == 1)) {
      reconciled.complaints.push_back(
          fmt::format("line {}: {} of the {} cases of '{}' do not fail as expected, the first is {}", expectation.line,
                      run - met, run, expectation.pattern, first_unmet->id()));
    }
    if (expectation.expires && *expectation.expires < today) {
      const auto& day = *expectation.expires;
      reconciled.complaints.push_back(fmt::format(
          "line {}: '{}' expired on {:04}-{:02}-{:02}", expectation.line, expectation.pattern,
          static_cast<int>(day.year()), static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day())));
    }
  }
  return reconciled;
}

std::string UpdatedExpectations(std::string_view toml_text, std::span<const Expectation> expectations,
                                std::span<const std::size_t> stale, std::span<const CaseResult* const> unexpected) {
  const std::vector<std::string_view> lines = LinesOf(toml_text);
  // The lines of each stale entry: from the comment right above its header to what is above the next one's.
  std::vector<bool> leaves(lines.size(), false);
  const auto begin_of = [&](std::size_t header) {
    while (header > 0 && IsComment(lines[header - 1])) --header;
    return header;
  };
  for (const std::size_t i : stale) {
    const std::size_t header = expectations[i].line - 1;
    const std::size_t end = i + 1 < expectations.size() ? begin_of(expectations[i + 1].line - 1) : lines.size();
    std::fill(leaves.begin() + static_cast<std::ptrdiff_t>(begin_of(header)),
              leaves.begin() + static_cast<std::ptrdiff_t>(end), true);
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!leaves[i]) text += lines[i];
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (const CaseResult* result : unexpected) {
    if (!text.empty() && !IsBlank(LinesOf(text).back())) text += '\n';
    // Cases given by hand have no names of their own.
    const bool by_hand = result->suite == "command-line";
    text += fmt::format("{}\npattern = {}\nfailure = {}\n", kHeader, Quoted(by_hand ? result->line : result->id()),
                        Quoted(FailureClassNameOf(result->failure)));
    if (result->wrong_outputs != 0 && std::isfinite(result->largest_error)) {
      text += fmt::format("largest_error = {:.17g}\n", result->largest_error);
    }
    text += fmt::format("reason = {}\n", Quoted("not explained yet: " + result->message.substr(0, 200)));
  }
  return text;
}

}  // namespace conformance
