// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a report in the Common Test Report Format (https://ctrf.io), JSON that tools of CI systems read. A test is one
// case. JsonText() replaces bytes that are not UTF-8, which the messages of a backend may contain.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/json_text.h"
#include "conformance/report/report_formats.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

using nlohmann::ordered_json;

std::int64_t Milliseconds(double seconds) { return std::llround(std::max(0.0, seconds) * 1000); }

std::string_view CtrfStatus(const CaseResult& result) {
  if (IsRight(result.verdict.status)) return "passed";
  return result.verdict.IsNewFailure() ? "failed" : "skipped";
}

ordered_json TestOf(const RunRecord& run, const CaseResult& result) {
  ordered_json test = {{"name", fmt::format("{}/{}", result.origin.suite, result.origin.name)},
                       {"status", CtrfStatus(result)},
                       {"duration", Milliseconds(result.seconds.total)},
                       {"suite", {run.backend, result.origin.suite}},
                       {"rawStatus", StatusName(result.verdict.status)}};
  if (!result.verdict.message.empty()) {
    test["message"] =
        result.verdict.IsKnownFailure()
            ? fmt::format("expected to fail: {} ({})", result.verdict.known_failure, result.verdict.message)
            : result.verdict.message;
  }
  ordered_json extra = {{"case", result.judged.line}, {"dialect", result.judged.dialect}};
  if (result.verdict.status == Status::kFail) {
    test["trace"] =
        fmt::format("clauses {}\nreplay: {}\nexplain: deconv-cts explain {}", fmt::join(result.judged.clauses, ", "),
                    ReplayCommand(run.backend, result), result.judged.line);
    extra["failure"] = FailureClassNameOf(result.verdict.failure);
  }
  test["extra"] = std::move(extra);
  return test;
}

}  // namespace

std::string CtrfReport(std::span<const RunSummary> runs, const RunDescription& description) {
  ordered_json tests = ordered_json::array();
  std::size_t passed = 0, failed = 0;
  double seconds = 0;
  for (const RunSummary& summary : runs) {
    seconds += summary.run->seconds;
    for (const CaseResult& result : summary.run->results) {
      tests.push_back(TestOf(*summary.run, result));
      passed += CtrfStatus(result) == "passed" ? 1 : 0;
      failed += CtrfStatus(result) == "failed" ? 1 : 0;
    }
  }
  const std::int64_t stop =
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()).time_since_epoch().count();
  const ordered_json counts = {{"tests", tests.size()},
                               {"passed", passed},
                               {"failed", failed},
                               {"pending", 0},
                               {"skipped", tests.size() - passed - failed},
                               {"other", 0},
                               {"start", stop - Milliseconds(seconds)},
                               {"stop", stop}};
  const ordered_json report = {
      {"reportFormat", "CTRF"},
      {"specVersion", "0.1.0"},
      {"generatedBy", "deconv-cts"},
      {"results",
       {{"tool", {{"name", "deconv-cts"}, {"version", description.suite_version}}},
        {"summary", counts},
        {"tests", std::move(tests)},
        {"extra", {{"headline", Headline(runs)}, {"level", description.level}, {"exitCode", description.exit_code}}}}}};
  return JsonText(report) + "\n";
}

}  // namespace conformance
