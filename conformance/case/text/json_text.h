// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses and writes JSON, and reads its members with messages about their errors. The templates of the JSON library
// take ten seconds to compile. Only json_text.cc compiles the parser and the writer; other files call these functions.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_
#define DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

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

// Integers of JSON; other numbers are refused. The conversion of the library accepts every number: 1.7e38 is undefined
// behaviour, 0.5 becomes 0, and -1 becomes a huge size.

/// Converts `value`; the message of an error calls it `name`. Throws std::invalid_argument if it is no integer or does
/// not fit the type.
template <class Integer>
Integer IntegerOf(const nlohmann::json& value, std::string_view name) {
  const bool fits = value.is_number_unsigned()
                        ? std::in_range<Integer>(value.get<std::uint64_t>())
                        : value.is_number_integer() && std::in_range<Integer>(value.get<std::int64_t>());
  if (!fits) {
    const std::string found = value.is_structured() ? value.type_name() : JsonText(value);
    throw std::invalid_argument(fmt::format("{}: found {}, expected an integer from {} to {}", name, found,
                                            std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()));
  }
  return value.is_number_unsigned() ? static_cast<Integer>(value.get<std::uint64_t>())
                                    : static_cast<Integer>(value.get<std::int64_t>());
}

/// The member `key` of an object, which must be an integer. Throws as above; nlohmann::json::exception if it is absent.
template <class Integer>
Integer IntegerAt(const nlohmann::json& object, const char* key) {
  return IntegerOf<Integer>(object.at(key), key);
}

/// The member `key`, or `otherwise` if there is no such member.
template <class Integer>
Integer IntegerOr(const nlohmann::json& object, const char* key, Integer otherwise) {
  return object.contains(key) ? IntegerAt<Integer>(object, key) : otherwise;
}

/// The member `key`, which must be a list of integers. Throws as above.
template <class Integer>
std::vector<Integer> IntegersAt(const nlohmann::json& object, const char* key) {
  std::vector<Integer> integers;
  const nlohmann::json& list = object.at(key);
  if (!list.is_array())
    throw std::invalid_argument(fmt::format("{}: found {}, expected a list", key, list.type_name()));
  for (const nlohmann::json& value : list) integers.push_back(IntegerOf<Integer>(value, key));
  return integers;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_JSON_TEXT_H_
