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

/// Restricts the process to the files of the policy. `has_own_proc`: /proc shows only the processes of the sandbox, so
/// all of it may be read. Returns an empty string, or why the machine cannot restrict files.
std::string RestrictFiles(const SandboxPolicy& policy, bool has_own_proc);

/// From now on, system calls that leave a sandbox fail in this process and in those that it starts. Such calls are
/// those for sockets, other processes' memory, namespaces, mounts, keys and kernel modules; sandbox_filter.cc has the
/// whole list. They fail with EPERM, or with ENOSYS if callers then use older calls. `allows_metadata_changes`: calls
/// stay allowed that change modes, owners, times, sizes and extended attributes of files, because the file systems are
/// read-only. Returns an empty string, or why the filter could not be installed.
std::string InstallSystemCallFilter(bool allows_metadata_changes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SANDBOX_STEPS_H_
