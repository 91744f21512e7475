// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says which files a backend in a sandbox may use, and restricts the process to them.

#ifndef DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILES_H_
#define DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILES_H_

#include <string>

#include "conformance/backends/sandbox.h"

namespace conformance {

/// `has_proc`: /proc shows only the processes of the sandbox. Empty, or why the machine cannot do it.
std::string RestrictFiles(const SandboxPolicy& policy, bool has_proc);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SANDBOX_FILES_H_
