// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One step into the sandbox of an untrusted backend: restricts the files of the calling process by Landlock, with which
// a Linux process gives up rights of its own. The system's folders and those of the policy can be read. Only the
// scratch folder and some devices can be written.

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conformance/backends/sandbox_steps.h"

namespace conformance {
namespace {

// The structures of Landlock, copied from its documentation. The headers of Debian 12 lack the newer rights of files.
struct LandlockRuleset {
  std::uint64_t files;
  std::uint64_t network;
  std::uint64_t scoped;
};
struct [[gnu::packed]] LandlockPath {
  std::uint64_t allowed;
  std::int32_t folder;
};
// The numbers of the three system calls, and the rights that this file names.
constexpr long kLandlockCreate = 444;
constexpr long kLandlockAddRule = 445;
constexpr long kLandlockRestrict = 446;
constexpr std::uint64_t kExecute = 1U << 0;
constexpr std::uint64_t kWriteFile = 1U << 1;
constexpr std::uint64_t kReadFile = 1U << 2;
constexpr std::uint64_t kReadFolder = 1U << 3;
constexpr std::uint64_t kTruncate = 1U << 14;
constexpr std::uint64_t kRightsOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;
/// One bit for each right of files that a version of Landlock knows: 13 rights in version 1, 14 in 2, 15 from 3 on.
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
// The only readable paths of /proc if the process namespace is shared with the machine.
constexpr std::array kSharedProc = {"/proc/self",    "/proc/cpuinfo", "/proc/meminfo",    "/proc/stat",
                                    "/proc/version", "/proc/sys",     "/proc/filesystems"};
// Devices that a backend may write to: those without contents, GPUs and accelerators.
constexpr std::array kDevices = {"/dev/null",    "/dev/zero",       "/dev/full",        "/dev/random",
                                 "/dev/urandom", "/dev/dri",        "/dev/kfd",         "/dev/nvidiactl",
                                 "/dev/nvidia0", "/dev/nvidia-uvm", "/dev/nvidia-caps", "/dev/accel"};

std::string LandlockError(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

/// A set of Landlock's rules, which Restrict() puts into force.
class Landlock {
 public:
  ~Landlock() {
    if (rules_ >= 0) close(rules_);
  }

  /// Creates an empty set of rules. Returns an empty string, or why the machine has no Landlock.
  std::string Create() {
    constexpr std::uint32_t kAskVersion = 1;
    const long version = syscall(kLandlockCreate, nullptr, 0, kAskVersion);
    if (version < 1) return LandlockError("Landlock") + "; Linux has it from 5.13, where it is switched on";
    rights_ = RightsOf(version);
    // 3 stands for both rights: TCP's bind and connect from version 4 on, local sockets and signals from 6 on.
    LandlockRuleset ruleset = {rights_, version >= 4 ? 3U : 0U, version >= 6 ? 3U : 0U};
    const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;  // bytes of the members that the version knows
    rules_ = static_cast<int>(syscall(kLandlockCreate, &ruleset, size, 0));
    return rules_ < 0 ? LandlockError("landlock_create_ruleset") : "";
  }

  /// Allows `rights` on the path and all below it. A path that does not exist needs no rule.
  void Allow(const std::string& path, std::uint64_t rights) const {
    const int folder = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (folder < 0) return;
    struct stat file{};
    fstat(folder, &file);
    rights &= S_ISDIR(file.st_mode) ? rights_ : rights_ & kRightsOfFiles;
    const LandlockPath rule = {rights, folder};
    constexpr int kPathBeneath = 1;
    syscall(kLandlockAddRule, rules_, kPathBeneath, &rule, 0);
    close(folder);
  }
  std::uint64_t all() const { return rights_; }

  std::string Restrict() const {
    return syscall(kLandlockRestrict, rules_, 0) == 0 ? "" : LandlockError("landlock_restrict_self");
  }

 private:
  int rules_ = -1;
  std::uint64_t rights_ = 0;
};

}  // namespace

std::string RestrictFiles(const SandboxPolicy& policy, bool has_own_proc) {
  Landlock landlock;
  if (std::string error = landlock.Create(); !error.empty()) return error;
  constexpr std::uint64_t kRead = kExecute | kReadFile | kReadFolder;
  for (const char* path : kSystemFolders) landlock.Allow(path, kRead);
  for (const std::string& path : policy.readable) landlock.Allow(path, kRead);
  if (has_own_proc) {
    landlock.Allow("/proc", kRead);
  } else {
    for (const char* path : kSharedProc) landlock.Allow(path, kRead);
  }
  for (const char* path : kDevices) landlock.Allow(path, kRead | kWriteFile);
  landlock.Allow(policy.scratch, landlock.all());
  return landlock.Restrict();
}

}  // namespace conformance
