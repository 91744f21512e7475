// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses and writes JSON with nlohmann::json, after a check of the nesting depth.

#include "conformance/case/text/json_text.h"

#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

namespace conformance {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// Whether brackets nest too deep. It counts the brackets outside of strings, as a parser does up to the first error.
bool IsTooDeep(std::string_view text) {
  std::int64_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      ++i;  // past the character that it escapes
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      if (++depth > kDeepestJson) return true;
    } else if (!in_string && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

}  // namespace

json ParseJson(std::string_view text) {
  if (IsTooDeep(text)) throw std::invalid_argument(fmt::format("nests more than {} levels deep", kDeepestJson));
  return json::parse(text);
}

json ParseJsonIfValid(std::string_view text) {
  return IsTooDeep(text) ? json(json::value_t::discarded) : json::parse(text, nullptr, false);
}

std::string JsonText(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string JsonText(const ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace conformance
