// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes as sentences what a diagnosis found about a group of failures: title, condition, hypotheses (planted faults
// that give the same answers) and details of the cause.

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/find_causes.h"
#include "conformance/interface/unsupported.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

// If more planted faults than this reproduce the failures, the cause names none of them.
constexpr std::size_t kMostEqual = 12;

/// "wrong value, gap not zero": the two most frequent classes of the failures.
std::string ClassesOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures) {
  std::map<FailureClass, std::size_t> counts;
  for (const std::size_t i : failures) ++counts[results[i].verdict.failure];
  std::vector<std::pair<std::size_t, FailureClass>> most;
  for (const auto& [failure, count] : counts) most.emplace_back(count, failure);
  std::ranges::sort(most, std::greater());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, most.size()); ++i) {
    std::string name(FailureClassNameOf(most[i].second));
    std::ranges::replace(name, '-', ' ');
    text += (text.empty() ? "" : ", ") + name;
  }
  return most.size() > 2 ? text + " and others" : text;
}

std::string NameAndClass(const faults::Fault& fault) {
  return fmt::format("{}, class {}: {}", fault.name, fault.mutant_class, ClassTitle(fault.mutant_class));
}

std::string TestedText(const NewCases& tested) {
  return fmt::format("tested on {} new cases: {} of {} fail, {} of {} others", tested.total(), tested.inside_failed,
                     tested.inside, tested.outside_failed, tested.outside);
}

class Words {
 public:
  Words(std::span<const CaseResult> results, const CauseGroup& group) : results_(results), group_(group) {}

  Cause Tell() {
    if (std::ranges::all_of(group_.failures, [&](std::size_t i) { return IsInvalid(results_[i]); })) {
      TellInvalid();
    } else if (group_.vanished) {
      TellVanished();
    } else {
      cause_.title = What() + Where();
      if (group_.common) cause_.title += fmt::format("; all have {} in common", group_.common->text);
      TellHypotheses();
      TellTests();
    }
    cause_.kind = group_.signature.kind;
    cause_.failures = group_.failures;
    cause_.presumed = group_.presumed;
    cause_.smallest = group_.smallest;
    cause_.vanished = group_.vanished;
    return std::move(cause_);
  }

 private:
  void TellVanished() {
    cause_.title = What() + ", but not each time";
    cause_.details.push_back(
        group_.after.empty()
            ? "it depends on earlier cases or on chance: run again it passed"
            : fmt::format("run again the smallest failing case passed; it failed after {} ran in the same process",
                          group_.after));
  }

  std::string What() const {
    if (group_.signature.kind == CauseKind::kRefusal) {
      return group_.signature.failure == FailureClass::kError ? "reports errors for valid operators"
                                                              : "refuses valid operators";
    }
    if (!group_.signature.law.empty() && group_.signature.failure == FailureClass::kBrokenLaw) {
      return fmt::format("law {} is broken", group_.signature.law);
    }
    std::string text = ClassesOf(results_, group_.failures);
    if (AllDieBySigfpe(results_, group_.failures)) text += " by SIGFPE";
    if (!group_.implementation.empty()) return text + " in implementation " + group_.implementation;
    if (group_.explanation && group_.explanation->implementations.size() == 1)
      text += " in implementation " + *group_.explanation->implementations.begin();
    if (group_.explanation && group_.explanation->implementations.size() > 1)
      text += fmt::format(" in implementations {}", fmt::join(group_.explanation->implementations, ", "));
    return text;
  }

  std::string Where() {
    if (!group_.limit.empty()) {
      const auto* word = std::ranges::find(kUnsupportedNames, group_.limit, &UnsupportedName::name);
      const bool declined = group_.signature.kind == CauseKind::kRefusal;
      cause_.condition = word->phrase;
      return fmt::format(" with {}: {}declare unsupported \"{}\"", word->phrase,
                         declined ? "" : "if the backend does not support it, ", group_.limit);
    }
    if (group_.condition) {
      cause_.condition = group_.condition->text;
      cause_.wrong_outputs = group_.condition->wrong_outputs;
      // The text of a condition without statements ("every operator fails") is a sentence of its own.
      return (group_.condition->text == Conjunction().Text() ? ": " : " where ") + group_.condition->text;
    }
    if (group_.without_data) return "; all have data without elements";
    if (group_.types) {
      if (group_.types->is_only) {
        return (group_.types->of_run.outside_failed == 0 ? ", only where type == " : ", all of type ") +
               group_.types->names;
      }
      cause_.condition = "type == " + group_.types->names;
      return " where " + cause_.condition;
    }
    if (group_.excuse) {
      std::string words;
      for (const std::string& word : group_.excuse->words) words += (words.empty() ? "" : "; ") + word;
      return fmt::format(": fits {}; if the backend is meant to compute so, declare {}", group_.excuse->meaning, words);
    }
    if (group_.explanation && group_.explanation->hypotheses.size() <= kMostEqual) {
      return fmt::format(": the backend answers like one that {}", group_.explanation->hypotheses.front()->sentence);
    }
    const std::string run = OnlyIn();
    return run.empty() ? "" : ", only in " + run;
  }

  /// The run in which nearly all failures are, if the other run of the same operator was right; or empty.
  std::string OnlyIn() const {
    const std::string& run = results_[group_.smallest].verdict.facts.only_in;
    const auto same =
        std::ranges::count_if(group_.failures, [&](std::size_t i) { return results_[i].verdict.facts.only_in == run; });
    return 10 * static_cast<std::size_t>(same) >= 9 * group_.failures.size() ? run : "";
  }

  void TellHypotheses() {
    if (!group_.explanation) return;
    const Explanation& explanation = *group_.explanation;
    if (explanation.hypotheses.size() > kMostEqual) {
      cause_.details.push_back(fmt::format("{} planted faults give the same answers; more cases would tell them apart",
                                           explanation.hypotheses.size()));
      return;
    }
    for (const faults::Fault* fault : explanation.hypotheses) cause_.hypotheses.emplace_back(fault->name);
    const faults::Fault& first = *explanation.hypotheses.front();
    const bool told = cause_.title.find(first.sentence) != std::string::npos;
    // A fault that reproduces the smaller part of the failures may be only a part of the defect.
    const std::size_t reproduced = explanation.failures.size();
    const std::string part = group_.joined > reproduced ? fmt::format("on {} of the failures ", reproduced) : "";
    cause_.details.push_back(
        told ? fmt::format("planted fault {}", NameAndClass(first))
             : fmt::format("{}the backend answers like one that {} ({})", part, first.sentence, NameAndClass(first)));
    for (std::size_t i = 1; i < explanation.hypotheses.size(); ++i) {
      cause_.details.push_back(
          fmt::format("or like one that {} ({}): the answers are the same on all {} compared cases",
                      explanation.hypotheses[i]->sentence, explanation.hypotheses[i]->name, explanation.compared));
    }
    if (!first.link.empty()) cause_.details.push_back(fmt::format("a known bug of this kind: {}", first.link));
  }

  void TellTests() {
    if (group_.condition && !group_.condition->wrong_outputs.empty())
      cause_.details.push_back(group_.condition->wrong_outputs);
    std::ranges::copy(group_.excused, std::back_inserter(cause_.details));
    if (!group_.limit.empty()) {
      cause_.details.push_back(fmt::format("none of the {} cases that the backend computes has that", group_.computed));
    } else if (group_.condition) {
      cause_.details.push_back(TestedText(group_.condition->tested));
      for (const std::string& exception : group_.condition->exceptions)
        cause_.details.push_back(fmt::format("the condition is true of {}, which passes", exception));
    } else if (group_.types && !group_.without_data) {
      TellTypes(group_.types->of_run);
    } else if (group_.explanation && group_.explanation->tested.total() > 0) {
      cause_.details.push_back(TestedText(group_.explanation->tested));
    } else if (group_.common) {
      cause_.details.push_back(TestedText(group_.common->tested));
    }
    if (!group_.small_line.empty()) {
      cause_.details.push_back(fmt::format("a small operator with these attributes fails too: {}", group_.small_line));
    } else if (!group_.condition && !group_.without_data && !(group_.types && !group_.types->is_only) &&
               !group_.common && !group_.explanation && group_.limit.empty() && !group_.not_looked.empty()) {
      cause_.details.push_back("no condition was found: " + group_.not_looked);
    }
    if (!group_.nearest.empty()) cause_.details.push_back(group_.nearest);
    for (const std::size_t i : group_.other_words) {
      cause_.details.push_back(fmt::format("in other words it refuses {}", results_[i].judged.line));
    }
    TellImplementation();
    const auto& related = results_[group_.smallest].verdict.facts.related;
    if (related != nullptr) {
      // Two outputs that break a law do not tell which of their operators is wrong.
      const bool disagree = results_[group_.smallest].verdict.failure == FailureClass::kBrokenLaw;
      cause_.details.push_back(
          fmt::format("{}; the related operator of the smallest failure is {}",
                      disagree ? "the operator or its related operator is wrong" : "the operator alone is right",
                      ToLine(*related)));
    }
  }

  /// Names the implementation that ran all failures, if the backend names several.
  void TellImplementation() {
    const std::string& name = results_[group_.smallest].answer.implementation;
    const bool is_only =
        std::ranges::all_of(group_.failures, [&](std::size_t i) { return results_[i].answer.implementation == name; });
    if (name.empty() || !is_only) return;
    std::size_t right = 0, of_it = 0;
    for (const CaseResult& result : results_) {
      if (!IsRight(result.verdict.status) || result.answer.implementation.empty()) continue;
      ++right;
      of_it += result.answer.implementation == name ? 1 : 0;
    }
    if (of_it == right) return;
    cause_.details.push_back(
        fmt::format("implementation {} ran all of them, and {} of the {} right cases", name, of_it, right));
  }

  void TellTypes(const NewCases& of_run) {
    std::string text = fmt::format("of the cases that the run computed, {} of {} of {} fail so", of_run.inside_failed,
                                   of_run.inside, IsOneType() ? "this type" : "these types");
    if (!group_.types->shares.empty()) text += fmt::format(" ({})", group_.types->shares);
    text += group_.types->is_only ? fmt::format(", and {} of other types are right", of_run.outside)
                                  : fmt::format(", {} of {} others", of_run.outside_failed, of_run.outside);
    if (group_.types->is_only && of_run.outside_failed != 0) {
      text += fmt::format("; {} of other types fail{} so in other causes", of_run.outside_failed,
                          of_run.outside_failed == 1 ? "s" : "");
    }
    cause_.details.push_back(std::move(text));
  }

  bool IsOneType() const { return group_.types->names.find(' ') == std::string::npos; }

  static bool IsInvalid(const CaseResult& result) { return !SignatureOf(result).clause.empty(); }

  std::string WhatOfInvalid() const {
    switch (group_.signature.kind) {
      case CauseKind::kAcceptedInvalid:
        return "accepts";
      case CauseKind::kDeath:
        return group_.signature.failure == FailureClass::kHang ? "hangs on" : "its process dies on";
      case CauseKind::kRefusal:
        return "reports errors for, instead of refusing,";
      default:
        return ClassesOf(results_, group_.failures) + " on";
    }
  }

  /// "accepts 48 of 512 invalid operators: A1 30, A4 12, S10 6", and the smallest case of each clause.
  void TellInvalid() {
    std::map<std::string, std::vector<std::size_t>> by_clause;
    for (const std::size_t i : group_.failures) {
      by_clause[results_[i].judged.clauses.empty() ? "" : results_[i].judged.clauses.front()].push_back(i);
    }
    std::vector<std::pair<std::string, std::vector<std::size_t>>> clauses(by_clause.begin(), by_clause.end());
    std::ranges::sort(clauses, {}, [](const auto& entry) {
      return std::pair(-static_cast<std::int64_t>(entry.second.size()), entry.first);
    });
    const auto invalid = std::ranges::count_if(results_, [](const CaseResult& result) {
      if (IsRight(result.verdict.status)) return result.answer.refused;
      return result.verdict.status == Status::kFail && IsInvalid(result);
    });
    cause_.title = fmt::format("{} {} of {} invalid operators{}:", WhatOfInvalid(), group_.failures.size(), invalid,
                               group_.vanished ? ", but not each time" : "");
    for (std::size_t c = 0; c < clauses.size(); ++c) {
      const auto& [id, failures] = clauses[c];
      cause_.title += fmt::format("{} {} {}", c == 0 ? "" : ",", id.empty() ? "other" : id, failures.size());
      const oracle::Clause* clause = oracle::FindClause(id);
      cause_.details.push_back(fmt::format("{}{}: {}", id.empty() ? "other" : id,
                                           clause == nullptr ? "" : fmt::format(" ({})", clause->title),
                                           results_[SmallestOf(results_, failures)].judged.line));
    }
    TellHypotheses();
  }

  std::span<const CaseResult> results_;
  const CauseGroup& group_;
  Cause cause_;
};

}  // namespace

std::vector<Cause> CausesOf(std::span<const CaseResult> results, const std::vector<CauseGroup>& groups) {
  std::vector<Cause> causes;
  for (const CauseGroup& group : groups) {
    Cause& cause = causes.emplace_back(Words(results, group).Tell());
    for (std::size_t& failure : cause.failures) failure = results[failure].origin.case_index;
    std::ranges::sort(cause.failures);
    cause.smallest = results[cause.smallest].origin.case_index;
  }
  return causes;
}

}  // namespace conformance
