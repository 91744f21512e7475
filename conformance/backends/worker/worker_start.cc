// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts a worker, the process that runs a backend, in a sandbox if SandboxWorkers() was called before. Reads the
// declarations of the backend from the worker's first message.

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conformance/backends/scratch_folder.h"
#include "conformance/backends/worker/process_resources.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/backends/worker/worker_process.h"

namespace conformance {
namespace {

using std::chrono::steady_clock;

// A backend that computes while it loads gets so many times the limit.
constexpr int kStartLimitsOfComputing = 10;

// The setting of SandboxWorkers().
bool sandboxed = false;
std::vector<std::string>& ReadableByAll() {
  static std::vector<std::string> readable;
  return readable;
}

/// The files and folders that a sandbox of this backend may read.
std::vector<std::string> ReadableIn(const std::string& backend) {
  std::vector<std::string> readable = ReadablePathsOf(backend);
  readable.insert(readable.end(), ReadableByAll().begin(), ReadableByAll().end());
  return readable;
}

}  // namespace

void SandboxWorkers(std::vector<std::string> readable) {
  sandboxed = true;
  ReadableByAll() = std::move(readable);
  RemoveAbandonedScratchFolders();
}

std::string SandboxOf(const std::string& backend) {
  return sandboxed ? EncodeSandbox({.scratch = "", .readable = ReadableIn(backend)}) : "";
}

std::optional<BackendError> Worker::Start() {
  if (process_ > 0) return std::nullopt;
  const bool killed_before = std::exchange(was_killed_, false);
  auto error = StartOnce();
  // The process was killed from outside while it loaded. That is not the backend's fault, so try once more.
  if (error && was_killed_) error = StartOnce();
  was_killed_ = was_killed_ || killed_before;
  return error;
}

std::optional<BackendError> Worker::StartOnce() {
  Stop();
  if (arena_.file() < 0 && !arena_.Resize({})) {
    return BackendError{false, "the suite could not allocate the buffers that it shares with the worker; free memory"};
  }
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    return BackendError{false, fmt::format("cannot create a socket to the worker: {}", std::strerror(errno))};
  }
  socket_ = sockets[0];
  if (sandboxed) {
    // The worker makes the folder and outlives this process to remove it. This process chooses the name, so that it can
    // remove the folder of a worker that was killed.
    std::error_code error;
    scratch_ = NewScratchPath(error);
    if (error) {
      close(sockets[1]);
      return BackendError{false, fmt::format("--sandbox: TMPDIR does not name a folder: {}", error.message())};
    }
  }
  stderr_file_ = memfd_create("worker's stderr", MFD_CLOEXEC);
  fcntl(stderr_file_, F_SETFL, O_APPEND);
  if (const int failed = Spawn(sockets[1]); failed != 0) {
    process_ = -1;
    return BackendError{false, fmt::format("cannot start a worker process: {}", std::strerror(failed))};
  }
  process_file_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
  last_look_ = steady_clock::now();
  if (sandboxed) {
    tasks_before_ = TasksOfMachine();
    if (auto error = ReceiveSandboxReport()) return error;
  }
  return ReceiveHello();
}

void Worker::RemoveScratch() {
  if (!scratch_.empty()) RemoveScratchFolder(AT_FDCWD, std::exchange(scratch_, {}).c_str());
}

/// Starts the process with the worker's end of the socket, which it closes here. Returns an errno, or 0.
int Worker::Spawn(int worker_socket) {
  // The copies have numbers above those that the worker expects, so that no dup2 overwrites the source of the next.
  const int socket = fcntl(worker_socket, F_DUPFD_CLOEXEC, 10);
  const int arena = fcntl(arena_.file(), F_DUPFD_CLOEXEC, 10);
  close(worker_socket);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, stderr_file_, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, kWorkerSocket);
  posix_spawn_file_actions_adddup2(&actions, arena, kWorkerArena);
  std::string program = "/proc/self/exe";
  std::string argument(kWorkerArgument);
  SandboxPolicy policy{.scratch = scratch_, .readable = {}};
  std::vector<std::string> variables;
  std::vector<char*> environment;
  if (sandboxed) {
    policy.readable = ReadableIn(backend_name_);
    variables = SandboxEnvironment(scratch_);
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);
  }
  std::string encoded = EncodeSandbox(policy);
  std::array<char*, 5> arguments = {program.data(), argument.data(), backend_name_.data(),
                                    sandboxed ? encoded.data() : nullptr, nullptr};
  // The worker gets a new process group, so that all processes that the backend starts can be ended with it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int failed = posix_spawn(&process_, program.c_str(), &actions, &attributes, arguments.data(),
                                 sandboxed ? environment.data() : environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(socket);
  close(arena);
  return failed;
}

/// Reads which protections hold. The worker sends this report before it loads the backend, so the backend cannot have
/// written it.
std::optional<BackendError> Worker::ReceiveSandboxReport() {
  sandbox_.reset();
  std::string packet;
  if (auto error = WaitForMessage(packet)) return error;
  sandbox_ = DecodeSandboxReport(packet);
  if (const std::string refusal = sandbox_->Refusal(); !refusal.empty()) {
    Stop();
    return BackendError{true, refusal};
  }
  return std::nullopt;
}

/// Waits for a message of a process that starts. Returns an error if the process hangs, dies or exceeds a limit.
std::optional<BackendError> Worker::WaitForMessage(std::string& packet) {
  Wait wait = Wait::kStillComputes;
  int waits = 0;
  for (; waits < kStartLimitsOfComputing && wait == Wait::kStillComputes; ++waits) wait = WaitForAnswer(start_limit_);
  if (wait != Wait::kReadable && wait != Wait::kDied) {
    Stop();
    if (interrupt_ != nullptr && *interrupt_ != 0) {
      return BackendError{false, fmt::format("{}: interrupted while the backend was loading", backend_name_)};
    }
    if (wait == Wait::kTooMuch) {
      return BackendError{false, fmt::format("{}: while it was loading, it held {}", backend_name_, too_much_)};
    }
    const double limit = std::chrono::duration<double>(start_limit_).count();
    return BackendError{
        false,
        fmt::format("{}: the backend did not load within {} s, and its process {}; a --timeout above {} gives it "
                    "more time",
                    backend_name_, limit * waits,
                    wait == Wait::kStillComputes ? "was still computing" : "did not compute any more", limit)};
  }
  packet.resize(kLargestPacket);
  const ssize_t size = recv(socket_, packet.data(), packet.size(), 0);
  if (size <= 0) {
    return BackendError{
        false, fmt::format("{}: the backend's process died while loading: {}", backend_name_, OutcomeOfDeath().detail)};
  }
  packet.resize(static_cast<std::size_t>(size));
  return std::nullopt;
}

/// Waits until the backend has loaded, and reads what it declares.
std::optional<BackendError> Worker::ReceiveHello() {
  std::string packet;
  if (auto error = WaitForMessage(packet)) return error;
  auto hello = DecodeHello(packet);
  if (auto* error = std::get_if<BackendError>(&hello)) {
    Stop();
    return *error;
  }
  capabilities_ = std::get<Capabilities>(std::move(hello));
  return std::nullopt;
}

}  // namespace conformance
