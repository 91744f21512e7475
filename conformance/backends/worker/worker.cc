// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends requests to a worker, the process that runs a backend (the library under test). Waits for the answer, enforces
// the limits on time, memory and processes, and ends the process that exceeds a limit.

#include "conformance/backends/worker/worker.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/backends/process_interface.h"
#include "conformance/backends/worker/death_reason.h"
#include "conformance/backends/worker/process_resources.h"
#include "conformance/backends/worker/worker_process.h"

namespace conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The most processes of a backend in a sandbox. Threads do not count.
constexpr int kMostProcesses = 256;

// The time between two checks of the clock, the interrupt and the backend's memory. A check every 50 ms costs little,
// and a backend cannot use up the machine's memory in this time.
constexpr milliseconds kLook{50};

// The number of checks of a process after its time limit has passed. The process computes if it uses two ticks (10 ms
// each) of CPU time during these checks. It also computes if it could run at several checks, because on a busy machine
// it may wait for a CPU. A process that only wakes up now and then does neither.
constexpr int kLooksAfterLimit = 10;
constexpr int kLooksThatCanRun = 3;
constexpr milliseconds kPauseAfterLimit{30};
constexpr milliseconds kComputingTime{20};

/// Whether the process touched memory that it may not. A sanitizer ends the process by a status or a signal of its own.
bool IsBadAccess(int status, const StderrTail& tail) {
  if (tail.IsOfSanitizer()) return true;
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

/// The text that says how a process ended by itself, and its last words on stderr. `in_worker`: the backend ran in this
/// process.
std::string DeathText(int status, bool in_worker, const StderrTail& tail) {
  std::string text;
  std::string_view report = tail.text;
  if (WIFSIGNALED(status)) {
    const std::string_view name = strsignal(WTERMSIG(status));
    text = fmt::format("killed by {} ({})", name, WTERMSIG(status));
    if (tail.reported && report == name) report = {};  // the report of a signal without an address
  } else {
    text = fmt::format("exited with status {}", WEXITSTATUS(status));
    // A worker ends only when the runner closes the socket. So an earlier exit comes from the backend.
    if (in_worker && !tail.IsOfSanitizer()) text += fmt::format(": the backend called exit({})", WEXITSTATUS(status));
  }
  if (!report.empty()) text += fmt::format("{}{}", tail.reported ? ": " : "; stderr: ", report);
  if (!tail.before_report.empty()) text += "; stderr: " + tail.before_report;
  return text;
}

}  // namespace

Worker::Worker(std::string backend_name, Arena& arena, const std::atomic<int>* interrupt)
    : backend_name_(std::move(backend_name)), arena_(arena), interrupt_(interrupt) {}

Worker::~Worker() { Stop(); }

bool Worker::RunsInWorker() const { return !backend_name_.starts_with(kProcessPrefix); }

void Worker::Stop() {
  if (process_ > 0) {
    kill(-process_, SIGKILL);  // processes that it has started end, too
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  was_asked_ = false;
  RemoveScratch();
  if (stderr_file_ >= 0) stderr_of_ended_ = WithoutReport(ReadStderr());
  for (int* file : {&process_file_, &socket_, &stderr_file_}) {
    if (*file >= 0) close(std::exchange(*file, -1));
  }
}

Worker::Wait Worker::WaitForAnswer(std::chrono::nanoseconds limit, const std::function<bool()>& progressed) {
  auto deadline = steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (interrupt_ != nullptr && *interrupt_ != 0) return Wait::kTooLate;
    if (left.count() <= 0) return WatchAfterLimit();
    if (const auto ended = Poll(std::min(left, kLook))) return *ended;
    if (progressed && progressed()) deadline = steady_clock::now() + limit;
  }
}

/// Waits for at most `time`. Returns nothing if the process neither answered nor ended.
std::optional<Worker::Wait> Worker::Poll(milliseconds time) {
  // Watch the end of the process too, because a process that the backend forked may hold the socket open.
  std::array<pollfd, 2> entries = {pollfd{socket_, POLLIN, 0}, pollfd{process_file_, POLLIN, 0}};
  const int ready = poll(entries.data(), entries.size(), static_cast<int>(time.count()));
  if (ExceedsMemoryLimit()) return Wait::kTooMuch;
  if (ready < 0 && errno != EINTR) return Wait::kReadable;  // the following recv() reports the error
  if (ready > 0) return entries[0].revents != 0 ? Wait::kReadable : Wait::kDied;
  return std::nullopt;
}

/// Finds out after the time limit whether the process still computes or sleeps. An answer that comes meanwhile counts.
Worker::Wait Worker::WatchAfterLimit() {
  const milliseconds before = CpuUseOf(process_).time;
  int can_run = 0;
  for (int look = 0; look < kLooksAfterLimit; ++look) {
    if (const auto ended = Poll(kPauseAfterLimit)) return *ended;
    const CpuUse use = CpuUseOf(process_);
    can_run += use.can_run ? 1 : 0;
    if (use.time - before >= kComputingTime || can_run >= kLooksThatCanRun) return Wait::kStillComputes;
  }
  return Wait::kTooLate;
}

/// Whether the process holds too much memory. Measures at most every 50 ms, also across requests.
bool Worker::ExceedsMemoryLimit() {
  const auto now = steady_clock::now();
  if (now - last_look_ < kLook) return false;
  last_look_ = now;
  // The file of stderr is in memory too, and only its end is read.
  constexpr off_t kMostStderr = off_t{16} << 20;
  if (lseek(stderr_file_, 0, SEEK_END) > kMostStderr && ftruncate(stderr_file_, 0) != 0) return true;
  if (HasTooManyProcesses()) return true;
  if (memory_limit_ == 0 || HeldBytesOf(process_, arena_.file_bytes()) <= memory_limit_) return false;
  too_much_ =
      fmt::format("more than {:.1f} GiB besides the buffers", std::ldexp(static_cast<double>(memory_limit_), -30));
  return true;
}

/// Counts the worker's processes only if the machine has many more processes than before, because counting takes long.
bool Worker::HasTooManyProcesses() {
  if (!sandbox_ || TasksOfMachine() - tasks_before_ < kMostProcesses) return false;
  if (ProcessesOf(process_) <= kMostProcesses) return false;
  too_much_ = fmt::format("more than {} processes", kMostProcesses);
  return true;
}

/// Whether a packet arrived without a request: the backend wrote to the worker's descriptor.
bool Worker::HasUnexpectedPacket() const {
  char byte = 0;
  return recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

WorkerOutcome Worker::Run(const std::string& case_line, oracle::Dialect dialect, std::chrono::nanoseconds limit,
                          const RunSettings& settings) {
  const ArenaLayout& layout = arena_.layout();
  RunMessage message;
  message.dialect = static_cast<std::int32_t>(dialect);
  message.threads = settings.threads;
  message.placement = layout.placement;
  message.has_output = settings.has_output ? 1 : 0;
  message.inputs = settings.inputs;
  message.calls = settings.calls;
  message.bytes = layout.bytes;
  return Ask(std::string(reinterpret_cast<const char*>(&message), sizeof message) + case_line, limit);
}

WorkerOutcome Worker::Supports(const std::string& case_line, oracle::Dialect dialect, std::chrono::nanoseconds limit) {
  SupportsMessage message;
  message.dialect = static_cast<std::int32_t>(dialect);
  return Ask(std::string(reinterpret_cast<const char*>(&message), sizeof message) + case_line, limit);
}

WorkerOutcome Worker::Ask(const std::string& request, std::chrono::nanoseconds limit,
                          const std::function<bool()>& progressed) {
  using End = WorkerOutcome::End;
  if (process_ > 0 && HasUnexpectedPacket()) Stop();
  if (const auto error = Start()) return {.end = End::kNotStarted, .detail = error->message};
  if (ftruncate(stderr_file_, 0) != 0)
    return {.end = End::kNotStarted, .detail = "the suite cannot clear the worker's stderr"};
  // The answer must repeat the number of the request. The factor, 2^64 divided by the golden ratio, makes the next
  // number hard to guess for a backend that writes forged answers.
  const std::uint64_t number = ++requests_ * 0x9E3779B97F4A7C15U;
  std::string packet(reinterpret_cast<const char*>(&number), sizeof number);
  packet += request;
  was_asked_ = true;
  stderr_of_ended_.clear();
  if (send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL) < 0) return OutcomeOfDeath();
  const Wait wait = WaitForAnswer(limit, progressed);
  if (wait == Wait::kDied) return OutcomeOfDeath();
  if (wait != Wait::kReadable) {
    const StderrTail tail = StderrTailOf(ReadStderr());
    const std::string said = tail.text.empty() ? "" : "; stderr: " + tail.text;
    const bool interrupted = interrupt_ != nullptr && *interrupt_ != 0;
    if (wait != Wait::kTooMuch && !interrupted) StopHungProcess();
    Stop();
    if (wait == Wait::kTooMuch) {
      return {.end = End::kOutOfMemory, .detail = fmt::format("the process held {}{}", too_much_, said)};
    }
    const double seconds = std::chrono::duration<double>(limit).count();
    was_computing_ = wait == Wait::kStillComputes;
    return {
        .end = End::kTimedOut,
        .detail = fmt::format("no answer within {:.1f} s, and the backend's process {}; --timeout raises the limit{}",
                              seconds, was_computing_ ? "was still computing" : "did not compute any more", said)};
  }
  std::string received(sizeof(AnswerMessage) + 1, '\0');  // one more, so that a longer message is seen
  const ssize_t size = recv(socket_, received.data(), received.size(), 0);
  if (size <= 0) return OutcomeOfDeath();
  received.resize(static_cast<std::size_t>(size));
  HeldResources held;
  if (const auto answer = DecodeAnswer(received, number, held)) return {.answer = *answer, .held = held};
  Stop();
  return {.end = End::kBrokeProtocol,
          .detail = fmt::format("the backend's process wrote {} byte(s) that are no answer to the suite's descriptor "
                                "{}",
                                size, kWorkerSocket)};
}

void Worker::StopHungProcess() {
  // The process reports at most eight threads and waits at most 0.1 s for each (crash_report.cc).
  constexpr int kMostMilliseconds = 2000;
  if (kill(process_, SIGABRT) != 0) return;
  pollfd end{process_file_, POLLIN, 0};
  while (poll(&end, 1, kMostMilliseconds) < 0 && errno == EINTR) {
  }
  backtrace_ = StderrTailOf(ReadStderr()).backtrace;
}

WorkerOutcome Worker::OutcomeOfDeath() {
  // The socket is closed, so the process is ending. A process whose backend only closed the socket is killed after 5 s.
  siginfo_t ended{};
  bool killed_here = false;
  const auto deadline = steady_clock::now() + std::chrono::seconds(5);
  while (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0) {
    if (steady_clock::now() > deadline) {
      killed_here = true;
      kill(process_, SIGKILL);
    }
    usleep(1000);
  }
  kill(-process_, SIGKILL);  // kills processes that it has started, while its number is still taken
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  StderrTail tail = StderrTailOf(ReadStderr());
  backtrace_ = std::move(tail.backtrace);
  was_killed_ = was_killed_ || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !killed_here);
  Stop();
  if (tail.wrote_to_input && WIFSIGNALED(status)) {
    return {.end = WorkerOutcome::End::kWroteToInput, .detail = std::move(tail.text)};
  }
  return {.end = WorkerOutcome::End::kCrashed,
          .detail = DeathText(status, RunsInWorker(), tail),
          .bad_access = IsBadAccess(status, tail)};
}

std::string Worker::ReadStderr() const {
  // Results keep the last five lines, of at most 300 bytes each (LastLines), and a stack.
  constexpr off_t kTail = 16384;
  const off_t begin = std::max<off_t>(0, lseek(stderr_file_, 0, SEEK_END) - kTail);
  std::string text(kTail, '\0');
  const ssize_t size = pread(stderr_file_, text.data(), text.size(), begin);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return text;
}

}  // namespace conformance
