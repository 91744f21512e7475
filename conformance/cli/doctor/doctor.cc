// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of the examination, one function each. A step judges a few cases and reports one line with advice.

#include "conformance/cli/doctor/doctor.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/process_door.h"
#include "conformance/cli/doctor/advice.h"
#include "conformance/cli/doctor/declared_scope.h"
#include "conformance/cli/doctor/doctor_cases.h"
#include "conformance/cli/doctor/self_check.h"
#include "conformance/cli/doctor/sizes_check.h"
#include "conformance/cli/doctor/supports_check.h"
#include "conformance/cli/doctor/tried_cases.h"
#include "conformance/door/capabilities_json.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;
using Mark = ExaminedStep::Mark;

// Of the cases that fail besides the first one of their step, this many are named.
constexpr std::size_t kShown = 12;

class Doctor {
 public:
  Doctor(const std::string& backend, double base_seconds, const std::function<void(const ExaminedStep&)>& on_step)
      : backend_(backend), on_step_(on_step) {
    limits_.base_seconds = base_seconds;
  }

  Examination Examine() {
    if (!OwnSide()) {
      examination_.end = Examination::End::kOwnSideUnsound;
    } else if (Opens()) {
      Description();
      FirstCases();
      VariedAttributes();
      Limits();
      Refusals();
      Sizes();
      Supports();
      Resolves();
      Plans();
      Repeats();
    }
    return examination_;
  }

 private:
  const Capabilities& declared() const { return judge_->capabilities(); }
  bool is_process() const { return backend_.starts_with(kProcessPrefix); }

  void Tell(Mark mark, std::string step, std::string text, std::vector<std::string> advice = {}) {
    examination_.faults += mark == Mark::kFault ? 1 : 0;
    examination_.warnings += mark == Mark::kWarning ? 1 : 0;
    on_step_({mark, std::move(step), std::move(text), std::move(advice)});
  }

  bool OwnSide() {
    const std::string error = SelfCheck(is_process(), limits_);
    if (!error.empty()) {
      Tell(Mark::kFault, "self-check", error,
           {"this is no fault of the backend: the suite does not work on this machine; please report it"});
      return false;
    }
    Tell(Mark::kGood, "self-check",
         fmt::format("mutants through the same door get the right verdicts: {}", CheckedMutants()));
    return true;
  }

  bool Opens() {
    judge_.emplace(backend_, limits_);
    if (const auto error = judge_->Start()) {
      Tell(Mark::kFault, "opens", error->message,
           {std::string(AdviceForOpening(backend_, error->message, error->usage))});
      examination_.end = error->usage ? Examination::End::kUnknownName : Examination::End::kNotOpened;
      return false;
    }
    scope_.emplace(judge_->capabilities());
    tried_.emplace(judge_->capabilities());
    Tell(Mark::kGood, "opens", fmt::format("{} {}", declared().name, declared().version));
    return true;
  }

  void Description() {
    std::vector<std::string_view> dialects;
    for (const auto dialect : declared().dialects) dialects.push_back(DialectName(dialect));
    std::vector<std::string_view> kinds;
    for (const OperatorKind kind : scope_->Kinds()) kinds.push_back(OperatorKindName(kind));
    Tell(Mark::kGood, "declares",
         fmt::format("{}; types {}; ranks {} to {}; dialect {}", fmt::join(kinds, ", "), TypesText(declared()),
                     declared().min_rank, declared().max_rank, fmt::join(dialects, ", ")));
    for (const TypeArithmetic& row : declared().arithmetic) {
      Tell(Mark::kGood, "declares",
           fmt::format("sums of {}: {}", ElementTypeName(row.type), ArithmeticText(row.arithmetic)));
    }
    if (declared().takes_resolved) {
      Tell(Mark::kGood, "declares", "takes resolved geometry: resolution is the suite's and is not judged");
    }
    for (DeclarationWarning& warning : WarningsOf(declared())) {
      Tell(warning.may_be_meant ? Mark::kNotAsked : Mark::kWarning, "declares", std::move(warning.text),
           {std::move(warning.advice)});
    }
  }

  /// Whether the backend computed the outputs of a case, and all of them are right.
  static bool IsComputed(const CaseResult& result) {
    return IsRight(result.status) && !result.refused && result.outputs != 0;
  }

  /// Judges all cases and reports one step, with the first failure. Returns the result of each case.
  std::vector<CaseResult> JudgeAll(const std::string& step, const std::vector<SuiteCase>& cases,
                                   const std::string& what) {
    int right = 0;
    int undeclared = 0;
    int unsupported = 0;
    std::vector<CaseResult> results;
    std::vector<const SuiteCase*> failures;
    const CaseResult* first = nullptr;
    results.reserve(cases.size());
    for (const SuiteCase& suite_case : cases) {
      const CaseResult& result = results.emplace_back(judge_->JudgeCase(suite_case));
      if (result.status == Status::kFail) {
        first = failures.empty() ? &result : first;
        failures.push_back(&suite_case);
      } else if (IsRight(result.status)) {
        ++right;
        examination_.judged += IsComputed(result) ? 1 : 0;
        if (IsComputed(result)) tried_->AddRight(suite_case);
      } else {
        ++(result.status == Status::kUnsupported ? unsupported : undeclared);
      }
    }
    if (first == nullptr) {
      std::string left = undeclared == 0 ? "" : fmt::format("; {} lie outside the declared capabilities", undeclared);
      if (unsupported != 0) left += fmt::format("; {} are not supported, as the backend says", unsupported);
      Tell(right == 0 ? Mark::kNotAsked : Mark::kGood, step, fmt::format("{} {}{}", right, what, left));
    } else {
      Tell(Mark::kFault, step,
           fmt::format("{} of {} fail; {}: {}: {}", failures.size(), cases.size(), failures.front()->name,
                       FailureClassNameOf(first->failure), first->message),
           AdviceOn(*first, failures));
    }
    return results;
  }

  /// What to do about these failures. `result`: of the first one.
  std::vector<std::string> AdviceOn(const CaseResult& result, const std::vector<const SuiteCase*>& failures) const {
    std::vector<std::string> advice;
    const TriedCases::Limits limits = tried_->LimitsBehind(failures, StyleOf(backend_));
    if (!limits.words.empty()) {
      advice.push_back(fmt::format("if the library cannot do these, declare {}: then they are not run", limits.words));
    }
    if (!limits.explains_first || !MayBeALimit(result.failure)) {
      const bool is_limit = limits.explains_first && !limits.words.empty();
      advice.push_back(fmt::format("{}{}", is_limit ? "otherwise " : "",
                                   AdviceFor(result.failure, backend_, result.message, declared().takes_resolved)));
    }
    advice.push_back("replay: " + ReplayCommand(backend_, result));
    advice.push_back(fmt::format("explain: deconv-cts explain {}", result.line));
    if (!result.fits.empty()) {
      advice.push_back(fmt::format("the answer fits the dialect {}", fmt::join(result.fits, ", ")));
    }
    std::vector<std::string_view> others;
    for (std::size_t i = 1; i < std::min(failures.size(), kShown + 1); ++i) others.push_back(failures[i]->name);
    if (!others.empty()) {
      const std::size_t left = failures.size() - 1 - others.size();
      advice.push_back(fmt::format("these fail too: {}{}", fmt::join(others, "; "),
                                   left == 0 ? "" : fmt::format("; and {} more", left)));
    }
    return advice;
  }

  void FirstCases() {
    const std::vector<SuiteCase> cases = scope_->PlainCases();
    if (cases.empty()) {
      Tell(Mark::kFault, "first cases", "the suite can judge nothing of what is declared",
           {"declare an operator, a dialect and a type that define it, and a rank from 3 to 10"});
      return;
    }
    const auto results =
        JudgeAll("first cases", cases, "plain cases are right: every declared operator, rank and type");
    const auto computed = std::ranges::find_if(results, IsComputed);
    if (computed != results.end()) right_ = cases[static_cast<std::size_t>(computed - results.begin())];
  }

  void VariedAttributes() {
    JudgeAll("attributes", scope_->CasesOfEachKind(VariedCases),
             "cases are right: pads, dilations, output_padding, auto_pad, channels");
  }

  /// Tries limits that many libraries have and that adapters forget to declare.
  void Limits() {
    std::vector<SuiteCase> cases = scope_->CasesOfEachKind(LimitCases);
    std::erase_if(cases, [this](const SuiteCase& suite_case) { return !scope_->IsDefined(suite_case); });
    JudgeAll("limits", cases, "cases are right: negative pads, layouts, an empty tensor, numbers above 2^32");
  }

  void Refusals() {
    if (declared().takes_resolved) {
      Tell(Mark::kNotAsked, "refuses",
           "the backend takes resolved geometry: the suite resolves, and refuses invalid operators itself");
      return;
    }
    const std::vector<SuiteCase> cases = scope_->CasesOfEachKind(InvalidCases);
    const auto results = JudgeAll("refuses", cases, "invalid operators are refused");
    const auto silent = std::ranges::count_if(
        results, [](const CaseResult& result) { return result.refused && result.facts.said == kNoReason; });
    if (silent != 0) {
      Tell(Mark::kWarning, "refuses",
           silent == 1 ? "1 refusal has no message" : fmt::format("{} refusals have no message", silent),
           {"name the wrong argument in the message; every report shows it"});
    }
  }

  /// The doctor's own worker, whose buffers may have sizes that the judge never uses.
  Worker& OwnWorker() {
    if (!worker_) worker_.emplace(backend_, arena_);
    return *worker_;
  }

  /// An output buffer that is too small, as when the backend and the dialect resolve to different shapes.
  void Sizes() {
    const std::string step = "sizes";
    if (declared().takes_resolved) return;  // the suite's geometry and buffers always agree
    if (!right_) {
      Tell(Mark::kNotAsked, step, "no plain case is right, so none is tried with a smaller output buffer");
      return;
    }
    const std::string found = CheckSizes(OwnWorker(), arena_, declared(), *right_, limits_.TimeFor(0));
    if (found.empty()) {
      Tell(Mark::kGood, step, "an output buffer of another size is answered with other-shape");
      return;
    }
    Tell(Mark::kWarning, step, fmt::format("asked to compute into a buffer that is one element too small: {}", found),
         {"compare output_bytes with the size of the output before writing, and answer other-shape with the dims; a "
          "wrong shape is then reported as such, not as a crash"});
  }

  /// Asks supports() twice about each of the first cases.
  void Supports() {
    if (!declared().answers_supports) {
      Tell(Mark::kNotAsked, "supports", "the backend does not offer the function supports, which is optional",
           {"offer it, or declare 'unsupported', if the backend cannot do all that it declares"});
      return;
    }
    std::vector<SuiteCase> cases = scope_->PlainCases();
    std::ranges::move(scope_->CasesOfEachKind(VariedCases), std::back_inserter(cases));
    std::erase_if(cases, [this](const SuiteCase& suite_case) {
      const oracle::Operator& op = suite_case.test_case.op;
      const auto dialect = declared().JudgedBy(op, suite_case.test_case.EffectiveDialect());
      return !dialect || !declared().Lacks(op, *dialect).empty() || !scope_->IsDefined(suite_case);
    });
    const SupportsCheck check = CheckSupports(OwnWorker(), declared(), cases, limits_.TimeFor(0));
    if (!check.fault.empty()) {
      Tell(Mark::kFault, "supports", check.fault,
           {std::string(AdviceFor(FailureClass::kProtocol, backend_, check.fault))});
      return;
    }
    Tell(check.supported == 0 ? Mark::kWarning : Mark::kGood, "supports",
         fmt::format("{} of {} operators are supported; asked twice, the backend says the same", check.supported,
                     cases.size()));
  }

  void Resolves() {
    if (declared().takes_resolved) return;
    if (!declared().resolves) {
      Tell(Mark::kNotAsked, "resolve", "the backend does not offer the function resolve, which is optional",
           {"offer it, and the suite 'exhaustive' tries every small geometry without computing"});
      return;
    }
    std::vector<SuiteCase> cases;
    for (const OperatorKind kind : scope_->Kinds()) {
      oracle::Operator op;
      op.kind = kind;
      const auto dialect = declared().JudgedBy(op, oracle::DialectsOf(kind).front());
      if (!dialect || scope_->Types(kind).empty()) continue;
      const auto line = fmt::format("sweep:of=geometry:bounds=small:operator={}:dialect={}:stride=2:to=200",
                                    OperatorKindName(kind), DialectName(*dialect));
      auto parsed = ParseCaseLine(line);
      if (const auto* error = std::get_if<ParseError>(&parsed)) {
        Tell(Mark::kFault, "resolve", fmt::format("the suite cannot read its own sweep {}: {}", line, error->message),
             {"this is no fault of the backend; please report it"});
        continue;
      }
      SuiteCase sweep;
      sweep.suite = "doctor";
      sweep.name = fmt::format("{}, 200 geometries", OperatorKindName(kind));
      sweep.test_case = std::get<Case>(std::move(parsed));
      cases.push_back(std::move(sweep));
    }
    JudgeAll("resolve", cases, "sweeps of 200 geometries agree with the dialect, as run() did");
  }

  void Plans() {
    if (!declared().plans) {
      if (!is_process())
        Tell(Mark::kNotAsked, "plans", "the backend does not offer plan and release, which are optional");
      return;
    }
    Tell(Mark::kGood, "plans", "offered; the second run of each case uses a plan that has run before");
  }

  /// The same bits in several runs and with several numbers of threads, as far as the backend declares it.
  void Repeats() {
    constexpr int kTimes = 5;
    for (const SuiteCase& suite_case :
         scope_->CasesOfEachKind([](OperatorKind kind, std::size_t rank, ElementType type) {
           return std::vector{LongSumCase(kind, rank, type)};
         })) {
      bool same = true;
      bool ran = true;  // it may not be supported
      for (int i = 0; ran && i < kTimes; ++i) {
        const CaseResult result = judge_->JudgeCase(suite_case);
        if (result.status == Status::kFail) {
          Tell(Mark::kFault, "repeats", fmt::format("{}: {}", FailureClassNameOf(result.failure), result.message),
               {std::string(AdviceFor(result.failure, backend_)), "replay: " + ReplayCommand(backend_, result)});
          return;
        }
        ran = IsRight(result.status);
        same = same && !result.facts.bits_differ;
      }
      if (!ran) continue;
      const std::string runs = fmt::format("{}, {} runs", suite_case.name, 2 * kTimes);
      if (declared().deterministic == 0) {
        Tell(Mark::kNotAsked, "repeats",
             fmt::format("{}: {} bits; the backend does not declare that they are the same", runs,
                         same ? "the same" : "different"),
             {"declare 'deterministic' if the bits are meant to be the same; every case then checks it"});
      } else {
        Tell(Mark::kGood, "repeats", fmt::format("{}: the same bits wherever the backend declares it", runs));
      }
      return;
    }
  }

  std::string backend_;
  const std::function<void(const ExaminedStep&)>& on_step_;
  JudgeLimits limits_;
  std::optional<Judge> judge_;
  std::optional<DeclaredScope> scope_;  ///< of judge_'s backend
  std::optional<TriedCases> tried_;     ///< likewise
  std::optional<SuiteCase> right_;      ///< the first plain case that the backend computed rightly
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
