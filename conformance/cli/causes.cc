// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the causes of a run's failures, and the details of one failure. Measures for `power --diagnosis` how often the
// diagnosis names the planted fault that serves as the backend.

#include "conformance/cli/causes.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/backends/open_backend.h"
#include "conformance/case/text/json_text.h"
#include "conformance/cli/exit_code.h"
#include "conformance/diagnosis/find_causes.h"
#include "conformance/diagnosis/measure.h"
#include "conformance/diagnosis/question_budget.h"
#include "conformance/diagnosis/taps.h"
#include "conformance/report/console.h"
#include "conformance/verdict/picture.h"

namespace conformance {
namespace {

/// Extends a declaration to operators of every kind, type, rank and dialect, because recorded outputs declare none.
Capabilities OfAnyOperator(Capabilities declared) {
  declared.dialects.assign(oracle::kDialects.begin(), oracle::kDialects.end());
  declared.operators = declared.element_types = UINT32_MAX;  // sets of bits: one bit for each kind or type
  declared.min_rank = 1;
  declared.max_rank = DECONV_BACKEND_MAX_RANK;
  return declared;
}

}  // namespace

void PrintCauses(RunRecord& record, const JudgeLimits& limits, std::optional<double> given_seconds) {
  const Tally tally = TallyOf(record);
  const double seconds = given_seconds ? *given_seconds : DefaultSeconds(record.seconds);
  if (seconds <= 0 || tally.failed == tally.suite_errors + tally.expected) return;
  CauseOptions options = {.backend = record.backend, .limits = limits, .seconds = seconds};
  if (record.backend == kRecordedBackend) options.recorded = OfAnyOperator(record.declared);
  record.causes = conformance::FindCauses(record.results, options);
  if (record.causes->causes.empty() && limits.interrupt != nullptr && *limits.interrupt != 0) {
    record.causes.emplace().not_looked_for = "the run was interrupted";
  }
  fmt::print("{}", CausesText(record));
}

std::string DetailsOf(const CaseResult& result, bool colours) {
  if (result.verdict.status != Status::kFail || !result.outputs.first_wrong) return {};
  std::string text;
  const auto dialect = oracle::ParseDialect(result.judged.dialect);
  const Case* test_case = result.judged.test_case.get();
  if (test_case != nullptr && dialect && !test_case->law && !test_case->sweep) {
    const auto taps = TapsText(*test_case, *dialect, result.outputs.first_wrong->coordinate);
    if (const auto* lines = std::get_if<std::string>(&taps)) text += *lines;
  }
  if (result.outputs.wrong_grid) text += PictureText(*result.outputs.wrong_grid, result.judged.output_dims, colours);
  return text;
}

// `power --diagnosis` prints three shares: the fault is named; another fault is named if the right one is left out; the
// condition that was found predicts new cases.

namespace {

void PrintDiagnosisPower(const DiagnosisPower& power) {
  for (const DiagnosedFault& diagnosed : power.faults) {
    if (diagnosed.failures == 0) {
      fmt::print("not diagnosed: {} ({}) fails none of these cases\n", diagnosed.fault->name,
                 diagnosed.fault->mutant_class);
    } else if (!diagnosed.named) {
      fmt::print("not named: {} ({}) on {} failures: {}\n", diagnosed.fault->name, diagnosed.fault->mutant_class,
                 diagnosed.failures, diagnosed.first.empty() ? "nothing" : diagnosed.first);
    }
  }
  for (const DiagnosedFault& diagnosed : power.faults) {
    if (!diagnosed.misled) continue;
    fmt::print("misled without the fault itself: {} ({}) on {} failures: {} is named\n", diagnosed.fault->name,
               diagnosed.fault->mutant_class, diagnosed.failures, diagnosed.first_without);
  }
  for (const DiagnosedFault& diagnosed : power.faults) {
    if (diagnosed.learned_from == 0 || diagnosed.predicted) continue;
    const Prediction& prediction = diagnosed.prediction;
    fmt::print("does not predict: {} ({}), {} of {} new cases: {}\n", diagnosed.fault->name,
               diagnosed.fault->mutant_class, prediction.asked() - prediction.wrong(), prediction.asked(),
               diagnosed.condition.empty() ? "no condition" : diagnosed.condition);
  }
  // For each named fault: how many hypotheses (planted faults that may explain the failures) do so equally well.
  std::vector<double> equal_counts;
  double slowest = 0;
  for (const DiagnosedFault& diagnosed : power.faults) {
    slowest = std::max(slowest, diagnosed.seconds);
    if (diagnosed.named) equal_counts.push_back(static_cast<double>(diagnosed.equals));
  }
  std::ranges::sort(equal_counts);
  const auto alone = std::ranges::count(equal_counts, 1.0);
  fmt::print(
      "{} of {} planted faults fail a case; the first cause names the fault for {:.1f} % of them: as the only one for "
      "{} of {}, and with at most {} equal ones for the others\n",
      power.Failing(), power.faults.size(), power.NamedPercent(), alone, equal_counts.size(),
      equal_counts.empty() ? 0 : equal_counts.back() - 1);
  fmt::print("without the fault among the hypotheses, another one is named for {:.1f} %\n", power.WrongCausePercent());
  fmt::print(
      "the condition of {:.1f} % predicts {} new cases, half on each side of its boundary, with at most {} errors (a "
      "condition that is always true has one side only)\n",
      power.PredictedPercent(), 2 * kNewCasesEachSide, kMostWrong);
  fmt::print("{:.1f} s in all; the slowest fault took {:.1f} s for both diagnoses\n", power.seconds, slowest);
}

/// Returns the faults with these backend names. If a name is no fault, prints a message and returns nothing.
std::optional<std::vector<const faults::Fault*>> FaultsNamed(const std::vector<std::string>& names) {
  std::vector<const faults::Fault*> named;
  for (const std::string& name : names) {
    const faults::Fault* fault = FaultOf(name);
    if (fault == nullptr) {
      fmt::print(stderr, "deconv-cts: {}: no planted fault has this name; 'deconv-cts list --backends' shows them\n",
                 name);
      return std::nullopt;
    }
    named.push_back(fault);
  }
  return named;
}

/// The limits of a run on a fault.
JudgeLimits LimitsOfFaults() {
  JudgeLimits limits;
  limits.base_seconds = 2;  // some faults hang on purpose
  limits.finds_dialects = false;
  return limits;
}

/// A line of progress: on a terminal in place, else one every ten seconds.
class DiagnosisProgress {
 public:
  explicit DiagnosisProgress(std::size_t total) : total_(total) {}
  ~DiagnosisProgress() {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }
  DiagnosisProgress(const DiagnosisProgress&) = delete;
  DiagnosisProgress& operator=(const DiagnosisProgress&) = delete;

  void operator()(std::size_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000))) return;
    last_ = now;
    fmt::print(stderr, "{}diagnosis {}/{} faults{}", terminal_ ? "\r\x1b[K" : "", done, total_, terminal_ ? "" : "\n");
  }

 private:
  std::size_t total_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void AddLine(std::string& lines, const nlohmann::ordered_json& object) { lines += JsonText(object) + "\n"; }

/// Adds a line of JSON for each fault, and one for the summary.
void AddLines(std::string& lines, const DiagnosisPower& power) {
  for (const DiagnosedFault& diagnosed : power.faults) {
    AddLine(lines, {{"record", "cause"},
                    {"backend", fmt::format("fault:{}", diagnosed.fault->name)},
                    {"class", diagnosed.fault->mutant_class},
                    {"failed", diagnosed.failures},
                    {"named", diagnosed.named},
                    {"first_hypothesis", diagnosed.first},
                    {"hypotheses", diagnosed.equals},
                    {"misled_without", diagnosed.misled},
                    {"first_hypothesis_without", diagnosed.first_without},
                    {"condition", diagnosed.condition},
                    {"new_cases", diagnosed.prediction.asked()},
                    {"wrong", diagnosed.prediction.wrong()},
                    {"predicts", diagnosed.predicted},
                    {"seconds", diagnosed.seconds}});
  }
  AddLine(lines, {{"record", "cause_summary"},
                  {"faults", power.faults.size()},
                  {"failing", power.Failing()},
                  {"named_percent", power.NamedPercent()},
                  {"misled_percent", power.WrongCausePercent()},
                  {"predicted_percent", power.PredictedPercent()},
                  {"seconds", power.seconds}});
}

}  // namespace

int MeasureDiagnosisPower(const DiagnosisPowerInput& input, std::string& json_lines) {
  // The percentages that conformance/diagnosis/diagnosis.md promises.
  constexpr double kLeastNamed = 95;
  constexpr double kMostMisled = 5;
  constexpr double kLeastPredicted = 85;
  const auto named_faults = FaultsNamed(input.faults);
  if (!named_faults) return kExitUsage;
  const auto measured = [&] {
    DiagnosisProgress progress(named_faults->size());
    return MeasureDiagnosis(input.case_list, *named_faults, input.jobs, LimitsOfFaults(),
                            [&](std::size_t done) { progress(done); });
  }();
  if (const auto* error = std::get_if<BackendError>(&measured)) {
    fmt::print(stderr, "deconv-cts: {}\n", error->message);
    return error->usage ? kExitUsage : kExitBackend;
  }
  const auto& power = std::get<DiagnosisPower>(measured);
  PrintDiagnosisPower(power);
  AddLines(json_lines, power);
  const bool strong = power.NamedPercent() >= kLeastNamed && power.WrongCausePercent() <= kMostMisled &&
                      power.PredictedPercent() >= kLeastPredicted;
  if (!strong) {
    fmt::print("too weak: expected at least {} % named, at most {} % misled and at least {} % predicted\n", kLeastNamed,
               kMostMisled, kLeastPredicted);
  }
  return strong ? kExitConforms : kExitFailures;
}

}  // namespace conformance
