// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Two steps into the sandbox, so that an untrusted backend cannot leave it: the restriction of files by Landlock
// (sandbox_files.cc), and the filter of system calls (seccomp, sandbox_filter.cc).

#ifndef DECONV_CONFORMANCE_BACKENDS_SANDBOX_STEPS_H_
#define DECONV_CONFORMANCE_BACKENDS_SANDBOX_STEPS_H_

#include <string>

#include "conformance/backends/sandbox.h"

namespace conformance {

/// Restricts the process to the files of the policy. `has_proc`: whether /proc shows only the processes of the sandbox,
/// so that all of it may be read. Returns an empty string, or why the machine cannot restrict files.
std::string RestrictFiles(const SandboxPolicy& policy, bool has_proc);

/// From now on, system calls that leave a sandbox fail with EPERM in this process and in those that it starts: sockets,
/// other processes' memory, namespaces, mounts, keys, kernel modules. With `changes_modes`, calls that change files'
/// modes, owners and times stay allowed, because the file systems are read-only. Returns an empty string, or why the
/// filter could not be installed.
std::string InstallSystemCallFilter(bool changes_modes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SANDBOX_STEPS_H_
