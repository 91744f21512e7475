// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See doctor.h.

#include "conformance/doctor/doctor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/mock_backend.h"
#include "conformance/backends/process_door.h"
#include "conformance/backends/serve_process.h"
#include "conformance/doctor/doctor_cases.h"
#include "conformance/door/describe_operator.h"
#include "conformance/judge/judge.h"
#include "conformance/text/shell_word.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;
using Mark = ExaminedStep::Mark;

constexpr std::array kKinds = {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData,
                               OperatorKind::kConvolutionBackwardData, OperatorKind::kConvTranspose};

// What the smallest of the suite's real layers need for a tensor.
constexpr std::uint64_t kFewBytes = 64 * 1024;

// Of the cases that fail like the first one of their step.
constexpr std::size_t kShown = 12;

// What to do about a failure of its class.
std::string_view AdviceFor(FailureClass failure) {
  switch (failure) {
    case FailureClass::kWrongValue:
      return "compare with 'explain': a filter read in the wrong order or flipped, channels or groups exchanged and a "
             "shift by pads_begin look like this";
    case FailureClass::kWrongNan:
    case FailureClass::kStructuralNan:
      return "infinity and NaN stay where the operands' products put them: zeros of padding and gaps must not multiply";
    case FailureClass::kGapNotZero:
    case FailureClass::kUnwritten:
      return "the output holds garbage at first: write every element, +0.0 where no tap reaches";
    case FailureClass::kWrongShape:
      return "answer the dims that the declared dialect gives ('explain' shows them), or declare another dialect";
    case FailureClass::kWrongRefusal:
    case FailureClass::kCannotDo:
      return "declare less (operators, types, ranks, max_bytes), so that it is not asked, or support it";
    case FailureClass::kAcceptedInvalid:
      return "check attributes and shapes before computing, and answer refused with a message";
    case FailureClass::kModifiedInput:
      return "data and filter belong to the suite: copy what has to be changed";
    case FailureClass::kOutOfBounds:
      return "write output_bytes bytes and not one more";
    case FailureClass::kCrash:
      return "run it under a debugger by the replay line; nothing outside the three buffers may be touched, and "
             "pointers are valid during the call only";
    case FailureClass::kHang:
      return "answer every request, refusals too; a process flushes its standard output after each answer";
    case FailureClass::kNondeterministic:
      return "declare less in 'deterministic'";
    case FailureClass::kAccumulator:
      return "declare the accumulator in which sums are really kept";
    default:
      return "the message says what the adapter did";
  }
}

class Doctor {
 public:
  Doctor(const std::string& backend, double base_seconds, const std::function<void(const ExaminedStep&)>& on_step)
      : backend_(backend), on_step_(on_step) {
    limits_.base_seconds = base_seconds;
  }

  Examination Examine() {
    if (!OwnSide()) {
      examination_.end = Examination::End::kOwnSideUnsound;
      return examination_;
    }
    judge_.emplace(backend_, limits_);
    if (const auto error = judge_->Start()) {
      Tell(Mark::kFault, "opens", error->message,
           {error->usage ? "give a name that 'deconv-cts list --backends' prints, a library's path, or cmd:COMMAND"
            : is_process()
                ? "run the command by hand: it must read one line and answer it, as "
                  "conformance/door/process_protocol.md says of 'describe'"
                : "the library must export deconv_backend_open(), as conformance/door/deconv_backend.h says"});
      examination_.end = error->usage ? Examination::End::kUnknownName : Examination::End::kNotOpened;
      return examination_;
    }
    const Capabilities& declared = judge_->capabilities();
    Tell(Mark::kGood, "opens", fmt::format("{} {}", declared.name, declared.version));
    Description();
    FirstCases();
    VariedAttributes();
    Refusals();
    Sizes();
    Resolves();
    Plans();
    Repeats();
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

  /// Mocks through the same kind of door, judged by the same judge.
  bool OwnSide() {
    struct Expectation {
      std::string name;
      FailureClass failure;
    };
    static constexpr std::array kExpected = {
        FailureClass::kNone,     FailureClass::kWrongValue, FailureClass::kWrongShape, FailureClass::kWrongNan,
        FailureClass::kProtocol, FailureClass::kCrash,      FailureClass::kHang};
    static_assert(kExpected.size() == kMocks.size());
    std::vector<Expectation> expected;
    for (std::size_t i = 0; i < kMocks.size(); ++i) {
      const std::string name = std::string(kMockPrefix) + std::string(kMocks.at(i).name);
      const bool garbage = kMocks.at(i).conduct == MockConduct::kGarbage;
      expected.push_back({!is_process() ? name
                          : garbage     ? ServedBackendName("mock:sound", "text")
                                        : ServedBackendName(name),
                          kExpected.at(i)});
    }
    const SuiteCase plain = PlainCase(OperatorKind::kConvolutionBackpropData, 4, ElementType::kF32);
    std::vector<std::string> right;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      JudgeLimits limits = limits_;
      if (kMocks.at(i).conduct == MockConduct::kHang) limits.base_seconds = 0.5;
      Judge judge(expected[i].name, limits);
      const auto error = judge.Start();
      const CaseResult result = error ? CaseResult{} : judge.JudgeCase(plain);
      const bool as_expected = !error && result.failure == expected[i].failure &&
                               (result.status == Status::kPass) == (expected[i].failure == FailureClass::kNone);
      if (!as_expected) {
        Tell(Mark::kFault, "this side",
             fmt::format(
                 "a mock that {} was not judged as it must be: {}", kMocks.at(i).sentence,
                 error ? error->message : fmt::format("{} {}", FailureClassNameOf(result.failure), result.message)),
             {"this is no fault of the backend: the suite cannot run here as it should"});
        return false;
      }
      right.emplace_back(kMocks.at(i).name);
    }
    Tell(Mark::kGood, "this side",
         fmt::format("mocks through the same door are judged as they must be: {}", fmt::join(right, ", ")));
    return true;
  }

  std::vector<OperatorKind> Kinds() const {
    std::vector<OperatorKind> kinds;
    for (const OperatorKind kind : kKinds) {
      const bool spoken = std::ranges::any_of(declared().dialects, [&](auto dialect) { return Speaks(dialect, kind); });
      if ((declared().operators >> OperatorId(kind) & 1) != 0 && spoken) kinds.push_back(kind);
    }
    return kinds;
  }
  /// Declared and possible: the oracle knows ranks 3 to 10.
  std::vector<std::size_t> Ranks() const {
    std::vector<std::size_t> ranks;
    for (int rank = std::max(3, declared().min_rank); rank <= std::min(10, declared().max_rank); ++rank) {
      ranks.push_back(static_cast<std::size_t>(rank));
    }
    return ranks;
  }
  std::vector<ElementType> Types(OperatorKind kind) const {
    std::vector<ElementType> types;
    for (const ElementType type : oracle::kNumericTypes) {
      if ((declared().element_types >> ElementTypeId(type) & 1) == 0) continue;
      // Of the types that the operator is not defined on, clauses T4 and T5 say that they are refused.
      if (!Ranks().empty() && !IsDefined(PlainCase(kind, Ranks().front(), type))) continue;
      types.push_back(type);
    }
    return types;
  }
  bool IsDefined(const SuiteCase& planned) const {
    const oracle::Operator& op = planned.test_case.op;
    const auto dialect = declared().JudgedBy(op, planned.test_case.EffectiveDialect());
    return dialect && oracle::Resolve(op, *dialect).ok();
  }

  void Description() {
    std::vector<std::string> dialects;
    for (const auto dialect : declared().dialects) dialects.emplace_back(DialectName(dialect));
    const std::vector<OperatorKind> asked_kinds = Kinds();
    std::vector<std::string_view> kinds;
    for (const OperatorKind kind : asked_kinds) kinds.push_back(OperatorKindName(kind));
    Tell(Mark::kGood, "declares",
         fmt::format("{}; ranks {} to {}; dialect {}", fmt::join(kinds, ", "), declared().min_rank, declared().max_rank,
                     fmt::join(dialects, ", ")));
    const auto warn = [&](std::string text, std::string advice) {
      Tell(Mark::kWarning, "declares", std::move(text), {std::move(advice)});
    };
    for (const OperatorKind kind : kKinds) {
      const bool asked = std::ranges::find(asked_kinds, kind) != asked_kinds.end();
      if ((declared().operators >> OperatorId(kind) & 1) != 0 && !asked) {
        warn(fmt::format("operator {} without a dialect that speaks it: it is never judged", OperatorKindName(kind)),
             fmt::format("add one of {} to the dialects, or leave the operator out", DialectList(kind)));
      }
      if (asked && Types(kind).empty()) {
        warn(fmt::format("{} with no type that it is defined on", OperatorKindName(kind)),
             "declare the types, or leave the operator out");
      }
    }
    for (const oracle::Dialect dialect : declared().dialects) {
      if (std::ranges::any_of(asked_kinds, [&](OperatorKind kind) { return Speaks(dialect, kind); })) continue;
      warn(fmt::format("dialect {} speaks none of the declared operators", DialectName(dialect)),
           "declare its operators, or leave it out");
    }
    if (declared().min_rank == declared().max_rank) {
      warn(fmt::format("one rank alone, {}: cases of other ranks are not run", declared().min_rank),
           "rank counts batch and channels: 3 is one spatial axis, 5 is three; declare what the backend can do");
    }
    if (declared().max_bytes != 0 && declared().max_bytes < kFewBytes) {
      warn(fmt::format("tensors of at most {} bytes: no layer of a real network is run", declared().max_bytes),
           "raise max_bytes, or leave it out");
    }
    if (declared().fast_algorithm) {
      warn("a fast algorithm: judged by norms, which proves less", "declare direct if sums are direct");
    }
    if (declared().accumulator == DECONV_ACCUMULATOR_STORAGE) {
      warn("sums are kept in the element type: the bound for f16 and bf16 is wide, and finds less",
           "declare f32 if sums are kept in f32");
    }
  }

  static std::string DialectList(OperatorKind kind) {
    std::vector<std::string_view> names;
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) names.push_back(DialectName(dialect));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  /// Judges them all; tells one step, with the first failure.
  void JudgeAll(const std::string& step, const std::vector<SuiteCase>& cases, const std::string& what) {
    int right = 0;
    int undeclared = 0;
    std::vector<std::pair<const SuiteCase*, CaseResult>> failed;
    for (const SuiteCase& planned : cases) {
      CaseResult result = judge_->JudgeCase(planned);
      if (result.status == Status::kFail) {
        failed.emplace_back(&planned, std::move(result));
      } else if (IsRight(result.status)) {
        ++right;
        examination_.judged += result.refused ? 0 : 1;
      } else {
        ++undeclared;
      }
    }
    if (failed.empty()) {
      const std::string left = undeclared == 0 ? "" : fmt::format("; {} lie outside of what is declared", undeclared);
      Tell(right == 0 ? Mark::kNotAsked : Mark::kGood, step, fmt::format("{} {}{}", right, what, left));
      return;
    }
    const auto& [planned, result] = failed.front();
    std::vector<std::string> advice = {
        std::string(AdviceFor(result.failure)),
        fmt::format("replay: deconv-cts replay --backend {} {}", ShellWord(backend_), result.line),
        fmt::format("explain: deconv-cts explain {}", result.line)};
    if (!result.fits.empty()) {
      advice.push_back(fmt::format("its answer fits the dialect {}", fmt::join(result.fits, ", ")));
    }
    std::vector<std::string_view> others;
    for (std::size_t i = 1; i < std::min(failed.size(), kShown + 1); ++i) others.push_back(failed[i].first->name);
    if (!others.empty()) {
      const std::size_t left = failed.size() - 1 - others.size();
      advice.push_back(
          fmt::format("so do: {}{}", fmt::join(others, "; "), left == 0 ? "" : fmt::format("; and {} more", left)));
    }
    Tell(Mark::kFault, step,
         fmt::format("{} of {} fail; {}: {}: {}", failed.size(), cases.size(), planned->name,
                     FailureClassNameOf(result.failure), result.message),
         std::move(advice));
  }

  void FirstCases() {
    std::vector<SuiteCase> cases;
    for (const OperatorKind kind : Kinds()) {
      for (const std::size_t rank : Ranks()) {
        for (const ElementType type : Types(kind)) cases.push_back(PlainCase(kind, rank, type));
      }
    }
    if (cases.empty()) {
      Tell(Mark::kFault, "first cases", "nothing that is declared can be judged",
           {"declare an operator, a dialect that speaks it, a type that it is defined on and a rank from 3 to 10"});
      return;
    }
    JudgeAll("first cases", cases, "plain cases are right: every declared operator, rank and type");
  }

  template <typename Make>
  std::vector<SuiteCase> OfEachKind(Make make) const {
    std::vector<SuiteCase> cases;
    for (const OperatorKind kind : Kinds()) {
      if (Ranks().empty() || Types(kind).empty()) continue;
      const std::size_t rank = Ranks().size() > 1 ? Ranks()[1] : Ranks()[0];
      for (SuiteCase& planned : make(kind, rank, Types(kind).front())) {
        planned.name = fmt::format("{}, {}", OperatorKindName(kind), planned.name);
        cases.push_back(std::move(planned));
      }
    }
    return cases;
  }

  void VariedAttributes() {
    JudgeAll("attributes", OfEachKind(VariedCases),
             "cases are right: pads, dilations, output_padding, auto_pad, channels");
  }

  void Refusals() {
    const std::vector<SuiteCase> cases = OfEachKind(InvalidCases);
    JudgeAll("refuses", cases, "invalid operators are refused");
    const auto silent = std::ranges::count_if(cases, [&](const SuiteCase& planned) {
      const CaseResult result = judge_->JudgeCase(planned);
      return result.refused && result.message.ends_with("(the backend gave no reason)");
    });
    if (silent != 0) {
      Tell(Mark::kWarning, "refuses", fmt::format("{} refusals came without a message", silent),
           {"say in the message which argument was found wrong: it stands in every report"});
    }
  }

  /// One run, on a worker of the doctor's own: the arena can be laid out as the judge never does.
  WorkerOutcome Ask(const SuiteCase& planned, std::array<std::uint64_t, kBufferCount> bytes) {
    if (!worker_) worker_.emplace(backend_, arena_);
    ArenaLayout layout;
    layout.bytes = bytes;
    if (!arena_.Resize(layout)) return {WorkerOutcome::End::kNotStarted, {}, "cannot get memory for the buffers"};
    const oracle::Operator& op = planned.test_case.op;
    const auto dialect = declared().JudgedBy(op, planned.test_case.EffectiveDialect());
    for (const std::size_t buffer : {kDataBuffer, kFilterBuffer}) {
      // A value in every element of every type: 0x3c3c is about 1 in f16, 0.01 in the wider ones.
      std::ranges::fill(arena_.buffer(buffer), std::byte{0x3c});
    }
    std::ranges::fill(arena_.buffer(kOutputBuffer), kFirstPoison);
    return worker_->Run(ToLine(planned.test_case), dialect.value_or(oracle::Dialect::kOpenvinoSpec),
                        limits_.TimeFor(0));
  }

  std::optional<std::array<std::uint64_t, kBufferCount>> BytesOf(const SuiteCase& planned) const {
    const oracle::Operator& op = planned.test_case.op;
    const auto dialect = declared().JudgedBy(op, planned.test_case.EffectiveDialect());
    if (!dialect || !declared().Lacks(op).empty()) return std::nullopt;
    const oracle::Resolution resolution = oracle::Resolve(op, *dialect);
    if (!resolution.ok()) return std::nullopt;
    const oracle::Geometry& geometry = *resolution.geometry;
    const std::uint64_t element = oracle::ElementBytes(geometry.type);
    return std::array<std::uint64_t, kBufferCount>{geometry.DataCount() * element, geometry.FilterCount() * element,
                                                   geometry.OutputCount() * element};
  }

  /// The first plain case that can be asked for.
  std::optional<SuiteCase> AnyPlain() const {
    for (const OperatorKind kind : Kinds()) {
      if (Ranks().empty() || Types(kind).empty()) continue;
      SuiteCase planned = PlainCase(kind, Ranks().front(), Types(kind).front());
      if (BytesOf(planned)) return planned;
    }
    return std::nullopt;
  }

  /// A buffer that is too small, as when the backend and the dialect resolve to different shapes.
  void Sizes() {
    const std::optional<SuiteCase> planned = AnyPlain();
    if (!planned) return;
    auto bytes = *BytesOf(*planned);
    bytes[kOutputBuffer] -= oracle::ElementBytes(planned->test_case.op.data.type);
    const WorkerOutcome outcome = Ask(*planned, bytes);
    const std::string step = "sizes";
    if (outcome.end == WorkerOutcome::End::kAnswered && outcome.answer.answer == DECONV_ANSWER_OTHER_SHAPE) {
      Tell(Mark::kGood, step, "an output of another size than the buffer's is answered with other-shape");
      return;
    }
    const std::string found = outcome.end != WorkerOutcome::End::kAnswered      ? outcome.detail
                              : outcome.answer.answer == DECONV_ANSWER_COMPUTED ? "answered computed"
                                                                                : outcome.answer.message;
    Tell(Mark::kWarning, step, fmt::format("asked to compute into a buffer one element too small: {}", found),
         {"compare output_bytes with the output's own size before writing, and answer other-shape with the dims: a "
          "wrong shape is then told as that, and not as a crash"});
  }

  void Resolves() {
    if (!declared().resolves) {
      Tell(Mark::kNotAsked, "resolve", "the function resolve is not offered; it is optional",
           {"with it the suite 'exhaustive' tries every small geometry without computing"});
      return;
    }
    std::vector<SuiteCase> cases;
    for (const OperatorKind kind : Kinds()) {
      for (const SuiteCase& planned : OfEachKind(VariedCases)) {
        if (planned.test_case.op.kind != kind) continue;
        const auto dialect = declared().JudgedBy(planned.test_case.op, planned.test_case.EffectiveDialect());
        const auto line = fmt::format("sweep:of=geometry:bounds=small:operator={}:dialect={}:stride=2:to=200",
                                      OperatorKindName(kind), DialectName(*dialect));
        auto parsed = ParseCaseLine(line);
        if (std::holds_alternative<Case>(parsed)) {
          SuiteCase sweep;
          sweep.suite = "doctor";
          sweep.name = fmt::format("{}, 200 geometries", OperatorKindName(kind));
          sweep.test_case = std::get<Case>(std::move(parsed));
          cases.push_back(std::move(sweep));
        }
        break;
      }
    }
    JudgeAll("resolve", cases, "sweeps of 200 geometries agree with the dialect, as run() did");
  }

  void Plans() {
    if (!declared().plans) {
      if (!is_process()) Tell(Mark::kNotAsked, "plans", "plan and release are not offered; they are optional");
      return;
    }
    Tell(Mark::kGood, "plans", "offered: the second run of each case goes through a plan made for other sizes");
  }

  /// The same bits in several runs, and with several numbers of threads, if that is declared.
  void Repeats() {
    constexpr int kTimes = 5;
    for (const SuiteCase& planned : OfEachKind([](OperatorKind kind, std::size_t rank, ElementType type) {
           return std::vector{LongSumCase(kind, rank, type)};
         })) {
      bool same = true;
      for (int i = 0; i < kTimes; ++i) {
        const CaseResult result = judge_->JudgeCase(planned);
        if (result.status == Status::kFail) {
          Tell(Mark::kFault, "repeats", fmt::format("{}: {}", FailureClassNameOf(result.failure), result.message),
               {std::string(AdviceFor(result.failure)), "replay: " + ReplayCommand(backend_, result)});
          return;
        }
        same = same && result.message.find("the bits differ") == std::string::npos;
      }
      const std::string runs = fmt::format("{}, {} runs", planned.name, 2 * kTimes);
      if (declared().deterministic == 0) {
        Tell(Mark::kNotAsked, "repeats",
             fmt::format("{}: {} bits; that they are the same is not declared", runs, same ? "the same" : "different"),
             {"declare 'deterministic' if it is meant: it is then checked in every case"});
      } else {
        Tell(Mark::kGood, "repeats", fmt::format("{}: the same bits wherever that is declared", runs));
      }
      return;
    }
  }

  std::string backend_;
  const std::function<void(const ExaminedStep&)>& on_step_;
  JudgeLimits limits_;
  std::optional<Judge> judge_;
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
