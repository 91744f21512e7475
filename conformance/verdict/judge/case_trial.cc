// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a backend on one case, and turns its answer, or the lack of an answer, into a verdict. This is a trial. A trial
// also records which reading of the specification (dialect) the answer fits, and how the backend chose at open points,
// where it may refuse or compute.

#include "conformance/verdict/judge/case_trial.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/excusing_word.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/no_answer.h"
#include "conformance/verdict/open_choice.h"
#include "conformance/verdict/picture.h"
#include "oracle/open_point.h"

namespace conformance {
namespace {

using std::chrono::steady_clock;

/// Whether an open point concerns the attributes alone. (At an open point the specification lets the backend refuse or
/// compute the operator.) Resolved geometry does not show such a point, so a backend that gets it makes no choice
/// there. The points are absent attributes (A6, A7, A13), spellings (A9, A10), ignored values (A15), attributes that
/// contradict a dst_shape (P10, P11), the type of dst_shape (T6), and an auto_pad without an output shape (P23). One
/// more point is of clause S11, whose other point is about a size of the output.
bool IsOfAttributesAlone(const OpenChoice& choice) {
  constexpr auto kClauses =
      std::to_array<std::string_view>({"A6", "A7", "A9", "A10", "A13", "A15", "P10", "P11", "P23", "T6"});
  constexpr oracle::CitedOpenPoint kOverruledSize = "a size of 0 in a dst_shape attribute that the input overrules";
  if (choice.point == kOverruledSize.name().phrase) return true;
  return std::ranges::find(kClauses, choice.clause) != kClauses.end();
}

/// Extends the case's needed tolerance by that of one more run, because the outputs of two runs may differ.
void NoteNeeded(const std::optional<NeededTolerance>& needed, CaseResult& result) {
  if (!needed || needed->outputs == 0) return;
  if (!result.outputs.needed) {
    result.outputs.needed = needed;
    return;
  }
  const NeededTolerance first = *result.outputs.needed;
  result.outputs.needed->Include(*needed);
  result.outputs.needed->outputs = std::max(first.outputs, needed->outputs);
  result.outputs.needed->cancelling = std::max(first.cancelling, needed->cancelling);
}

}  // namespace

std::string_view ValueClauseOf(FailureClass failure, oracle::ElementType type) {
  if (failure == FailureClass::kGapNotZero) return "V3";
  if (failure == FailureClass::kWrongNan) return "V5";
  if (failure == FailureClass::kStructuralNan) return "V2";
  return oracle::IsInteger(type) ? "V7" : "V1";
}

std::string TextOfWrong(const Comparison& comparison, Expected& expected, std::span<const std::byte> output,
                        const Capabilities& declared, VerdictFacts& facts) {
  facts.excusing_word = FindExcusingWord(expected, output, declared);
  if (!facts.excusing_word) return comparison.Text();
  return fmt::format("{}; fits {}: {}", comparison.Text(), facts.excusing_word->meaning, facts.excusing_word->word);
}

bool NoteComparison(const Comparison& comparison, CaseResult& result) {
  result.outputs.count = comparison.count;
  result.outputs.wrong = comparison.wrong;
  result.outputs.largest_error = comparison.largest_error;
  result.outputs.worst_ratio = std::max(result.outputs.worst_ratio, comparison.worst_ratio);
  NoteNeeded(comparison.needed, result);
  result.outputs.excused = std::max(result.outputs.excused, comparison.excused);
  result.outputs.negative_zero_gaps = std::max(result.outputs.negative_zero_gaps, comparison.negative_zero_gaps);
  result.outputs.first_wrong = comparison.first_wrong;
  if (!comparison.ok()) return false;
  // A vacuous case could not have failed, so it proves nothing, and its errors do not matter. So this status is tested
  // before `imprecise`.
  if (!comparison.vacuous.empty()) {
    result.verdict.status = Status::kVacuous;
    result.verdict.message = fmt::format("{} written to every output would have passed", comparison.vacuous);
  } else if (comparison.imprecise != 0 && result.verdict.status != Status::kVacuous) {
    result.outputs.first_imprecise = comparison.first_imprecise;
    result.outputs.imprecise = comparison.imprecise;
    result.verdict.status = Status::kImprecise;
    result.verdict.message = comparison.ImpreciseText();
  } else if (result.verdict.status == Status::kNotJudged) {
    result.verdict.status = Status::kPass;  // a warning of an earlier run stays
  }
  return true;
}

CaseTrial::CaseTrial(const SuiteCase& suite_case, oracle::Dialect dialect, Setting setting, CaseResult& result)
    : suite_case_(suite_case),
      dialect_(dialect),
      setting_(setting),
      resolution_(setting.setup.Resolve(suite_case.test_case.op, dialect)),
      result_(result),
      threads_(ThreadsOf(setting.worker.capabilities(), result.judged.line)) {}

void CaseTrial::FindDialects() {
  std::vector<DialectGroup> groups = AgreeingDialects(suite_case_.test_case.op);
  const bool judged_is_in_one = std::ranges::any_of(groups, [this](const DialectGroup& group) {
    return std::ranges::find(group.dialects, dialect_) != group.dialects.end();
  });
  if (judged_is_in_one && Decides(groups)) groups_ = std::move(groups);
}

bool CaseTrial::Fail(FailureClass failure, std::string message) {
  result_.verdict.status = Status::kFail;
  result_.verdict.failure = failure;
  result_.verdict.message = std::move(message);
  return false;
}

/// Stores which dialects the first answer fits, right or wrong.
void CaseTrial::Observe(const RunAnswer& answer) {
  // Without an output, an answer does not tell how the backend reads the attributes.
  if (groups_.empty() || (answer.answer != DECONV_ANSWER_COMPUTED && answer.answer != DECONV_ANSWER_OTHER_SHAPE))
    return;
  Arena& arena = setting_.setup.arena();
  Observation seen{.answer = answer, .asked_dims = {}, .data = {}, .filter = {}, .output = {}};
  if (resolution_.ok()) {
    seen.asked_dims = result_.judged.output_dims;
    seen.data = arena.buffer(kDataBuffer);
    seen.filter = arena.buffer(kFilterBuffer);
    seen.output = arena.buffer(kOutputBuffer);
  }
  const auto start = steady_clock::now();
  result_.answer.fits = FittingDialects(groups_, seen, declared());
  result_.seconds.oracle += SecondsSince(start);
  groups_.clear();
}

/// Sets the verdict after supports() answered no. Always returns false, so that a caller can return the call.
bool CaseTrial::NotSupported(const RunAnswer& answer) {
  if (was_run_) {
    return Fail(FailureClass::kNondeterministic,
                "supports() changed its mind: yes before an earlier run of the case, and now no: " + answer.message);
  }
  result_.verdict.status = Status::kUnsupported;
  result_.verdict.message = answer.message;
  return false;
}

/// Records the backend's choice to refuse or to compute an operator that the dialect leaves open or undefined.
void CaseTrial::NoteChoice(const RunAnswer& answer) {
  declined_ = !resolution_.open.empty() && IsRefusal(answer);
  // An undefined operator may end in an error, which is no choice.
  if (resolution_.open.empty() || answer.answer == DECONV_ANSWER_ERROR) return;
  result_.answer.choices = ChoicesShown(resolution_.open, !declined_);
  if (setting_.worker.capabilities().takes_resolved) {
    std::erase_if(result_.answer.choices, IsOfAttributesAlone);
  }
  const std::string points = OpenPointsText(resolution_.open);
  if (declined_) {
    result_.verdict.message = fmt::format("refused, which is open by {}: {}", points, answer.message);
  } else if (result_.verdict.message.empty()) {  // else the first run had more to say
    result_.verdict.message = fmt::format("computed, which is open by {}", points);
  }
}

bool CaseTrial::RunOnce(Placement placement, int threads, int calls) {
  const bool valid = resolution_.ok();
  const bool against_end = placement == Placement::kAgainstEnd;
  const auto limit = setting_.limits.TimeFor(valid ? WorkOf(geometry()) * calls : 0);
  // In the first run of a valid operator the inputs are writable, and their hash shows whether the backend changed
  // them. In all other runs they are read-only, so that a backend which changes and restores them crashes.
  const Inputs inputs = valid && against_end ? Inputs::kWritable : Inputs::kReadOnly;
  const auto start = steady_clock::now();
  const WorkerOutcome outcome =
      setting_.worker.Run(result_.judged.line, dialect_, limit,
                          {.threads = threads, .has_output = valid, .inputs = inputs, .calls = calls});
  result_.seconds.backend += SecondsSince(start);
  held_ = outcome.held;
  if (setting_.limits.on_run) {
    const std::byte poison = against_end ? kFirstPoison : kSecondPoison;
    setting_.limits.on_run({poison, outcome, valid ? output() : std::span<std::byte>()});
  }
  if (auto failure = FailureOfNoAnswer(outcome)) {
    // Name the guard page only after a bad access. An abort or an exit has nothing to do with it.
    if (outcome.bad_access && setting_.worker.RunsInWorker()) {
      failure->message.insert(
          0, fmt::format("with an inaccessible page directly {} each buffer: ", against_end ? "after" : "before"));
    }
    return Fail(*std::move(failure));
  }
  const RunAnswer& answer = outcome.answer;
  if (answer.answer == kNotSupported) return NotSupported(answer);
  was_run_ = true;
  Observe(answer);
  result_.answer.implementation = answer.implementation;
  if (auto failure = FailureOfAnswer(answer, result_.judged.dialect, resolution_)) return Fail(*std::move(failure));
  if (const std::string broken = setting_.setup.arena().BrokenCanary(); !broken.empty()) {
    return Fail(FailureClass::kOutOfBounds, "the backend wrote " + broken);
  }
  if (!setting_.setup.InputsAreUntouched()) {
    return Fail(FailureClass::kModifiedInput, "the backend changed data or filter, which it may only read");
  }
  NoteChoice(answer);
  if (resolution_.required_answer() == oracle::RequiredAnswer::kRefused) {
    result_.verdict.message = fmt::format("refused, as required: {}", answer.message);
    result_.verdict.facts.said = answer.message;
  }
  return true;
}

bool CaseTrial::JudgeOutputs() {
  WrongGridMaker grid(geometry());
  const auto start = steady_clock::now();
  const Comparison comparison = Compare(setting_.setup.expected(), output(), declared(), setting_.limits.interrupt,
                                        [&grid](std::int64_t flat) { grid.Observe(flat); });
  result_.seconds.oracle += SecondsSince(start);
  first_wrong_index_ = comparison.first_wrong_index;
  result_.outputs.wrong_grid = grid.Build();
  return NoteComparison(comparison, result_) || FailOnWrongOutput(comparison);
}

/// Sets the failure after a comparison found a wrong output, and returns false. Wrong sums of the data set `swamping`
/// may show that the backend keeps its sums in fewer bits than it declares.
bool CaseTrial::FailOnWrongOutput(const Comparison& comparison) {
  const oracle::ElementType type = geometry().type;
  result_.judged.clauses.emplace_back(ValueClauseOf(comparison.failure, type));
  Expected& expected = setting_.setup.expected();
  const std::string text = TextOfWrong(comparison, expected, output(), declared(), result_.verdict.facts);
  if (comparison.failure == FailureClass::kWrongValue && oracle::IsFloat(type) && !declared().fast_algorithm &&
      suite_case_.test_case.values == DataSet::kSwamping) {
    if (const auto narrower = NarrowerAccumulator(expected, output(), declared())) {
      return Fail(
          FailureClass::kAccumulator,
          fmt::format("the backend declares sums in {}, but the outputs fit sums in {}: {}",
                      oracle::ElementTypeName(AccumulatorOf(declared(), type)), ElementTypeName(*narrower), text));
    }
  }
  return Fail(comparison.failure, text);
}

}  // namespace conformance
