// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The process interface: a command that speaks the protocol of process_protocol.md, presented as the C interface. The
// rest of the suite sees no difference.

#ifndef DECONV_CONFORMANCE_BACKENDS_PROCESS_INTERFACE_H_
#define DECONV_CONFORMANCE_BACKENDS_PROCESS_INTERFACE_H_

#include <string>
#include <string_view>

#include "conformance/interface/backend_builtin.h"

namespace conformance {

/// The beginning of a backend's name whose rest is a command.
inline constexpr std::string_view kProcessPrefix = "cmd:";

/// Starts `/bin/sh -c command` and asks it to describe itself. It is started again, and asked again, after it broke the
/// protocol. If it dies, this process dies in the same way: a worker's death is told as the backend's.
OpenedInterface OpenProcess(const std::string& command);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_PROCESS_INTERFACE_H_
