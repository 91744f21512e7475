// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that any bytes become text that a document may hold, and that good text stays unchanged. Also tests where long
// texts are cut, and how links are found in texts.

#include "conformance/report/printable.h"

#include <string>

#include <gtest/gtest.h>

namespace conformance {
namespace {

TEST(Printable, KeepsText) {
  for (const std::string text : {"", "plain <text> & more\n\ttab", "\u00E4 \u20AC \U0001F600 \uFFFD"}) {
    EXPECT_EQ(PrintableText(text), text);
  }
}

TEST(Printable, ReplacesInvalidAndForbiddenCharacters) {
  const std::string bad = "\uFFFD";
  EXPECT_EQ(PrintableText(std::string("a\x01"
                                      "b\x7F\0c",
                                      6)),
            "a" + bad + "b" + bad + bad + "c");
  EXPECT_EQ(PrintableText("\xFF\xC3("), bad + bad + "(");
  EXPECT_EQ(PrintableText("\xC0\xAF"), bad + bad) << "overlong";
  EXPECT_EQ(PrintableText("\xE0\x80\xAF"), bad + bad + bad) << "overlong";
  EXPECT_EQ(PrintableText("\xED\xA0\x80"), bad + bad + bad) << "a surrogate";
  EXPECT_EQ(PrintableText("\xF4\x90\x80\x80"), bad + bad + bad + bad) << "beyond the last character";
  EXPECT_EQ(PrintableText("\xE2\x82"), bad + bad) << "cut off";
  // NOLINTNEXTLINE(misc-misleading-bidirectional): it is what must not reach a page
  EXPECT_EQ(PrintableText("a\u202Eb"), "a" + bad + bad + bad + "b") << "turns the direction";
  EXPECT_EQ(PrintableText("\uFFFE"), bad + bad + bad);
}

TEST(Printable, LineEndsAndTabsBecomeSpaces) { EXPECT_EQ(PrintableLine("a\nb\tc"), "a b c"); }

TEST(Shortened, EndsAfterAWholeCharacter) {
  EXPECT_EQ(Shortened("abc", 3), "abc");
  EXPECT_EQ(Shortened("abcd", 3), "abc...");
  EXPECT_EQ(Shortened("a\u20AC", 3), "a...");
}

TEST(Pieces, SplitAtAddressesFindsLinksAndTheTextBetween) {
  const std::string text = "(see https://github.com/a/b/issues/1, https://x.org/?q=1.) http://no https://";
  std::string whole;
  std::vector<std::string> links;
  for (const TextPiece& piece : SplitAtAddresses(text)) {
    whole += piece.text;
    if (piece.link) links.emplace_back(piece.text);
  }
  EXPECT_EQ(whole, text);
  EXPECT_EQ(links, (std::vector<std::string>{"https://github.com/a/b/issues/1", "https://x.org/?q=1"}));
  EXPECT_EQ(SplitAtAddresses("https://a/\"onclick=").front().text, "https://a/");
  EXPECT_TRUE(SplitAtAddresses("").empty());
}

}  // namespace
}  // namespace conformance
