// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the measurements of `power --diagnosis` and `power --minimize`, and prints their results.

#include "conformance/cli/diagnosis_power.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/cli/exit_code.h"
#include "conformance/diagnosis/condition_power.h"
#include "conformance/diagnosis/measure.h"

namespace conformance {
namespace {

std::string Without(const DiagnosedFault& diagnosed) {
  std::string named = diagnosed.class_without.empty() ? "no class" : "class " + diagnosed.class_without;
  if (diagnosed.first_without.empty()) return named;
  return fmt::format("{}, by {}{}", named, diagnosed.nearest_without ? "the most similar fault, " : "",
                     diagnosed.first_without);
}

void Print(const DiagnosisPower& power) {
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
    if (diagnosed.failures == 0 || diagnosed.class_named) continue;
    fmt::print("class not named without the fault itself: {} ({}) on {} failures: {}\n", diagnosed.fault->name,
               diagnosed.fault->mutant_class, diagnosed.failures, Without(diagnosed));
  }
  std::vector<double> equals;
  double slowest = 0;
  for (const DiagnosedFault& diagnosed : power.faults) {
    slowest = std::max(slowest, diagnosed.seconds);
    if (diagnosed.named) equals.push_back(static_cast<double>(diagnosed.equals));
  }
  std::ranges::sort(equals);
  const auto alone = std::ranges::count(equals, 1.0);
  fmt::print(
      "{} of {} planted faults fail a case; the first cause names the fault for {:.1f} % of them: as the only one for "
      "{} of {}, and with at most {} equal ones for the others\n",
      power.Failing(), power.faults.size(), power.NamedPercent(), alone, equals.size(),
      equals.empty() ? 0 : equals.back() - 1);
  fmt::print("without the fault among the hypotheses, its class is named for {:.1f} %\n", power.ClassPercent());
  fmt::print("{:.1f} s in all; the slowest fault took {:.1f} s for both diagnoses\n", power.seconds, slowest);
}

/// The faults by their backends' names; nothing, and a line on stderr, if one is none.
std::optional<std::vector<const faults::Fault*>> BankOf(const std::vector<std::string>& names) {
  std::vector<const faults::Fault*> bank;
  for (const std::string& name : names) {
    const faults::Fault* fault = faults::FindFault(std::string_view(name).substr(std::string_view("fault:").size()));
    if (fault == nullptr) {
      fmt::print(stderr, "deconv-cts: {}: no planted fault has this name; 'deconv-cts list --backends' shows them\n",
                 name);
      return std::nullopt;
    }
    bank.push_back(fault);
  }
  return bank;
}

JudgeLimits LimitsOfFaults() {
  JudgeLimits limits;
  limits.base_seconds = 2;  // some faults hang on purpose
  limits.finds_dialects = false;
  return limits;
}

/// A line of progress: on a terminal in place, else one every ten seconds.
class Progress {
 public:
  Progress(std::string_view what, std::size_t total) : what_(what), total_(total) {}
  ~Progress() {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void operator()(std::size_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000))) return;
    last_ = now;
    fmt::print(stderr, "{}{} {}/{} faults{}", terminal_ ? "\r\x1b[K" : "", what_, done, total_, terminal_ ? "" : "\n");
  }

 private:
  std::string_view what_;
  std::size_t total_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

int ExitOf(const BackendError& error) {
  fmt::print(stderr, "deconv-cts: {}\n", error.message);
  return error.usage ? kExitUsage : kExitBackend;
}

void AddLine(std::string& lines, const nlohmann::ordered_json& object) {
  lines += object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void AddLines(std::string& lines, const DiagnosisPower& power) {
  for (const DiagnosedFault& diagnosed : power.faults) {
    AddLine(lines, {{"record", "cause"},
                    {"backend", fmt::format("fault:{}", diagnosed.fault->name)},
                    {"class", diagnosed.fault->mutant_class},
                    {"failed", diagnosed.failures},
                    {"named", diagnosed.named},
                    {"first_hypothesis", diagnosed.first},
                    {"hypotheses", diagnosed.equals},
                    {"class_named_without", diagnosed.class_named},
                    {"class_without", diagnosed.class_without},
                    {"first_hypothesis_without", diagnosed.first_without},
                    {"nearest_without", diagnosed.nearest_without},
                    {"seconds", diagnosed.seconds}});
  }
  AddLine(lines, {{"record", "cause_summary"},
                  {"faults", power.faults.size()},
                  {"failing", power.Failing()},
                  {"named_percent", power.NamedPercent()},
                  {"class_percent", power.ClassPercent()},
                  {"seconds", power.seconds}});
}

nlohmann::ordered_json ObjectOf(const MeasuredCondition& measured) {
  return {{"record", "condition"},
          {"backend", fmt::format("fault:{}", measured.fault->name)},
          {"class", measured.fault->mutant_class},
          {"failed", measured.failures},
          {"predicts", measured.good()},
          {"condition", measured.Text()},
          {"new_cases", measured.prediction.asked()},
          {"wrong", measured.prediction.wrong()},
          {"reason", measured.Reason()},
          {"seconds", measured.seconds}};
}

nlohmann::ordered_json ObjectOf(const MinimizedFault& minimized) {
  return {{"record", "minimized"},
          {"backend", fmt::format("fault:{}", minimized.fault->name)},
          {"class", minimized.fault->mutant_class},
          {"case", minimized.line},
          {"smallest", minimized.smallest},
          {"small", minimized.good()},
          {"axes", minimized.axes},
          {"data_elements", minimized.non_zero_data},
          {"seconds", minimized.seconds}};
}

}  // namespace

int ExecuteCausePower(const DiagnosisPowerInput& input, double least_named, double least_class,
                      std::string& json_lines) {
  const auto bank = BankOf(input.faults);
  if (!bank) return kExitUsage;
  const auto measured = [&] {
    Progress progress("diagnosis", bank->size());
    return MeasureDiagnosis(input.case_list, *bank, input.jobs, LimitsOfFaults(),
                            [&](std::size_t done) { progress(done); });
  }();
  if (const auto* error = std::get_if<BackendError>(&measured)) return ExitOf(*error);
  const auto& power = std::get<DiagnosisPower>(measured);
  Print(power);
  AddLines(json_lines, power);
  const bool strong = power.NamedPercent() >= least_named && power.ClassPercent() >= least_class;
  if (!strong) fmt::print("too weak: expected at least {} % and {} %\n", least_named, least_class);
  return strong ? kExitConforms : kExitFailures;
}

int ExecuteConditionPower(const DiagnosisPowerInput& input, double seconds, double least, std::string& json_lines) {
  const auto bank = BankOf(input.faults);
  if (!bank) return kExitUsage;
  std::size_t failing = 0;
  std::size_t good = 0;
  double slowest = 0;
  const auto measured = MeasureConditions(
      input.case_list, *bank, input.jobs, LimitsOfFaults(), seconds, [&](const MeasuredCondition& one) {
        AddLine(json_lines, ObjectOf(one));
        if (one.failures == 0) return;
        ++failing;
        good += one.good() ? 1 : 0;
        slowest = std::max(slowest, one.seconds);
        fmt::print("{}: {} ({}), {} of {} new cases, {:.1f} s: {}\n", one.good() ? "predicts" : "does not predict",
                   one.fault->name, one.fault->mutant_class, one.prediction.asked() - one.prediction.wrong(),
                   one.prediction.asked(), one.seconds, one.Text());
        if (!one.good()) {
          fmt::print("     reason: {}\n", one.Reason());
          for (const std::string& line : one.prediction.errors) fmt::print("     {}\n", line);
        }
        std::fflush(stdout);
      });
  if (const auto* error = std::get_if<BackendError>(&measured)) return ExitOf(*error);
  const double percent = failing == 0 ? 100 : 100 * static_cast<double>(good) / static_cast<double>(failing);
  fmt::print(
      "{} of {} planted faults fail a case; the condition of {} of them ({:.1f} %) predicts {} new cases, half on each "
      "side of its boundary, with at most {} errors (a condition that is always true has one side only); the slowest "
      "search took {:.1f} s\n",
      failing, bank->size(), good, percent, 2 * kNewCasesEachSide, kMostWrong, slowest);
  AddLine(json_lines, {{"record", "condition_summary"},
                       {"faults", bank->size()},
                       {"failing", failing},
                       {"predict", good},
                       {"predict_percent", percent},
                       {"slowest_seconds", slowest}});
  if (percent < least) fmt::print("too weak: expected at least {} %\n", least);
  return percent >= least ? kExitConforms : kExitFailures;
}

int ExecuteMinimizePower(const DiagnosisPowerInput& input, double least, std::string& json_lines) {
  const auto bank = BankOf(input.faults);
  if (!bank) return kExitUsage;
  const auto measured = [&] {
    Progress progress("minimize", bank->size());
    return MeasureMinimize(input.case_list, *bank, input.jobs, LimitsOfFaults(),
                           [&](std::size_t done) { progress(done); });
  }();
  if (const auto* error = std::get_if<BackendError>(&measured)) return ExitOf(*error);
  const auto& minimized = std::get<std::vector<MinimizedFault>>(measured);
  std::size_t good = 0;
  double slowest = 0;
  for (const MinimizedFault& one : minimized) {
    AddLine(json_lines, ObjectOf(one));
    good += one.good() ? 1 : 0;
    slowest = std::max(slowest, one.seconds);
    if (one.good()) continue;
    fmt::print("not small: {}: {} axes, {} data elements, {:.1f} s: {} from {}\n", one.fault->name, one.axes,
               one.non_zero_data, one.seconds, one.smallest, one.line);
  }
  const double percent =
      minimized.empty() ? 100 : 100 * static_cast<double>(good) / static_cast<double>(minimized.size());
  fmt::print(
      "{} planted faults fail a case; the largest failing case of {} of them ({:.1f} %) becomes small: one or two "
      "spatial axes and at most 4 data elements that are not zero, in less than 10 s; the slowest took {:.1f} s\n",
      minimized.size(), good, percent, slowest);
  AddLine(json_lines, {{"record", "minimized_summary"},
                       {"faults", bank->size()},
                       {"failing", minimized.size()},
                       {"small", good},
                       {"small_percent", percent},
                       {"slowest_seconds", slowest}});
  if (percent < least) fmt::print("too weak: expected at least {} %\n", least);
  return percent >= least ? kExitConforms : kExitFailures;
}

}  // namespace conformance
