// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses and writes JSON. The library's parser and writer are templates that take ten seconds to compile; a file that
// calls these functions is spared that.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_
#define DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace conformance {

/// The most levels of lists and objects that are read. The library writes and copies a value by recursion, and a
/// stranger's text must not overflow the stack. The deepest documents that this project reads, graphs of oneDNN, have
/// some 6 levels.
inline constexpr int kDeepestJson = 64;

/// Throws nlohmann::json::exception if the text is not JSON, and std::invalid_argument if it nests too deep.
nlohmann::json ParseJson(std::string_view text);

/// A value that is_discarded() if the text is not JSON, or nests too deep.
nlohmann::json ParseJsonIfValid(std::string_view text);

/// The text on one line, or with so many spaces for each level. Bytes that are not UTF-8 become U+FFFD.
std::string JsonText(const nlohmann::json& value, int indent = -1);
std::string JsonText(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_
