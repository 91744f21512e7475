// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the verdicts of several backends case by case.

#include "conformance/report/comparison.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace conformance {
namespace {

bool WasJudged(const CaseResult& result) { return IsRight(result.status) || result.status == Status::kFail; }

/// Outcomes are alike if both are right, or both fail in the same class.
FailureClass OutcomeOf(const CaseResult& result) {
  return result.status == Status::kFail ? result.failure : FailureClass::kNone;
}

bool Differs(const DifferingCase& compared) {
  const CaseResult* first = nullptr;
  for (const CaseResult* result : compared.results) {
    if (result == nullptr || !WasJudged(*result)) continue;
    if (first == nullptr) first = result;
    if (OutcomeOf(*result) != OutcomeOf(*first)) return true;
  }
  return false;
}

}  // namespace

const CaseResult& DifferingCase::any() const {
  return **std::ranges::find_if(results, [](const CaseResult* result) { return result != nullptr; });
}

std::string_view OutcomeWord(const CaseResult* result) {
  if (result == nullptr) return "-";
  if (result->status == Status::kFail) return FailureClassNameOf(result->failure);
  return IsRight(result->status) ? StatusName(result->status) : "not run";
}

BackendComparison CompareBackends(std::span<const RunRecord> runs) {
  BackendComparison comparison;
  std::map<std::string_view, std::size_t> suites;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> places;
  std::vector<DifferingCase> cases;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    comparison.backends.emplace_back(runs[run].backend);
    for (const SuiteCounts& counts : CountsBySuite(runs[run])) {
      const auto [at, is_new] = suites.try_emplace(counts.suite, comparison.suites.size());
      if (is_new) {
        comparison.suites.push_back({counts.suite, std::vector(runs.size(), SuiteCounts{.suite = counts.suite})});
      }
      comparison.suites[at->second].counts[run] = counts;
    }
    for (const CaseResult& result : runs[run].results) {
      const auto [at, is_new] = places.try_emplace({result.suite, result.name, result.line}, cases.size());
      if (is_new) cases.push_back({std::vector<const CaseResult*>(runs.size(), nullptr)});
      cases[at->second].results[run] = &result;
    }
  }
  for (DifferingCase& compared : cases) {
    const auto judged = std::ranges::count_if(
        compared.results, [](const CaseResult* result) { return result != nullptr && WasJudged(*result); });
    comparison.common += judged > 1 ? 1 : 0;
    if (Differs(compared)) comparison.differing.push_back(std::move(compared));
  }
  return comparison;
}

std::string ComparisonText(std::span<const RunRecord> runs) {
  // More would hide the table; the files have them all.
  constexpr std::size_t kShown = 10;
  constexpr std::size_t kWidth = 22;
  if (runs.size() < 2) return {};
  const BackendComparison comparison = CompareBackends(runs);
  std::string text = fmt::format("{:<21}", "passed/failed/not run");
  for (const std::string_view backend : comparison.backends) {
    text +=
        fmt::format("  {:>{}}", backend.size() > kWidth ? backend.substr(backend.size() - kWidth) : backend, kWidth);
  }
  text += '\n';
  for (const ComparedSuite& suite : comparison.suites) {
    text += fmt::format("{:<21}", suite.suite);
    for (const SuiteCounts& counts : suite.counts) {
      text += fmt::format(
          "  {:>{}}", fmt::format("{}/{}/{}", counts.passed + counts.warned, counts.failed, counts.not_run), kWidth);
    }
    text += '\n';
  }
  text += comparison.common == 0
              ? "no case was judged on more than one backend\n"
              : fmt::format("the backends differ on {} of the {} cases on which at least two were judged\n",
                            comparison.differing.size(), comparison.common);
  for (std::size_t i = 0; i < std::min(kShown, comparison.differing.size()); ++i) {
    const DifferingCase& compared = comparison.differing[i];
    text += fmt::format("     {}:", compared.any().id());
    for (std::size_t run = 0; run < runs.size(); ++run) {
      text +=
          fmt::format("{} {} {}", run == 0 ? "" : ",", comparison.backends[run], OutcomeWord(compared.results[run]));
    }
    text += '\n';
  }
  if (comparison.differing.size() > kShown) {
    text += fmt::format("     ... and {} more\n", comparison.differing.size() - kShown);
  }
  return text;
}

}  // namespace conformance
