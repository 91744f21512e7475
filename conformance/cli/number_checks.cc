// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses whole words as numbers and rejects NaN, wrong signs and numbers out of range.

#include "conformance/cli/number_checks.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace conformance {
namespace {

/// The whole text as a number, or nothing.
template <class Number>
std::optional<Number> Parsed(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

CLI::Validator NumberBetween(double least, double most) {
  return CLI::Validator(
      [=](const std::string& text) {
        const auto value = Parsed<double>(text);
        const bool fits = value && *value >= least && *value <= most;
        return fits ? "" : fmt::format("found '{}', expected a number from {} to {}", text, least, most);
      },
      "", "amount");
}

CLI::AsNumberWithUnit Duration() {
  return CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}},
                               CLI::AsNumberWithUnit::CASE_SENSITIVE);
}

CLI::Validator CountWithUnit() {
  return CLI::Validator(
      [](std::string& text) {
        constexpr std::string_view kUnits = "KMGT";
        std::string number = text;
        double factor = 1;
        if (const std::size_t unit = text.empty() ? std::string::npos : kUnits.find(text.back());
            unit != std::string::npos) {
          number.pop_back();
          factor = std::pow(1000, static_cast<double>(unit + 1));
        }
        const auto value = Parsed<double>(number);
        if (!value || !(*value * factor >= 1) || !(*value * factor <= 1e30)) {
          return fmt::format("found '{}', expected a number from 1 to 1e30, such as 500M or 2.5T", text);
        }
        text = fmt::format("{:.17g}", *value * factor);
        return std::string();
      },
      "", "count");
}

CLI::Validator WholeNumber() {
  return CLI::Validator(
      [](const std::string& text) {
        return Parsed<std::uint64_t>(text) ? "" : fmt::format("found '{}', expected a whole number below 2^64", text);
      },
      "", "whole number");
}

}  // namespace conformance
