// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads integers from JSON, and refuses other numbers. The conversion of the library accepts every number: 1.7e38 is
// undefined behaviour, 0.5 becomes 0, and -1 becomes a huge size.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_JSON_INTEGERS_H_
#define DECONV_CONFORMANCE_CASE_TEXT_JSON_INTEGERS_H_

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"

namespace conformance {

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

#endif  // DECONV_CONFORMANCE_CASE_TEXT_JSON_INTEGERS_H_
