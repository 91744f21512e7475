// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares two reports of a backend, for example before and after an update of the library: pairs their cases and
// classifies each change, such as newly-failing or renamed.

#include "conformance/report/diff.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/json_text.h"
#include "conformance/interface/capabilities_json.h"
#include "conformance/report/facts.h"
#include "conformance/verdict/open_choice.h"
#include "oracle/open_point.h"

namespace conformance {
namespace {

static_assert(std::ranges::is_sorted(kChanges, {}, &ChangeWord::change) &&
                  kChanges.back().change == static_cast<Change>(kChanges.size() - 1),
              "BackendDiff::of goes by the place in the table");

// Errors below this part of the error bound are ignored, because they change with the order of a sum. If the exact sum
// of n products is rounded once, the error is about 1/(2n) of the bound: a twentieth for 10 products.
constexpr double kLeastRatio = 0.05;

bool Fails(const CaseResult& result) { return result.verdict.status == Status::kFail; }

/// Finds for each case of the new results the old result of the same case. Example: the old report has id a with line
/// 1, the new one has id a with line 2 and id b with line 1. Then b is paired with the old a, because lines count
/// before ids.
class Matching {
 public:
  Matching(const std::vector<CaseResult>& old_results, const std::vector<CaseResult>& new_results)
      : old_(old_results), new_(new_results), partner_(new_results.size(), kNone), matched_(old_results.size(), false) {
    MatchBy([](const CaseResult& result) { return result.id() + "\t" + result.judged.line; });
    MatchBy([](const CaseResult& result) { return result.judged.line; });
    // Cases from the command line have no names that identify them.
    MatchBy([](const CaseResult& result) {
      return result.origin.suite == "command-line" ? "\t" + result.judged.line : result.id();
    });
  }

  const CaseResult* PartnerOf(std::size_t index) const {
    return partner_[index] == kNone ? nullptr : &old_[partner_[index]];
  }
  bool IsMatched(std::size_t old_index) const { return matched_[old_index]; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Pairs each new case that has no partner with the first unpaired old case that has the same key.
  template <class Key>
  void MatchBy(const Key& key) {
    std::unordered_map<std::string, std::vector<std::size_t>> indices;
    for (std::size_t i = old_.size(); i-- > 0;) {
      if (!matched_[i]) indices[key(old_[i])].push_back(i);
    }
    for (std::size_t i = 0; i < new_.size() && !indices.empty(); ++i) {
      if (partner_[i] != kNone) continue;
      const auto at = indices.find(key(new_[i]));
      if (at == indices.end() || at->second.empty()) continue;
      partner_[i] = at->second.back();
      matched_[partner_[i]] = true;
      at->second.pop_back();
    }
  }

  const std::vector<CaseResult>& old_;
  const std::vector<CaseResult>& new_;
  std::vector<std::size_t> partner_;
  std::vector<bool> matched_;
};

/// Adds the change of the verdict to `diff`, if there is one.
void CompareVerdicts(const CasePair& pair, BackendDiff& diff) {
  const CaseResult& before = *pair.old_result;
  const CaseResult& now = *pair.new_result;
  if (Fails(now) && !Fails(before)) {
    diff.of(now.verdict.IsKnownFailure() ? Change::kNewlyExpected : Change::kNewlyFailing).push_back(pair);
  } else if (Fails(now)) {
    if (now.verdict.failure != before.verdict.failure) diff.of(Change::kOtherFailure).push_back(pair);
  } else if (IsRight(now.verdict.status)) {
    if (Fails(before)) {
      diff.of(Change::kFixed).push_back(pair);
    } else if (!IsRight(before.verdict.status)) {
      diff.of(Change::kNewlyJudged).push_back(pair);
    } else if (now.verdict.status != before.verdict.status) {
      diff.of(Change::kOtherStatus).push_back(pair);
    }
  } else if (Fails(before) || IsRight(before.verdict.status)) {
    diff.of(Change::kNoLongerJudged).push_back(pair);
  } else if (now.verdict.status != before.verdict.status) {
    diff.of(Change::kOtherStatus).push_back(pair);
  }
}

/// Adds all changes of a case that is in both reports to `diff`.
void CompareCases(const CasePair& pair, double drift, BackendDiff& diff) {
  const CaseResult& before = *pair.old_result;
  const CaseResult& now = *pair.new_result;
  ++diff.compared;
  CompareVerdicts(pair, diff);
  if (IsRight(before.verdict.status) && IsRight(now.verdict.status) && now.outputs.worst_ratio >= kLeastRatio &&
      now.outputs.worst_ratio > drift * before.outputs.worst_ratio) {
    diff.of(Change::kErrorDrift).push_back(pair);
  }
  const bool both_judged = (IsRight(before.verdict.status) || Fails(before)) &&
                           (IsRight(now.verdict.status) || Fails(now)) && before.judged.line == now.judged.line;
  if (both_judged && before.answer.implementation != now.answer.implementation) {
    diff.of(Change::kOtherImplementation).push_back(pair);
  }
  if (before.judged.line != now.judged.line) {
    diff.of(Change::kOtherCase).push_back(pair);
  } else if (before.id() != now.id()) {
    diff.of(Change::kRenamed).push_back(pair);
  }
}

/// The open points (where a document lets backends choose) at which the backend now makes another choice. A point that
/// occurs in only one report is ignored, except -0.0: a report mentions the sign of zeros only if it is negative.
std::vector<std::string> ChangedChoices(const RunRecord& old_run, const RunRecord& new_run) {
  const std::vector<ChoiceCount> before = ChoicesOf(old_run.results);
  const std::vector<ChoiceCount> now = ChoicesOf(new_run.results);
  // Returns the backend's choice at the point as a verb; empty if the report does not say it.
  const auto verb_of = [](const std::vector<ChoiceCount>& counts, std::string_view point) -> std::string {
    const auto found = std::ranges::find(counts, point, &ChoiceCount::point);
    if (found != counts.end()) return found->Verb();
    return point == kMinusZeroPoint ? "never computes" : "";
  };
  std::vector<std::string> changes;
  const auto compare_point = [&](std::string_view clause, std::string_view point) {
    const std::string old_verb = verb_of(before, point);
    const std::string new_verb = verb_of(now, point);
    if (old_verb.empty() || new_verb.empty() || old_verb == new_verb) return;
    changes.push_back(fmt::format("{}: {}: \"{}\" before, \"{}\" now", clause, point, old_verb, new_verb));
  };
  for (const oracle::OpenPointName& name : oracle::kOpenPoints) compare_point(name.clause, name.phrase);
  compare_point("V3", kMinusZeroPoint);
  return changes;
}

/// The types whose right outputs need a larger tolerance than before.
std::vector<std::string> GrownTolerances(const RunRecord& old_run, const RunRecord& new_run, double drift) {
  std::vector<std::string> lines;
  const std::vector<ToleranceOfType> before = NeededByType(old_run);
  for (const ToleranceOfType& now : NeededByType(new_run)) {
    for (const ToleranceOfType& old : before) {
      if (!now.right || !old.right || now.needed.type != old.needed.type) continue;
      if (now.needed.rtol <= drift * old.needed.rtol && now.needed.ulps <= drift * old.needed.ulps) continue;
      lines.push_back(fmt::format("{} needed rtol {} ({:.4g} ulp); before: rtol {} ({:.4g} ulp)",
                                  oracle::ElementTypeName(now.needed.type), ToleranceText(now.needed.rtol),
                                  now.needed.ulps, ToleranceText(old.needed.rtol), old.needed.ulps));
    }
  }
  return lines;
}

BackendDiff DiffRuns(const RunRecord& old_run, const RunRecord& new_run, const DiffOptions& options) {
  BackendDiff diff;
  diff.old_name = old_run.backend;
  diff.new_name = new_run.backend;
  diff.choices = ChangedChoices(old_run, new_run);
  diff.tolerances = GrownTolerances(old_run, new_run, options.drift);
  const Matching matching(old_run.results, new_run.results);
  for (std::size_t i = 0; i < new_run.results.size(); ++i) {
    const CasePair pair = {matching.PartnerOf(i), &new_run.results[i]};
    if (pair.old_result == nullptr) {
      diff.of(Change::kNew).push_back(pair);
    } else {
      CompareCases(pair, options.drift, diff);
    }
  }
  for (std::size_t i = 0; i < old_run.results.size(); ++i) {
    if (!matching.IsMatched(i)) diff.of(Change::kVanished).push_back({&old_run.results[i], nullptr});
  }
  std::ranges::sort(diff.of(Change::kErrorDrift), {}, [](const CasePair& pair) {
    return std::pair(-pair.new_result->outputs.worst_ratio, pair.new_result->origin.case_index);
  });
  return diff;
}

/// Pairs the runs of the two reports by the backend's name. If each report has a single run, these are a pair whatever
/// their names, because the path of a library may contain its version.
std::vector<std::pair<const RunRecord*, const RunRecord*>> PairRuns(const ReportContent& old_report,
                                                                    const ReportContent& new_report) {
  if (old_report.runs.size() == 1 && new_report.runs.size() == 1) {
    return {{&old_report.runs.front(), &new_report.runs.front()}};
  }
  std::vector<std::pair<const RunRecord*, const RunRecord*>> pairs;
  for (const RunRecord& run : new_report.runs) {
    const auto old_run = std::ranges::find(old_report.runs, run.backend, &RunRecord::backend);
    if (old_run != old_report.runs.end()) pairs.emplace_back(&*old_run, &run);
  }
  return pairs;
}

/// Collects lines on differences that may explain the changes: other versions, levels, shards or declarations.
class Warnings {
 public:
  template <class Value>
  void AddIfDifferent(std::string_view what, const Value& before, const Value& now) {
    if (before != now) lines_.push_back(fmt::format("{}: {} before, {} now", what, before, now));
  }
  void Add(std::string line) { lines_.push_back(std::move(line)); }
  std::vector<std::string> Take() { return std::move(lines_); }
  bool empty() const { return lines_.empty(); }

 private:
  std::vector<std::string> lines_;
};

std::string SuitesText(const RunDescription& description) {
  return description.suites.empty() ? "all" : fmt::format("{}", fmt::join(description.suites, ","));
}

void WarnOfReport(std::string_view which, const ReportContent& report, Warnings& warnings) {
  if (!report.complete) warnings.Add(fmt::format("the {} report ends before its summary", which));
  for (const RunRecord& run : report.runs) {
    if (run.unjudged == 0) continue;
    warnings.Add(
        fmt::format("the {} report has no verdict of {} on {} of its cases", which, run.backend, run.unjudged));
  }
  for (const std::string& error : report.description.errors) {
    warnings.Add(fmt::format("the {} report: {}", which, error));
  }
}

void WarnOfRuns(const RunRecord& old_run, const RunRecord& new_run, Warnings& warnings) {
  warnings.AddIfDifferent("backend", old_run.backend, new_run.backend);
  const nlohmann::json before = CapabilitiesToJson(old_run.declared);
  const nlohmann::json now = CapabilitiesToJson(new_run.declared);
  for (const auto& [member, value] : now.items()) {
    if (before.at(member) == value) continue;
    warnings.Add(fmt::format("{} declares {}: {} before, {} now", new_run.backend, member, JsonText(before.at(member)),
                             JsonText(value)));
  }
}

std::vector<std::string> WarningsOf(const ReportContent& old_report, const ReportContent& new_report,
                                    std::span<const std::pair<const RunRecord*, const RunRecord*>> runs) {
  Warnings warnings;
  const RunDescription& before = old_report.description;
  const RunDescription& now = new_report.description;
  warnings.AddIfDifferent("suite version", before.suite_version, now.suite_version);
  warnings.AddIfDifferent("level", before.level, now.level);
  warnings.AddIfDifferent("suites", SuitesText(before), SuitesText(now));
  warnings.AddIfDifferent("seed", before.seed, now.seed);
  const auto shard = [](const ReportContent& report) {
    return fmt::format("{} of {}", report.runs.front().shard.index, report.runs.front().shard.count);
  };
  warnings.AddIfDifferent("shard", shard(old_report), shard(new_report));
  if (warnings.empty() && old_report.runs.front().case_list_hash != new_report.runs.front().case_list_hash) {
    warnings.Add("the case lists differ: other cases were selected, or a case changed");
  }
  WarnOfReport("old", old_report, warnings);
  WarnOfReport("new", new_report, warnings);
  const auto is_paired = [&](const RunRecord& run) {
    return std::ranges::any_of(runs, [&](const auto& pair) { return pair.first == &run || pair.second == &run; });
  };
  for (const RunRecord& run : old_report.runs) {
    if (!is_paired(run)) warnings.Add(fmt::format("{} is only in the old report", run.backend));
  }
  for (const RunRecord& run : new_report.runs) {
    if (!is_paired(run)) warnings.Add(fmt::format("{} is only in the new report", run.backend));
  }
  for (const auto& [old_run, new_run] : runs) WarnOfRuns(*old_run, *new_run, warnings);
  return warnings.Take();
}

}  // namespace

std::size_t ReportDiff::CountOf(Change change) const {
  std::size_t count = 0;
  for (const BackendDiff& backend : backends) count += backend.of(change).size();
  return count;
}

std::variant<ReportDiff, std::string> DiffReports(const ReportContent& old_report, const ReportContent& new_report,
                                                  const DiffOptions& options) {
  if (old_report.runs.empty() || new_report.runs.empty()) return std::string("a report has no record 'run'");
  const auto runs = PairRuns(old_report, new_report);
  if (runs.empty()) {
    const auto names = [](const ReportContent& report) {
      std::vector<std::string> words;
      for (const RunRecord& run : report.runs) words.push_back(run.backend);
      return fmt::format("{}", fmt::join(words, ", "));
    };
    return fmt::format("no backend is in both reports: {} before, {} now", names(old_report), names(new_report));
  }
  ReportDiff diff;
  diff.warnings = WarningsOf(old_report, new_report, runs);
  std::size_t compared = 0;
  for (const auto& [old_run, new_run] : runs) {
    diff.backends.push_back(DiffRuns(*old_run, *new_run, options));
    compared += diff.backends.back().compared;
  }
  if (compared == 0) return std::string("no case is in both reports");
  return diff;
}

}  // namespace conformance
