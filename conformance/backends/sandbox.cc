// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Enters a sandbox in this order: namespaces, because they need privileges; Landlock, which says what files may be
// used; the filter of system calls. What the machine does not permit is noted, and the caller decides.

#include "conformance/backends/sandbox.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/backends/crash_report.h"
#include "conformance/backends/sandbox_filter.h"

namespace conformance {
namespace {

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

// Landlock as its documentation has it. The headers of Debian 12 know only the first 14 rights of files.
struct LandlockRuleset {
  std::uint64_t files;
  std::uint64_t network;
  std::uint64_t scoped;
};
struct [[gnu::packed]] LandlockPath {
  std::uint64_t allowed;
  std::int32_t folder;
};
constexpr long kLandlockCreate = 444;
constexpr long kLandlockAddRule = 445;
constexpr long kLandlockRestrict = 446;
constexpr std::uint64_t kExecute = 1U << 0;
constexpr std::uint64_t kWriteFile = 1U << 1;
constexpr std::uint64_t kReadFile = 1U << 2;
constexpr std::uint64_t kReadFolder = 1U << 3;
constexpr std::uint64_t kTruncate = 1U << 14;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;
/// All rights of files that a version knows: 13, then one more for each of the next two.
std::uint64_t RightsOf(long version) {
  const int count = version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (std::uint64_t{1} << count) - 1;
}

// Files and folders that runtimes of vendors read. The list names single files of /etc, because /etc has secrets.
constexpr std::array kSystemFolders = {"/usr",
                                       "/lib",
                                       "/lib64",
                                       "/lib32",
                                       "/libx32",
                                       "/bin",
                                       "/sbin",
                                       "/opt",
                                       "/nix/store",
                                       "/gnu/store",
                                       "/sys",
                                       "/dev",
                                       "/etc/ld.so.cache",
                                       "/etc/ld.so.conf",
                                       "/etc/ld.so.conf.d",
                                       "/etc/ld.so.preload",
                                       "/etc/alternatives",
                                       "/etc/localtime",
                                       "/etc/nsswitch.conf",
                                       "/etc/passwd",
                                       "/etc/group",
                                       "/etc/OpenCL",
                                       "/etc/vulkan",
                                       "/etc/glvnd",
                                       "/etc/ssl/openssl.cnf",
                                       "/etc/python3",
                                       "/etc/python3.11",
                                       "/etc/python3.13",
                                       "/etc/magic",
                                       "/etc/mime.types",
                                       "/run/opengl-driver"};
// Where the namespace of processes is the machine's, only this of /proc.
constexpr std::array kSharedProc = {"/proc/self",    "/proc/cpuinfo", "/proc/meminfo",    "/proc/stat",
                                    "/proc/version", "/proc/sys",     "/proc/filesystems"};
constexpr std::array kDevices = {"/dev/null",    "/dev/zero",       "/dev/full",        "/dev/random",
                                 "/dev/urandom", "/dev/dri",        "/dev/kfd",         "/dev/nvidiactl",
                                 "/dev/nvidia0", "/dev/nvidia-uvm", "/dev/nvidia-caps", "/dev/accel"};

std::string Because(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

bool WriteFile(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) close(file);
  return written;
}

/// Ends as the child did, so that whoever waits for this process learns how the backend ended.
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

void CloseAllBut(int kept) {
  if (kept > 0) syscall(SYS_close_range, 0, kept - 1, 0);
  syscall(SYS_close_range, kept + 1, ~0U, 0);
}

/// The first process of the namespace: it waits for orphans too, and tells how the worker ended.
[[noreturn]] void BeFirstProcess(pid_t worker, int told) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended == worker) {
      [[maybe_unused]] const ssize_t size = write(told, &status, sizeof status);
      _exit(0);  // ends all processes of the namespace
    }
    if (ended < 0 && errno != EINTR) _exit(1);
  }
}

/// The process that the runner knows: it waits for the namespace's end.
[[noreturn]] void WaitOutside(pid_t first, int tells) {
  int status = 0;
  const bool is_told = read(tells, &status, sizeof status) == sizeof status;
  int end_of_first = 0;
  while (waitpid(first, &end_of_first, 0) < 0 && errno == EINTR) {
  }
  EndAs(is_told ? status : end_of_first);
}

/// Namespaces for users, mounts, processes, the network and more, with read-only file systems and a scratch folder in
/// memory.
class Namespaces {
 public:
  Namespaces(const SandboxPolicy& policy, SandboxReport& report) : policy_(policy), report_(report) {}

  void Enter() {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    constexpr int kOthers = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (unshare(CLONE_NEWUSER | kOthers) == 0) {
      WriteFile("/proc/self/setgroups", "deny");
      WriteFile("/proc/self/uid_map", fmt::format("{0} {0} 1", user));
      WriteFile("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
    } else if (unshare(kOthers) != 0) {
      return Lack(kOwnProcesses | kOwnNetwork | kBoundedFiles, Because("unshare"));
    }
    report_.in_force |= kOwnNetwork;
    MakeReadOnly();
    MountScratch();
    BecomeInner();
  }
  bool read_only() const { return read_only_; }
  bool has_proc() const { return has_proc_; }

 private:
  void Lack(std::uint32_t protections, const std::string& why) {
    for (const auto& [protection, name] : kNames) {
      if ((protections & protection) != 0) report_.missing.push_back(fmt::format("{} ({})", name, why));
    }
  }

  void MakeReadOnly() {
    struct {
      std::uint64_t set, clear, propagation, namespace_file;
    } attributes = {1 /* MOUNT_ATTR_RDONLY */, 0, MS_PRIVATE, 0};
    constexpr long kMountSetattr = 442;
    constexpr unsigned kRecursive = 0x8000;
    read_only_ = syscall(kMountSetattr, AT_FDCWD, "/", kRecursive, &attributes, sizeof attributes) == 0;
    if (!read_only_) mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  }

  void MountScratch() {
    const std::string options = fmt::format("size={},mode=0700", kScratchBytes);
    if (mount("tmpfs", policy_.scratch.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0) {
      report_.in_force |= kBoundedFiles;
    } else {
      Lack(kBoundedFiles, Because("tmpfs"));
    }
  }

  /// Goes on in the namespace of processes, as a child of its first process. A first process ignores signals that
  /// crashes send, so the worker must not be it.
  void BecomeInner() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return Lack(kOwnProcesses, Because("pipe"));
    const pid_t first = fork();
    if (first < 0) return Lack(kOwnProcesses, Because("fork"));
    if (first > 0) {
      PassStackRequestsToChild(first);
      CloseAllBut(ends[0]);
      WaitOutside(first, ends[0]);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    has_proc_ = mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
    const std::string no_proc = has_proc_ ? "" : Because("/proc");
    const pid_t worker = fork();
    if (worker < 0) _exit(1);
    if (worker > 0) {
      PassStackRequestsToChild(worker);
      CloseAllBut(ends[1]);
      BeFirstProcess(worker, ends[1]);
    }
    close(ends[0]);
    close(ends[1]);
    report_.in_force |= kOwnProcesses;
    if (!has_proc_)
      report_.missing.push_back(
          fmt::format("a /proc of its own ({}): it reads no more of /proc than it needs", no_proc));
  }

  const SandboxPolicy& policy_;
  SandboxReport& report_;
  bool read_only_ = false;
  bool has_proc_ = false;
};

void DropPrivileges() {
  for (int capability = 0; capability < 64; ++capability) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  constexpr int kClearAll = 4;  // PR_CAP_AMBIENT_CLEAR_ALL
  prctl(PR_CAP_AMBIENT, kClearAll, 0, 0, 0);
  struct {
    std::uint32_t version;
    int process;
  } header = {0x20080522, 0};
  std::array<std::uint32_t, 6> none{};
  syscall(SYS_capset, &header, none.data());
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

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

class Landlock {
 public:
  ~Landlock() {
    if (rules_ >= 0) close(rules_);
  }

  /// Empty, or why the machine has no Landlock.
  std::string Create() {
    constexpr std::uint32_t kAskVersion = 1;
    const long version = syscall(kLandlockCreate, nullptr, 0, kAskVersion);
    if (version < 1) return Because("Landlock") + "; Linux has it from 5.13, where it is switched on";
    rights_ = RightsOf(version);
    LandlockRuleset ruleset = {rights_, version >= 4 ? 3U : 0U, version >= 6 ? 3U : 0U};
    const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    rules_ = static_cast<int>(syscall(kLandlockCreate, &ruleset, size, 0));
    return rules_ < 0 ? Because("landlock_create_ruleset") : "";
  }

  /// A path that does not exist needs no rule.
  void Allow(const std::string& path, std::uint64_t rights) const {
    const int folder = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (folder < 0) return;
    struct stat file{};
    fstat(folder, &file);
    rights &= S_ISDIR(file.st_mode) ? rights_ : rights_ & kOfFiles;
    const LandlockPath rule = {rights, folder};
    constexpr int kPathBeneath = 1;
    syscall(kLandlockAddRule, rules_, kPathBeneath, &rule, 0);
    close(folder);
  }
  std::uint64_t all() const { return rights_; }

  std::string Restrict() const {
    return syscall(kLandlockRestrict, rules_, 0) == 0 ? "" : Because("landlock_restrict_self");
  }

 private:
  int rules_ = -1;
  std::uint64_t rights_ = 0;
};

std::string RestrictFiles(const SandboxPolicy& policy, bool has_proc) {
  Landlock landlock;
  if (std::string error = landlock.Create(); !error.empty()) return error;
  constexpr std::uint64_t kRead = kExecute | kReadFile | kReadFolder;
  for (const char* path : kSystemFolders) landlock.Allow(path, kRead);
  for (const std::string& path : policy.readable) landlock.Allow(path, kRead);
  if (has_proc) {
    landlock.Allow("/proc", kRead);
  } else {
    for (const char* path : kSharedProc) landlock.Allow(path, kRead);
  }
  for (const char* path : kDevices) landlock.Allow(path, kRead | kWriteFile);
  landlock.Allow(policy.scratch, landlock.all());
  return landlock.Restrict();
}

}  // namespace

std::string SandboxReport::InForce() const {
  std::vector<std::string_view> names;
  for (const auto& [protection, name] : kNames) {
    if ((in_force & protection) != 0) names.emplace_back(name);
  }
  return fmt::format("{}", fmt::join(names, "; "));
}

std::string SandboxReport::Missing() const { return fmt::format("{}", fmt::join(missing, "; ")); }

std::string SandboxReport::Text() const { return InForce() + (missing.empty() ? "" : "; missing here: " + Missing()); }

std::string SandboxReport::Refusal() const {
  if ((in_force & kRequiredProtections) == kRequiredProtections) return "";
  return fmt::format(
      "--sandbox: this machine does not give what a sandbox needs: {}; run on another machine or kernel, or without "
      "--sandbox",
      Missing());
}

SandboxReport EnterSandbox(const SandboxPolicy& policy) {
  SandboxReport report;
  Namespaces namespaces(policy, report);
  namespaces.Enter();
  DropPrivileges();
  SetLimits();
  const std::string no_landlock = RestrictFiles(policy, namespaces.has_proc());
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
