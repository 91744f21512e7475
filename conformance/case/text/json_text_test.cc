// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the functions that read JSON: the limit for nested lists protects the stack, texts that are no JSON are
// refused, and the messages name values that are no integers.

#include "conformance/case/text/json_text.h"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Lists within lists: Nested(2) is "[[]]".
std::string Nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

TEST(JsonText, NestsUpToTheLimit) {
  EXPECT_EQ(JsonText(ParseJson(Nested(kDeepestJson))), Nested(kDeepestJson));
  EXPECT_THROW(ParseJson(Nested(kDeepestJson + 1)), std::invalid_argument);
  EXPECT_FALSE(ParseJsonIfValid(Nested(kDeepestJson)).is_discarded());
  EXPECT_TRUE(ParseJsonIfValid(Nested(kDeepestJson + 1)).is_discarded());
  EXPECT_TRUE(ParseJsonIfValid(std::string(1'000'000, '[')).is_discarded());
}

TEST(JsonText, ManyListsSideBySideAreNotDeep) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) text += R"([{"a":[]}],)";
  EXPECT_EQ(ParseJson(text + "0]").size(), 1001U);
}

TEST(JsonText, BracketsInTextsDoNotCount) {
  const std::string brackets(1000, '[');
  EXPECT_EQ(ParseJson("[\"\\\"" + brackets + "\\\\\"]").at(0).get<std::string>(), "\"" + brackets + "\\");
  // Here the brackets are outside of the string, so that they count.
  EXPECT_TRUE(ParseJsonIfValid(R"(["\\",)" + Nested(kDeepestJson) + "]").is_discarded());
}

TEST(JsonText, RefusesTextsThatAreNoJson) {
  for (const char* text : {"", "[", "]", "\"", "\\", "[\"\\", "]]]", "nul"}) {
    EXPECT_THROW(ParseJson(text), nlohmann::json::exception) << text;
    EXPECT_TRUE(ParseJsonIfValid(text).is_discarded()) << text;
  }
}

// The error for a JSON text in which an integer is expected, or "none".
std::string ComplaintAbout(const std::string& text) {
  const auto read = CatchJsonError([&] { return IntegerOf<int>(ParseJson(text), "rank"); });
  const auto* complaint = std::get_if<std::string>(&read);
  return complaint == nullptr ? "none" : *complaint;
}

TEST(JsonIntegers, AMessageNamesTheKindOfListsAndObjects) {
  EXPECT_EQ(ComplaintAbout("3"), "none");
  EXPECT_THAT(ComplaintAbout("0.5"), StartsWith("rank: found 0.5, expected an integer from "));
  EXPECT_THAT(ComplaintAbout("[[1]]"), StartsWith("rank: found array, expected an integer from "));
  EXPECT_THAT(ComplaintAbout("{}"), StartsWith("rank: found object, expected an integer from "));
  EXPECT_THAT(ComplaintAbout(Nested(1000)), HasSubstr("nests more than 64 levels deep"));
}

}  // namespace
}  // namespace conformance
