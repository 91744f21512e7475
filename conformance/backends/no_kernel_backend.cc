// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces kernel_backend.cc in programs that never open a backend, such as fuzz targets that read text. These programs
// then do not link the kernel.

#include <string_view>

#include "conformance/interface/backend_builtin.h"

namespace conformance {

OpenedInterface OpenKernel(std::string_view /*config*/) {
  return BackendError{.usage = false, .message = "backend kernel: this program was linked without it"};
}

}  // namespace conformance
