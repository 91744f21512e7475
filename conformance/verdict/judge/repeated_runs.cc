// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a case again in three ways, its repetitions: `memory` looks for leaks, `threads` uses each number of threads,
// and `turns` alternates with similar operators. A window is a group of equally many calls. A leak must show in each of
// several windows.

#include "conformance/verdict/judge/repeated_runs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/interface/related_operators.h"
#include "conformance/verdict/judge/second_run.h"

namespace conformance {
namespace {

// The seconds of a window. With six windows and the judging of their outputs, a case takes less than half a second.
constexpr double kWindowSeconds = 0.02;
constexpr int kFewestCalls = 8;
constexpr int kMostCalls = 256;
// The fastest of these runs decides how many calls a window has, because another program may delay a single run.
constexpr int kTimedRuns = 4;
// The windows after the first window, which only warms up. With fewer, a cache that still fills looks like a leak.
constexpr int kWindows = 6;

// The heap is measured to the byte, so one byte for each call counts. Memory pages vary with the system, so at least 16
// pages in every window count. One thread or one open file in every window counts.
constexpr std::uint64_t kLeastHeapBytes = 1;  // bytes for each call
constexpr std::uint64_t kLeastPageBytes = std::uint64_t{1} << 16;

// Runs with each number of threads, and the largest number. Guesses: a race that shows in a third of the runs stays
// hidden in 8 of 27 tries, and more threads than cores add little.
constexpr int kTimesEach = 3;
constexpr int kMostThreads = 8;

/// A resource that a process holds, and the least growth of it that counts as a leak.
struct Watched {
  std::uint64_t HeldResources::* held;
  std::uint64_t least_each_call = 0;
  std::uint64_t least_each_window = 0;
  std::string_view name;
};
// Threads come first. A lost thread keeps its memory, so it explains lost memory.
constexpr std::array kWatched = {
    Watched{.held = &HeldResources::threads, .least_each_window = 1, .name = "threads"},
    Watched{.held = &HeldResources::open_files, .least_each_window = 1, .name = "open files"},
    Watched{.held = &HeldResources::heap_bytes, .least_each_call = kLeastHeapBytes, .name = "bytes of its heap"},
    Watched{.held = &HeldResources::private_bytes, .least_each_window = kLeastPageBytes, .name = "bytes in memory"},
};

/// Runs the operator `calls` times in each window and returns the resources after each window. Nothing if a run failed.
std::optional<std::vector<HeldResources>> HeldAfterWindows(CaseTrial& trial, int calls) {
  std::vector<HeldResources> held;
  for (int window = 0; window <= kWindows; ++window) {
    std::ranges::fill(trial.output(), kSecondPoison);
    if (!trial.RunOnce(Placement::kAgainstBegin, trial.threads().second, calls)) return std::nullopt;
    held.push_back(trial.held());
  }
  return held;
}

/// Describes the resource that grows with each call: "the process holds 1 more open files after each call ...". Empty
/// if no resource grows.
std::string LeakIn(std::span<const HeldResources> windows, int calls) {
  for (const Watched& watched : kWatched) {
    std::vector<std::uint64_t> held;
    for (const HeldResources& window : windows) held.push_back(window.*watched.held);
    const std::uint64_t least =
        std::max(watched.least_each_call * static_cast<std::uint64_t>(calls), watched.least_each_window);
    if (const auto grows = LeakPerCall(held, calls, least)) {
      return fmt::format(
          "the process holds {} more {} after each call of the same operator, in each of {} windows "
          "of {} calls",
          *grows < 1000 ? fmt::format("{:.3g}", *grows) : fmt::format("{:.0f}", *grows), watched.name, kWindows, calls);
    }
  }
  return "";
}

/// The repetition `memory`: calls the operator many times and looks for a leak, then judges the last output.
void JudgeMemory(CaseTrial& trial) {
  std::string& message = trial.result().verdict.message;
  if (!trial.worker().RunsInWorker()) {
    message += (message.empty() ? "" : "; ");
    message += "what the process holds is not watched: the backend's own process may free its garbage at any time";
    return;
  }
  double seconds = kWindowSeconds;
  for (int run = 0; run < kTimedRuns; ++run) {
    const double before = trial.result().seconds.backend;
    if (!trial.RunOnce(Placement::kAgainstBegin, trial.threads().second)) return;
    seconds = std::min(seconds, std::max(trial.result().seconds.backend - before, 1e-9));
  }
  const int calls = static_cast<int>(std::clamp<double>(kWindowSeconds / seconds, kFewestCalls, kMostCalls));
  const auto windows = HeldAfterWindows(trial, calls);
  if (!windows) {
    message = fmt::format("after more than one call of the same operator: {}", message);
    return;
  }
  if (std::string leak = LeakIn(*windows, calls); !leak.empty()) {
    trial.Fail(FailureClass::kLeak, std::move(leak));
    return;
  }
  if (!trial.JudgeOutputs())
    message = fmt::format("the output of call {} is wrong: {}", (kWindows + 1) * calls, message);
}

bool HasSameBits(std::span<const std::byte> output, const std::vector<std::byte>& kept) {
  return std::ranges::equal(output, kept);
}

/// Runs the operator kTimesEach times with this number of threads. True if all runs were right. `first` is the output
/// of the first run with any number of threads; the first call sets it.
bool RunWithThreads(CaseTrial& trial, int threads, std::vector<std::byte>& first) {
  std::vector<std::byte> first_of_number;
  for (int time = 1; time <= kTimesEach; ++time) {
    const auto run_name = [&] { return fmt::format("with {} threads, run {} of {}", threads, time, kTimesEach); };
    std::ranges::fill(trial.output(), kSecondPoison);
    const bool answered = trial.RunOnce(Placement::kAgainstBegin, threads);
    // If the output has the bits of an earlier right output, it is right. Comparing bits is faster than comparing with
    // the oracle.
    const bool has_known_bits = answered && !first.empty() && HasSameBits(trial.output(), first);
    if (!answered || (!has_known_bits && !trial.JudgeOutputs())) {
      trial.result().verdict.message = fmt::format("{}: {}", run_name(), trial.result().verdict.message);
      return false;
    }
    const auto output = trial.output();
    const bool differs_from_run = !first_of_number.empty() && !HasSameBits(output, first_of_number);
    const bool differs_from_first = !first.empty() && !HasSameBits(output, first);
    if ((differs_from_run && PromisesSameBits(trial.declared(), false)) ||
        (differs_from_first && PromisesSameBits(trial.declared(), true))) {
      trial.result().verdict.facts.bits_differ = true;
      trial.result().verdict.facts.threads_differ = !differs_from_run;
      return trial.Fail(FailureClass::kNondeterministic,
                        fmt::format("{}: the output is right, but its bits differ from those of an earlier run{}; the "
                                    "backend declares the same bits {}",
                                    run_name(), differs_from_run ? "" : " with another number of threads",
                                    differs_from_run ? "in every run" : "with any number of threads"));
    }
    if (first_of_number.empty()) first_of_number.assign(output.begin(), output.end());
    if (first.empty()) first = first_of_number;
  }
  return true;
}

/// The repetition `threads`: runs the operator with each number of threads.
void JudgeThreads(CaseTrial& trial) {
  const int most = std::min(trial.declared().max_threads, kMostThreads);
  std::vector<std::byte> first;
  for (int threads = 1; threads <= most; ++threads) {
    if (!RunWithThreads(trial, threads, first)) return;
  }
}

/// A turn runs the case's own operator or a relative, which differs in one attribute. The backend may refuse a
/// relative, but not the own operator, which it has computed.
enum class Turn { kOwn, kRelative };

/// Runs `turn_case` as turn `number`. True if the run was right, or if the backend did not compute a relative. Else the
/// trial's result says what is wrong.
bool RunTurn(CaseTrial& trial, const Case& turn_case, Turn turn, int number, const JudgeInOneRun& judge_in_one_run) {
  const CaseResult repeated = judge_in_one_run(turn_case);
  if (IsRight(repeated.verdict.status) || (turn == Turn::kRelative && repeated.verdict.status != Status::kFail))
    return true;
  trial.result().verdict.facts = repeated.verdict.facts;
  const FailureClass failure =
      repeated.verdict.status == Status::kFail ? repeated.verdict.failure : FailureClass::kNondeterministic;
  return trial.Fail(failure, fmt::format("in turn {}, with {}: {}", number, ToLine(turn_case),
                                         repeated.verdict.message.empty() ? StatusName(repeated.verdict.status)
                                                                          : repeated.verdict.message));
}

/// The repetition `turns`: alternates the operator, each time with other values, and its relatives.
void JudgeTurns(CaseTrial& trial, const JudgeInOneRun& judge_in_one_run) {
  Case own = trial.suite_case().test_case;
  own.repeats.reset();
  // The data set gives the values. Values that the case states do not change with the seed and do not fit the
  // relatives.
  own.data_only.reset();
  own.filter_values.reset();
  own.given_data.reset();
  own.given_filter.reset();
  own.recorded.reset();
  int turn = 0;
  ++own.seed;
  if (!RunTurn(trial, own, Turn::kOwn, ++turn, judge_in_one_run)) return;
  for (oracle::Operator& op : RelatedOperatorsOf(own.op, trial.dialect())) {
    Case relative = own;
    relative.op = std::move(op);
    if (!RunTurn(trial, relative, Turn::kRelative, ++turn, judge_in_one_run)) return;
    ++own.seed;
    if (!RunTurn(trial, own, Turn::kOwn, ++turn, judge_in_one_run)) return;
  }
}

}  // namespace

std::optional<double> LeakPerCall(std::span<const std::uint64_t> held, int calls, std::uint64_t least) {
  if (held.size() < 2) return std::nullopt;
  std::vector<std::uint64_t> growths;
  for (std::size_t i = 1; i < held.size(); ++i) {
    if (held[i] < held[i - 1]) return std::nullopt;
    growths.push_back(held[i] - held[i - 1]);
  }
  std::ranges::sort(growths);
  const std::uint64_t median = growths[growths.size() / 2];
  if (growths.front() < std::max(least, median / 2)) return std::nullopt;
  return static_cast<double>(median) / calls;
}

void RunRequestedRepetitions(CaseTrial& trial, const JudgeInOneRun& judge_in_one_run) {
  const auto& repeats = trial.suite_case().test_case.repeats;
  if (!repeats || !IsRight(trial.result().verdict.status)) return;
  switch (*repeats) {
    case Repetition::kMemory:
      return JudgeMemory(trial);
    case Repetition::kThreads:
      return JudgeThreads(trial);
    case Repetition::kTurns:
      return JudgeTurns(trial, judge_in_one_run);
  }
}

}  // namespace conformance
