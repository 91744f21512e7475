// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers with which a backend written in C++ fills in its answer: the dims, and a message that fits its field.

#ifndef DECONV_CONFORMANCE_INTERFACE_ANSWER_H_
#define DECONV_CONFORMANCE_INTERFACE_ANSWER_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "conformance/interface/deconv_backend.h"

namespace conformance {

/// Writes the message, cut to fit and made one line.
void WriteMessage(deconv_run_request& request, std::string_view message);
void WriteMessage(deconv_resolve_request& request, std::string_view message);
void WriteMessage(deconv_supports_request& request, std::string_view message);

/// Writes the message like WriteMessage, and returns `answer`.
deconv_answer Answer(deconv_run_request& request, deconv_answer answer, std::string_view message);

/// Writes which code runs, cut to fit, if the request has a place for it.
void WriteImplementation(deconv_run_request& request, std::string_view name);

/// Writes the message of a request that only asks what an operator resolves to, and returns `answer`.
deconv_answer Answer(deconv_resolve_request& request, deconv_answer answer, std::string_view message);

/// COMPUTED, with the output's dims and the spatial axes' pads_begin.
deconv_answer AnswerResolved(deconv_resolve_request& request, std::span<const std::int64_t> dims,
                             std::span<const std::int64_t> pads_begin);

/// Writes the output's dims; at most DECONV_BACKEND_MAX_RANK of them.
void WriteOutputDims(deconv_run_request& request, std::span<const std::int64_t> dims);

/// Checks the request against what the backend resolved: DECONV_ANSWER_COMPUTED if the three buffers have these sizes
/// in bytes, else the answer to give (OTHER_SHAPE for the output, ERROR for the inputs).
deconv_answer CheckBuffers(deconv_run_request& request, std::uint64_t data_bytes, std::uint64_t filter_bytes,
                           std::uint64_t output_bytes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_ANSWER_H_
