// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses whole words as numbers and rejects NaN, wrong signs and numbers out of range.

#include "conformance/cli/amount.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
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

CLI::Validator AmountOf(double least, double most) {
  return CLI::Validator(
      [=](const std::string& text) {
        const auto value = Parsed<double>(text);
        const bool fits = value && *value >= least && *value <= most;
        return fits ? "" : fmt::format("found '{}', expected a number from {} to {}", text, least, most);
      },
      "", "amount");
}

CLI::Validator WholeNumber() {
  return CLI::Validator(
      [](const std::string& text) {
        return Parsed<std::uint64_t>(text) ? "" : fmt::format("found '{}', expected a whole number below 2^64", text);
      },
      "", "whole number");
}

}  // namespace conformance
