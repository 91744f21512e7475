// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the requests of the process protocol, in which the suite talks to a command that is a backend in lines of
// JSON. process_messages.h reads the answers. conformance/interface/process_protocol.md defines both.

#ifndef DECONV_CONFORMANCE_BACKENDS_PROCESS_REQUESTS_H_
#define DECONV_CONFORMANCE_BACKENDS_PROCESS_REQUESTS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/interface/deconv_backend.h"
#include "oracle/operator.h"

namespace conformance {

/// The version of the protocol.
inline constexpr int kProcessProtocol = 1;

/// Each function returns one request as a line, with the newline. `id` is the number of the request, which the answer
/// must repeat.
std::string DescribeRequestLine(std::int64_t id);
std::string RunRequestLine(std::int64_t id, const oracle::Operator& op, const deconv_run_request& request);
std::string ResolveRequestLine(std::int64_t id, const oracle::Operator& op, std::string_view dialect);
std::string SupportsRequestLine(std::int64_t id, const oracle::Operator& op, const deconv_supports_request& request);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_PROCESS_REQUESTS_H_
