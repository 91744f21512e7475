// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The process interface: presents a command as a backend (an implementation that the suite judges) with the C
// interface. The command answers requests over standard input and output, as process_protocol.md defines. The rest of
// the suite sees no difference.

#ifndef DECONV_CONFORMANCE_BACKENDS_PROCESS_INTERFACE_H_
#define DECONV_CONFORMANCE_BACKENDS_PROCESS_INTERFACE_H_

#include <string>
#include <string_view>

#include "conformance/interface/backend_builtin.h"

namespace conformance {

/// The beginning of a backend's name whose rest is a command.
inline constexpr std::string_view kProcessPrefix = "cmd:";

/// Starts `/bin/sh -c command` and asks it to describe itself. After a breach of the protocol, the command is started
/// and asked again. If the command dies, this worker process dies in the same way, so that the runner reports the end
/// of the command. Returns an error if the command cannot be started or described.
OpenedInterface OpenProcess(const std::string& command);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_PROCESS_INTERFACE_H_
