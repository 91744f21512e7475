// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See groups.h. A case in which two faults show at once is explained by neither: its minimized form shows one of them,
// and tells which group it belongs to.

#include "fuzz/campaign/groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/cluster.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/minimize.h"

namespace fuzz {
namespace {

using conformance::BackendError;
using conformance::CaseResult;
using conformance::Cluster;
using conformance::SuiteCase;

constexpr std::size_t kMostPassing = 120;
constexpr const char* kFoundSuite = "found";
constexpr const char* kPassingSuite = "corpus";

std::optional<SuiteCase> PlannedOf(const std::string& suite, std::size_t number, const std::string& line) {
  auto parsed = conformance::ParseCaseLine(line);
  auto* const test_case = std::get_if<conformance::Case>(&parsed);
  if (test_case == nullptr) return std::nullopt;
  return SuiteCase{.suite = suite,
                   .name = fmt::format("{:04}", number),
                   .test_case = std::move(*test_case),
                   .reason = {},
                   .declared_output = {}};
}

// The first of each failure class, then the second of each, ...: no kind crowds out another.
std::vector<FoundCase> SomeOfEveryKind(const std::vector<FoundCase>& findings, std::size_t most) {
  std::map<std::string, std::vector<const FoundCase*>> kinds;
  std::set<std::string> lines;
  for (const FoundCase& found : findings) {
    if (lines.insert(found.line).second) kinds[found.failure].push_back(&found);
  }
  std::vector<FoundCase> chosen;
  for (std::size_t nth = 0; chosen.size() < most; ++nth) {
    const std::size_t before = chosen.size();
    for (const auto& [failure, of_kind] : kinds) {
      if (nth < of_kind.size() && chosen.size() < most) chosen.push_back(*of_kind[nth]);
    }
    if (chosen.size() == before) break;
  }
  return chosen;
}

/// A plan judged, and its failures put to causes.
class Judged {
 public:
  Judged(const GroupOptions& options, const std::vector<std::string>& found, const std::vector<std::string>& passing) {
    for (std::size_t i = 0; i < found.size(); ++i) Add(kFoundSuite, i, found[i]);
    for (std::size_t i = 0; i < std::min(passing.size(), kMostPassing); ++i) Add(kPassingSuite, i, passing[i]);
    auto run = RunCases(plan_, {.backend = options.backend, .jobs = options.jobs, .limits = options.limits});
    if (auto* error = std::get_if<BackendError>(&run)) {
      error_ = *error;
      return;
    }
    record_ = std::get<conformance::RunRecord>(std::move(run));
    const bool failed = std::ranges::any_of(
        record_.results, [](const CaseResult& result) { return result.status == conformance::Status::kFail; });
    if (!failed) return;
    conformance::Diagnoser diagnoser(
        record_.results,
        {.backend = options.backend, .limits = options.limits, .sample = {}, .seconds = options.diagnosis_seconds});
    error_ = diagnoser.Observe();
    if (!error_) record_.causes = CausesOf(record_.results, diagnoser.Explain());
  }

  const std::optional<BackendError>& error() const { return error_; }
  conformance::RunRecord& record() { return record_; }
  std::vector<Cluster> clusters() const { return record_.causes ? record_.causes->clusters : std::vector<Cluster>{}; }
  const CaseResult* At(std::size_t place) const { return ResultAt(record_.results, place); }
  const SuiteCase& PlannedAt(std::size_t place) const { return plan_[place]; }

 private:
  void Add(const std::string& suite, std::size_t number, const std::string& line) {
    if (auto planned = PlannedOf(suite, number, line)) plan_.push_back(std::move(*planned));
  }

  std::vector<SuiteCase> plan_;
  conformance::RunRecord record_;
  std::optional<BackendError> error_;
};

struct Smallest {
  std::string line;
  CaseResult result;
};

Smallest MinimizedOf(const SuiteCase& planned, const CaseResult& result, const GroupOptions& options) {
  conformance::MinimizeOptions how;
  how.backend = options.backend;
  how.limits = options.limits;
  how.seconds = options.minimize_seconds;
  const auto minimized = Minimize(planned, how, [](const CaseResult&, std::size_t) {});
  const auto* const found = std::get_if<conformance::Minimized>(&minimized);
  if (found == nullptr || !found->failed()) return {result.line, result};
  return {found->result.line, found->result};
}

// Minimized forms of cases that no hypothesis explains: they may show one fault where the case shows two.
std::vector<std::string> SimplerForms(Judged& judged, const GroupOptions& options) {
  constexpr std::size_t kEach = 6;
  std::vector<std::string> lines;
  for (const Cluster& cluster : judged.clusters()) {
    if (!cluster.hypotheses.empty()) continue;
    for (std::size_t i = 0; i < std::min(kEach, cluster.failures.size()); ++i) {
      const std::size_t place = cluster.failures[i];
      if (const CaseResult* result = judged.At(place)) {
        lines.push_back(MinimizedOf(judged.PlannedAt(place), *result, options).line);
      }
    }
  }
  return lines;
}

}  // namespace

std::variant<Groups, BackendError> GroupFindings(const std::vector<FoundCase>& findings,
                                                 const std::vector<std::string>& passing, const GroupOptions& options) {
  const std::vector<FoundCase> chosen = SomeOfEveryKind(findings, options.most_findings);
  std::vector<std::string> lines;
  for (const FoundCase& found : chosen) lines.push_back(found.line);
  auto judged = std::make_unique<Judged>(options, lines, passing);
  if (judged->error()) return *judged->error();
  if (const std::vector<std::string> simpler = SimplerForms(*judged, options); !simpler.empty()) {
    lines.insert(lines.end(), simpler.begin(), simpler.end());
    std::ranges::sort(lines);
    const auto repeated = std::ranges::unique(lines);
    lines.erase(repeated.begin(), repeated.end());
    judged = std::make_unique<Judged>(options, lines, passing);
    if (judged->error()) return *judged->error();
  }

  Groups groups;
  std::set<std::string> passed;
  for (const CaseResult& result : judged->record().results) {
    if (result.suite == kFoundSuite && result.status != conformance::Status::kFail) passed.insert(result.line);
  }
  for (const FoundCase& found : chosen) {
    if (passed.contains(found.line)) groups.unconfirmed.push_back(found);
  }
  std::map<std::string, std::size_t> group_of;  // the line of an explained failure
  for (const bool explained : {true, false}) {
    for (const Cluster& cluster : judged->clusters()) {
      const CaseResult* const result = judged->At(cluster.smallest);
      if (result == nullptr || cluster.hypotheses.empty() == explained) continue;
      const Smallest smallest = MinimizedOf(judged->PlannedAt(cluster.smallest), *result, options);
      if (const auto known = group_of.find(smallest.line); !explained && known != group_of.end()) {
        groups.groups[known->second].findings += cluster.failures.size();
        continue;
      }
      if (explained) {
        for (const std::size_t place : cluster.failures)
          group_of.emplace(judged->At(place)->line, groups.groups.size());
        group_of.emplace(smallest.line, groups.groups.size());
      }
      groups.groups.push_back({.title = cluster.title,
                               .hypotheses = cluster.hypotheses,
                               .findings = cluster.failures.size(),
                               .failure = std::string(FailureClassNameOf(smallest.result.failure)),
                               .message = smallest.result.message,
                               .line = result->line,
                               .smallest = smallest.line,
                               .replay_options = smallest.result.replay_options});
    }
  }
  // Not stable_sort: libstdc++ 12 allocates its buffer in a way that clang 19 warns of.
  std::ranges::sort(groups.groups, [](const FindingGroup& one, const FindingGroup& other) {
    return std::tie(other.findings, one.smallest) < std::tie(one.findings, other.smallest);
  });
  groups.run = std::move(judged->record());
  return groups;
}

}  // namespace fuzz
