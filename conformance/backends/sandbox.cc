// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts this process, which is about to load an untrusted backend, into a sandbox: namespaces first, because they
// need privileges. Then it gives up its privileges, and limits files and tasks. Then comes Landlock, which restricts
// files, and the filter of system calls. If the machine does not permit namespaces, Landlock or the filter, the report
// says so.
//
// Entering the namespaces forks twice. Each process waits for the next one and ends as it ended:
//   runner > process outside > first process of the namespace > worker
// The process outside makes and removes the scratch folder. The first process collects orphans. EnterSandbox() returns
// in the worker alone. Without namespaces there is no first process.

#include "conformance/backends/sandbox.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/backends/crash_report.h"
#include "conformance/backends/sandbox_steps.h"
#include "conformance/backends/scratch_folder.h"

namespace conformance {
namespace {

// Columns: protection, its name in reports.
constexpr std::array kNames = {
    std::pair{kNoNetwork, "no network"},
    std::pair{kNoWrites, "no writes outside of its scratch folder"},
    std::pair{kNoSecrets, "no home folder, environment or memory of others"},
    std::pair{kOwnProcesses, "no view of other processes"},
    std::pair{kOwnNetwork, "a network namespace of its own"},
    std::pair{kBoundedFiles, "files of at most 256 MiB in all"},
};

// As many processes and threads as a runtime with a thread for each core of a large machine may need.
constexpr rlim_t kMostTasks = 4096;

/// "WHAT: the reason of the last error".
std::string WithReason(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

bool WriteFile(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) close(file);
  return written;
}

/// Ends this process in the way in which its child ended, so that its parent learns how the backend ended.
[[noreturn]] void EndAs(int status) {
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, nullptr);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

void CloseAllBut(std::vector<int> kept) {
  std::ranges::sort(kept);
  int next = 0;
  for (const int file : kept) {
    if (file > next) syscall(SYS_close_range, next, file - 1, 0);
    next = std::max(next, file + 1);
  }
  syscall(SYS_close_range, next, ~0U, 0);
}

/// A descriptor that becomes readable when the process ends; -1 on failure.
int OpenProcess(pid_t process) { return static_cast<int>(syscall(SYS_pidfd_open, process, 0)); }

/// Descriptors of the runner, of the scratch folder and of its parent, opened outside of the sandbox. The process
/// outside makes the folder, holds its lock and removes it, because the runner may be killed at any moment.
class Outside {
 public:
  /// Opens the folder's parent. Construct it before the namespaces are entered, in which the parent is read-only.
  explicit Outside(const std::string& scratch)
      : scratch_(scratch),
        parent_(open(scratch.substr(0, NameBegin()).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
        runner_(OpenProcess(getppid())) {}

  /// Makes the folder. Returns an error, or an empty text. A program that needs no folder has an empty `scratch`.
  std::string MakeScratch() {
    if (scratch_.empty()) return "";
    if (const auto lock = MakeScratchFolder(parent_, scratch_.c_str() + NameBegin())) {
      lock_ = *lock;
      return "";
    }
    return fmt::format("a scratch folder ({}; TMPDIR names another place for it)", WithReason(scratch_.c_str()));
  }

  /// Removes the folder with its files, and the file system in memory that was mounted on it.
  void RemoveScratch() const {
    if (scratch_.empty()) return;
    umount2(scratch_.c_str(), MNT_DETACH);
    RemoveScratchFolder(parent_, scratch_.c_str() + NameBegin());
  }

  int parent() const { return parent_; }
  int runner() const { return runner_; }
  int lock() const { return lock_; }
  void Close() {
    for (int* file : {&parent_, &runner_}) close(std::exchange(*file, -1));
  }

 private:
  std::size_t NameBegin() const { return scratch_.rfind('/') + 1; }

  std::string scratch_;
  int parent_;
  int runner_;
  int lock_ = -1;
};

/// Acts as the first process of the namespace: waits for the worker and for orphans, and writes the worker's status to
/// the pipe.
[[noreturn]] void BeFirstProcess(pid_t worker, int status_pipe) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended == worker) {
      [[maybe_unused]] const ssize_t size = write(status_pipe, &status, sizeof status);
      _exit(0);  // ends all processes of the namespace
    }
    if (ended < 0 && errno != EINTR) _exit(1);
  }
}

/// Acts as the process outside, the only one that the runner knows: waits for the child's end and removes the scratch
/// folder. If the runner ends first, it kills the child, so it must not be killed with the runner. Reads from the pipe
/// how the worker ended.
[[noreturn]] void WaitOutside(pid_t child, int status_pipe, const Outside& outside) {
  std::array<pollfd, 2> ends = {pollfd{OpenProcess(child), POLLIN, 0}, pollfd{outside.runner(), POLLIN, 0}};
  const bool sees_ends = ends[0].fd >= 0;
  while (sees_ends && poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
  }
  if (sees_ends && ends[0].revents == 0) kill(child, SIGKILL);
  int end_of_child = 0;
  while (waitpid(child, &end_of_child, 0) < 0 && errno == EINTR) {
  }
  int status = 0;
  ssize_t size = 0;
  while ((size = read(status_pipe, &status, sizeof status)) < 0 && errno == EINTR) {
  }
  outside.RemoveScratch();
  EndAs(size == sizeof status ? status : end_of_child);
}

/// Namespaces for users, mounts, processes, the network and more, with read-only file systems and a scratch folder in
/// memory.
class Namespaces {
 public:
  Namespaces(const SandboxPolicy& policy, SandboxReport& report)
      : policy_(policy), report_(report), outside_(policy.scratch) {}

  /// False if the scratch folder cannot be made.
  bool Enter() {
    const std::string no_scratch = outside_.MakeScratch();
    if (no_scratch.empty()) {
      EnterAll();
    } else {
      report_.missing.push_back(no_scratch);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    outside_.Close();  // through these descriptors the worker could reach the outside
    return no_scratch.empty();
  }
  bool read_only() const { return read_only_; }
  bool has_own_proc() const { return has_own_proc_; }

 private:
  /// Enters all namespaces that the machine permits, by the rights of a user namespace or of this process.
  void EnterAll() {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    constexpr int kOthers = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (unshare(CLONE_NEWUSER | kOthers) == 0) {
      WriteFile("/proc/self/setgroups", "deny");
      WriteFile("/proc/self/uid_map", fmt::format("{0} {0} 1", user));
      WriteFile("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
    } else if (unshare(kOthers) != 0) {
      NoteMissing(kOwnProcesses | kOwnNetwork | kBoundedFiles, WithReason("unshare"));
      if (const int status_pipe = ForkFromOutside(); status_pipe >= 0) close(status_pipe);
      return;
    }
    report_.in_force |= kOwnNetwork;
    MakeReadOnly();
    MountScratch();
    BecomeInner();
  }

  /// Adds the protections to the missing ones.
  void NoteMissing(std::uint32_t protections, const std::string& why) {
    for (const auto& [protection, name] : kNames) {
      if ((protections & protection) != 0) report_.missing.push_back(fmt::format("{} ({})", name, why));
    }
  }

  void MakeReadOnly() {
    struct {  // mount_attr of Linux
      std::uint64_t set, clear, propagation, namespace_file;
    } attributes = {1 /* MOUNT_ATTR_RDONLY */, 0, MS_PRIVATE, 0};
    constexpr long kMountSetattr = 442;      // the number of mount_setattr(), which old headers lack
    constexpr unsigned kRecursive = 0x8000;  // AT_RECURSIVE
    read_only_ = syscall(kMountSetattr, AT_FDCWD, "/", kRecursive, &attributes, sizeof attributes) == 0;
    if (!read_only_) mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  }

  void MountScratch() {
    const std::string options = fmt::format("size={},mode=0700", kScratchBytes);
    if (mount("tmpfs", policy_.scratch.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0) {
      report_.in_force |= kBoundedFiles;
    } else {
      NoteMissing(kBoundedFiles, WithReason("tmpfs"));
    }
  }

  /// Forks. The parent becomes the process outside and never returns. The child returns the writing end of a pipe, by
  /// which it can tell the parent how another process ended; -1 on failure.
  int ForkFromOutside() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return -1;
    const pid_t child = fork();
    if (child < 0) return -1;
    if (child > 0) {
      PassStackRequestsToChild(child);
      CloseAllBut({ends[0], outside_.parent(), outside_.runner(), outside_.lock()});
      WaitOutside(child, ends[0], outside_);
    }
    close(ends[0]);
    close(outside_.lock());  // else the folder would stay locked as long as the backend runs
    return ends[1];
  }

  /// Continues as a child of the first process of the process namespace. The first process itself ignores the signals
  /// of abort() and the like, so the worker must not be that process.
  void BecomeInner() {
    const int status_pipe = ForkFromOutside();
    if (status_pipe < 0) return NoteMissing(kOwnProcesses, WithReason("fork"));
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    has_own_proc_ = mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
    const std::string no_proc = has_own_proc_ ? "" : WithReason("/proc");
    const pid_t worker = fork();
    if (worker < 0) _exit(1);
    if (worker > 0) {
      PassStackRequestsToChild(worker);
      CloseAllBut({status_pipe});
      BeFirstProcess(worker, status_pipe);
    }
    close(status_pipe);
    report_.in_force |= kOwnProcesses;
    if (!has_own_proc_)
      report_.missing.push_back(
          fmt::format("a /proc of its own ({}): it reads no more of /proc than it needs", no_proc));
  }

  const SandboxPolicy& policy_;
  SandboxReport& report_;
  Outside outside_;
  bool read_only_ = false;
  bool has_own_proc_ = false;
};

/// Gives up all capabilities (the parts of root's rights), now and for programs that are started later.
void DropPrivileges() {
  for (int capability = 0; capability < 64; ++capability) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  constexpr int kClearAll = 4;  // PR_CAP_AMBIENT_CLEAR_ALL
  prctl(PR_CAP_AMBIENT, kClearAll, 0, 0, 0);
  struct {
    std::uint32_t version;
    int process;
  } header = {0x20080522, 0};  // _LINUX_CAPABILITY_VERSION_3
  std::array<std::uint32_t, 6> none{};
  syscall(SYS_capset, &header, none.data());
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// Limits the size of files, the number of tasks and the message queues.
void SetLimits() {
  const auto lower = [](auto resource, rlim_t most) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, most);
    setrlimit(resource, &limit);
  };
  lower(RLIMIT_FSIZE, kScratchBytes);
  lower(RLIMIT_NPROC, kMostTasks);
  lower(RLIMIT_MSGQUEUE, 0);
}

}  // namespace

std::string SandboxReport::ActiveProtections() const {
  std::vector<std::string_view> names;
  for (const auto& [protection, name] : kNames) {
    if ((in_force & protection) != 0) names.emplace_back(name);
  }
  return fmt::format("{}", fmt::join(names, "; "));
}

std::string SandboxReport::Missing() const { return fmt::format("{}", fmt::join(missing, "; ")); }

std::string SandboxReport::Text() const {
  return ActiveProtections() + (missing.empty() ? "" : "; missing here: " + Missing());
}

std::string SandboxReport::Refusal() const {
  if ((in_force & kRequiredProtections) == kRequiredProtections) return "";
  return fmt::format(
      "this machine does not give what a sandbox needs: {}; run on another machine or kernel, or without a sandbox "
      "(run "
      "has none by default, fuzz has --no-sandbox)",
      Missing());
}

SandboxReport EnterSandbox(const SandboxPolicy& policy) {
  SandboxReport report;
  Namespaces namespaces(policy, report);
  if (!namespaces.Enter()) return report;
  DropPrivileges();
  SetLimits();
  const std::string no_landlock = RestrictFiles(policy, namespaces.has_own_proc());
  const std::string no_filter = InstallSystemCallFilter(namespaces.read_only());
  if (no_landlock.empty()) report.in_force |= kNoSecrets;
  if (no_filter.empty()) report.in_force |= kNoNetwork;
  if (no_landlock.empty() && no_filter.empty()) report.in_force |= kNoWrites;
  for (const std::string& why : {no_landlock, no_filter}) {
    if (!why.empty()) report.missing.insert(report.missing.begin(), why);
  }
  return report;
}

}  // namespace conformance
