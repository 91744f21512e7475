// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes findings, the failing cases of a campaign, with the minimizer of `deconv-cts replay`. Where causes are
// known already, it takes that of FaultCombinations, which keeps only cases that no known cause explains. Also finds
// the earlier cases that a finding needs: runs the failing case after fewer and fewer of them, each time in a new
// process of the backend. It first finds the last cases that suffice, then leaves out single cases, and at last
// minimizes those that remain.

#include "fuzz/campaign/minimized_findings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "conformance/case/minimize_case.h"
#include "conformance/diagnosis/minimize.h"
#include "conformance/run/latest_start.h"
#include "fuzz/campaign/cause_time.h"
#include "fuzz/campaign/failure_family.h"

namespace fuzz {
namespace {

using conformance::Case;
using conformance::CaseResult;

// How many of the last cases are tried; the last number stands for all. The cause is most likely among the last ones,
// and a few cases run fast.
constexpr std::array<std::size_t, 4> kLastCases = {16, 128, 1024, 1 << 20};

// The most earlier cases of a result. Nobody would read a longer list.
constexpr std::size_t kMostBefore = 16;
// The search for the earlier cases of one finding may take this share of the time: most findings need none.
constexpr double kShareOfOneSearch = 1.0 / 4;

/// Keeps fields equal that were equal in two cases. The case `from` was simplified to `to`. Each field of `test_case`
/// that equals that of `from` gets the value of `to`, because a backend may look up its kept state by such fields.
/// Example: strides 2 became 1 in the failing case. An earlier case with strides 2 gets strides 1, one with 3 keeps 3.
void ChangeEqualFields(const Case& from, const Case& to, Case& test_case) {
  const auto follow = [&](auto member) {
    if (test_case.op.*member == from.op.*member) test_case.op.*member = to.op.*member;
  };
  using oracle::Operator;
  follow(&Operator::data);
  follow(&Operator::filter);
  follow(&Operator::groups);
  for (const auto list : {&Operator::strides, &Operator::dilations, &Operator::pads_begin, &Operator::pads_end,
                          &Operator::output_padding, &Operator::kernel_shape, &Operator::output_shape_attribute}) {
    follow(list);
  }
}

/// Does the work of FindEarlierCases() with one judge and one time limit.
class EarlierCases {
 public:
  EarlierCases(const CauseOptions& options, double seconds)
      : seconds_(seconds),
        deadline_(seconds, options.limits.interrupt),
        judge_(options.backend, WithStop(options.limits, deadline_.stop())) {}

  /// Whether the backend can be started, and `failing` fails after the cases `before`.
  bool FailsAfter(const std::vector<Case>& before, const Case& failing) {
    return !judge_.Start() && Fails(before, failing);
  }

  /// See FindEarlierCases().
  std::optional<CasesInOrder> Find(Case failing, const std::vector<Case>& earlier) {
    if (judge_.Start() || Fails({}, failing)) return std::nullopt;
    std::vector<Case> before = LastCasesThatSuffice(failing, earlier);
    if (before.empty()) return std::nullopt;
    // The binary search of LatestStart() finds how many of the first cases of `before` can be left out.
    const std::size_t from = conformance::LatestStart(
        before.size(),
        [&](std::size_t start) { return Fails({before.begin() + Offset(start), before.end()}, failing); },
        [&] { return deadline_.over(); });
    before.erase(before.begin(), before.begin() + Offset(from));
    LeaveOut(before, failing);
    if (before.size() > kMostBefore) return std::nullopt;
    Minimize(before, failing);
    if (deadline_.over()) {  // a verdict at the end of the time is uncertain, so the last certain result counts
      if (!last_failure_) return std::nullopt;
    } else if (!Fails(before, failing)) {
      return std::nullopt;
    }
    CasesInOrder found{.before = {}, .line = ToLine(failing), .result = *last_failure_};
    for (const Case& one : before) found.before.push_back(ToLine(one));
    return found;
  }

 private:
  static std::ptrdiff_t Offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  /// The limits of a judge that ends when the number at `stop` is not 0, and finds out no more than the verdict.
  static conformance::JudgeLimits WithStop(conformance::JudgeLimits limits, const std::atomic<int>* stop) {
    limits.interrupt = stop;
    limits.finds_dialects = false;
    return limits;
  }

  CaseResult Judge(const Case& test_case) {
    return judge_.JudgeCase(
        {.suite = "found", .name = "case", .test_case = test_case, .reason = {}, .declared_output = {}});
  }

  /// Whether `failing` fails after the cases `before`, in a new process.
  bool Fails(const std::vector<Case>& before, const Case& failing) {
    if (deadline_.over()) return false;
    judge_.RequireNewProcess();
    for (const Case& one : before) {
      // If the only earlier case fails itself, it is a separate finding, and the failure may be a result of it.
      if (Judge(one).verdict.status == conformance::Status::kFail && before.size() <= 1) return false;
      if (deadline_.over()) return false;
    }
    CaseResult result = Judge(failing);
    if (deadline_.over() || result.verdict.status != conformance::Status::kFail ||
        result.verdict.failure == conformance::FailureClass::kSuiteError) {
      return false;
    }
    last_failure_ = std::move(result);
    return true;
  }

  /// Returns the last 16, 128, ... of `earlier` (kLastCases) after which `failing` fails. Returns none if it passes
  /// even after all of them.
  std::vector<Case> LastCasesThatSuffice(const Case& failing, const std::vector<Case>& earlier) {
    for (const std::size_t count : kLastCases) {
      const std::size_t from = earlier.size() - std::min(count, earlier.size());
      std::vector<Case> last(earlier.begin() + Offset(from), earlier.end());
      if (Fails(last, failing)) return last;
      if (from == 0 || deadline_.over()) break;
    }
    return {};
  }

  /// Removes cases from `before` while `failing` still fails. First all cases but the first are removed, which usually
  /// suffices. Then parts of half the size are removed, then of a quarter, and so on down to single cases.
  /// Example: `failing` needs the cases 3 and 6 of 1 to 8. It passes without 1-4 and without 5-8. It fails without 1-2,
  /// then without 7-8 too. Of 3, 4, 5 and 6, single cases are tried: without 4 and without 5 it still fails.
  void LeaveOut(std::vector<Case>& before, const Case& failing) {
    if (before.size() > 1 && Fails({before.front()}, failing)) before.resize(1);
    for (std::size_t part = before.size() / 2; part > 0; part /= 2) {
      for (std::size_t begin = 0; begin < before.size() && before.size() > 1;) {
        std::vector<Case> fewer = before;
        fewer.erase(fewer.begin() + Offset(begin), fewer.begin() + Offset(std::min(begin + part, fewer.size())));
        if (!fewer.empty() && Fails(fewer, failing)) {
          before = std::move(fewer);
        } else {
          begin += part;
        }
      }
    }
  }

  /// Minimizes `failing`, and then each earlier case. Where possible, earlier cases get the changes of `failing`, too.
  void Minimize(std::vector<Case>& before, Case& failing) {
    const conformance::MinimizeCaseLimits limits = {
        .time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds_))};
    const auto simpler_fails = [&](const Case& simpler) {
      std::vector<Case> changed_too = before;
      for (Case& one : changed_too) ChangeEqualFields(failing, simpler, one);
      const bool fails_together = Fails(changed_too, simpler);
      if (!fails_together && !Fails(before, simpler)) return false;
      if (fails_together) before = std::move(changed_too);
      failing = simpler;
      return true;
    };
    const Case original_failing = failing;
    failing = MinimizeCase(original_failing, simpler_fails, limits).smallest;
    for (Case& one : before) {
      const auto fails_after_simpler = [&](const Case& simpler) {
        const Case kept = std::exchange(one, simpler);
        const bool still_fails = Fails(before, failing);
        if (!still_fails) one = kept;
        return still_fails;
      };
      const Case original = one;
      Case smallest = MinimizeCase(original, fails_after_simpler, limits).smallest;
      one = std::move(smallest);
    }
  }

  double seconds_;
  Deadline deadline_;
  conformance::Judge judge_;
  std::optional<CaseResult> last_failure_;  ///< the result of the last call of Fails() that returned true
};

/// The cases of these lines. Lines that are no cases are left out.
std::vector<Case> CasesOf(const std::vector<std::string>& lines) {
  std::vector<Case> cases;
  for (const std::string& line : lines) {
    auto parsed = conformance::ParseCaseLine(line);
    if (auto* const read = std::get_if<Case>(&parsed)) cases.push_back(std::move(*read));
  }
  return cases;
}

/// A function that tells whether a failure may have a cause in common with this one.
std::function<bool(const CaseResult&)> MayShareCauseWith(const CaseResult& failure) {
  return [family = FailureFamilyOf(failure)](const CaseResult& result) {
    return family.MayShareCauseWith(FailureFamilyOf(result));
  };
}

}  // namespace

std::optional<CasesInOrder> FindEarlierCases(const std::string& line, const std::vector<std::string>& earlier,
                                             const CauseOptions& options, double seconds) {
  std::vector<Case> failing = CasesOf({line});
  if (failing.empty() || seconds <= 0) return std::nullopt;
  return EarlierCases(options, seconds).Find(std::move(failing.front()), CasesOf(earlier));
}

bool FailsAfter(const std::vector<std::string>& before, const std::string& line, const CauseOptions& options,
                double seconds) {
  const std::vector<Case> failing = CasesOf({line});
  return !failing.empty() && seconds > 0 && EarlierCases(options, seconds).FailsAfter(CasesOf(before), failing.front());
}

const MinimizedFinding& MinimizedFindings::Minimized(std::size_t case_index, CauseTurn turn) {
  const auto [known, is_new] = minimized_.try_emplace(case_index);
  if (is_new) known->second = Minimize(case_index, turn);
  return known->second;
}

MinimizedFinding MinimizedFindings::Minimize(std::size_t case_index, CauseTurn turn) {
  const CaseResult& result = *judged_.ResultOf(case_index);
  const double seconds = time_.SecondsToMinimize(turn.left);
  if (seconds <= 0) return {.line = result.judged.line, .result = result, .minimized = false};
  ReportProgress(turn);
  const auto minimized = conformance::Minimize(judged_.CaseAt(case_index),
                                               {.backend = options_.backend,
                                                .limits = options_.limits,
                                                .seconds = seconds,
                                                .is_alike = MayShareCauseWith(result)},
                                               [](const CaseResult&, std::size_t) {});
  const auto* const found = std::get_if<conformance::Minimized>(&minimized);
  if (found != nullptr && found->failed())
    return {.line = found->result.judged.line, .result = found->result, .minimized = found->complete};
  // The case passes alone, so it may need a case that ran before it.
  if (auto pair = WithEarlierCases(case_index)) return *std::move(pair);
  return {result.judged.line, result};
}

MinimizedFinding MinimizedFindings::MinimizedUnexplained(std::size_t case_index, CauseTurn turn,
                                                         const conformance::faults::Fault* additional) {
  const double seconds = time_.SecondsToMinimize(turn.left);
  if (combinations_.causes() > 0 && seconds > 0) {
    ReportProgress(turn);
    auto minimized = combinations_.Minimized(judged_.CaseAt(case_index).test_case, additional, seconds,
                                             MayShareCauseWith(*judged_.ResultOf(case_index)));
    if (minimized) {
      return {.line = ToLine(minimized->smallest),
              .result = std::move(minimized->result),
              .minimized = minimized->complete};
    }
  }
  return Minimized(case_index, turn);
}

std::optional<MinimizedFinding> MinimizedFindings::WithEarlierCases(std::size_t case_index) {
  const std::string line = ToLine(judged_.CaseAt(case_index).test_case);
  std::vector<std::string> earlier = options_.earlier_cases(line);
  for (std::size_t i = 0; earlier.empty() && i < case_index; ++i)
    earlier.push_back(ToLine(judged_.CaseAt(i).test_case));
  events_.on_progress(fmt::format("looking for the case that a failure needs before it, among {}", earlier.size()));
  auto found = FindEarlierCases(line, earlier, options_, kShareOfOneSearch * time_.SecondsLeft());
  if (!found) return std::nullopt;
  return MinimizedFinding{std::move(found->line), std::move(found->result), std::move(found->before)};
}

void MinimizedFindings::ReportProgress(CauseTurn turn) const {
  events_.on_progress(fmt::format("minimizing a case of cause {}, {} to go", turn.number, turn.left));
}

}  // namespace fuzz
