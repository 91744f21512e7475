// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses and writes JSON. The templates of the JSON library take ten seconds to compile. Only json_text.cc compiles
// them; other files call these functions.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_
#define DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace conformance {

/// The most levels of nested lists and objects. The library writes and copies values by recursion, so that a deep text
/// from an untrusted file would overflow the stack. The deepest documents of this project, graphs of oneDNN, have about
/// 6 levels.
inline constexpr int kDeepestJson = 64;

/// Parses a text. Throws nlohmann::json::exception if it is not JSON, and std::invalid_argument if it nests too deep.
nlohmann::json ParseJson(std::string_view text);

/// Parses a text without exceptions. If it is not JSON or nests too deep, is_discarded() of the result is true.
nlohmann::json ParseJsonIfValid(std::string_view text);

/// The text of a value: on one line, or with `indent` spaces for each level. Bytes that are not UTF-8 become U+FFFD.
std::string JsonText(const nlohmann::json& value, int indent = -1);
std::string JsonText(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_
