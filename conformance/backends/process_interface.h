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

/// Starts `/bin/sh -c command` and asks it to describe itself. After a breach of the protocol the command is started
/// and asked again. If it dies, this process dies in the same way, because the runner reports the worker's end.
OpenedInterface OpenProcess(const std::string& command);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_PROCESS_INTERFACE_H_
