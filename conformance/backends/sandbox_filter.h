// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the sandbox's filter of system calls (seccomp).

#ifndef DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILTER_H_
#define DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILTER_H_

#include <string>

namespace conformance {

/// From now on system calls that leave a sandbox fail with EPERM, in this process and those that it starts: sockets,
/// other processes' memory, namespaces, mounts, keys, kernel modules. `changes_modes`: whether files' modes, owners and
/// times may be changed, because the file systems are read-only. Empty, or why there is no filter.
std::string InstallSystemCallFilter(bool changes_modes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILTER_H_
