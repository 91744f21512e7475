// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The server side of the process interface. It offers any backend (implementation that the suite judges) of this build
// over standard input and output (process_protocol.md). Mutants, which are wrong on purpose, may break the protocol
// (mutants/faults/declaration_mutants.cc). `deconv-cts doctor` and the tests start their own program as a server. The
// program deconv-server is only a server.

#ifndef DECONV_CONFORMANCE_BACKENDS_SERVE_PROCESS_H_
#define DECONV_CONFORMANCE_BACKENDS_SERVE_PROCESS_H_

#include <span>
#include <string>
#include <string_view>

namespace conformance {

/// The first argument that makes a program of ours such a server; the second is the backend's name.
inline constexpr std::string_view kServeArgument = "--deconv-serve";

/// Serves until the end of input; returns the exit status, 3 if there is no such backend.
int ServeProcess(const std::string& backend);

/// If the program was started as a server, serves until the end of input and returns the exit status. Otherwise returns
/// -1. Call it first in main().
int ServeIfProcess(std::span<char* const> arguments);

/// The name "cmd:..." of a backend that starts this program as a server of `backend`.
std::string ServedBackendName(std::string_view backend);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SERVE_PROCESS_H_
