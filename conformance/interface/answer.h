// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers for backends that are written in C++ against the C interface (deconv_backend.h): they write the output
// dims, pads, message and implementation of an answer, and check the sizes of the buffers.

#ifndef DECONV_CONFORMANCE_INTERFACE_ANSWER_H_
#define DECONV_CONFORMANCE_INTERFACE_ANSWER_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "conformance/interface/deconv_backend.h"

namespace conformance {

/// Writes the message. It is cut to the length of its field, and control characters become spaces.
void WriteMessage(deconv_run_request& request, std::string_view message);
void WriteMessage(deconv_resolve_request& request, std::string_view message);
void WriteMessage(deconv_supports_request& request, std::string_view message);

/// Writes the message like WriteMessage, and returns `answer`.
deconv_answer Answer(deconv_run_request& request, deconv_answer answer, std::string_view message);
deconv_answer Answer(deconv_resolve_request& request, deconv_answer answer, std::string_view message);

/// Writes the name of the code that runs, cut to fit, if the request is new enough to have the field.
void WriteImplementation(deconv_run_request& request, std::string_view name);

/// Writes the output dims and the pads_begin of the spatial axes, and returns DECONV_ANSWER_COMPUTED.
deconv_answer AnswerResolved(deconv_resolve_request& request, std::span<const std::int64_t> dims,
                             std::span<const std::int64_t> pads_begin);

/// Writes the output's dims; at most DECONV_BACKEND_MAX_RANK of them.
void WriteOutputDims(deconv_run_request& request, std::span<const std::int64_t> dims);

/// Checks that the three buffers of the request have the sizes that the backend resolved. Returns
/// DECONV_ANSWER_COMPUTED if they do, else the backend's answer: OTHER_SHAPE for the output, ERROR for the inputs.
deconv_answer CheckBuffers(deconv_run_request& request, std::uint64_t data_bytes, std::uint64_t filter_bytes,
                           std::uint64_t output_bytes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_ANSWER_H_
