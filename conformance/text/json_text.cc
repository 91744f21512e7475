// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the parser and the writer of JSON, for all files that need them.

#include "conformance/text/json_text.h"

namespace conformance {

using nlohmann::json;
using nlohmann::ordered_json;

json ParseJson(std::string_view text) { return json::parse(text); }

json ParseJsonIfValid(std::string_view text) { return json::parse(text, nullptr, false); }

std::string JsonText(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string JsonText(const ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace conformance
