// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the answers of a backend (a library under test, or one of the suite's own) into the fields of the C requests.
// The fields have fixed lengths, so longer texts and lists are cut.

#include "conformance/interface/answer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

namespace conformance {

namespace {

/// Writes the text and a terminating zero byte. Control characters become spaces, because a message is one line.
void WriteText(std::span<char> field, std::string_view text) {
  const std::size_t length = std::min(text.size(), field.size() - 1);
  std::ranges::transform(text.substr(0, length), field.begin(), [](char c) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    return control ? ' ' : c;
  });
  field[length] = '\0';
}

template <typename Request>
void WriteDims(Request& request, std::span<const std::int64_t> dims) {
  const std::size_t rank = std::min<std::size_t>(dims.size(), DECONV_BACKEND_MAX_RANK);
  std::ranges::copy(dims.first(rank), request.output_dims);
  request.output_rank = static_cast<std::int32_t>(rank);
}

}  // namespace

void WriteMessage(deconv_run_request& request, std::string_view message) { WriteText(request.message, message); }
void WriteMessage(deconv_resolve_request& request, std::string_view message) { WriteText(request.message, message); }
void WriteMessage(deconv_supports_request& request, std::string_view message) { WriteText(request.message, message); }

deconv_answer Answer(deconv_run_request& request, deconv_answer answer, std::string_view message) {
  WriteMessage(request, message);
  return answer;
}

deconv_answer Answer(deconv_resolve_request& request, deconv_answer answer, std::string_view message) {
  WriteMessage(request, message);
  return answer;
}

deconv_answer AnswerResolved(deconv_resolve_request& request, std::span<const std::int64_t> dims,
                             std::span<const std::int64_t> pads_begin) {
  WriteDims(request, dims);
  std::ranges::copy(pads_begin.first(std::min<std::size_t>(pads_begin.size(), DECONV_BACKEND_MAX_RANK)),
                    request.pads_begin);
  request.tells_pads_begin = 1;
  return DECONV_ANSWER_COMPUTED;
}

void WriteImplementation(deconv_run_request& request, std::string_view name) {
  const std::size_t end = offsetof(deconv_run_request, implementation) + sizeof(request.implementation);
  if (request.size >= end) WriteText(request.implementation, name);
}

void WriteOutputDims(deconv_run_request& request, std::span<const std::int64_t> dims) { WriteDims(request, dims); }

deconv_answer CheckBuffers(deconv_run_request& request, std::uint64_t data_bytes, std::uint64_t filter_bytes,
                           std::uint64_t output_bytes) {
  if (request.output_bytes != output_bytes) {
    return Answer(request, DECONV_ANSWER_OTHER_SHAPE,
                  fmt::format("the output takes {} bytes, {} were given", output_bytes, request.output_bytes));
  }
  if (request.data_bytes != data_bytes || request.filter_bytes != filter_bytes) {
    return Answer(request, DECONV_ANSWER_ERROR,
                  fmt::format("data of {} and filter of {} bytes were given, they take {} and {}", request.data_bytes,
                              request.filter_bytes, data_bytes, filter_bytes));
  }
  return DECONV_ANSWER_COMPUTED;
}

}  // namespace conformance
