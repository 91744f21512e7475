// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs each case twice, with the buffers against the guard page behind and then before them and with two different
// poisons in the output, and judges what came back with the gather loop.

#include "conformance/judge/judge.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/sweep_cases.h"
#include "conformance/exhaustive/judge_sweep.h"
#include "conformance/properties/judge_law.h"
#include "conformance/verdict/accumulator.h"
#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/dialect_fit.h"
#include "conformance/verdict/picture.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::Geometry;
using std::chrono::duration;
using std::chrono::steady_clock;

// Of a larger output no copy is kept between two runs.
constexpr std::size_t kMostKept = std::size_t{16} << 20;

/// Numbers of threads that the two runs ask for; 0 leaves it to the backend.
struct ThreadCounts {
  int first = 0;
  int second = 0;
};

/// One and as many as there can be, unless the backend promises the same bits for equal numbers alone: then that is
/// tried, with one thread in every other case.
ThreadCounts ThreadsOf(const Capabilities& declared, std::string_view case_line) {
  if (declared.max_threads == 0) return {};
  if (declared.deterministic != DECONV_SAME_BITS_EVERY_RUN) return {1, declared.max_threads};
  const int threads = std::hash<std::string_view>{}(case_line) % 2 == 0 ? 1 : declared.max_threads;
  return {threads, threads};
}

/// Whether two runs must give the same bits.
bool Promises(const Capabilities& declared, bool other_threads) {
  const bool any_threads = (declared.deterministic & DECONV_SAME_BITS_ANY_THREADS) != 0;
  return any_threads || (!other_threads && (declared.deterministic & DECONV_SAME_BITS_EVERY_RUN) != 0);
}

double SecondsSince(steady_clock::time_point start) { return duration<double>(steady_clock::now() - start).count(); }

std::size_t HashOf(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::uint64_t PoisonBits(std::byte poison, std::size_t bytes) {
  std::uint64_t bits = 0;
  std::memset(&bits, std::to_integer<int>(poison), bytes);
  return bits;
}

/// What says what the value should have been, after the clauses that say where it lies.
std::string_view ClauseOf(FailureClass failure, oracle::ElementType type) {
  if (failure == FailureClass::kGapNotZero) return "V3";
  if (failure == FailureClass::kWrongNan) return "V5";
  if (failure == FailureClass::kStructuralNan) return "V2";
  return oracle::IsInteger(type) ? "V7" : "V1";
}

}  // namespace

struct Judge::Context {
  const SuiteCase& planned;
  oracle::Dialect dialect;
  const oracle::Resolution& resolution;
  CaseResult& result;
  ThreadCounts threads;
  std::int64_t first_wrong_index = -1;
  std::vector<DialectGroup> groups = {};  ///< until the backend's first answer, if the case decides between dialects

  const Geometry& geometry() const { return *resolution.geometry; }
  /// Always false, so that a caller can return it.
  bool Fail(FailureClass failure, std::string message) const {
    result.status = Status::kFail;
    result.failure = failure;
    result.message = std::move(message);
    return false;
  }
  bool Fail(AnswerFailure failure) const { return Fail(failure.failure, std::move(failure.message)); }
};

std::chrono::nanoseconds JudgeLimits::TimeFor(double work) const {
  const duration<double> limit(base_seconds + work / steps_per_second);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(limit);
}

double ProductsOf(const Geometry& geometry) {
  double taps = static_cast<double>(geometry.out_channels);
  for (const oracle::Axis& axis : geometry.axes) taps *= static_cast<double>(axis.kernel);
  return taps * static_cast<double>(geometry.DataCount());
}

double WorkOf(const Geometry& geometry) {
  return ProductsOf(geometry) + static_cast<double>(geometry.DataCount()) +
         static_cast<double>(geometry.FilterCount()) + static_cast<double>(geometry.OutputCount());
}

namespace {

CaseDemand DemandOf(const Case& test_case, const Geometry& geometry) {
  const auto element = static_cast<double>(oracle::ElementBytes(geometry.type));
  const double inputs = static_cast<double>(geometry.DataCount()) + static_cast<double>(geometry.FilterCount());
  // The oracle keeps the inputs decoded, at 16 bytes an element. In double, since byte counts together may pass 2^64.
  double bytes = (inputs + static_cast<double>(geometry.OutputCount())) * element + inputs * 16;
  // A law keeps tensors of several operators, at 8 bytes an element, and an axis or two of them are longer.
  if (test_case.law) bytes += 16 * 8 * (inputs + static_cast<double>(geometry.OutputCount()));
  constexpr double kMost = 0x1p62;
  return {static_cast<std::uint64_t>(std::min(bytes, kMost)), ProductsOf(geometry)};
}

CaseDemand DemandOf(const Sweep& sweep) {
  // Some microseconds a tuple, in which other cases make as many products as this; a batch at a time in memory.
  constexpr double kProductsPerTuple = 30;
  const SweepCases cases(sweep);
  return {std::uint64_t{8} << 20, kProductsPerTuple * static_cast<double>(cases.end() - cases.begin())};
}

CaseDemand DemandOf(const Case& test_case, oracle::Dialect dialect) {
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  return resolution.ok() ? DemandOf(test_case, *resolution.geometry) : CaseDemand{};
}

}  // namespace

CaseDemand DemandOf(const Case& test_case, const Capabilities& declared) {
  if (test_case.sweep) return DemandOf(*test_case.sweep);
  const auto dialect = declared.JudgedBy(test_case.op, test_case.EffectiveDialect());
  if (!dialect || !declared.Lacks(test_case.op).empty()) return {};
  return DemandOf(test_case, *dialect);
}

CaseDemand DemandOf(const Case& test_case) {
  return test_case.sweep ? DemandOf(*test_case.sweep) : DemandOf(test_case, test_case.EffectiveDialect());
}

Judge::Judge(std::string backend_name, JudgeLimits limits, std::shared_ptr<TrialSetup> stage)
    : setup_(std::move(stage)),
      worker_(std::move(backend_name), setup_->arena(), limits.interrupt),
      limits_(std::move(limits)) {}

CaseResult Judge::JudgeCase(const SuiteCase& planned) {
  worker_.Forget();
  worker_.LimitMemory(limits_.worker_bytes);
  CaseResult result = JudgeOnce(planned);
  const auto finish = [&] {
    if (result.failure == FailureClass::kCrash) result.backtrace = worker_.backtrace();
    if (result.status == Status::kFail) result.replay_options = ReplayOptions(planned.test_case, result.failure);
    return std::move(result);
  };
  if (!worker_.was_killed() && result.failure != FailureClass::kMemory) return finish();
  // Memory ran out, perhaps by what came before, or by what else the machine does: alone the case may be right.
  const std::string first_message = std::move(result.message);
  StartAfresh();
  result = JudgeOnce(planned);
  if (result.message == first_message) {
    result.message += "; the same in a process before this one";
  } else {
    result.message +=
        fmt::format("{}in a process before this one: {}", result.message.empty() ? "" : "; ", first_message);
  }
  return finish();
}

/// The limits of this run, as flags, that are not the usual ones and that the failure may hang on.
std::string Judge::ReplayOptions(const Case& test_case, FailureClass failure) const {
  const JudgeLimits usual;
  std::vector<std::string> flags;
  if (failure == FailureClass::kHang && limits_.base_seconds != usual.base_seconds) {
    flags.push_back(fmt::format("--timeout {:g}", limits_.base_seconds));
  }
  if (failure == FailureClass::kMemory && limits_.worker_bytes != usual.worker_bytes) {
    flags.push_back(fmt::format("--worker-memory {:g}", std::ldexp(limits_.worker_bytes, -30)));
  }
  // With the usual limit it would not be run.
  if (DemandOf(test_case, capabilities()).bytes > usual.bytes) {
    flags.push_back(fmt::format("--memory {:g}", std::ldexp(limits_.bytes, -30)));
  }
  return fmt::format("{}", fmt::join(flags, " "));
}

CaseResult Judge::JudgeOnce(const SuiteCase& planned) {
  if (planned.test_case.sweep) {
    return JudgeSweep(planned, {.worker = worker_,
                                .arena = setup_->arena(),
                                .base_seconds = limits_.base_seconds,
                                .judge_alone = [this](const SuiteCase& alone) { return JudgeOnce(alone); }});
  }
  const auto start = steady_clock::now();
  CaseResult result;
  result.suite = planned.suite;
  result.name = planned.name;
  result.line = ToLine(planned.test_case);
  result.reason = planned.reason;
  const auto finish = [&] {
    result.seconds = SecondsSince(start);
    return result;
  };

  const oracle::Operator& op = planned.test_case.op;
  const oracle::Dialect wanted = planned.test_case.EffectiveDialect();
  const auto dialect = capabilities().JudgedBy(op, wanted);
  if (!dialect) {
    result.status = Status::kUndeclared;
    result.message = fmt::format("no dialect of {}", oracle::OperatorKindName(op.kind));
    return finish();
  }
  result.dialect = oracle::DialectName(*dialect);
  Context context{planned, *dialect, setup_->Resolve(op, *dialect), result, ThreadsOf(capabilities(), result.line)};
  for (const oracle::Step& step : context.resolution.steps) {
    if (std::ranges::find(result.clauses, step.clause) == result.clauses.end())
      result.clauses.emplace_back(step.clause);
  }
  if (limits_.finds_dialects && capabilities().Lacks(op).empty()) {
    if (std::vector<DialectGroup> groups = AgreeingDialects(op); Decides(groups)) context.groups = std::move(groups);
  }
  if (!context.resolution.ok()) {
    const oracle::Refusal& refusal = *context.resolution.refusal;
    result.clauses.assign(1, std::string(refusal.clause));
    if (refusal.undefined) {
      result.status = Status::kUndefined;
      result.message = fmt::format("{} leaves it undefined ({})", result.dialect, refusal.clause);
      return finish();
    }
    JudgeInvalid(context);
    return finish();
  }
  result.output_dims = context.geometry().OutputDims();
  if (const std::string lacks = capabilities().Lacks(op); !lacks.empty()) {
    result.status = Status::kUndeclared;
    result.message = lacks;
    return finish();
  }
  const CaseDemand demand = DemandOf(planned.test_case, context.geometry());
  if (demand.bytes > limits_.bytes) {
    result.status = Status::kTooLarge;
    result.message = fmt::format("needs {:.1f} GiB, the run may use {:.1f} GiB", std::ldexp(demand.bytes, -30),
                                 std::ldexp(limits_.bytes, -30));
    return finish();
  }
  // A backend may pack, pad and copy what it is given.
  worker_.LimitMemory(std::max(limits_.worker_bytes, 4 * demand.bytes));
  if (*dialect == wanted && !planned.declared_output.empty() && planned.declared_output != result.output_dims) {
    context.Fail(FailureClass::kWrongDeclaredOutput,
                 fmt::format("the file declares {}, the dialect gives {}", DimsText(planned.declared_output),
                             DimsText(result.output_dims)));
    return finish();
  }
  if (planned.test_case.law) {
    const LawRun run{.worker = worker_,
                     .arena = setup_->arena(),
                     .time_for = [this](const Geometry& geometry) { return limits_.TimeFor(WorkOf(geometry)); },
                     .shrink_seconds = limits_.shrink_seconds};
    JudgeLaw(planned.test_case, *dialect, run, shrink_seconds_left_, result);
  } else {
    JudgeValid(context);
  }
  return finish();
}

void Judge::JudgeInvalid(Context& context) {
  if (!setup_->SetUpInvalid(context.planned.test_case.op)) {
    context.Fail(FailureClass::kSuiteError, "the runner cannot get memory for the buffers");
    return;
  }
  context.result.refused = RunOnce(context, Placement::kAgainstEnd, context.threads.first);
}

void Judge::JudgeValid(Context& context) {
  const Geometry& geometry = context.geometry();
  const std::uint64_t element = oracle::ElementBytes(geometry.type);
  if (std::string error = setup_->SetUp(context.planned.test_case, geometry); !error.empty()) {
    context.Fail(FailureClass::kSuiteError, std::move(error));
    return;
  }
  Arena& arena = setup_->arena();

  std::ranges::fill(arena.buffer(kOutputBuffer), kFirstPoison);
  if (!RunOnce(context, Placement::kAgainstEnd, context.threads.first)) return;
  if (JudgeOutputs(context)) return JudgeSecondRun(context);

  // A wrong output may show what the buffer held before, as it was or added to: another poison tells.
  const std::int64_t suspect = context.first_wrong_index;
  const auto bits_of = [&](std::int64_t index) { return ElementBits(arena.buffer(kOutputBuffer), index, element); };
  const bool looks_unwritten = bits_of(suspect) == PoisonBits(kFirstPoison, element);
  if (!looks_unwritten && !AddedToPoison(suspect, kFirstPoison)) return;
  CaseResult first = context.result;
  arena.Place(Placement::kAgainstBegin);
  std::ranges::fill(arena.buffer(kOutputBuffer), kSecondPoison);
  if (!RunOnce(context, Placement::kAgainstBegin, context.threads.first)) return;
  if (looks_unwritten && bits_of(suspect) == PoisonBits(kSecondPoison, element)) {
    first.failure = FailureClass::kUnwritten;
  } else if (AddedToPoison(suspect, kSecondPoison)) {
    if (first.failure == FailureClass::kStructuralNan) {
      first.failure = FailureClass::kWrongNan;
      first.clauses.back() = ClauseOf(first.failure, geometry.type);
    }
    first.message += "; likely cause: the output was not cleared, sums were added to what the buffer held";
  }
  context.result = std::move(first);
}

/// Whether what the backend wrote at `index` is what adding to the poison would have given.
bool Judge::AddedToPoison(std::int64_t index, std::byte poison) {
  const oracle::ElementType type = setup_->expected().geometry().type;
  const std::size_t element = oracle::ElementBytes(type);
  const std::uint64_t got = ElementBits(setup_->arena().buffer(kOutputBuffer), index, element);
  const std::uint64_t before = PoisonBits(poison, element);
  if (oracle::IsInteger(type)) {
    const std::uint64_t sum = setup_->expected().Sums<oracle::IntegerSum>({index, 1}).front().wrapped + before;
    return got == (element == 8 ? sum : sum & ((std::uint64_t{1} << (8 * element)) - 1));
  }
  const double held = oracle::FloatValue(before, type);
  if (std::isnan(held)) return std::isnan(oracle::FloatValue(got, type));
  oracle::FloatSum sum = setup_->expected().Sums<oracle::FloatSum>({index, 1}).front();
  sum.taps += 1;
  sum.sum += held;
  sum.magnitude += std::abs(held);
  sum.quantum = 0;  // not exact
  return JudgeOutput(sum, got, ArithmeticOf(capabilities(), type)).verdict == OutputVerdict::kRight;
}

/// The first one was right: the second has its buffers against the other page, another poison and, where the backend
/// lets itself be asked, another number of threads.
void Judge::JudgeSecondRun(Context& context) {
  Arena& arena = setup_->arena();
  const std::size_t element = oracle::ElementBytes(context.geometry().type);
  const auto output = arena.buffer(kOutputBuffer);
  const std::size_t first_hash = HashOf(output);
  std::vector<std::byte> kept;  // to say where the bits differ; of a huge output only that they do
  if (output.size() <= kMostKept) kept.assign(output.begin(), output.end());

  arena.Place(Placement::kAgainstBegin);
  std::ranges::fill(arena.buffer(kOutputBuffer), kSecondPoison);
  if (!RunOnce(context, Placement::kAgainstBegin, context.threads.second)) return;
  if (HashOf(arena.buffer(kOutputBuffer)) == first_hash) return;
  if (!JudgeOutputs(context)) {
    const std::uint64_t wrong = ElementBits(arena.buffer(kOutputBuffer), context.first_wrong_index, element);
    if (wrong == PoisonBits(kSecondPoison, element)) context.result.failure = FailureClass::kUnwritten;
    context.result.message =
        fmt::format("right in the first run, in the second{}: {}",
                    capabilities().plans ? ", through a plan made for other sizes" : "", context.result.message);
    return;
  }
  std::string message = "right in both runs, but the bits differ";
  const auto second = arena.buffer(kOutputBuffer);
  const auto differs = std::ranges::mismatch(kept, second).in1 - kept.begin();
  if (!kept.empty()) {
    message += fmt::format(", first at output {}", DimsText(CoordinateOf(differs / static_cast<std::ptrdiff_t>(element),
                                                                         context.geometry().OutputDims())));
  }
  const bool other_threads = context.threads.first != context.threads.second;
  if (other_threads) {
    message += fmt::format(" ({} and {} threads)", context.threads.first, context.threads.second);
  }
  if (Promises(capabilities(), other_threads)) {
    context.Fail(FailureClass::kNondeterministic,
                 message + (other_threads ? "; declared: the same bits with any number of threads"
                                          : "; declared: the same bits in every run"));
    return;
  }
  std::string& said = context.result.message;
  said += (said.empty() ? "" : "; ") + message;
}

/// Which dialects the first answer fits, whatever is right.
void Judge::Observe(Context& context, const RunAnswer& answer) {
  if (context.groups.empty()) return;
  Arena& arena = setup_->arena();
  const bool valid = context.resolution.ok();
  Observation seen{.answer = answer, .asked_dims = {}, .data = {}, .filter = {}, .output = {}};
  if (valid) {
    seen.asked_dims = context.result.output_dims;
    seen.data = arena.buffer(kDataBuffer);
    seen.filter = arena.buffer(kFilterBuffer);
    seen.output = arena.buffer(kOutputBuffer);
  }
  context.result.deciding = true;
  const auto start = steady_clock::now();
  context.result.fits = FittingDialects(context.groups, seen, capabilities());
  context.result.oracle_seconds += SecondsSince(start);
  context.groups.clear();
}

/// True if the backend gave the answer that the case asks for; else the result says why not.
bool Judge::RunOnce(Context& context, Placement placement, int threads) {
  CaseResult& result = context.result;
  const bool valid = context.resolution.ok();
  const auto limit = limits_.TimeFor(valid ? WorkOf(context.geometry()) : 0);
  const auto start = steady_clock::now();
  const WorkerOutcome outcome = worker_.Run(result.line, context.dialect, limit, threads, valid);
  result.backend_seconds += SecondsSince(start);
  if (limits_.on_run) {
    const std::byte poison = placement == Placement::kAgainstEnd ? kFirstPoison : kSecondPoison;
    limits_.on_run({poison, outcome, valid ? setup_->arena().buffer(kOutputBuffer) : std::span<std::byte>()});
  }
  if (auto failure = FailureOfNoAnswer(outcome)) {
    if (failure->failure == FailureClass::kCrash) {
      failure->message.insert(0, placement == Placement::kAgainstEnd
                                     ? "with an inaccessible page right behind each buffer: "
                                     : "with an inaccessible page right before each buffer: ");
    }
    return context.Fail(*std::move(failure));
  }
  const RunAnswer& answer = outcome.answer;
  Observe(context, answer);
  result.implementation = answer.implementation;
  if (auto failure = valid ? FailureOfAnswer(answer, result.output_dims)
                           : FailureOfAnswer(answer, result.dialect, *context.resolution.refusal)) {
    return context.Fail(*std::move(failure));
  }
  if (const std::string broken = setup_->arena().BrokenCanary(); !broken.empty()) {
    return context.Fail(FailureClass::kOutOfBounds, "wrote " + broken);
  }
  if (!setup_->InputsAreUntouched()) return context.Fail(FailureClass::kModifiedInput, "data or filter were changed");
  if (!valid) result.message = fmt::format("refused, as it must be: {}", answer.message);
  return true;
}

/// True if every output is right; else the result names the first that is not.
bool Judge::JudgeOutputs(Context& context) {
  CaseResult& result = context.result;
  WrongGridMaker grid(context.geometry());
  const auto start = steady_clock::now();
  const Comparison comparison = Compare(setup_->expected(), setup_->arena().buffer(kOutputBuffer), capabilities(),
                                        limits_.interrupt, [&grid](std::int64_t flat) { grid.Meet(flat); });
  result.oracle_seconds += SecondsSince(start);
  context.first_wrong_index = comparison.first_wrong_index;
  result.outputs = comparison.outputs;
  result.wrong_outputs = comparison.wrong_outputs;
  result.largest_error = comparison.largest_error;
  result.worst_ratio = std::max(result.worst_ratio, comparison.worst_ratio);
  result.first_wrong = comparison.first_wrong;
  result.wrong_grid = grid.Take();
  if (comparison.ok()) {
    // What could not have failed proves nothing, however near the bound it came.
    if (!comparison.powerless.empty()) {
      result.status = Status::kPowerless;
      result.message = fmt::format("{} written to every output would have passed", comparison.powerless);
    } else if (comparison.loose_outputs != 0 && result.status != Status::kPowerless) {
      result.first_loose = comparison.first_loose;
      result.loose_outputs = comparison.loose_outputs;
      result.status = Status::kLoose;
      result.message = comparison.LooseText();
    }
    return true;
  }
  const oracle::ElementType type = context.geometry().type;
  result.clauses.emplace_back(ClauseOf(comparison.failure, type));
  if (comparison.failure == FailureClass::kWrongValue && oracle::IsFloat(type) && !capabilities().fast_algorithm &&
      context.planned.test_case.values == DataSet::kSwamping) {
    const auto output = setup_->arena().buffer(kOutputBuffer);
    if (const auto narrower = NarrowerAccumulator(setup_->expected(), output, capabilities())) {
      return context.Fail(FailureClass::kAccumulator,
                          fmt::format("declared are sums in {}; these are right for sums in {}: {}",
                                      oracle::ElementTypeName(AccumulatorOf(capabilities(), type)),
                                      ElementTypeName(*narrower), comparison.Text()));
    }
  }
  return context.Fail(comparison.failure, comparison.Text());
}

}  // namespace conformance
