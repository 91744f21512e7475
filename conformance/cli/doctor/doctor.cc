// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Examines an adapter (the code that connects a library to the suite) in steps. Each step is a function that judges a
// few cases and reports one line with advice.

#include "conformance/cli/doctor/doctor.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/process_interface.h"
#include "conformance/cli/doctor/advice.h"
#include "conformance/cli/doctor/arithmetic_cases.h"
#include "conformance/cli/doctor/arithmetic_check.h"
#include "conformance/cli/doctor/checks.h"
#include "conformance/cli/doctor/declaration_words.h"
#include "conformance/cli/doctor/declared_scope.h"
#include "conformance/cli/doctor/doctor_cases.h"
#include "conformance/cli/doctor/judged_cases.h"
#include "conformance/cli/doctor/tried_cases.h"
#include "conformance/interface/capabilities_json.h"
#include "conformance/verdict/judge/judge.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

using oracle::ElementType;
using Mark = ExaminedStep::Mark;

/// One examination. The functions CheckSuite() and so on are the steps, in the order of Examine().
class Doctor {
 public:
  Doctor(const std::string& backend, double base_seconds, const std::function<void(const ExaminedStep&)>& on_step)
      : backend_(backend), on_step_(on_step) {
    limits_.base_seconds = base_seconds;
    limits_.on_run = [this](const RunObservation& run) {
      const bool computed =
          run.outcome.end == WorkerOutcome::End::kAnswered && run.outcome.answer.answer == DECONV_ANSWER_COMPUTED;
      if (computed) outputs_.emplace_back(run.output.begin(), run.output.end());
    };
  }

  Examination Examine() {
    if (!CheckSuite()) {
      examination_.end = Examination::End::kOwnSideUnsound;
    } else if (OpenBackend()) {
      ReportDeclarations();
      TryPlainCases();
      TryAttributes();
      TryLimits();
      if (right_plain_case_) {  // if no plain case is right, these steps would only repeat its failure
        TryDilations();
        TryLargeTensors();
        TryArithmetic();
      }
      TryInvalidOperators();
      TrySmallBuffer();
      AskSupports();
      TryResolve();
      ReportPlans();
      TryRepeats();
      TryUndeclaredTypes();
    }
    return examination_;
  }

 private:
  const Capabilities& declared() const { return judge_->capabilities(); }
  bool is_process() const { return backend_.starts_with(kProcessPrefix); }

  void ReportStep(Mark mark, std::string step, std::string text, std::vector<std::string> advice = {}) {
    examination_.faults += mark == Mark::kFault ? 1 : 0;
    examination_.warnings += mark == Mark::kWarning ? 1 : 0;
    on_step_({mark, std::move(step), std::move(text), std::move(advice)});
  }

  bool CheckSuite() {
    const std::string error = SelfCheck(is_process(), limits_);
    if (!error.empty()) {
      ReportStep(Mark::kFault, "self-check", error,
                 {"this is no fault of the backend: the suite does not work on this machine; please report it"});
      return false;
    }
    ReportStep(Mark::kGood, "self-check",
               fmt::format("mutants through the same interface get the right verdicts: {}", CheckedMutants()));
    return true;
  }

  bool OpenBackend() {
    judge_.emplace(backend_, limits_);
    if (const auto error = judge_->Start()) {
      ReportStep(Mark::kFault, "opens", error->message,
                 {std::string(AdviceForFailedOpen(backend_, error->message, error->usage))});
      examination_.end = error->usage ? Examination::End::kUnknownName : Examination::End::kNotOpened;
      return false;
    }
    scope_.emplace(judge_->capabilities());
    tried_.emplace(judge_->capabilities());
    ReportStep(Mark::kGood, "opens", declared().NameAndVersion());
    return true;
  }

  void ReportDeclarations() {
    ReportStep(Mark::kGood, "declares", ScopeText(declared()));
    for (const TypeArithmetic& row : declared().arithmetic) {
      ReportStep(Mark::kGood, "declares",
                 fmt::format("sums of {}: {}", ElementTypeName(row.type), ArithmeticText(row.arithmetic)));
    }
    if (declared().takes_resolved) {
      ReportStep(Mark::kGood, "declares", "takes resolved geometry: resolution is the suite's and is not judged");
    }
    for (DeclarationWarning& warning : WarningsOf(declared())) {
      ReportStep(warning.may_be_meant ? Mark::kNotAsked : Mark::kWarning, "declares", std::move(warning.text),
                 {std::move(warning.advice)});
    }
  }

  /// Judges all cases and reports them as one step, with the first failure. `what` completes the sentence "8 ...", such
  /// as "cases are right". `names_rest`: the step names the cases that were not run. Returns all results.
  std::vector<CaseResult> JudgeAll(const std::string& step, const std::vector<SuiteCase>& cases,
                                   const std::string& what, bool names_rest = false) {
    JudgedCases judged;
    for (const SuiteCase& suite_case : cases) judged.Add(suite_case, JudgeOne(suite_case));
    ReportJudged(step, judged, what, names_rest);
    return judged.results();
  }

  CaseResult JudgeOne(const SuiteCase& suite_case) {
    outputs_.clear();
    CaseResult result = judge_->JudgeCase(suite_case);
    examination_.judged += result.IsComputed() ? 1 : 0;
    if (result.IsComputed()) tried_->AddRight(suite_case);
    return result;
  }

  void ReportJudged(const std::string& step, const JudgedCases& judged, std::string_view what,
                    bool names_rest = false) {
    std::string text = judged.Text(what, names_rest);
    if (judged.failures().empty()) {
      return ReportStep(judged.right() == 0 ? Mark::kNotAsked : Mark::kGood, step, std::move(text));
    }
    std::vector<std::string> advice = AdviceOn(judged, *tried_, backend_, declared().takes_resolved);
    AddCommands(judged, advice);
    ReportStep(Mark::kFault, step, std::move(text), std::move(advice));
  }

  /// Adds the commands that show the first failure again, and the names of the other failing cases.
  void AddCommands(const JudgedCases& judged, std::vector<std::string>& advice) const {
    const CaseResult& first = judged.first_failure();
    advice.push_back("replay: " + ReplayCommand(backend_, first));
    advice.push_back(fmt::format("explain: deconv-cts explain {}", first.judged.line));
    if (first.answer.fits && !first.answer.fits->empty()) {
      advice.push_back(fmt::format("the answer fits the dialect {}", fmt::join(*first.answer.fits, ", ")));
    }
    if (std::string others = judged.OtherFailures(); !others.empty()) advice.push_back(std::move(others));
  }

  void TryPlainCases() {
    const std::vector<SuiteCase> cases = scope_->PlainCases();
    if (cases.empty()) {
      ReportStep(Mark::kFault, "first cases", "the suite can judge nothing of what is declared",
                 {"declare an operator, a dialect and a type that define it, and a rank from 3 to 10"});
      return;
    }
    const auto results =
        JudgeAll("first cases", cases, "plain cases are right: every declared operator, rank and type");
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!right_plain_case_ && results[i].IsComputed()) right_plain_case_ = cases[i];
      if (results[i].verdict.status == Status::kFail) wrong_operators_.push_back(cases[i].test_case.op);
    }
  }

  void TryAttributes() {
    JudgeAll("attributes", scope_->CasesOfEachKind(VariedCases),
             "cases are right: pads, dilations, output_padding, auto_pad, channels");
  }

  /// Tries limits that many libraries have and that adapters forget to declare.
  void TryLimits() {
    const std::vector<SuiteCase> cases = scope_->CasesOfEachKind(LimitCases);
    JudgedCases judged;
    for (const SuiteCase& suite_case : cases) {
      if (scope_->IsDefined(suite_case)) {
        judged.Add(suite_case, JudgeOne(suite_case));
      } else {
        judged.AddUndefined(suite_case);
      }
    }
    ReportJudged("limits", judged, "cases are right: negative pads, layouts, an empty tensor, numbers above 2^32",
                 true);
  }

  /// Some libraries have dilations, or more than two spatial axes, in some types alone.
  void TryDilations() {
    std::vector<SuiteCase> cases;
    for (const auto& [kind, rank, type] : scope_->KindRankTypes(wrong_operators_))
      cases.push_back(DilatedCase(kind, rank, type));
    JudgeAll("dilations", cases, "cases are right: dilations on each rank and type");
  }

  void TryLargeTensors() {
    JudgeAll("large", scope_->CasesOfEachKind(LargeCases), "cases are right: tensors of 4 KB in each layout", true);
  }

  /// Proposes declarations of arithmetic that the adapter lacks, such as "sums in f16". Each proposal was tested on the
  /// outputs of the tried cases.
  void TryArithmetic() {
    std::vector<ArithmeticCase> cases;
    for (const auto& [kind, rank, type] : scope_->KindRankTypes(wrong_operators_)) {
      std::ranges::move(ArithmeticCases(kind, rank, type), std::back_inserter(cases));
    }
    ArithmeticCheck check(declared());
    std::vector<CaseResult> results;
    for (const ArithmeticCase& tried : cases) {
      const CaseResult& result = results.emplace_back(JudgeOne(tried.suite_case));
      const bool right = IsRight(result.verdict.status);
      if (right || result.outputs.first_wrong) check.Add(tried, right, std::move(outputs_));
      if (result.verdict.failure == FailureClass::kHang) break;  // hundreds of cases may hang
    }
    const Capabilities proposal = check.Proposal();
    const std::set<std::string> excused_names = check.Test(proposal).excused;
    JudgedCases excused;
    JudgedCases others;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const SuiteCase& suite_case = cases[i].suite_case;
      (excused_names.contains(suite_case.name) ? excused : others).Add(suite_case, std::move(results[i]));
    }
    const std::string step = "arithmetic";
    if (!excused.failures().empty()) {
      std::vector<std::string> advice = {
          "if the library computes so, declare these words, by which all of them are right:"};
      std::ranges::move(ArithmeticLines(declared(), proposal, StyleOf(backend_)), std::back_inserter(advice));
      AddCommands(excused, advice);
      ReportStep(Mark::kFault, step, excused.Text("", false), std::move(advice));
    }
    if (others.failures().empty()) {
      return ReportJudged(step, others, "cases are right: subnormals, sums, special values, roundings, overflow");
    }
    const CaseResult& first = others.first_failure();
    std::vector<std::string> advice = {"no declaration of arithmetic makes these right"};
    advice.emplace_back(AdviceFor(first.verdict.failure, backend_, first.verdict.message, declared().takes_resolved));
    AddCommands(others, advice);
    ReportStep(Mark::kFault, step, others.Text("", false), std::move(advice));
  }

  /// Names types that the backend computes correctly and that the adapter perhaps forgot to declare.
  void TryUndeclaredTypes() {
    std::vector<std::string_view> names;
    for (const ElementType type : ComputedButUndeclared(backend_, declared(), limits_.TimeFor(0))) {
      names.push_back(ElementTypeName(type));
    }
    if (names.empty()) return;
    ReportStep(Mark::kNotAsked, "types",
               fmt::format("{} computed rightly without being declared", fmt::join(names, ", ")),
               {"declare them, if the library means to have them: then they are judged"});
  }

  void TryInvalidOperators() {
    if (declared().takes_resolved) {
      ReportStep(Mark::kNotAsked, "refuses",
                 "the backend takes resolved geometry: the suite resolves, and refuses invalid operators itself");
      return;
    }
    const std::vector<SuiteCase> cases = scope_->CasesOfEachKind(InvalidCases);
    const auto results = JudgeAll("refuses", cases, "invalid operators are refused");
    const auto silent = std::ranges::count_if(
        results, [](const auto& one) { return one.answer.refused && one.verdict.facts.said == kNoReason; });
    if (silent != 0) {
      ReportStep(Mark::kWarning, "refuses",
                 silent == 1 ? "1 refusal has no message" : fmt::format("{} refusals have no message", silent),
                 {"name the wrong argument in the message; every report shows it"});
    }
  }

  /// A worker (process of the backend) for runs that the judge does not do, such as those with wrong buffer sizes.
  Worker& OwnWorker() {
    if (!worker_) worker_.emplace(backend_, arena_).LimitStart(std::max(Worker::kStartLimit, limits_.TimeFor(0)));
    return *worker_;
  }

  /// Runs a right case with an output buffer that is too small, as if the backend and the dialect had resolved the
  /// operator to different shapes.
  void TrySmallBuffer() {
    const std::string step = "sizes";
    if (declared().takes_resolved) return;  // the suite's geometry and buffers always agree
    if (!right_plain_case_) {
      ReportStep(Mark::kNotAsked, step, "no plain case is right, so none is tried with a smaller output buffer");
      return;
    }
    const std::string found = CheckSizes(OwnWorker(), arena_, declared(), *right_plain_case_, limits_.TimeFor(0));
    if (found.empty()) {
      ReportStep(Mark::kGood, step, "an output buffer of another size is answered with other-shape");
      return;
    }
    ReportStep(
        Mark::kWarning, step, fmt::format("asked to compute into a buffer that is one element too small: {}", found),
        {"compare output_bytes with the size of the output before writing, and answer other-shape with the dims; a "
         "wrong shape is then reported as such, not as a crash"});
  }

  /// Asks supports() twice about each of the first cases.
  void AskSupports() {
    if (!declared().answers_supports) {
      ReportStep(Mark::kNotAsked, "supports", "the backend does not offer the function supports, which is optional",
                 {"offer it, or declare 'unsupported', if the backend cannot do all that it declares"});
      return;
    }
    std::vector<SuiteCase> cases = scope_->PlainCases();
    std::ranges::move(scope_->CasesOfEachKind(VariedCases), std::back_inserter(cases));
    std::erase_if(cases, [this](const SuiteCase& suite_case) {
      const oracle::Operator& op = suite_case.test_case.op;
      const auto dialect = declared().JudgingDialect(op, suite_case.test_case.EffectiveDialect());
      return !dialect || !declared().UnsupportedReason(op, *dialect).empty() || !scope_->IsDefined(suite_case);
    });
    const SupportsCheck check = CheckSupports(OwnWorker(), declared(), cases, limits_.TimeFor(0));
    if (!check.fault.empty()) {
      ReportStep(Mark::kFault, "supports", check.fault,
                 {std::string(AdviceFor(FailureClass::kProtocol, backend_, check.fault))});
      return;
    }
    ReportStep(check.supported == 0 ? Mark::kWarning : Mark::kGood, "supports",
               fmt::format("{} of {} operators are supported; asked twice, the backend says the same", check.supported,
                           cases.size()));
  }

  void TryResolve() {
    if (declared().takes_resolved) return;
    if (!declared().resolves) {
      ReportStep(Mark::kNotAsked, "resolve", "the backend does not offer the function resolve, which is optional",
                 {"offer it, and the suite 'exhaustive' tries every small geometry without computing"});
      return;
    }
    JudgeAll("resolve", scope_->ResolveSweeps(), "sweeps of 200 geometries agree with the dialect, as run() did");
  }

  void ReportPlans() {
    if (!declared().plans) {
      if (!is_process())
        ReportStep(Mark::kNotAsked, "plans", "the backend does not offer plan and release, which are optional");
      return;
    }
    ReportStep(Mark::kGood, "plans", "offered; the second run of each case uses a plan that has run before");
  }

  void TryRepeats() {
    if (auto step = CheckRepeats(*judge_, scope_->CasesOfEachKind(LongSumCase), backend_)) {
      ReportStep(step->mark, std::move(step->name), std::move(step->text), std::move(step->advice));
    }
  }

  std::string backend_;
  const std::function<void(const ExaminedStep&)>& on_step_;
  JudgeLimits limits_;
  std::optional<Judge> judge_;
  std::optional<DeclaredScope> scope_;             ///< of judge_'s backend
  std::optional<TriedCases> tried_;                ///< cases tried on judge_'s backend
  std::vector<Bytes> outputs_;                     ///< outputs of the runs of the case that was judged last
  std::optional<SuiteCase> right_plain_case_;      ///< the first plain case that the backend computed rightly
  std::vector<oracle::Operator> wrong_operators_;  ///< operators of the plain cases that fail
  Arena arena_;
  std::optional<Worker> worker_;
  Examination examination_;
};

}  // namespace

Examination Examine(const std::string& backend, double base_seconds,
                    const std::function<void(const ExaminedStep&)>& on_step) {
  return Doctor(backend, base_seconds, on_step).Examine();
}

}  // namespace conformance
