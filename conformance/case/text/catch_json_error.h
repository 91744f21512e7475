// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns the exceptions of JSON readers into values. A reader throws if a member is missing or has a wrong type; its
// callers use no exceptions and need the message.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_CATCH_JSON_ERROR_H_
#define DECONV_CONFORMANCE_CASE_TEXT_CATCH_JSON_ERROR_H_

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <variant>

namespace conformance {

/// Calls `read`. Returns its result, or the text of its exception: one of the JSON library, or a std::invalid_argument.
template <class Read>
auto CatchJsonError(const Read& read) -> std::variant<decltype(read()), std::string> {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    return std::string(error.what());
  } catch (const std::invalid_argument& error) {
    return std::string(error.what());
  }
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_CATCH_JSON_ERROR_H_
