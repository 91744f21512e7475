// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the sandbox's filter of system calls (seccomp), so that an untrusted backend cannot leave the sandbox.

#ifndef DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILTER_H_
#define DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILTER_H_

#include <string>

namespace conformance {

/// From now on, system calls that leave a sandbox fail with EPERM in this process and in those that it starts: sockets,
/// other processes' memory, namespaces, mounts, keys, kernel modules. With `changes_modes`, calls that change files'
/// modes, owners and times stay allowed, because the file systems are read-only. Returns an empty string, or why the
/// filter could not be installed.
std::string InstallSystemCallFilter(bool changes_modes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILTER_H_
