// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One step into the sandbox of an untrusted backend: forbids system calls. The filter is a program of classic BPF,
// which Linux runs before each system call. The program lists forbidden calls, because vendors' runtimes use too many
// calls for a list of allowed ones. Landlock (sandbox_files.cc) restricts files.
//
// A jump of BPF compares the loaded number and skips instructions: Add(JEQ, call, 0, 1) skips 0 of them if the number
// is `call`, else 1. So Forbid(call) becomes:
//   if number == call, skip 0, else skip 1
//   return EPERM

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "conformance/backends/sandbox_steps.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace conformance {

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
namespace {

#ifdef __x86_64__
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

// Calls whose numbers the headers of Debian 12 lack. They are the same on all machines.
constexpr std::uint32_t kIoUringSetup = 425;
constexpr std::uint32_t kFirstNewMountCall = 428;  // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick
constexpr std::uint32_t kLastNewMountCall = 433;
constexpr std::uint32_t kClone3 = 435;
constexpr std::uint32_t kPidfdGetfd = 438;
constexpr std::uint32_t kMountSetattr = 442;
constexpr std::uint32_t kMemfdSecret = 447;
constexpr std::uint32_t kFchmodat2 = 452;
constexpr std::uint32_t kSetxattrat = 463;

// Sockets reach other machines and other programs. Memory of another process holds its secrets and its answers. Objects
// of System V, message queues and memory files outlive or outgrow what a runner watches. The rest is for
// administrators.
constexpr std::array kForbidden = {
    SYS_socket,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
    SYS_quotactl,
    SYS_shmget,
    SYS_shmat,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_memfd_create,
    SYS_fanotify_init,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_move_pages,
    SYS_migrate_pages,
    SYS_lookup_dcookie,
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_uselib,
    SYS_kexec_file_load,
#endif
};

// Changes of modes, owners, times, extended attributes and sizes of files, which not every version of Landlock
// restricts.
constexpr std::array kMetadataChanges = {
    SYS_fchmod,    SYS_fchmodat,  SYS_fchown,      SYS_fchownat,     SYS_utimensat,    SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_truncate,
#ifdef __x86_64__
    SYS_chmod,     SYS_chown,     SYS_lchown,      SYS_utime,        SYS_utimes,       SYS_futimesat,
#endif
};

/// The BPF program. Between two rules, the number of the system call is loaded.
class Program {
 public:
  Program() {
    Load(offsetof(seccomp_data, arch));
    Add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);  // calls of another machine have other numbers
    Return(SECCOMP_RET_ERRNO | EPERM);
    Load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    constexpr std::uint32_t kX32 = 0x40000000;  // calls of the x32 interface have this bit in their numbers
    Add(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1);
    Return(SECCOMP_RET_ERRNO | EPERM);
#endif
  }

  void Forbid(std::uint32_t call, int error = EPERM) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    Return(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }
  void ForbidRange(std::uint32_t first, std::uint32_t last) {
    Add(BPF_JMP | BPF_JGE | BPF_K, first, 0, 2);
    Add(BPF_JMP | BPF_JGT | BPF_K, last, 1, 0);
    Return(SECCOMP_RET_ERRNO | EPERM);
  }
  /// Forbids a call whose argument has one of these bits.
  void ForbidBits(std::uint32_t call, std::size_t argument, std::uint32_t bits) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    LoadArgument(argument);
    Add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    Return(SECCOMP_RET_ERRNO | EPERM);
    Load(offsetof(seccomp_data, nr));
  }
  /// Forbids a call whose argument is this number, or with `anything_else` any other number.
  void ForbidValue(std::uint32_t call, std::size_t argument, std::uint32_t value, bool anything_else = false) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    LoadArgument(argument);
    Add(BPF_JMP | BPF_JEQ | BPF_K, value, anything_else ? 1 : 0, anything_else ? 0 : 1);
    Return(SECCOMP_RET_ERRNO | EPERM);
    Load(offsetof(seccomp_data, nr));
  }

  /// Allows all other calls and starts the filter. Returns an empty string, or why it cannot be started.
  std::string Install() {
    Return(SECCOMP_RET_ALLOW);
    const sock_fprog program = {static_cast<unsigned short>(code_.size()), code_.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0) {
      return "";
    }
    return std::string("seccomp: ") + std::strerror(errno);
  }

 private:
  void Add(std::uint16_t code, std::uint32_t operand, std::uint8_t if_true, std::uint8_t if_false) {
    code_.push_back({code, if_true, if_false, operand});
  }
  void Load(std::size_t offset) { Add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0); }
  /// Loads the lower 32 bits of an argument. They come first, because both architectures are little-endian.
  void LoadArgument(std::size_t index) { Load(offsetof(seccomp_data, args) + 8 * index); }
  void Return(std::uint32_t value) { Add(BPF_RET | BPF_K, value, 0, 0); }

  std::vector<sock_filter> code_;
};

}  // namespace

std::string InstallSystemCallFilter(bool allows_metadata_changes) {
  Program program;
  for (const long call : kForbidden) program.Forbid(static_cast<std::uint32_t>(call));
  program.ForbidRange(kFirstNewMountCall, kLastNewMountCall);
  for (const std::uint32_t call : {kPidfdGetfd, kMountSetattr, kMemfdSecret}) program.Forbid(call);
  // After ENOSYS callers use the older system calls instead.
  program.Forbid(kIoUringSetup, ENOSYS);
  program.Forbid(kClone3, ENOSYS);  // its flags are in memory, where no filter sees them
  constexpr std::uint32_t kNamespaces =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  program.ForbidBits(SYS_clone, 0, kNamespaces);
  program.ForbidValue(SYS_socketpair, 0, AF_UNIX, true);
  program.ForbidValue(SYS_prctl, 0, PR_SET_PDEATHSIG);  // a worker ends with its runner
  if (!allows_metadata_changes) {
    for (const long call : kMetadataChanges) program.Forbid(static_cast<std::uint32_t>(call));
    program.Forbid(kFchmodat2);
    program.Forbid(kSetxattrat);
  }
  return program.Install();
}

#else

std::string InstallSystemCallFilter(bool /*allows_metadata_changes*/) {
  return "seccomp: the suite knows no system calls of this kind of machine";
}

#endif

}  // namespace conformance
