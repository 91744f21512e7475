// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The backend of oneDNN's primitives as a function: the suite has it built in, and onednn.so exports it.

#ifndef DECONV_CONFORMANCE_ADAPTERS_NATIVE_ONEDNN_H_
#define DECONV_CONFORMANCE_ADAPTERS_NATIVE_ONEDNN_H_

#include "conformance/door/deconv_backend.h"

namespace native {

/// As deconv_backend_open. `config` is "any" or "".
int OpenOnednn(const char* config, deconv_backend* backend);

}  // namespace native

#endif  // DECONV_CONFORMANCE_ADAPTERS_NATIVE_ONEDNN_H_
