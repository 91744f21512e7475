// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a command beside this process: starts it in a process group of its own, together with a keeper process that
// kills the group when this process ends. The functions that wait for output also notice the end of the command.

#include "conformance/backends/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/case/text/lines.h"

namespace conformance {
namespace {

// The size of a pipe, the largest that an unprivileged process may ask for on Linux. A tensor of this size passes
// without the two sides waiting for each other.
constexpr int kPipeBytes = 1 << 20;

// The most output that is read while input is still being written. Further output stays in the pipe.
constexpr std::size_t kMostBuffered = std::size_t{1} << 20;

// The time that a process gets to end by itself after it closed its output, or after its input was closed.
constexpr int kEndMilliseconds = 2000;

void CloseDescriptor(int& descriptor) {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

// The state in which a spawned process starts: descriptors, group and signals. Signals are reset to their defaults,
// because a worker ignores those that are meant for the runner, and its child would inherit that.
class Spawn {
 public:
  explicit Spawn(pid_t group) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigemptyset(&all);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT}) sigaddset(&all, number);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, group);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  /// The process gets the descriptor under the number `as`, or /dev/null for output under that number.
  void Give(int descriptor, int as) { posix_spawn_file_actions_adddup2(&actions_, descriptor, as); }
  void GiveNull(int as) { posix_spawn_file_actions_addopen(&actions_, as, "/dev/null", O_WRONLY, 0); }

  /// Starts /bin/sh with the script. Returns 0 or an errno.
  int Shell(std::string script, pid_t& process) {
    std::string shell = "/bin/sh";
    std::string flag = "-c";
    std::array<char*, 4> arguments = {shell.data(), flag.data(), script.data(), nullptr};
    return posix_spawn(&process, shell.c_str(), &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// Makes a pipe whose descriptors are above 2. Spawned processes get the descriptors 0 to 2 by dup2, which must not
// overwrite the source of the next dup2.
bool MakePipe(std::array<int, 2>& ends) {
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  for (int& end : ends) {
    if (end > STDERR_FILENO) continue;
    const int higher = fcntl(end, F_DUPFD_CLOEXEC, 10);
    close(std::exchange(end, higher));
  }
  fcntl(ends[0], F_SETPIPE_SZ, kPipeBytes);  // may fail; then the pipe keeps its size
  return true;
}

// Turns the status of waitpid() into the end of the process.
ProcessEnd EndOf(int status) {
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  // A shell exits with 128 + the signal's number if a signal killed its command.
  for (const int number : {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGPIPE, SIGTERM, SIGSYS}) {
    if (WEXITSTATUS(status) == 128 + number) return {.signal = number};
  }
  return {.status = WEXITSTATUS(status)};
}

}  // namespace

std::string ProcessEnd::Text() const {
  if (alive) return "closed its standard output but kept running";
  if (signal != 0) return fmt::format("was killed by {} ({})", strsignal(signal), signal);
  return fmt::format("exited with status {}", status);
}

std::string ChildProcess::Start(const std::string& command) {
  Kill();
  // Without this, writing to a process that has ended would end this process.
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> input{-1, -1};
  std::array<int, 2> output{-1, -1};
  std::array<int, 2> life{-1, -1};
  const auto close_all = [&] {
    for (std::array<int, 2>* ends : {&input, &output, &life}) {
      for (int& end : *ends) CloseDescriptor(end);
    }
  };
  if (!MakePipe(input) || !MakePipe(output) || !MakePipe(life)) {
    close_all();
    return fmt::format("cannot create a pipe: {}", std::strerror(errno));
  }
  Spawn keeper(0);
  keeper.Give(life[0], STDIN_FILENO);
  keeper.GiveNull(STDOUT_FILENO);
  keeper.GiveNull(STDERR_FILENO);
  // The keeper waits until its standard input, the pipe `life`, closes with this process. Then it kills its group. It
  // ignores SIGABRT, by which the runner asks the group for a stack.
  int failed = keeper.Shell("trap '' ABRT; read -r line; kill -KILL 0", keeper_);
  if (failed == 0) {
    Spawn child(keeper_);
    child.Give(input[0], STDIN_FILENO);
    child.Give(output[1], STDOUT_FILENO);
    failed = child.Shell(command, process_);
    if (failed != 0) {
      process_ = -1;
      Kill();
    }
  } else {
    keeper_ = -1;
  }
  if (failed != 0) {
    close_all();
    return fmt::format("cannot start /bin/sh: {}", std::strerror(failed));
  }
#ifdef SYS_pidfd_open  // WebAssembly has no processes
  process_file_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
#endif
  input_ = std::exchange(input[1], -1);
  output_ = std::exchange(output[0], -1);
  lifeline_ = std::exchange(life[1], -1);
  close_all();
  for (const int end : {input_, output_}) fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
  return "";
}

ChildProcess::Fill ChildProcess::FillBuffer(bool wait) {
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t size = read(output_, chunk.data(), chunk.size());
    if (size > 0) {
      buffer_.append(chunk.data(), static_cast<std::size_t>(size));
      return Fill::kSome;
    }
    if (size == 0) return Fill::kEnded;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return Fill::kEnded;
    if (!wait) return Fill::kNone;
    if (!WaitForOutput()) return Fill::kEnded;
  }
}

bool ChildProcess::WaitForOutput() const {
  std::array<pollfd, 2> entries = {pollfd{output_, POLLIN, 0}, pollfd{process_file_, POLLIN, 0}};
  while (poll(entries.data(), entries.size(), -1) < 0 && errno == EINTR) {
  }
  return entries[0].revents != 0;
}

ChildProcess::Read ChildProcess::Ask(std::span<const std::string_view> parts, std::size_t most, std::string& line) {
  bool ended = false;
  for (std::string_view part : parts) {
    while (!part.empty()) {
      const ssize_t size = write(input_, part.data(), part.size());
      if (size > 0) {
        part.remove_prefix(static_cast<std::size_t>(size));
        continue;
      }
      if (errno == EINTR) continue;
      if (errno != EAGAIN) {  // the process reads no more; its last output tells why
        part = {};
        break;
      }
      // Read output while writing. Else both sides may wait forever, each with a full pipe.
      const bool listens = !ended && buffer_.size() < kMostBuffered;
      std::array<pollfd, 3> entries = {pollfd{input_, POLLOUT, 0}, pollfd{listens ? output_ : -1, POLLIN, 0},
                                       pollfd{process_file_, POLLIN, 0}};
      poll(entries.data(), entries.size(), -1);
      if (entries[1].revents != 0) ended = FillBuffer(false) == Fill::kEnded;
      if (entries[2].revents != 0) part = {};  // nobody will read it
    }
  }
  for (std::size_t searched = 0;;) {  // bytes of the buffer that have no newline
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos && end <= most) {
      line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return Read::kDone;
    }
    searched = buffer_.size();
    if (end != std::string::npos || searched > most || ended) {
      line = std::exchange(buffer_, {});
      return line.size() > most ? Read::kTooLong : Read::kEnded;
    }
    ended = FillBuffer(true) == Fill::kEnded;
  }
}

ChildProcess::Read ChildProcess::ReadBytes(std::span<std::byte> bytes) {
  const std::size_t buffered = std::min(bytes.size(), buffer_.size());
  std::memcpy(bytes.data(), buffer_.data(), buffered);
  buffer_.erase(0, buffered);
  bytes = bytes.subspan(buffered);
  while (!bytes.empty()) {
    const ssize_t size = read(output_, bytes.data(), bytes.size());
    if (size > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(size));
    } else if (size < 0 && errno == EAGAIN) {
      if (!WaitForOutput()) return Read::kEnded;
    } else if (size == 0 || errno != EINTR) {
      return Read::kEnded;
    }
  }
  return Read::kDone;
}

ChildProcess::Read ChildProcess::Discard(std::size_t count) {
  for (;;) {
    const std::size_t buffered = std::min(count, buffer_.size());
    buffer_.erase(0, buffered);
    count -= buffered;
    if (count == 0) return Read::kDone;
    if (FillBuffer(true) == Fill::kEnded) return Read::kEnded;
  }
}

std::string ChildProcess::UnreadOutput() {
  constexpr std::size_t kMostShown = 80;  // one line of a terminal
  if (buffer_.empty() && runs()) FillBuffer(false);
  return buffer_.substr(0, kMostShown);
}

bool ChildProcess::WaitForEnd(int milliseconds, int& status) const {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (waitpid(process_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    usleep(500);
  }
  return true;
}

ProcessEnd ChildProcess::WaitOrKill() {
  int status = 0;
  const bool ended = WaitForEnd(kEndMilliseconds, status);
  if (ended) process_ = -1;
  Kill();
  return ended ? EndOf(status) : ProcessEnd{.alive = true};
}

std::optional<ProcessEnd> ChildProcess::Poll() {
  int status = 0;
  if (!runs() || !WaitForEnd(0, status)) return std::nullopt;
  process_ = -1;
  Kill();
  return EndOf(status);
}

ProcessEnd ChildProcess::Wait() {
  int status = 0;
  if (!runs()) return {};
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  Kill();
  return EndOf(status);
}

void ChildProcess::Interrupt() const {
  if (runs()) kill(process_, SIGINT);
}

void ChildProcess::Close() {
  CloseDescriptor(input_);
  int status = 0;
  if (process_ > 0 && WaitForEnd(kEndMilliseconds, status)) process_ = -1;
  Kill();
}

void ChildProcess::Kill() {
  if (keeper_ > 0) kill(-keeper_, SIGKILL);
  if (process_ > 0) kill(process_, SIGKILL);  // the process may have left the group
  for (pid_t* member : {&process_, &keeper_}) {
    if (*member > 0) waitpid(*member, nullptr, 0);
    *member = -1;
  }
  for (int* end : {&input_, &output_, &lifeline_, &process_file_}) CloseDescriptor(*end);
  buffer_.clear();
}

std::string LastLinesOfStderr() {
  struct stat file{};
  if (fstat(STDERR_FILENO, &file) != 0 || !S_ISREG(file.st_mode)) return "";
  std::array<char, 4096> text;
  const off_t begin = std::max<off_t>(0, file.st_size - static_cast<off_t>(text.size()));
  const ssize_t size = pread(STDERR_FILENO, text.data(), text.size(), begin);
  if (size <= 0) return "";
  return LastLines({text.data(), static_cast<std::size_t>(size)});
}

}  // namespace conformance
