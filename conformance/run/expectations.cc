// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the TOML file of known failures and matches its entries with results.

#include "conformance/run/expectations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "conformance/text/glob.h"
#include "conformance/text/nearest.h"

namespace conformance {
namespace {

const std::array<std::string, 10> kKeys = {"pattern", "clause", "cause", "failure", "largest_error",
                                           "reason",  "owner",  "link",  "expires", "sometimes"};
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
  expectation.pattern = Text(entry, "pattern", false);
  expectation.clause = Text(entry, "clause", false);
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
  return expectation;
}

bool NamesClause(const CaseResult& result, const std::string& clause) {
  return std::ranges::find(result.clauses, clause) != result.clauses.end();
}

/// By pattern and clause. The cause is asked elsewhere: only failures have one.
bool Matches(const Expectation& expectation, const CaseResult& result, const Renames& renames) {
  return (expectation.clause.empty() || NamesClause(result, expectation.clause)) &&
         (expectation.pattern.empty() || MatchesCase(expectation.pattern, result, renames));
}

/// The places of the failures with a cause that the glob names: by its title, or by a hypothesis that explains it.
std::set<std::size_t> PlacesOfCause(const std::string& glob, const RunRecord& run) {
  std::set<std::size_t> places;
  if (!run.causes) return places;
  const auto names = [&](const std::string& text) { return GlobMatches(glob, text); };
  for (const Cause& cause : run.causes->causes) {
    const bool hypothesis = cause.explained && std::ranges::any_of(cause.hypotheses, names);
    if (hypothesis || names(cause.title)) places.insert(cause.failures.begin(), cause.failures.end());
  }
  return places;
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
/// What the complaints on an entry begin with.
std::string Where(const Expectation& expectation) {
  return expectation.owner.empty() ? fmt::format("line {}", expectation.line)
                                   : fmt::format("line {} (owner {})", expectation.line, expectation.owner);
}

/// The cases of an entry, for a message.
std::string CasesOf(const Expectation& expectation) {
  std::string text = expectation.pattern.empty() ? "" : fmt::format("'{}'", expectation.pattern);
  if (!expectation.clause.empty()) text += fmt::format("{}clause {}", text.empty() ? "" : ", ", expectation.clause);
  if (!expectation.cause.empty()) text += fmt::format(", cause '{}'", expectation.cause);
  return text;
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

bool MatchesCase(const std::string& glob, const CaseResult& result, const Renames& renames) {
  return renames.Matches(glob, result.id()) || GlobMatches(glob, result.line) || GlobMatches(glob, result.line + ":");
}

bool CouldFailSo(const CaseResult& result, FailureClass failure) {
  switch (failure) {
    case FailureClass::kAcceptedInvalid:
      return result.status == Status::kFail || result.refused;
    case FailureClass::kWrongValue:
    case FailureClass::kWrongNan:
    case FailureClass::kStructuralNan:
    case FailureClass::kGapNotZero:
    case FailureClass::kUnwritten:
    case FailureClass::kWrongShape:
    case FailureClass::kWrongPads:
    case FailureClass::kWrongRefusal:
    case FailureClass::kCannotDo:
    case FailureClass::kAccumulator:
    case FailureClass::kBrokenLaw:
      return !result.refused;
    default:
      return true;
  }
}

void MarkExpected(std::span<const Expectation> expectations, CaseResult& result, const Renames& renames) {
  const std::string before = std::exchange(result.expected, "");
  if (result.status != Status::kFail) return;
  const auto meets = [&](const Expectation& one) {
    return (one.cause.empty() || one.reason == before) && Matches(one, result, renames) && Differs(one, result).empty();
  };
  if (const auto at = std::ranges::find_if(expectations, meets); at != expectations.end()) result.expected = at->reason;
}

void MarkExpectedByCause(std::span<const Expectation> expectations, RunRecord& run, const Renames& renames) {
  for (const Expectation& one : expectations) {
    if (one.cause.empty()) continue;
    const std::set<std::size_t> places = PlacesOfCause(one.cause, run);
    for (CaseResult& result : run.results) {
      if (result.status != Status::kFail || !result.expected.empty() || !places.contains(result.place)) continue;
      if (Matches(one, result, renames) && Differs(one, result).empty()) result.expected = one.reason;
    }
  }
}

namespace {

/// The runs of one file of expectations, as they are looked through.
class Reconciliation {
 public:
  Reconciliation(std::span<const Expectation> expectations, const Renames& renames)
      : expectations_(expectations), renames_(renames), counts_(expectations.size()) {}

  void LookAt(const RunRecord& run) {
    places_.clear();
    for (const Expectation& one : expectations_) {
      places_.push_back(one.cause.empty() ? std::set<std::size_t>() : PlacesOfCause(one.cause, run));
    }
    const auto left = [](const CaseResult& result) {
      return result.status == Status::kFail && result.expected.empty() && result.failure != FailureClass::kSuiteError;
    };
    // With no failure left there is nothing that a cause could explain.
    causes_known_ = (run.causes && run.causes->not_looked_for.empty()) || std::ranges::none_of(run.results, left);
    for (const CaseResult& result : run.results) LookAt(result);
  }

  Reconciled Finish(std::chrono::year_month_day today, bool one_backend) {
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
      const Expectation& expectation = expectations_[i];
      Counts& counts = counts_[i];
      if (counts.run == 0) continue;
      // One file may serve several backends: then an entry is met if one of them meets it.
      const bool partly = counts.met != 0 && counts.met < counts.run && one_backend;
      if (counts.met == 0) reconciled_.stale.push_back(i);
      if (partly) reconciled_.partly_met.push_back({i, std::move(counts.cases)});
      if (counts.met == 0 || partly) {
        reconciled_.complaints.push_back(
            fmt::format("{}: {} of the {} cases of {} do not fail as expected, the first is {}", Where(expectation),
                        counts.run - counts.met, counts.run, CasesOf(expectation), counts.first_unmet->id()));
      }
      if (expectation.expires && *expectation.expires < today) {
        const auto& day = *expectation.expires;
        reconciled_.complaints.push_back(fmt::format(
            "{}: {} expired on {:04}-{:02}-{:02}", Where(expectation), CasesOf(expectation),
            static_cast<int>(day.year()), static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day())));
      }
    }
    return std::move(reconciled_);
  }

 private:
  struct Counts {
    std::size_t run = 0, met = 0;
    const CaseResult* first_unmet = nullptr;
    std::vector<const CaseResult*> cases;  ///< that met it by their failure
  };

  /// Empty, or how the verdict is another one than the entry expects.
  std::string DiffersFrom(std::size_t i, const CaseResult& result) const {
    const Expectation& one = expectations_[i];
    if (result.status != Status::kFail) return one.sometimes ? "" : "passes";
    std::string differs = Differs(one, result);
    if (!differs.empty() || one.cause.empty()) return differs;
    if (places_[i].contains(result.place) || result.expected == one.reason) return "";
    return fmt::format("expected it from the cause '{}' (line {})", one.cause, one.line);
  }

  void LookAt(const CaseResult& result) {
    const bool fails = result.status == Status::kFail;
    if (!fails && !IsRight(result.status)) return;
    const bool unexpected = fails && result.expected.empty() && result.failure != FailureClass::kSuiteError;
    if (unexpected) reconciled_.unexpected.push_back(&result);
    struct Match {
      std::size_t entry;
      std::string differs;
    };
    std::vector<Match> matches;
    bool met_sometimes = false;  // then it fails no other entry: it is known that it does not always fail alike
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
      if (!CouldFailSo(result, expectations_[i].failure) || !Matches(expectations_[i], result, renames_)) continue;
      matches.push_back({i, DiffersFrom(i, result)});
      met_sometimes = met_sometimes || (fails && expectations_[i].sometimes && matches.back().differs.empty());
    }
    for (const auto& [i, differs] : matches) {
      Count(i, differs, met_sometimes, result);
      if (unexpected) {
        reconciled_.differences.push_back(
            fmt::format("{}: {}, {}", result.id(), FailureClassNameOf(result.failure), differs));
      }
    }
  }

  void Count(std::size_t i, const std::string& differs, bool met_sometimes, const CaseResult& result) {
    const Expectation& one = expectations_[i];
    Counts& counts = counts_[i];
    if (!differs.empty()) {
      if (met_sometimes || (one.sometimes && !result.expected.empty())) return;
      if (counts.first_unmet == nullptr) counts.first_unmet = &result;
      // Only failures have causes: a case that passes or has another cause fails no entry, but all together make it
      // stale.
      if (!one.cause.empty()) {
        if (counts.met == 0 && causes_known_) counts.run = 1;
        return;
      }
    } else {
      if (!one.cause.empty() && counts.met == 0) counts.run = 0;
      ++counts.met;
      if (result.status == Status::kFail) counts.cases.push_back(&result);
    }
    ++counts.run;
  }

  std::span<const Expectation> expectations_;
  const Renames& renames_;
  std::vector<Counts> counts_;
  std::vector<std::set<std::size_t>> places_;  ///< of the entries' causes in the run
  bool causes_known_ = false;
  Reconciled reconciled_;
};

}  // namespace

Reconciled Reconcile(std::span<const Expectation> expectations, std::chrono::year_month_day today,
                     std::span<const RunRecord> runs, const Renames& renames) {
  Reconciliation reconciliation(expectations, renames);
  for (const RunRecord& run : runs) reconciliation.LookAt(run);
  return reconciliation.Finish(today, runs.size() == 1);
}

}  // namespace conformance
