// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Updates the file of known failures for the option --update-expectations: plans the changes of entries, and applies
// them line by line, so that other lines and comments stay.

#include "conformance/run/update_expectations.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/lines.h"
#include "conformance/case/text/names.h"

namespace conformance {
namespace {

constexpr std::string_view kEntryHeader = "[[expect]]";

/// The text as a TOML string in quotes.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    const auto byte = static_cast<unsigned char>(c);
    quoted += byte < 0x20 || byte == 0x7F ? fmt::format("\\u{:04X}", byte) : std::string(1, c);
  }
  return quoted + "\"";
}

/// Replaces the number in a line "key = number", which may end in a comment.
std::string WithNumber(std::string_view line, std::int64_t number) {
  const std::size_t begin = line.find_first_not_of(" \t", line.find('=') + 1);
  const std::size_t end = std::min(line.find_first_of(" \t\r\n#", begin), line.size());
  return fmt::format("{}{}{}", line.substr(0, begin), number, line.substr(end));
}

/// Replaces all bytes that are not printable ASCII. A TOML file must be UTF-8, but a backend's message may not be.
std::string Ascii(std::string_view text) {
  std::string ascii(text);
  std::ranges::replace_if(ascii, [](unsigned char byte) { return byte < 0x20 || byte >= 0x7F; }, '?');
  return ascii;
}

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }
bool IsComment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] == '#';
}

/// The entry as lines of the file.
std::string ToText(const Expectation& entry) {
  std::string text(kEntryHeader);
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) text += fmt::format("\n{} = {}", key, Quoted(value));
  };
  add("pattern", entry.pattern);
  add("clause", entry.clause);
  add("cause", entry.cause);
  add("failure", FailureClassNameOf(entry.failure));
  if (std::isfinite(entry.largest_error)) text += fmt::format("\nlargest_error = {:.17g}", entry.largest_error);
  add("reason", entry.reason);
  add("owner", entry.owner);
  add("link", entry.link);
  if (const auto& day = entry.expires) {
    text += fmt::format("\nexpires = {:04}-{:02}-{:02}", static_cast<int>(day->year()),
                        static_cast<unsigned>(day->month()), static_cast<unsigned>(day->day()));
  }
  if (entry.sometimes) text += "\nsometimes = true";
  if (entry.failures) text += fmt::format("\nfailures = {}\nlevel = \"{}\"", *entry.failures, LevelName(entry.level));
  return text + "\n";
}

/// The cases of the runs that a glob for one failure class may match (`free`) and those that it may not (`others`).
struct GlobScope {
  std::vector<const CaseResult*> free, others;
};

/// The scope for one failure class. `covered` are the failures that get a glob. `limit` is the largest error of other
/// failures that the glob may match.
GlobScope GlobScopeOf(std::span<const RunRecord> runs, FailureClass failure, const std::set<const CaseResult*>& covered,
                      double limit) {
  GlobScope scope;
  for (const RunRecord& run : runs) {
    for (const CaseResult& result : run.results) {
      if (covered.contains(&result)) continue;
      const bool fails = result.verdict.status == Status::kFail;
      if (fails && result.verdict.failure == failure && result.outputs.largest_error <= limit) {
        scope.free.push_back(&result);
      } else if (CanHaveFailure(result, failure) && (fails || IsRight(result.verdict.status))) {
        scope.others.push_back(&result);
      }
    }
  }
  return scope;
}

/// The largest error of all failures that the entry matches. Infinity if one of them has no finite error.
double ErrorLimit(const Expectation& entry, std::span<const RunRecord> runs) {
  double limit = 0;
  for (const RunRecord& run : runs) {
    for (const CaseResult& result : run.results) {
      if (result.verdict.status != Status::kFail || result.verdict.failure != entry.failure) continue;
      if (!MatchesEntry(entry, result)) continue;
      const bool has_error = result.outputs.wrong != 0 && std::isfinite(result.outputs.largest_error);
      limit = has_error ? std::max(limit, result.outputs.largest_error) : std::numeric_limits<double>::infinity();
      if (!has_error) return limit;
    }
  }
  return limit;
}

/// Entries for the failures that no entry expects, few for each failure class.
std::vector<Expectation> NewEntries(std::span<const CaseResult* const> unexpected, std::span<const RunRecord> runs,
                                    Reach reach) {
  std::map<FailureClass, std::vector<const CaseResult*>> classes;
  for (const CaseResult* result : unexpected) classes[result->verdict.failure].push_back(result);
  std::vector<Expectation> entries;
  for (const auto& [failure, failures] : classes) {
    const std::set<const CaseResult*> covered(failures.begin(), failures.end());
    const GlobScope scope = GlobScopeOf(runs, failure, covered, std::numeric_limits<double>::infinity());
    for (CompactEntry& compact : CompactEntries(failures, scope.free, scope.others, reach)) {
      Expectation& entry = entries.emplace_back();
      entry.pattern = std::move(compact.pattern);
      entry.clause = std::move(compact.clause);
      entry.failure = failure;
      entry.largest_error = ErrorLimit(entry, runs);
      // 200 characters (a guess) are enough to recognize the failure.
      entry.reason = "not explained yet: " + Ascii(compact.covers.front()->verdict.message.substr(0, 200));
      if (compact.covers.size() > 1) {
        entry.reason += fmt::format("; and {} more failures of this kind", compact.covers.size() - 1);
      }
    }
  }
  return entries;
}

/// Sets the number of failures of a part of a divided entry. Removes the number if the run did not have all cases that
/// it counts.
void CountAgain(Expectation& part, std::span<const RunRecord> runs) {
  if (!part.failures) return;
  part.failures.reset();
  if (runs.size() != 1 || !IsCompleteFor(part, runs.front())) return;
  const auto fails_so = [&](const CaseResult& result) {
    return result.verdict.status == Status::kFail && result.verdict.failure == part.failure &&
           !(result.outputs.largest_error > part.largest_error) && MatchesEntry(part, result);
  };
  part.failures = std::ranges::count_if(runs.front().results, fails_so);
}

/// Divides an entry: returns entries that match only the cases that still meet it.
std::vector<Expectation> Divided(const Expectation& entry, const PartlyMatched& partly, std::span<const RunRecord> runs,
                                 Reach reach) {
  const std::set<const CaseResult*> covered(partly.met.begin(), partly.met.end());
  const GlobScope scope = GlobScopeOf(runs, entry.failure, covered, entry.largest_error);
  std::vector<Expectation> parts;
  for (CompactEntry& compact : CompactEntries(partly.met, scope.free, scope.others, reach)) {
    Expectation& part = parts.emplace_back(entry);
    part.pattern = std::move(compact.pattern);
    part.clause = compact.clause.empty() ? entry.clause : std::move(compact.clause);
    CountAgain(part, runs);
  }
  return parts;
}

}  // namespace

std::size_t ExpectationsUpdate::SizeAfter(std::size_t before) const {
  std::size_t size = before - removed.size() + added.size();
  for (const auto& [i, parts] : divided) size += parts.size() - 1;
  return size;
}

ExpectationsUpdate PlanUpdate(std::span<const Expectation> expectations, const Reconciled& reconciled,
                              std::span<const RunRecord> runs, Reach reach) {
  ExpectationsUpdate update;
  // An entry with a glob may still hold for cases that were not run, so it stays. An entry for one case was compared.
  const auto is_known = [&](std::size_t i) {
    const Expectation& entry = expectations[i];
    return reach == Reach::kAll || (!entry.pattern.empty() && !IsGlob(entry.pattern));
  };
  std::ranges::copy_if(reconciled.stale, std::back_inserter(update.removed), is_known);
  for (const PartlyMatched& partly : reconciled.partly_met) {
    if (is_known(partly.entry) && !partly.met.empty()) {
      update.divided[partly.entry] = Divided(expectations[partly.entry], partly, runs, reach);
    }
  }
  for (const ChangedCount& recounted : reconciled.recounted) {
    const std::size_t i = recounted.entry;
    if (update.divided.contains(i) || std::ranges::find(update.removed, i) != update.removed.end()) continue;
    if (recounted.failures == 0) {
      update.removed.push_back(i);  // every case of it was run
    } else {
      update.recounted.push_back(recounted);
    }
  }
  std::ranges::sort(update.removed);
  update.added = NewEntries(reconciled.unexpected, runs, reach);
  return update;
}

std::string UpdatedExpectations(std::string_view toml_text, std::span<const Expectation> expectations,
                                const ExpectationsUpdate& update) {
  const std::vector<std::string_view> lines = LinesOf(toml_text);
  // A removed entry reaches from the comment directly above its header to the comment above the next header. A divided
  // entry keeps its comment.
  std::vector<bool> is_deleted(lines.size(), false);
  std::map<std::size_t, std::string> inserted;  // texts, by the line that follows them
  const auto begin_of = [&](std::size_t header) {
    while (header > 0 && IsComment(lines[header - 1])) --header;
    return header;
  };
  const auto end_of = [&](std::size_t i) {
    return i + 1 < expectations.size() ? begin_of(expectations[i + 1].line - 1) : lines.size();
  };
  const auto mark_deleted = [&](std::size_t begin, std::size_t end) {
    std::fill(is_deleted.begin() + static_cast<std::ptrdiff_t>(begin),
              is_deleted.begin() + static_cast<std::ptrdiff_t>(end), true);
  };
  for (const std::size_t i : update.removed) mark_deleted(begin_of(expectations[i].line - 1), end_of(i));
  for (const auto& [i, parts] : update.divided) {
    const std::size_t header = expectations[i].line - 1;
    std::size_t end = end_of(i);
    while (end > header + 1 && IsBlank(lines[end - 1])) --end;
    mark_deleted(header, end);
    for (const Expectation& part : parts) {
      std::string& text = inserted[header];
      text += fmt::format("{}{}", text.empty() ? "" : "\n", ToText(part));
    }
  }
  std::map<std::size_t, std::int64_t> numbers;  // new numbers of failures, by the line of `failures`
  for (const auto& [i, failures] : update.recounted) numbers[expectations[i].failures_line - 1] = failures;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const auto at = inserted.find(i); at != inserted.end()) text += at->second;
    if (is_deleted[i]) continue;
    const auto number = numbers.find(i);
    text += number == numbers.end() ? std::string(lines[i]) : WithNumber(lines[i], number->second);
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (const Expectation& entry : update.added) {
    if (!text.empty() && !IsBlank(LinesOf(text).back())) text += '\n';
    text += ToText(entry);
  }
  return text;
}

}  // namespace conformance
