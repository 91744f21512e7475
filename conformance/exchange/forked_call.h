// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a function in a forked copy of this process, so that a crash, a hang or too much memory becomes a message.

#ifndef DECONV_CONFORMANCE_EXCHANGE_FORKED_CALL_H_
#define DECONV_CONFORMANCE_EXCHANGE_FORKED_CALL_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>

namespace conformance::exchange {

struct ChildLimits {
  std::chrono::seconds time;
  std::uint64_t resident_bytes;  ///< of the child, beyond what this process has; watched ten times a second
  std::uint64_t answer_bytes;
};

struct ChildFailure {
  std::string message;  ///< "died by signal 11", "took more than 60 s", ...
};

/// What `work` returns. To be called where no other thread runs.
std::variant<std::string, ChildFailure> ForkedCall(const std::function<std::string()>& work, const ChildLimits& limits);

}  // namespace conformance::exchange

#endif  // DECONV_CONFORMANCE_EXCHANGE_FORKED_CALL_H_
