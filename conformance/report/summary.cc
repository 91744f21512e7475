// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the verdict, counts and facts of a run that all reports share.

#include "conformance/report/summary.h"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/door/capabilities_json.h"
#include "conformance/report/support/support_map.h"

namespace conformance {
namespace {

bool WasExpected(const CaseResult& result) { return !result.expected.empty(); }

std::string Joined(const nlohmann::ordered_json& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words.get<std::vector<std::string>>(), ", "));
}

}  // namespace

std::size_t AnswersOf(const RunRecord& run) {
  const Tally tally = TallyOf(run);
  return run.replay ? tally.passed + tally.loose + tally.powerless : tally.computed;
}

Verdict VerdictOf(const RunRecord& run) {
  const Tally tally = TallyOf(run);
  // A single shard need not judge any case.
  const bool part = run.shard.count > 1 && run.unjudged == 0;
  if (part && run.results.empty()) return Verdict::kEmptyShard;
  if (tally.failed + AnswersOf(run) == 0) return part ? Verdict::kShardNotJudged : Verdict::kNotJudged;
  if (tally.failed != tally.expected || tally.skipped_after_hangs != 0) return Verdict::kFails;
  if (run.stale_expectations != 0) return Verdict::kStale;
  if (run.unjudged != 0) return Verdict::kInterrupted;
  return tally.expected != 0 ? Verdict::kMeetsExpectations : Verdict::kConforms;
}

std::string_view VerdictWords(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConforms:
      return "conforms";
    case Verdict::kMeetsExpectations:
      return "meets its expectations";
    case Verdict::kFails:
      return "does not conform";
    case Verdict::kNotJudged:
      return "was not judged";
    case Verdict::kEmptyShard:
      return "has no cases in this shard";
    case Verdict::kInterrupted:
      return "has not failed so far";
    case Verdict::kShardNotJudged:
      return "was not judged in this shard";
    case Verdict::kStale:
      return "has no unexpected failure, but its expectations are stale or expired";
  }
  return "";
}

std::string VerdictText(const RunRecord& run) {
  const Verdict verdict = VerdictOf(run);
  const SupportCount support = SupportedCasesOf(run.results, run.declared);
  if (!IsGood(verdict) || support.whole()) return std::string(VerdictWords(verdict));
  return fmt::format("{} on the {} of cases that it supports", VerdictWords(verdict), ShareText(support));
}

std::string CountsText(const RunRecord& run) {
  const Tally tally = TallyOf(run);
  std::string warned;
  if (tally.loose != 0) warned += fmt::format("{} loose, ", tally.loose);
  if (tally.powerless != 0) warned += fmt::format("{} powerless, ", tally.powerless);
  const std::string known = tally.expected == 0 ? "" : fmt::format(" ({} of them expected)", tally.expected);
  const std::string skipped =
      tally.skipped_after_hangs == 0 ? "" : fmt::format(" ({} of them because of hangs)", tally.skipped_after_hangs);
  const std::size_t unjudged = tally.undefined + tally.not_judged;
  return fmt::format(
      "{} passed, {}{} failed{}, {} not run{}{}", tally.passed, warned, tally.failed, known,
      tally.undeclared + tally.unsupported + tally.too_large + tally.inapplicable + tally.skipped_after_hangs, skipped,
      unjudged == 0 ? "" : fmt::format(", {} not judged", unjudged));
}

std::string JudgedText(const RunRecord& run) {
  const Tally tally = TallyOf(run);
  const std::size_t judged = tally.passed + tally.loose + tally.powerless + tally.failed - tally.suite_errors;
  return fmt::format("{} of the {} cases of the case list ({})", judged, run.case_list_size,
                     ShareText({.supported = judged, .total = run.case_list_size}));
}

std::vector<SuiteCounts> CountsBySuite(const RunRecord& run) {
  std::vector<SuiteCounts> suites;
  std::map<std::string_view, std::size_t> places;
  for (const CaseResult& result : run.results) {
    const auto [at, is_new] = places.try_emplace(result.suite, suites.size());
    if (is_new) suites.push_back({.suite = result.suite});
    SuiteCounts& counts = suites[at->second];
    counts.worst_ratio = std::max(counts.worst_ratio, result.worst_ratio);
    if (result.status == Status::kPass) {
      ++counts.passed;
    } else if (IsRight(result.status)) {
      ++counts.warned;
    } else if (result.status == Status::kFail) {
      ++counts.failed;
      counts.expected += WasExpected(result) ? 1 : 0;
    } else if (result.status != Status::kUndefined && result.status != Status::kNotJudged) {
      ++counts.not_run;
    }
  }
  return suites;
}

std::vector<std::pair<FailureClassName, std::size_t>> CountsByClass(const RunRecord& run) {
  std::map<FailureClass, std::size_t> failures;
  for (const CaseResult& result : run.results) {
    if (result.status == Status::kFail) ++failures[result.failure];
  }
  std::vector<std::pair<FailureClassName, std::size_t>> counts;
  for (const FailureClassName& entry : kFailureClasses) {
    if (failures.contains(entry.failure)) counts.emplace_back(entry, failures[entry.failure]);
  }
  return counts;
}

std::vector<ReasonWithoutVerdict> ReasonsWithoutVerdict(const RunRecord& run) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> counts;
  for (const CaseResult& result : run.results) {
    // An undefined operator was run: its answer is among the choices.
    if (IsRight(result.status) || result.status == Status::kFail || result.status == Status::kUndefined) continue;
    ++counts[{result.status == Status::kNotJudged ? "not judged" : "not run", result.message}];
  }
  std::vector<ReasonWithoutVerdict> reasons;
  reasons.reserve(counts.size());
  for (const auto& [words, cases] : counts) reasons.push_back({cases, words.first, words.second});
  std::ranges::sort(reasons, {}, [](const ReasonWithoutVerdict& one) {
    return std::tuple(~one.cases, one.word, one.reason);  // the most cases first
  });
  return reasons;
}

std::string SweepsText(const RunRecord& run) {
  std::int64_t judged = 0;
  std::int64_t skipped = 0;
  std::int64_t outputs = 0;
  for (const CaseResult& result : run.results) {
    judged += result.tuples;
    skipped += result.tuples_skipped;
    outputs += result.tuples != 0 ? result.outputs : 0;
  }
  if (judged == 0 && skipped == 0) return {};
  std::string text = fmt::format("{} operators, {} outputs", judged, outputs);
  if (skipped != 0) text += fmt::format("; {} operators skipped that the backend cannot do", skipped);
  return text;
}

std::vector<const CaseResult*> FailuresOf(const RunRecord& run) {
  std::vector<const CaseResult*> failures;
  for (const bool expected : {false, true}) {
    for (const CaseResult& result : run.results) {
      if (result.status == Status::kFail && WasExpected(result) == expected) failures.push_back(&result);
    }
  }
  return failures;
}

namespace {

/// What the declared deviation excuses: "structural NaN: 12 outputs of 3 cases excused".
std::string ExcusedText(const RunRecord& run) {
  std::int64_t outputs = 0;
  std::int64_t cases = 0;
  for (const CaseResult& result : run.results) {
    outputs += result.excused_outputs;
    cases += result.excused_outputs != 0 ? 1 : 0;
  }
  return fmt::format("structural NaN: {} outputs of {} cases excused", outputs, cases);
}

}  // namespace

std::vector<Fact> OwnArithmeticOf(const RunRecord& run) {
  std::vector<Fact> facts;
  for (const TypeArithmetic& row : run.declared.arithmetic) {
    facts.push_back({fmt::format("sums of {}", ElementTypeName(row.type)), ArithmeticText(row.arithmetic)});
  }
  if ((run.declared.known_deviations & DECONV_DEVIATION_STRUCTURAL_NAN) != 0) {
    facts.push_back({"known deviation", ExcusedText(run)});
  }
  return facts;
}

std::vector<Fact> FactsOf(const RunRecord& run, const RunDescription& description) {
  const nlohmann::ordered_json declared = CapabilitiesToJson(run.declared);
  const auto word = [&](const char* member) { return declared.at(member).get<std::string>(); };
  std::vector<Fact> facts = {
      {"backend", run.backend},
      {"calls itself", fmt::format("{} {}", run.declared.name, run.declared.version)},
      {"dialects", Joined(declared.at("dialects"))},
      {"operators", Joined(declared.at("operators"))},
      {"element types", Joined(declared.at("element_types"))},
      {"ranks", fmt::format("{} to {}", run.declared.min_rank, run.declared.max_rank)},
      {"sums", fmt::format("kept in {}, rounded {}, subnormals {}, overflow {}", word("accumulator"), word("rounding"),
                           word("subnormals"), word("overflow"))},
  };
  const std::vector<Fact> own = OwnArithmeticOf(run);
  facts.insert(facts.end(), own.begin(), own.end());
  if (run.declared.takes_resolved) facts.push_back({"resolution", std::string(kResolutionNotJudged)});
  const std::vector<Fact> others = {
      {"algorithm",
       run.declared.fast_algorithm ? "fast: judged by the norms of all products that are mixed" : "direct"},
      {"suite version", description.suite_version},
      {"level", description.level},
  };
  facts.insert(facts.end(), others.begin(), others.end());
  if (!description.suites.empty()) {
    facts.push_back({"suites", fmt::format("{}", fmt::join(description.suites, ", "))});
  }
  facts.push_back({"plan", fmt::format("{} cases, hash {}{}{}", run.case_list_size, run.case_list_hash,
                                       description.case_list.empty() ? "" : ", ", description.case_list)});
  facts.push_back({"judged", JudgedText(run)});
  facts.push_back({"seed", fmt::format("{}", description.seed)});
  if (run.shard.count > 1) facts.push_back({"shard", fmt::format("{} of {}", run.shard.index, run.shard.count)});
  if (run.unjudged != 0) facts.push_back({"not judged", fmt::format("{} cases: interrupted", run.unjudged)});
  facts.push_back({"time", fmt::format("{:.1f} s", run.seconds)});
  return facts;
}

}  // namespace conformance
