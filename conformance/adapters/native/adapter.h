// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Helps the adapters of this folder: it turns lists of the interface into vectors, messages into answers, and
// exceptions into answers. It needs the interface's header and the standard library only.

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

using Dims = std::vector<std::int64_t>;

/// The library refuses the operator.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The library, or the adapter, cannot do what may be a valid operator.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline Dims ToDims(const deconv_id_list& list) {
  if (list.values == nullptr) return {};
  return {list.values, list.values + list.count};
}

inline std::string Text(std::span<const std::int64_t> values) {
  std::string text = "[";
  for (const std::int64_t value : values) text += (text.size() > 1 ? "," : "") + std::to_string(value);
  return text + "]";
}

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

/// Whether `pointer_to_field` lies within the struct that the caller has sent; older suites send shorter ones.
template <typename Struct, typename Field>
bool Has(const Struct& sent, Field Struct::* field) {
  const auto* const begin = reinterpret_cast<const char*>(&sent);
  const auto* const end = reinterpret_cast<const char*>(&(sent.*field) + 1);
  return static_cast<std::size_t>(end - begin) <= sent.size;
}

template <typename Request>
void Say(Request& request, std::string_view text) {
  const std::size_t size = std::min(text.size(), sizeof(request.message) - 1);
  std::copy_n(text.data(), size, request.message);
  request.message[size] = '\0';
  std::replace(request.message, request.message + size, '\n', ' ');
}

template <typename Request>
void WriteDims(Request& request, std::span<const std::int64_t> dims) {
  request.output_rank = static_cast<std::int32_t>(dims.size());
  std::copy_n(dims.begin(), std::min<std::size_t>(dims.size(), DECONV_BACKEND_MAX_RANK), request.output_dims);
}

/// Answers what `work` returns, or what its exception says. No exception may leave a backend.
template <typename Request, typename Work>
deconv_answer Answered(Request& request, Work work) {
  try {
    return work();
  } catch (const Refused& why) {
    Say(request, why.what());
    return DECONV_ANSWER_REFUSED;
  } catch (const Unsupported& why) {
    Say(request, why.what());
    return DECONV_ANSWER_UNSUPPORTED;
  } catch (const std::exception& why) {
    Say(request, why.what());
    return DECONV_ANSWER_ERROR;
  }
}

/// Answers supports() by what `work` returns: empty is a yes, else the reason of a no. After any other exception than
/// Unsupported the answer is yes: run() meets it again, and says it.
template <typename Work>
std::int32_t Asked(deconv_supports_request& request, Work work) {
  try {
    const std::string reason = work();
    Say(request, reason);
    return reason.empty() ? 1 : 0;
  } catch (const Unsupported& why) {
    Say(request, why.what());
    return 0;
  } catch (const std::exception&) {
    return 1;
  }
}

/// Gives the suite the functions of `own`. The struct of an older suite is shorter.
inline int Offer(deconv_backend own, deconv_backend* backend) {
  own.size = std::min(sizeof(own), backend->size);
  own.abi = DECONV_BACKEND_ABI;
  std::memcpy(backend, &own, own.size);
  return 0;
}

}  // namespace native

#endif  // DECONV_CONFORMANCE_ADAPTERS_NATIVE_ADAPTER_H_
