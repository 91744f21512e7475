// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starting, asking, timing out and burying worker processes.

#include "conformance/worker.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/worker_process.h"

namespace conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Loading a vendor's library may take long (GPU drivers), but not for ever.
constexpr std::chrono::seconds kStartLimit{60};

/// True when there is something to read (or the peer is gone), false after the limit or an interruption.
bool WaitReadable(int socket, std::chrono::nanoseconds limit, const std::atomic<int>* interrupt) {
  const auto deadline = steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0 || (interrupt != nullptr && *interrupt != 0)) return false;
    pollfd entry{socket, POLLIN, 0};
    const int wait = static_cast<int>(std::min<std::int64_t>(left.count(), 200));
    const int ready = poll(&entry, 1, wait);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // the read will say
  }
}

}  // namespace

Worker::Worker(std::string backend_name, Arena& arena, const std::atomic<int>* interrupt)
    : backend_name_(std::move(backend_name)), arena_(arena), interrupt_(interrupt) {}

Worker::~Worker() { Stop(); }

void Worker::Stop() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  if (socket_ >= 0) close(std::exchange(socket_, -1));
  if (stderr_file_ >= 0) close(std::exchange(stderr_file_, -1));
}

std::optional<BackendError> Worker::Start() {
  if (process_ > 0) return std::nullopt;
  Stop();
  if (arena_.file() < 0 && !arena_.Resize({})) return BackendError{false, "cannot get memory for the buffers"};
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    return BackendError{false, fmt::format("cannot make a socket: {}", std::strerror(errno))};
  }
  socket_ = sockets[0];
  stderr_file_ = memfd_create("worker's stderr", MFD_CLOEXEC);
  fcntl(stderr_file_, F_SETFL, O_APPEND);
  // Onto numbers above those that the worker expects, so that one dup2 does not overwrite the next one's source.
  const int socket = fcntl(sockets[1], F_DUPFD_CLOEXEC, 10);
  const int arena = fcntl(arena_.file(), F_DUPFD_CLOEXEC, 10);
  close(sockets[1]);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, stderr_file_, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, kWorkerSocket);
  posix_spawn_file_actions_adddup2(&actions, arena, kWorkerArena);
  std::string program = "/proc/self/exe";
  std::string argument(kWorkerArgument);
  std::array<char*, 4> arguments = {program.data(), argument.data(), backend_name_.data(), nullptr};
  const int failed = posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(socket);
  close(arena);
  if (failed != 0) {
    process_ = -1;
    return BackendError{false, fmt::format("cannot start a worker: {}", std::strerror(failed))};
  }

  if (!WaitReadable(socket_, kStartLimit, interrupt_)) {
    Stop();
    if (interrupt_ != nullptr && *interrupt_ != 0) {
      return BackendError{false, fmt::format("{}: interrupted while it was loaded", backend_name_)};
    }
    return BackendError{false, fmt::format("{}: did not load within {} s", backend_name_, kStartLimit.count())};
  }
  std::vector<char> packet(kLargestPacket);
  const ssize_t size = recv(socket_, packet.data(), packet.size(), 0);
  if (size <= 0) return BackendError{false, fmt::format("{}: died while loading: {}", backend_name_, CauseOfDeath())};
  auto hello = DecodeHello({packet.data(), static_cast<std::size_t>(size)});
  if (auto* error = std::get_if<BackendError>(&hello)) {
    Stop();
    return *error;
  }
  capabilities_ = std::get<Capabilities>(std::move(hello));
  return std::nullopt;
}

WorkerOutcome Worker::Run(const std::string& case_line, oracle::Dialect dialect, std::chrono::nanoseconds limit,
                          int threads, bool has_output) {
  const ArenaLayout& layout = arena_.layout();
  RunMessage message;
  message.dialect = static_cast<std::int32_t>(dialect);
  message.threads = threads;
  message.placement = layout.placement;
  message.has_output = has_output ? 1 : 0;
  message.bytes = layout.bytes;
  return Ask(std::string(reinterpret_cast<const char*>(&message), sizeof message) + case_line, limit);
}

WorkerOutcome Worker::Ask(const std::string& packet, std::chrono::nanoseconds limit) {
  using End = WorkerOutcome::End;
  if (const auto error = Start()) return {End::kNotStarted, {}, error->message};
  if (ftruncate(stderr_file_, 0) != 0) return {End::kNotStarted, {}, "cannot empty the worker's stderr"};
  if (send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL) < 0) return {End::kCrashed, {}, CauseOfDeath()};
  if (!WaitReadable(socket_, limit, interrupt_)) {
    const std::string words = LastWords();
    Stop();
    return {End::kTimedOut,
            {},
            fmt::format("no answer within {:.1f} s{}", std::chrono::duration<double>(limit).count(), words)};
  }
  AnswerMessage answer;
  const ssize_t size = recv(socket_, &answer, sizeof answer, 0);
  if (size <= 0) return {End::kCrashed, {}, CauseOfDeath()};
  if (size != sizeof answer) {
    Stop();
    return {End::kCrashed, {}, "the worker's answer was no answer"};
  }
  WorkerOutcome outcome;
  outcome.answer.answer = static_cast<deconv_answer>(answer.answer);
  const int rank = std::clamp<int>(answer.rank, 0, DECONV_BACKEND_MAX_RANK);
  outcome.answer.output_dims.assign(answer.dims.begin(), answer.dims.begin() + rank);
  answer.text.back() = '\0';
  outcome.answer.message = answer.text.data();
  answer.implementation.back() = '\0';
  outcome.answer.implementation = answer.implementation.data();
  return outcome;
}

std::string Worker::CauseOfDeath() {
  // The socket is closed, so the process is ending; a backend that only closed descriptor 3 is helped along.
  int status = 0;
  const auto deadline = steady_clock::now() + std::chrono::seconds(5);
  while (waitpid(process_, &status, WNOHANG) == 0) {
    if (steady_clock::now() > deadline) kill(process_, SIGKILL);
    usleep(1000);
  }
  process_ = -1;
  std::string cause;
  if (WIFSIGNALED(status)) {
    cause = fmt::format("killed by {} ({})", strsignal(WTERMSIG(status)), WTERMSIG(status));
  } else {
    cause = fmt::format("exited with status {}", WEXITSTATUS(status));
  }
  cause += LastWords();
  Stop();
  return cause;
}

std::string Worker::LastWords() const {
  if (stderr_file_ < 0) return {};
  const off_t end = lseek(stderr_file_, 0, SEEK_END);
  constexpr off_t kWords = 4096;
  std::array<char, kWords> text{};
  const off_t begin = std::max<off_t>(0, end - kWords);
  const ssize_t size = pread(stderr_file_, text.data(), text.size(), begin);
  if (size <= 0) return {};
  std::string_view words(text.data(), static_cast<std::size_t>(size));
  // A sanitizer's summary says most; else the last line.
  const std::size_t summary = words.rfind("SUMMARY:");
  if (summary != std::string_view::npos) words.remove_prefix(summary);
  while (!words.empty() && words.back() == '\n') words.remove_suffix(1);
  if (summary != std::string_view::npos) {
    words = words.substr(0, words.find('\n'));
  } else {
    words = words.substr(words.rfind('\n') + 1);
  }
  std::string printable(words.substr(0, 300));
  std::ranges::replace_if(printable, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return printable.empty() ? std::string() : "; stderr: " + printable;
}

}  // namespace conformance
