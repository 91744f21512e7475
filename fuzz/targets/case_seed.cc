// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the parts: each has a text, a number of bytes that it takes where another part follows, and both
// directions between them.

#include "fuzz/targets/case_seed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "conformance/case/case.h"
#include "fuzz/codec/codec.h"
#include "fuzz/codec/slots.h"

namespace fuzz {
namespace {

using Bytes = std::string;
/// The bytes, or the sentence that says what is wrong.
struct Part {
  Bytes bytes;
  std::string fault;
};

constexpr std::string_view kCase = "case";
constexpr std::string_view kBytes = "bytes";
constexpr std::string_view kChoices = "choices";
constexpr std::string_view kSteps = "steps";

constexpr std::array kOneCase = {kCase};
constexpr std::array kInterface = {kChoices, kCase};
constexpr std::array kSequence = {kCase, kCase, kCase, kCase, kSteps};

// A step is a byte: the plan in the lowest two bits, what is done with it in the next two, a number above.
constexpr std::array<std::string_view, 4> kActions = {"create", "pack", "run", "destroy"};
constexpr unsigned kPlans = 4;
constexpr unsigned kMostNumber = 15;
constexpr std::size_t kMostSteps = 64;

constexpr std::size_t kMostChoices = 64;

/// How many bytes a part has that another one follows.
std::size_t RoomOf(std::string_view key) { return key == kChoices ? kMostChoices : conformance::codec::kRecipeBytes; }

std::span<const std::uint8_t> AsNumbers(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

Bytes WithoutZerosAtTheEnd(std::string_view bytes) {
  return Bytes(bytes.substr(0, bytes.find_last_not_of('\0') + 1));  // npos + 1 is 0
}

std::string NumbersText(std::string_view bytes) {
  std::string text;
  for (const std::uint8_t byte : AsNumbers(bytes)) text += (text.empty() ? "" : " ") + std::to_string(byte);
  return text.empty() ? "0" : text;
}

std::string StepsText(std::string_view bytes) {
  std::string text;
  for (const std::uint8_t step : AsNumbers(bytes.substr(0, kMostSteps))) {
    const std::string_view action = kActions[step / kPlans % kActions.size()];
    text.append(text.empty() ? "" : ", ").append(action).append(" ").append(std::to_string(step % kPlans));
    const unsigned number = step / (kPlans * kActions.size());
    if (number != 0 && (action == "pack" || action == "run")) text += " " + std::to_string(number);
  }
  return text;
}

/// Nothing if the case has no bytes that leave room for the next part.
std::optional<Bytes> CaseBytes(const conformance::Case& test_case, bool is_last) {
  const auto encoded = conformance::EncodeCase(test_case);
  if (!encoded || (!is_last && encoded->size() > RoomOf(kCase))) return std::nullopt;
  return Bytes(encoded->begin(), encoded->end());
}

std::string PartText(std::string_view key, std::string_view bytes, bool is_last) {
  if (key == kSteps) return "steps: " + StepsText(bytes);
  if (key == kChoices) return "choices: " + NumbersText(WithoutZerosAtTheEnd(bytes));
  const conformance::Case test_case = conformance::DecodeCase(AsNumbers(bytes));
  if (CaseBytes(test_case, is_last)) return "case: " + ToLine(test_case);
  return "bytes: " + NumbersText(WithoutZerosAtTheEnd(bytes));
}

std::optional<unsigned> NumberUpTo(unsigned most, std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > most) return std::nullopt;
  return number;
}

std::vector<std::string_view> Split(std::string_view text, std::string_view by) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(by, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + by.size();
  }
  return parts;
}

std::string Found(std::string_view what, const std::string& expected) {
  return "found '" + std::string(what) + "', expected " + expected;
}

Part PartOfNumbers(std::string_view text) {
  Part part;
  for (const std::string_view word : Split(text, " ")) {
    const auto number = NumberUpTo(UINT8_MAX, word);
    if (!number) return {{}, Found(word, "a number from 0 to 255")};
    part.bytes.push_back(static_cast<char>(*number));
  }
  part.bytes = WithoutZerosAtTheEnd(part.bytes);
  return part;
}

Part PartOfSteps(std::string_view text) {
  Part part;
  if (text.empty()) return part;
  for (const std::string_view step : Split(text, ", ")) {
    const std::vector<std::string_view> words = Split(step, " ");
    const auto action = std::ranges::find(kActions, words[0]);
    const auto plan = words.size() > 1 ? NumberUpTo(kPlans - 1, words[1]) : std::nullopt;
    const auto number = words.size() > 2 ? NumberUpTo(kMostNumber, words[2]) : std::optional(0U);
    if (action == kActions.end() || !plan || !number || words.size() > 3) {
      return {{}, Found(step, "create, pack, run or destroy, a plan from 0 to 3, and perhaps a number up to 15")};
    }
    const auto which = static_cast<unsigned>(action - kActions.begin());
    part.bytes.push_back(static_cast<char>(*plan + kPlans * (which + kActions.size() * *number)));
  }
  if (part.bytes.size() > kMostSteps) {
    return {{}, Found(std::to_string(part.bytes.size()) + " steps", "at most " + std::to_string(kMostSteps))};
  }
  return part;
}

Part PartOfCase(std::string_view line, bool is_last) {
  const auto parsed = conformance::ParseCaseLine(line);
  if (const auto* error = std::get_if<conformance::ParseError>(&parsed)) return {{}, error->message};
  const auto bytes = CaseBytes(std::get<conformance::Case>(parsed), is_last);
  if (!bytes) return {{}, Found(line, "a case within the codec's limits (fuzz/codec/codec.h)")};
  return {*bytes, {}};
}

Part PartOf(std::string_view key, std::string_view value, bool is_last) {
  if (key == kSteps) return PartOfSteps(value);
  if (key == kCase) return PartOfCase(value, is_last);
  return PartOfNumbers(value);
}

}  // namespace

std::span<const std::string_view> CaseSeedKeys(std::string_view target) {
  if (target == "kernel_vs_oracle") return kOneCase;
  if (target == "kernel_interface") return kInterface;
  if (target == "kernel_sequences") return kSequence;
  return {};
}

std::string CaseSeedText(std::span<const std::string_view> keys, std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_last = i + 1 == keys.size();
    const std::size_t size = is_last ? bytes.size() : std::min(bytes.size(), RoomOf(keys[i]));
    text += (i == 0 ? "" : "\n") + PartText(keys[i], bytes.substr(0, size), is_last);
    bytes.remove_prefix(size);
  }
  return text;
}

std::variant<std::string, SeedError> CaseSeedBytes(std::span<const std::string_view> keys,
                                                   const std::vector<SeedLine>& lines) {
  std::string bytes;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_last = i + 1 == keys.size();
    if (i == lines.size()) {
      return SeedError{lines.empty() ? 0 : lines.back().number,
                       "found " + std::to_string(i) + " lines, expected another one: " + std::string(keys[i])};
    }
    const SeedLine& line = lines[i];
    const std::size_t colon = line.text.find(": ");
    const std::string_view key = std::string_view(line.text).substr(0, colon);
    const bool is_known = key == keys[i] || (keys[i] == kCase && key == kBytes);
    if (colon == std::string::npos || !is_known) {
      return SeedError{line.number, Found(line.text, "a line '" + std::string(keys[i]) + ": ...'")};
    }
    Part part = PartOf(key, std::string_view(line.text).substr(colon + 2), is_last);
    if (part.fault.empty() && !is_last && part.bytes.size() > RoomOf(keys[i])) {
      part.fault = Found(std::to_string(part.bytes.size()) + " bytes", "at most " + std::to_string(RoomOf(keys[i])));
    }
    if (!part.fault.empty()) return SeedError{line.number, std::string(key) + ": " + part.fault};
    if (!is_last) part.bytes.resize(RoomOf(keys[i]));
    bytes += part.bytes;
  }
  if (lines.size() > keys.size()) {
    return SeedError{lines[keys.size()].number, Found(lines[keys.size()].text, "the next seed, '--- TITLE'")};
  }
  return bytes;
}

}  // namespace fuzz
