// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Helps the adapters of this folder, which connect libraries in C++ to the suite: turns lists of the C interface into
// vectors, and exceptions into answers with a message. It needs only the interface's header and the standard library.

#ifndef DECONV_CONFORMANCE_ADAPTERS_NATIVE_ADAPTER_H_
#define DECONV_CONFORMANCE_ADAPTERS_NATIVE_ADAPTER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/interface/deconv_backend.h"

namespace native {

/// Sizes, or other integers of which there is one for each axis.
using Dims = std::vector<std::int64_t>;

/// The library refuses the operator as invalid.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The operator may be valid, but the library or the adapter cannot compute it.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the numbers of a list. A list that the operator does not have is empty.
inline Dims ToDims(const deconv_id_list& list) {
  if (list.values == nullptr) return {};
  return {list.values, list.values + list.count};
}

inline std::string Text(std::span<const std::int64_t> values) {
  std::string text = "[";
  for (const std::int64_t value : values) text += (text.size() > 1 ? "," : "") + std::to_string(value);
  return text + "]";
}

/// Returns the bytes of an element of a type, which is one of DECONV_ID_*. A boolean has 1.
inline std::size_t ElementBytes(std::int32_t type) {
  switch (type) {
    case DECONV_ID_F64:
    case DECONV_ID_I64:
    case DECONV_ID_U64:
      return 8;
    case DECONV_ID_F32:
    case DECONV_ID_I32:
    case DECONV_ID_U32:
      return 4;
    case DECONV_ID_F16:
    case DECONV_ID_BF16:
    case DECONV_ID_I16:
    case DECONV_ID_U16:
      return 2;
    default:
      return 1;
  }
}

/// Whether `field` lies within the struct that the suite has sent. Older suites send shorter structs.
template <typename Struct, typename Field>
bool Has(const Struct& sent, Field Struct::* field) {
  const auto* const begin = reinterpret_cast<const char*>(&sent);
  const auto* const end = reinterpret_cast<const char*>(&(sent.*field) + 1);
  return static_cast<std::size_t>(end - begin) <= sent.size;
}

/// Writes the message of a request. A long text is cut, and line breaks become spaces.
template <typename Request>
void SetMessage(Request& request, std::string_view text) {
  const std::size_t size = std::min(text.size(), sizeof(request.message) - 1);
  std::copy_n(text.data(), size, request.message);
  request.message[size] = '\0';
  std::replace(request.message, request.message + size, '\n', ' ');
}

/// Writes the dims of the output into a request. The rank tells if there are more than the request can hold.
template <typename Request>
void WriteDims(Request& request, std::span<const std::int64_t> dims) {
  request.output_rank = static_cast<std::int32_t>(dims.size());
  std::copy_n(dims.begin(), std::min<std::size_t>(dims.size(), DECONV_BACKEND_MAX_RANK), request.output_dims);
}

/// Calls `work` and returns its answer. An exception of `work` becomes an answer with a message, because no exception
/// may leave a backend.
template <typename Request, typename Work>
deconv_answer AnswerRun(Request& request, Work work) {
  try {
    return work();
  } catch (const Refused& why) {
    SetMessage(request, why.what());
    return DECONV_ANSWER_REFUSED;
  } catch (const Unsupported& why) {
    SetMessage(request, why.what());
    return DECONV_ANSWER_UNSUPPORTED;
  } catch (const std::exception& why) {
    SetMessage(request, why.what());
    return DECONV_ANSWER_ERROR;
  }
}

/// Answers the question whether the backend computes an operator: 1 for yes, 0 for no. `work` returns an empty string
/// for yes, or the reason for no. The exception Unsupported means no. After any other exception the answer is yes,
/// because run() will fail in the same way and report it.
template <typename Work>
std::int32_t AnswerSupports(deconv_supports_request& request, Work work) {
  try {
    const std::string reason = work();
    SetMessage(request, reason);
    return reason.empty() ? 1 : 0;
  } catch (const Unsupported& why) {
    SetMessage(request, why.what());
    return 0;
  } catch (const std::exception&) {
    return 1;
  }
}

/// Copies the functions of `own` into the suite's struct `backend`, as far as it reaches: older suites have a shorter
/// one.
inline int Offer(deconv_backend own, deconv_backend* backend) {
  own.size = std::min(sizeof(own), backend->size);
  own.abi = DECONV_BACKEND_ABI;
  std::memcpy(backend, &own, own.size);
  return 0;
}

}  // namespace native

#endif  // DECONV_CONFORMANCE_ADAPTERS_NATIVE_ADAPTER_H_
