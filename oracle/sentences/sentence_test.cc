// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the tables of sentences, which hold each sentence of the five documents that specify the operators. Every
// sentence must have a unique id, a line and a quotation, and be found by its id, such as CBD-17.

#include "oracle/sentences/sentence.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace oracle {
namespace {

TEST(Sentences, HaveUniqueIdsOfTheirDocument) {
  std::set<std::string_view> seen;
  for (const Document& document : Documents()) {
    ASSERT_FALSE(document.sentences.empty()) << document.prefix;
    for (const Sentence& sentence : document.sentences) {
      EXPECT_TRUE(seen.insert(sentence.id).second) << sentence.id;
      EXPECT_TRUE(sentence.id.starts_with(std::string(document.prefix) + "-")) << sentence.id;
      EXPECT_GT(sentence.line, 0) << sentence.id;
      EXPECT_FALSE(sentence.quotation.empty()) << sentence.id;
      EXPECT_EQ(FindSentence(sentence.id), &sentence);
      EXPECT_EQ(DocumentOf(sentence.id), &document);
    }
    EXPECT_TRUE(Defines(document.dialect, document.kind)) << document.prefix;
  }
}

TEST(Sentences, UnknownIdsAreNotFound) {
  for (const char* id : {"", "CBD", "CBD-", "CBD-0", "CBD-17x", "XYZ-1", "cbd-1"}) {
    EXPECT_EQ(FindSentence(id), nullptr) << id;
  }
}

TEST(Sentences, ListTheirClausesAsWords) {
  EXPECT_TRUE(Words("").empty());
  EXPECT_EQ(Words("P1"), std::vector<std::string_view>({"P1"}));
  EXPECT_EQ(Words("P1 P12"), std::vector<std::string_view>({"P1", "P12"}));
  EXPECT_EQ(Words(" P1  P12 "), std::vector<std::string_view>({"P1", "P12"}));
  const Sentence sentence{.id = "CBD-1", .clauses = "P1 P12"};
  EXPECT_TRUE(HasClause(sentence, "P12"));
  EXPECT_FALSE(HasClause(sentence, "P2"));
}

}  // namespace
}  // namespace oracle
