// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says which files a backend in a sandbox may use, and restricts the process to them.

#ifndef DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILES_H_
#define DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILES_H_

#include <string>

#include "conformance/backends/sandbox.h"

namespace conformance {

/// Restricts the process to the files of the policy. `has_proc`: whether /proc shows only the processes of the sandbox,
/// so that all of it may be read. Returns an empty string, or why the machine cannot restrict files.
std::string RestrictFiles(const SandboxPolicy& policy, bool has_proc);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILES_H_
