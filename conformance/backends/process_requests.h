// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON lines of the process protocol: writes requests. process_messages.h reads the answers, and
// conformance/interface/process_protocol.md defines their meaning.

#ifndef DECONV_CONFORMANCE_BACKENDS_PROCESS_REQUESTS_H_
#define DECONV_CONFORMANCE_BACKENDS_PROCESS_REQUESTS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/interface/deconv_backend.h"
#include "oracle/operator.h"

namespace conformance {

inline constexpr int kProcessProtocol = 1;

/// Requests: each one line, with its end.
std::string DescribeRequestLine(std::int64_t id);
std::string RunRequestLine(std::int64_t id, const oracle::Operator& op, const deconv_run_request& request);
std::string ResolveRequestLine(std::int64_t id, const oracle::Operator& op, std::string_view dialect);
std::string SupportsRequestLine(std::int64_t id, const oracle::Operator& op, const deconv_supports_request& request);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_PROCESS_REQUESTS_H_
