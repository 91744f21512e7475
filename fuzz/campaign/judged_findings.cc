// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses findings, the failing cases of a campaign, kind by kind, and within a kind by size and by age in turn. Judges
// them with the runner of `deconv-cts run`, and finds causes with its diagnosis, each for a share of the time.

#include "fuzz/campaign/judged_findings.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "conformance/case/case.h"
#include "conformance/diagnosis/find_causes.h"
#include "conformance/verdict/status.h"

namespace fuzz {
namespace {

using conformance::BackendError;
using conformance::CaseResult;
using conformance::FailureClass;
using conformance::SuiteCase;

// The most cases of the corpus that are judged beside the findings. Those that pass tell causes apart. The number is a
// guess: each is judged once.
constexpr std::size_t kMostPassing = 80;
constexpr const char* kPassingSuite = "corpus";
// If so many failures were judged alone, and all failed again, no further ones are judged alone. Failures of this
// backend then seem to need no earlier case.
constexpr std::size_t kMostAlone = 8;

/// A finding that may be chosen, and an estimate of the work of its case (SizeOf).
struct Candidate {
  const FoundCase* found = nullptr;
  double size = 0;
};

/// The most findings of a failure class that are chosen, if at most `most` are chosen in all.
std::size_t MostOfClass(const std::string& failure, std::size_t most) {
  if (failure == FailureClassNameOf(FailureClass::kHang)) return kMostHangs;
  return failure == FailureClassNameOf(FailureClass::kCrash) ? kMostCrashes : most;
}

/// The number of elements of data and filter, multiplied. It estimates the work of a case, for comparisons only.
double SizeOf(const conformance::Case& test_case) {
  double size = 1;
  for (const auto* dims : {&test_case.op.data.dims, &test_case.op.filter.dims}) {
    for (const auto dim : *dims) size *= std::max<double>(1, static_cast<double>(dim));
  }
  return size;
}

/// Returns the smallest finding, the newest, the second smallest, and so on, each once. `by_age` has the newest finding
/// first. Example: the findings A, B, C with the sizes 3, 2, 1, of which A is the newest, give C, A, B.
std::vector<const FoundCase*> SmallAndNewInTurn(const std::vector<Candidate>& by_age) {
  std::vector<Candidate> by_size = by_age;
  std::ranges::sort(by_size, [](const Candidate& one, const Candidate& other) {
    // If two sizes are equal, the older finding comes first. Its address is lower, because the findings are one vector.
    return std::pair(one.size, one.found) < std::pair(other.size, other.found);
  });
  std::vector<const FoundCase*> in_turn;
  std::set<const FoundCase*> taken;
  for (std::size_t i = 0; i < by_age.size(); ++i) {
    for (const std::vector<Candidate>* list : {&std::as_const(by_size), &by_age}) {
      if (taken.insert((*list)[i].found).second) in_turn.push_back((*list)[i].found);
    }
  }
  return in_turn;
}

/// The findings of each kind. The kind is the failure class, the operator and the element type.
class FindingsByKind {
 public:
  /// Adds a finding that is older than all findings so far.
  void AddOlder(const FoundCase& found, const conformance::Case& test_case) {
    const Kind kind(found.failure, test_case.op.kind, test_case.op.data.type);
    const std::size_t number = numbers_.try_emplace(kind, candidates_.size()).first->second;
    if (number == candidates_.size()) candidates_.emplace_back();
    candidates_[number].push_back({&found, SizeOf(test_case)});
  }

  /// A list for each kind: its findings in the order in which they are chosen. The kind of the newest finding is first.
  std::vector<std::vector<const FoundCase*>> ListsInOrder() const {
    std::vector<std::vector<const FoundCase*>> lists;
    for (const auto& by_age : candidates_) lists.push_back(SmallAndNewInTurn(by_age));
    return lists;
  }

 private:
  using Kind = std::tuple<std::string, oracle::OperatorKind, oracle::ElementType>;

  std::map<Kind, std::size_t> numbers_;             ///< the index of each kind in `candidates_`
  std::vector<std::vector<Candidate>> candidates_;  ///< of each kind, the newest first
};

}  // namespace

ChosenFindings ChooseFindings(const std::vector<FoundCase>& findings, std::size_t most) {
  FindingsByKind all;
  FindingsByKind unexplained;
  std::set<std::string> lines;
  ChosenFindings chosen;
  for (const FoundCase& found : std::views::reverse(findings)) {
    const auto parsed = conformance::ParseCaseLine(found.line);
    const auto* const test_case = std::get_if<conformance::Case>(&parsed);
    if (test_case == nullptr) {
      ++chosen.unreadable;
      continue;
    }
    if (!lines.insert(found.line).second) continue;
    all.AddOlder(found, *test_case);
    if (found.unexplained) unexplained.AddOlder(found, *test_case);
  }
  chosen.different = lines.size();

  std::map<std::string, std::size_t> chosen_of_class;
  std::set<const FoundCase*> taken;
  const auto take = [&](const FoundCase& found) {
    if (chosen_of_class[found.failure] == MostOfClass(found.failure, most) || !taken.insert(&found).second) return;
    ++chosen_of_class[found.failure];
    chosen.findings.push_back(found);
  };
  // Takes the first finding of each kind, then the second of each, and so on, until `total` findings are chosen.
  const auto take_in_turn = [&](const FindingsByKind& by_kind, std::size_t total) {
    const auto lists = by_kind.ListsInOrder();
    std::size_t turns = 0;
    for (const auto& list : lists) turns = std::max(turns, list.size());
    for (std::size_t turn = 0; turn < turns; ++turn) {
      for (const auto& list : lists) {
        if (chosen.findings.size() == total) return;
        if (turn < list.size()) take(*list[turn]);
      }
    }
  };
  // Each unexplained finding may have a new cause. They get at most half, so that others are judged again, too.
  take_in_turn(unexplained, most / 2);
  take_in_turn(all, most);
  return chosen;
}

std::optional<SuiteCase> SuiteCaseOf(const std::string& suite, std::size_t number, const std::string& line) {
  auto parsed = conformance::ParseCaseLine(line);
  auto* const test_case = std::get_if<conformance::Case>(&parsed);
  if (test_case == nullptr) return std::nullopt;
  return SuiteCase{.suite = suite,
                   .name = fmt::format("{:04}", number),
                   .test_case = std::move(*test_case),
                   .reason = {},
                   .declared_output = {}};
}

JudgedFindings::JudgedFindings(const CauseOptions& options, CauseTime& time, const CauseEvents& events,
                               const std::vector<FoundCase>& found, const std::vector<std::string>& passing) {
  for (std::size_t i = 0; i < found.size(); ++i) AddCase(kFoundSuite, i, found[i].line, found[i].failure);
  for (std::size_t i = 0; i < std::min(passing.size(), kMostPassing); ++i) AddCase(kPassingSuite, i, passing[i], "");
  JudgeCaseList(options, time, events);
  JudgeFailuresAlone(options, time, events);
  if (error_ || time.interrupted() || std::ranges::none_of(record_.results, IsFailure)) return;
  events.on_progress("looking for planted faults that give the same answers");
  ExplainFailures(options, time);
}

std::vector<conformance::Cause> JudgedFindings::causes() const {
  return record_.causes ? record_.causes->causes : std::vector<conformance::Cause>{};
}

std::string JudgedFindings::TitleOf(const std::vector<std::size_t>& case_indices, bool vanished) const {
  conformance::CauseGroup group;
  group.vanished = vanished;
  conformance::Excuse excuse;
  bool is_excused = true;
  for (const std::size_t case_index : case_indices) {
    const auto at = std::ranges::lower_bound(record_.results, case_index, {}, conformance::CaseIndexOf);
    group.failures.push_back(static_cast<std::size_t>(at - record_.results.begin()));
    const auto& excusing = at->verdict.facts.excusing_word;
    is_excused = is_excused && excusing;
    if (!excusing) continue;
    excuse.meaning = excusing->meaning;
    excuse.words.insert(excusing->word);
  }
  if (is_excused) group.excuse = std::move(excuse);
  group.smallest = group.failures.front();
  group.signature = conformance::SignatureOf(record_.results[group.smallest]);
  return conformance::CausesOf(record_.results, {std::move(group)}).front().title;
}

std::vector<std::size_t> JudgedFindings::passes() const {
  std::vector<std::size_t> passes;
  for (const CaseResult& result : record_.results) {
    if (result.verdict.status == conformance::Status::kPass) passes.push_back(result.origin.case_index);
  }
  return passes;
}

void JudgedFindings::AddCase(const std::string& suite, std::size_t number, const std::string& line,
                             const std::string& failure) {
  auto suite_case = SuiteCaseOf(suite, number, line);
  if (!suite_case) return;
  suite_case->reason = failure;
  case_list_.push_back(std::move(*suite_case));
}

/// Judges the whole list. The time of the search begins when the backend has loaded.
void JudgedFindings::JudgeCaseList(const CauseOptions& options, CauseTime& time, const CauseEvents& events) {
  const bool hangs = std::ranges::any_of(case_list_, [](const SuiteCase& one) { return one.reason == "hang"; });
  Deadline deadline(options.limits.interrupt);
  conformance::JudgeLimits limits = options.limits;
  limits.interrupt = deadline.stop();
  auto run =
      RunCases(case_list_,
               {.backend = options.backend,
                .jobs = options.jobs,
                .limits = limits,
                .max_hangs = kMostHangs,
                .finds_culprits = false},  // JudgeFailuresAlone() and FindEarlierCases() do it for fewer failures
               {.on_start =
                    [&](const conformance::RunRecord&, std::size_t) {
                      time.Begin();
                      deadline.Begin(time.SecondsToJudge(hangs));
                    },
                .on_judged = [&](CaseResult& result) { MarkExpected(options.expected, result); },
                .on_result =
                    [&](const CaseResult&, std::size_t done) {
                      events.on_progress(fmt::format("judging {} of {}", done, case_list_.size()));
                    }});
  if (auto* error = std::get_if<BackendError>(&run)) {
    error_ = *error;
  } else {
    record_ = std::get<conformance::RunRecord>(std::move(run));
    out_of_time_ = deadline.over();
  }
}

/// Judges each failure again in a new process, because earlier cases may have damaged the process in which it failed. A
/// case that passes in the new process counts as passed.
void JudgedFindings::JudgeFailuresAlone(const CauseOptions& options, const CauseTime& time, const CauseEvents& events) {
  const Deadline deadline(time.SecondsToJudge(false), options.limits.interrupt);
  conformance::JudgeLimits limits = options.limits;
  limits.interrupt = deadline.stop();
  conformance::Judge judge(options.backend, limits);
  if (error_ || judge.Start()) return;
  std::size_t alone = 0;
  bool passes = false;
  for (CaseResult& result : record_.results) {
    if (!IsFailure(result) || result.verdict.failure == conformance::FailureClass::kHang) continue;
    if (deadline.over() || (++alone > kMostAlone && !passes)) return;
    events.on_progress(fmt::format("judging failures in new processes, {}", alone));
    judge.RequireNewProcess();
    CaseResult result_alone = judge.JudgeCase(case_list_[result.origin.case_index]);
    if (deadline.over() || result_alone.verdict.status == conformance::Status::kFail) continue;
    passes = true;
    result_alone.origin.case_index = result.origin.case_index;
    result = std::move(result_alone);
  }
}

/// Groups the failures by cause with the diagnosis of `deconv-cts run`. It looks for planted faults (known defects of a
/// test backend) that give the same answers.
void JudgedFindings::ExplainFailures(const CauseOptions& options, const CauseTime& time) {
  const Deadline deadline(time.SecondsToName(), options.limits.interrupt);
  conformance::JudgeLimits limits = options.limits;
  limits.interrupt = deadline.stop();
  record_.causes = conformance::FindCauses(record_.results, {.backend = options.backend,
                                                             .limits = limits,
                                                             .seconds = time.SecondsToRunBackend(),
                                                             .finds_conditions = false,
                                                             .tries_state = false});
  MarkExpectedByCause(options.expected, record_);
  if (record_.causes->not_looked_for.empty()) return;
  if (!deadline.over()) {
    error_ = BackendError{false, record_.causes->not_looked_for};
    return;
  }
  // There is no time to start the backend again. The failures are grouped without names of causes; none is lost.
  record_.causes->causes = CausesOf(record_.results, GroupByCause(record_.results, {}));
  out_of_time_ = true;
}

}  // namespace fuzz
