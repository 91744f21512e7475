// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Merges the reports of shards, the parts of a run that several machines judged, case by case. Collects complaints
// about missing and duplicate cases. Numbers from a file may be absurd, so no memory is sized by the length of the case
// list or by the number of shards.

#include "conformance/report/merge.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/interface/capabilities_json.h"
#include "conformance/suite/case_lists/case_lists.h"

namespace conformance {
namespace {

// The most complaints of one kind. More lines would say nothing new.
constexpr std::size_t kMostNamed = 20;

const RunRecord* FindRun(const ReportContent& content, const std::string& backend) {
  const auto at = std::ranges::find(content.runs, backend, &RunRecord::backend);
  return at == content.runs.end() ? nullptr : &*at;
}

/// The names and values of the facts that must be equal in all shards of a run.
std::vector<std::pair<std::string, std::string>> CommonFactsOf(const ReportContent& content) {
  const RunRecord& run = content.runs.front();
  return {{"suite version", content.description.suite_version},
          {"level", content.description.level},
          {"suites", fmt::format("{}", fmt::join(content.description.suites, ","))},
          {"seed", std::to_string(content.description.seed)},
          {"cases in the case list", std::to_string(run.case_list_size)},
          {"case list hash", run.case_list_hash},
          {"number of shards", std::to_string(run.shard.count)}};
}

std::vector<std::string> BackendsOf(const ReportContent& content) {
  std::vector<std::string> backends;
  for (const RunRecord& run : content.runs) backends.push_back(run.backend);
  return backends;
}

/// Whether the reports are of commands with different backends. A shard that was killed, or that could not load a
/// backend, has fewer backends than its command: such a shard is incomplete.
bool HaveOtherBackends(const ReportContent& one, const ReportContent& other) {
  const auto lacks_some = [](const ReportContent& of, const ReportContent& from) {
    return std::ranges::any_of(of.runs, [&](const RunRecord& run) { return FindRun(from, run.backend) == nullptr; });
  };
  return one.description.errors.empty() && other.description.errors.empty() && lacks_some(one, other) &&
         lacks_some(other, one);
}

/// Says in which fact `report` differs from `first`, so that they cannot be shards of one run. Empty if in none.
std::string Incompatible(const NamedReport& first, const NamedReport& report) {
  const RunRecord& first_run = report.content.runs.front();
  if (first_run.shard.index >= first_run.shard.count) {
    return fmt::format("{}: shard: found {} of {}, expected an index below the number of shards", report.name,
                       first_run.shard.index, first_run.shard.count);
  }
  for (const RunRecord& run : report.content.runs) {
    if (std::tie(run.case_list_size, run.case_list_hash, run.shard) !=
        std::tie(first_run.case_list_size, first_run.case_list_hash, first_run.shard)) {
      return fmt::format("{}: {} and {} ran on different cases; expected reports of one run", report.name,
                         first_run.backend, run.backend);
    }
    if (FindRun(report.content, run.backend) != &run) {
      return fmt::format("{}: two records 'run' of {}, expected one", report.name, run.backend);
    }
    const RunRecord* other = FindRun(first.content, run.backend);
    if (other != nullptr && CapabilitiesToJson(run.declared) != CapabilitiesToJson(other->declared)) {
      return fmt::format("{}: {} declares other capabilities than in {}; expected the same backend", report.name,
                         run.backend, first.name);
    }
  }
  if (HaveOtherBackends(first.content, report.content)) {
    return fmt::format("{}: backends: found {}, expected {} as in {}", report.name,
                       fmt::join(BackendsOf(report.content), ", "), fmt::join(BackendsOf(first.content), ", "),
                       first.name);
  }
  const auto expected = CommonFactsOf(first.content);
  const auto found = CommonFactsOf(report.content);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != expected[i]) {
      return fmt::format("{}: {}: found {}, expected {} as in {}", report.name, found[i].first, found[i].second,
                         expected[i].second, first.name);
    }
  }
  return "";
}

std::size_t UnjudgedOf(const ReportContent& content) {
  std::size_t unjudged = 0;
  for (const RunRecord& run : content.runs) unjudged += run.unjudged;
  return unjudged;
}

/// One merge of reports, with its result so far.
class Merge {
 public:
  Merge(std::span<const NamedReport> reports, const IdOfCase& id_of) : reports_(reports), id_of_(id_of) {}

  std::variant<Merged, std::string> Execute() {
    if (reports_.empty()) return std::string("no report given; give the report of each shard");
    for (const NamedReport& report : reports_) {
      if (report.content.runs.empty()) return fmt::format("{}: has no record 'run'", report.name);
      if (std::string error = Incompatible(reports_.front(), report); !error.empty()) return error;
    }
    merged_.content.description = reports_.front().content.description;
    merged_.content.description.key.clear();
    merged_.content.description.exit_code = 0;
    merged_.content.description.errors.clear();
    ChooseShards();
    NameLostShards();
    JoinErrors();
    for (const std::string& backend : Backends()) {
      if (std::string error = MergeBackend(backend); !error.empty()) return error;
    }
    merged_.content.complete = true;
    return std::move(merged_);
  }

 private:
  const Shard& FirstShard() const { return reports_.front().content.runs.front().shard; }

  void Complain(std::string line) { merged_.complaints.push_back(std::move(line)); }

  /// Chooses one report for each shard: the one with the most cases if there are several.
  void ChooseShards() {
    std::map<std::uint64_t, std::vector<const NamedReport*>> by_index;
    for (const NamedReport& report : reports_) {
      by_index[report.content.runs.front().shard.index].push_back(&report);
    }
    for (auto& [index, same] : by_index) {
      if (same.size() > 1) {
        std::vector<std::string_view> names;
        for (const NamedReport* report : same) names.push_back(report->name);
        Complain(fmt::format("shard {} of {} is given {}: {}", index, FirstShard().count,
                             same.size() == 2 ? "twice" : fmt::format("{} times", same.size()),
                             fmt::join(names, " and ")));
      }
      const auto lacks = [](const NamedReport* report) {
        return std::pair(!report->content.complete, UnjudgedOf(report->content));
      };
      shards_[index] = *std::ranges::min_element(same, {}, lacks);
    }
  }

  /// Complains about shards without a report, and about reports that lack verdicts.
  void NameLostShards() {
    const std::uint64_t count = FirstShard().count;
    const std::uint64_t lost = count - shards_.size();
    std::uint64_t named = 0;
    for (std::uint64_t index = 0; named < std::min<std::uint64_t>(lost, kMostNamed); ++index) {
      if (shards_.contains(index)) continue;
      Complain(fmt::format("shard {} of {} is missing", index, count));
      ++named;
    }
    if (lost > named) Complain(fmt::format("{} more shards of {} are missing", lost - named, count));
    cases_are_lost_with_shards_ = lost != 0;
    for (const auto& [index, report] : shards_) {
      const std::size_t unjudged = UnjudgedOf(report->content);
      if (report->content.complete && unjudged == 0) continue;
      cases_are_lost_with_shards_ = true;
      std::vector<std::string> lacks;
      if (!report->content.complete) lacks.emplace_back("ends before its summary");
      if (unjudged != 0) lacks.push_back(fmt::format("has no verdict on {} of its cases", unjudged));
      Complain(
          fmt::format("shard {} of {} is incomplete: {} {}", index, count, report->name, fmt::join(lacks, " and ")));
    }
  }

  /// Joins the errors of all shards (backends that could not be loaded), each error once.
  void JoinErrors() {
    std::vector<std::string>& errors = merged_.content.description.errors;
    for (const auto& [index, report] : shards_) {
      for (const std::string& error : report->content.description.errors) {
        if (std::ranges::find(errors, error) == errors.end()) errors.push_back(error);
      }
    }
  }

  /// The backends in the order of the command line, as far as the reports tell it.
  std::vector<std::string> Backends() const {
    std::vector<std::string> backends;
    for (const auto& [index, report] : shards_) {
      for (const RunRecord& run : report->content.runs) {
        if (std::ranges::find(backends, run.backend) == backends.end()) backends.push_back(run.backend);
      }
    }
    return backends;
  }

  /// Merges the runs of one backend. Returns an error if the cases are not those of the case list, else an empty
  /// string.
  std::string MergeBackend(const std::string& backend) {
    RunRecord merged;
    std::vector<std::pair<const CaseResult*, const NamedReport*>> found;
    for (const auto& [index, report] : shards_) {
      const RunRecord* run = FindRun(report->content, backend);
      if (run == nullptr) {
        cases_are_lost_with_shards_ = true;
        Complain(fmt::format("shard {} of {} has no run of {}: {}", index, FirstShard().count, backend, report->name));
        continue;
      }
      if (merged.backend.empty()) {
        merged.backend = run->backend;
        merged.declared = run->declared;
        merged.case_list_size = run->case_list_size;
        merged.case_list_hash = run->case_list_hash;
      }
      merged.seconds += run->seconds;
      if (run->causes) AddCauses(*run->causes, merged);
      for (const CaseResult& result : run->results) found.emplace_back(&result, report);
    }
    std::ranges::sort(found, {}, [](const auto& entry) {
      return std::pair(entry.first->origin.case_index, entry.second->content.runs.front().shard.index);
    });
    AddEachOnce(found, merged);
    merged.unjudged = merged.case_list_size - merged.results.size();
    std::string error;
    if (merged.unjudged != 0) {
      NameMissing(merged);
    } else if (merged_.complaints.empty()) {
      error = HashError(merged);
    }
    merged_.content.runs.push_back(std::move(merged));
    return error;
  }

  /// Adds the causes that the diagnosis of a shard has found to those of the merged run.
  static void AddCauses(const FailureCauses& causes, RunRecord& merged) {
    if (!merged.causes) merged.causes.emplace();
    FailureCauses& all = *merged.causes;
    all.causes.insert(all.causes.end(), causes.causes.begin(), causes.causes.end());
    SortWorstFirst(all.causes);
    all.failures += causes.failures;
    all.tried += causes.tried;
    all.seconds += causes.seconds;
    all.out_of_time = all.out_of_time || causes.out_of_time;
    if (all.not_looked_for.empty()) all.not_looked_for = causes.not_looked_for;
  }

  /// Adds the first result of each case to the merged run, and complains about others. `found` is sorted by case.
  void AddEachOnce(std::span<const std::pair<const CaseResult*, const NamedReport*>> found, RunRecord& merged) {
    std::size_t doubled = 0;
    const NamedReport* last = nullptr;
    for (const auto& [result, report] : found) {
      const bool is_new =
          merged.results.empty() || merged.results.back().origin.case_index != result->origin.case_index;
      if (is_new) {
        merged.results.push_back(*result);
        last = report;
      } else if (++doubled <= kMostNamed) {
        Complain(fmt::format("case {} ({}) has two verdicts for {}: in {} and {}", result->origin.case_index,
                             result->id(), merged.backend, last->name, report->name));
      }
    }
    if (doubled > kMostNamed) {
      Complain(fmt::format("{} more cases have two verdicts for {}", doubled - kMostNamed, merged.backend));
    }
  }

  /// Complains about the cases that no shard has judged. Names them only if all shards are there, because a lost shard
  /// lacks many cases and has its own complaint.
  void NameMissing(const RunRecord& merged) {
    std::size_t named = 0;
    std::size_t next = 0;
    const auto name_until = [&](std::size_t end) {
      for (; next < end && named < kMostNamed; ++next, ++named) {
        const std::string id = IdOf(next);
        Complain(fmt::format("case {} of {}{} is missing for {}", next, merged.case_list_size,
                             id.empty() ? "" : fmt::format(" ({})", id), merged.backend));
      }
    };
    if (!cases_are_lost_with_shards_) {
      for (const CaseResult& result : merged.results) {
        name_until(result.origin.case_index);
        next = result.origin.case_index + 1;
      }
      name_until(merged.case_list_size);
    }
    if (merged.unjudged > named) {
      Complain(fmt::format("{}{} of {} cases are missing for {}", merged.unjudged - named, named == 0 ? "" : " more",
                           merged.case_list_size, merged.backend));
    }
  }

  std::string IdOf(std::size_t case_index) const {
    for (const auto& [index, report] : shards_) {
      for (const RunRecord& run : report->content.runs) {
        if (const CaseResult* result = ResultAt(run.results, case_index)) return result->id();
      }
    }
    return id_of_ ? id_of_(case_index) : "";
  }

  /// Returns an error if the hash of the merged cases is not that of the case list, else an empty string.
  static std::string HashError(const RunRecord& merged) {
    ListHash hash;
    for (const CaseResult& result : merged.results) hash.Add(result.id(), result.judged.line);
    if (hash.Text() == merged.case_list_hash) return "";
    return fmt::format("{}: the {} cases have the hash {}, the case list has {}: the reports hold other cases",
                       merged.backend, merged.results.size(), hash.Text(), merged.case_list_hash);
  }

  std::span<const NamedReport> reports_;
  const IdOfCase& id_of_;
  std::map<std::uint64_t, const NamedReport*> shards_;
  bool cases_are_lost_with_shards_ = false;  ///< a shard, or a backend of a shard, lacks verdicts
  Merged merged_;
};

}  // namespace

std::variant<Merged, std::string> MergeReports(std::span<const NamedReport> reports, const IdOfCase& id_of) {
  return Merge(reports, id_of).Execute();
}

}  // namespace conformance
