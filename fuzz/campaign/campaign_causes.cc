// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the search for causes: it chooses findings of every kind, judges them again, and explains them by planted
// faults, by combinations of them, or by the features of minimized cases.

#include "fuzz/campaign/campaign_causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/find_causes.h"
#include "conformance/diagnosis/minimize.h"
#include "fuzz/campaign/fault_combinations.h"
#include "fuzz/campaign/minimal_features.h"

namespace fuzz {
namespace {

using conformance::BackendError;
using conformance::CaseResult;
using conformance::Cause;
using conformance::SuiteCase;

constexpr std::size_t kMostPassing = 120;
constexpr std::size_t kMostHangs = 6;      // each takes its whole time limit, several times
constexpr std::size_t kMostCrashes = 24;   // each takes new processes
constexpr std::size_t kMostMinimized = 8;  // failures of one unexplained cause
// An unexplained cause is divided into at most so many causes of one failure class.
constexpr std::size_t kMostParts = 6;
constexpr std::size_t kMostPartsOfHangs = 2;
constexpr const char* kFoundSuite = "found";
constexpr const char* kPassingSuite = "corpus";

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

std::size_t MostOf(const std::string& failure, std::size_t most) {
  if (failure == "hang") return kMostHangs;
  return failure == "crash" ? kMostCrashes : most;
}

struct ChosenFindings {
  std::vector<FoundCase> findings;
  std::size_t unreadable = 0;
};

// Chooses findings of each kind (failure class, operator and type) in turn: the newest, the oldest, the second newest,
// and so on. So no kind displaces another, and late and early campaigns do not hide each other's findings.
ChosenFindings SomeOfEveryKind(const std::vector<FoundCase>& findings, std::size_t most) {
  using Kind = std::tuple<std::string, oracle::OperatorKind, oracle::ElementType>;
  std::map<Kind, std::size_t> numbers;
  std::vector<std::vector<const FoundCase*>> kinds;  // the kind that was met last is the first
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
    const Kind kind(found.failure, test_case->op.kind, test_case->op.data.type);
    const std::size_t number = numbers.try_emplace(kind, kinds.size()).first->second;
    if (number == kinds.size()) kinds.emplace_back();
    kinds[number].push_back(&found);
  }
  std::map<std::string, std::size_t> of_class;
  for (std::size_t nth = 0; nth < lines.size(); ++nth) {
    for (const auto& of_kind : kinds) {
      if (nth >= of_kind.size()) continue;
      const FoundCase& found = *of_kind[nth % 2 == 0 ? nth / 2 : of_kind.size() - 1 - nth / 2];
      if (chosen.findings.size() == most || of_class[found.failure] == MostOf(found.failure, most)) continue;
      ++of_class[found.failure];
      chosen.findings.push_back(found);
    }
  }
  return chosen;
}

/// Judges a list of cases, and finds the causes of its failures.
class JudgedFindings {
 public:
  JudgedFindings(const CauseOptions& options, const std::vector<std::string>& found,
                 const std::vector<std::string>& passing) {
    for (std::size_t i = 0; i < found.size(); ++i) Add(kFoundSuite, i, found[i]);
    for (std::size_t i = 0; i < std::min(passing.size(), kMostPassing); ++i) Add(kPassingSuite, i, passing[i]);
    auto run = RunCases(case_list_, {.backend = options.backend, .jobs = options.jobs, .limits = options.limits});
    if (auto* error = std::get_if<BackendError>(&run)) {
      error_ = *error;
      return;
    }
    record_ = std::get<conformance::RunRecord>(std::move(run));
    const bool failed = std::ranges::any_of(
        record_.results, [](const CaseResult& result) { return result.verdict.status == conformance::Status::kFail; });
    if (!failed) return;
    record_.causes = conformance::FindCauses(record_.results, {.backend = options.backend,
                                                               .limits = options.limits,
                                                               .seconds = options.diagnosis_seconds,
                                                               .finds_conditions = false});
    if (!record_.causes->not_looked_for.empty()) error_ = BackendError{false, record_.causes->not_looked_for};
  }

  const std::optional<BackendError>& error() const { return error_; }
  conformance::RunRecord& record() { return record_; }
  std::vector<Cause> causes() const { return record_.causes ? record_.causes->causes : std::vector<Cause>{}; }
  const CaseResult* At(std::size_t case_index) const { return ResultAt(record_.results, case_index); }
  const SuiteCase& CaseAt(std::size_t case_index) const { return case_list_[case_index]; }

 private:
  void Add(const std::string& suite, std::size_t number, const std::string& line) {
    if (auto suite_case = SuiteCaseOf(suite, number, line)) case_list_.push_back(std::move(*suite_case));
  }

  std::vector<SuiteCase> case_list_;
  conformance::RunRecord record_;
  std::optional<BackendError> error_;
};

struct Smallest {
  std::string line;
  CaseResult result;
};

conformance::MinimizeOptions HowToMinimize(const CauseOptions& options) {
  return {.backend = options.backend, .limits = options.limits, .seconds = options.minimize_seconds};
}

Smallest MinimizedOf(const SuiteCase& suite_case, const CaseResult& result, const CauseOptions& options) {
  const auto minimized = Minimize(suite_case, HowToMinimize(options), [](const CaseResult&, std::size_t) {});
  const auto* const found = std::get_if<conformance::Minimized>(&minimized);
  if (found == nullptr || !found->failed()) return {result.judged.line, result};
  return {found->result.judged.line, found->result};
}

CampaignCause CauseOf(const Cause& cause, const std::vector<std::size_t>& failures, const CaseResult& result,
                      const Smallest& smallest, const JudgedFindings& judged) {
  const auto found = [&](std::size_t at) { return judged.CaseAt(at).suite == kFoundSuite; };
  return CampaignCause{.title = cause.title,
                       .hypotheses = cause.hypotheses,
                       .findings = static_cast<std::size_t>(std::ranges::count_if(failures, found)),
                       .failure = std::string(FailureClassNameOf(smallest.result.verdict.failure)),
                       .message = smallest.result.verdict.message,
                       .line = result.judged.line,
                       .smallest = smallest.line,
                       .replay_options = smallest.result.trace.replay_options};
}

// Divides a cause that nothing explains: by failure class, then by the features that the minimized case of a part
// cannot lose. One case of each part is minimized.
std::vector<CampaignCause> PartsOf(const Cause& cause, std::vector<std::size_t> failures, const JudgedFindings& judged,
                                   const CauseOptions& options) {
  std::erase_if(failures, [&](std::size_t case_index) { return judged.At(case_index) == nullptr; });
  const auto shorter = [&](std::size_t one, std::size_t other) {
    return judged.At(one)->judged.line.size() < judged.At(other)->judged.line.size();
  };
  std::map<conformance::FailureClass, std::size_t> parts_of;
  std::vector<CampaignCause> parts;
  while (!failures.empty() && (options.limits.interrupt == nullptr || *options.limits.interrupt == 0)) {
    const std::size_t case_index = *std::ranges::min_element(failures, shorter);
    const CaseResult& result = *judged.At(case_index);
    const bool last = ++parts_of[result.verdict.failure] == (result.verdict.failure == conformance::FailureClass::kHang
                                                                 ? kMostPartsOfHangs
                                                                 : kMostParts);  // takes all that are left
    const Smallest smallest = MinimizedOf(judged.CaseAt(case_index), result, options);
    const auto minimized = SuiteCaseOf(kFoundSuite, 0, smallest.line);
    std::vector<std::size_t> alike;
    std::erase_if(failures, [&](std::size_t other) {
      const bool is_alike =
          other == case_index ||
          (judged.At(other)->verdict.failure == result.verdict.failure &&
           (last || !minimized || HasFeaturesOf(minimized->test_case, judged.CaseAt(other).test_case)));
      if (is_alike) alike.push_back(other);
      return is_alike;
    });
    parts.push_back(CauseOf(cause, alike, result, smallest, judged));
  }
  return parts;
}

}  // namespace

std::variant<CampaignCauses, BackendError> FindCampaignCauses(const std::vector<FoundCase>& findings,
                                                              const std::vector<std::string>& passing,
                                                              const CauseOptions& options) {
  const ChosenFindings chosen = SomeOfEveryKind(findings, options.most_findings);
  std::vector<std::string> lines;
  for (const FoundCase& found : chosen.findings) lines.push_back(found.line);
  JudgedFindings judged(options, lines, passing);
  if (judged.error()) return *judged.error();

  CampaignCauses causes;
  causes.unreadable = chosen.unreadable;
  std::set<std::string> judged_lines;
  for (std::size_t i = 0; i < chosen.findings.size(); ++i) {
    const CaseResult* const result = judged.At(i);  // each is a case, so that its number is its index
    if (result == nullptr) continue;                // an interruption came first
    judged_lines.insert(chosen.findings[i].line);
    if (result->verdict.status != conformance::Status::kFail) causes.unconfirmed.push_back(chosen.findings[i]);
  }
  causes.judged = static_cast<std::size_t>(
      std::ranges::count_if(findings, [&](const FoundCase& found) { return judged_lines.contains(found.line); }));
  std::vector<std::string> explanations;  // explanations of each of the first causes
  for (const Cause& cause : judged.causes()) {
    const CaseResult* const result = judged.At(cause.smallest);
    if (cause.hypotheses.empty() || result == nullptr) continue;
    explanations.push_back(cause.hypotheses.front());
    const Smallest smallest = MinimizedOf(judged.CaseAt(cause.smallest), *result, options);
    causes.causes.push_back(CauseOf(cause, cause.failures, *result, smallest, judged));
  }
  // Two faults may act at once. Then neither of them alone explains the answer.
  Combinations combinations(explanations, options.backend, options.limits);
  for (const Cause& cause : judged.causes()) {
    if (!cause.hypotheses.empty()) continue;
    std::vector<std::size_t> left;
    for (const std::size_t case_index : cause.failures) {
      std::vector<std::size_t> together = combinations.Explaining(judged.CaseAt(case_index));
      // The case may be too large for that, and its minimized case small enough.
      if (together.empty() && left.size() < kMostMinimized && judged.At(case_index) != nullptr) {
        const Smallest smallest = MinimizedOf(judged.CaseAt(case_index), *judged.At(case_index), options);
        if (const auto suite_case = SuiteCaseOf(kFoundSuite, 0, smallest.line))
          together = combinations.Explaining(*suite_case);
      }
      if (together.empty()) left.push_back(case_index);
      if (judged.CaseAt(case_index).suite != kFoundSuite) continue;
      for (const std::size_t part : together) ++causes.causes[part].findings;
    }
    for (CampaignCause& part : PartsOf(cause, std::move(left), judged, options)) {
      causes.causes.push_back(std::move(part));
    }
  }
  // The sort is not std::stable_sort: libstdc++ 12 allocates its buffer in a way that clang 19 warns of.
  std::ranges::sort(causes.causes, [](const CampaignCause& one, const CampaignCause& other) {
    return std::tie(other.findings, one.smallest) < std::tie(one.findings, other.smallest);
  });
  causes.complete = options.limits.interrupt == nullptr || *options.limits.interrupt == 0;
  causes.run = std::move(judged.record());
  return causes;
}

}  // namespace fuzz
