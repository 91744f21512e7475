// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the requests and reads and checks the answers of the process protocol, in which a command that is a backend
// talks to the suite in lines of JSON. conformance/interface/process_protocol.md defines both.

#ifndef DECONV_CONFORMANCE_BACKENDS_PROCESS_MESSAGES_H_
#define DECONV_CONFORMANCE_BACKENDS_PROCESS_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/interface/deconv_backend.h"
#include "oracle/operator.h"

namespace conformance {

// Requests (process_requests.cc).

/// The version of the protocol.
inline constexpr int kProcessProtocol = 1;

/// Each function returns one request as a line, with the newline. `id` is the number of the request, which the answer
/// must repeat.
std::string DescribeRequestLine(std::int64_t id);
std::string RunRequestLine(std::int64_t id, const oracle::Operator& op, const deconv_run_request& request);
std::string ResolveRequestLine(std::int64_t id, const oracle::Operator& op, std::string_view dialect);
std::string SupportsRequestLine(std::int64_t id, const oracle::Operator& op, const deconv_supports_request& request);

// Answers (process_messages.cc).

/// The most bytes of an answer's line. An honest line is far shorter.
inline constexpr std::size_t kLongestAnswer = 64 * 1024;

/// A process's description of itself. It owns the memory to which the C interface's description points.
struct ProcessDescription {
  std::string name;
  std::string version;
  std::vector<std::string> dialects;
  deconv_backend_description declared{};  ///< pointers are null
  std::vector<deconv_type_arithmetic> arithmetic;
  bool resolves = false;
  bool answers_supports = false;
  std::string text;  ///< the answer without its number, for a comparison with the answer after another start
};

/// The answer to a request to run or to resolve an operator.
struct ProcessAnswer {
  deconv_answer answer = DECONV_ANSWER_ERROR;
  oracle::Dims dims;
  std::optional<oracle::Dims> pads_begin;
  std::uint64_t output_bytes = 0;  ///< bytes of the output that follow the line
  std::string message;
  std::string implementation;
};

/// The answer to the question whether an operator is supported.
struct SupportsAnswer {
  bool supported = false;
  std::string message;
};

/// Each function reads the answer to one kind of request. `id` is the number of the request. Returns the answer, or
/// what is wrong with the line: no JSON, another number than `id`, a key that is missing, unknown or of the wrong kind.
std::variant<ProcessDescription, std::string> ReadDescribeAnswer(std::string_view line, std::int64_t id);
/// `may_omit_dims`: the backend takes resolved geometry.
std::variant<ProcessAnswer, std::string> ReadRunAnswer(std::string_view line, std::int64_t id,
                                                       bool may_omit_dims = false);
std::variant<SupportsAnswer, std::string> ReadSupportsAnswer(std::string_view line, std::int64_t id);
std::variant<ProcessAnswer, std::string> ReadResolveAnswer(std::string_view line, std::int64_t id);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_PROCESS_MESSAGES_H_
