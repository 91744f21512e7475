// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the text files that hold the seeds of fuzz targets, the inputs with which fuzzing starts. Any seed survives
// writing and reading. A broken file is refused with its line and the cause. Writing each file of corpus/fuzz again
// does not change it.

#include "fuzz/targets/seed_file.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"

namespace fuzz {
namespace {

using testing::StartsWith;

/// The text of a file with one seed, whose title is "a".
std::string FileWith(const std::string& bytes) {
  return SeedsText({.comment = {}, .seeds = {{.title = "a", .bytes = bytes}}});
}

/// The bytes of the seeds in the text of a file. Fails the test if the text is refused.
std::vector<std::string> InputsIn(const std::string& text) {
  const auto parsed = ParseSeeds(text, "report.txt");
  EXPECT_TRUE(std::holds_alternative<SeedFile>(parsed)) << std::get<std::string>(parsed);
  std::vector<std::string> inputs;
  for (const Seed& seed : std::get<SeedFile>(parsed).seeds) inputs.push_back(seed.bytes);
  return inputs;
}

// Escaped are: a backslash, a byte that is not printable, a space at the end of a line, a line break at the end of the
// input, and the first "-" of a line that would look like a title. A line of 120 characters or more is continued.
TEST(SeedFile, TextIsReadableAndOtherBytesAreEscaped) {
  EXPECT_EQ(FileWith("{\n  \"a\": 1\n}"), "--- a\n{\n  \"a\": 1\n}\n");
  EXPECT_EQ(FileWith(""), "--- a\n");
  EXPECT_EQ(FileWith("\n\na \n"), "--- a\n\n\na\\x20\\n\n");
  EXPECT_EQ(FileWith("---\\\x80"), "--- a\n\\x2d--\\\\\\x80\n");
  EXPECT_EQ(FileWith(std::string(121, 'a')), "--- a\n" + std::string(119, 'a') + "\\\naa\n");
}

// The inputs hold each byte three times, line breaks at the end, and lines of more than 120 characters. They also hold
// texts that look like the title of a seed, one of them where a long line is broken.
TEST(SeedFile, AnyBytesAreReadBackUnchanged) {
  std::string all;
  for (int i = 0; i < 3 * 256; ++i) all.push_back(static_cast<char>(i % 256));
  for (const std::string& bytes : {all, std::string(), std::string("\n"), std::string("a\n\n"), std::string("\n---\n"),
                                   std::string(300, ' '), std::string(119, 'a') + "--- b\n#", std::string(3, '\0')}) {
    EXPECT_EQ(InputsIn(FileWith(bytes)), std::vector{bytes});
  }
}

TEST(SeedFile, SeedsThatStayKeepTheirTitles) {
  SeedFile seeds = {.comment = "# Seeds.\n", .seeds = {{.title = "one", .bytes = "1"}, {.title = "two", .bytes = "2"}}};
  ReplaceSeeds(seeds, {"0", "2"});
  EXPECT_EQ(SeedsText(seeds), "# Seeds.\n--- two\n2\n--- found by fuzzing\n0\n");
}

TEST(SeedFile, RegressionsStay) {
  SeedFile seeds = {.comment = {},
                    .seeds = {{.title = "regression: one", .bytes = "1"}, {.title = "two", .bytes = "2"}}};
  ReplaceSeeds(seeds, {});
  EXPECT_EQ(SeedsText(seeds), "--- regression: one\n1\n");
}

TEST(SeedFile, BrokenFilesAreRefusedWithPlaceAndCause) {
  const auto error_in = [](const std::string& text, const char* file) {
    const auto parsed = ParseSeeds(text, file);
    const auto* message = std::get_if<std::string>(&parsed);
    return message == nullptr ? "no fault" : *message;
  };
  struct Broken {
    const char* file;
    std::string text;
    const char* message;
  };
  for (const Broken& broken : {
           Broken{"report.txt", "", "report.txt:0: found no seed, expected '--- TITLE' and an input"},
           {"report.txt", "# a\n{\n", "report.txt:2: found '{', expected a comment or '--- TITLE'"},
           {"report.txt", "---\n{\n",
            "report.txt:1: found '---', expected '--- TITLE', which says what the seed covers"},
           {"report.txt", "--- a\n\t\n", "report.txt:2: found the byte \\x09, expected it written like this"},
           {"report.txt", "--- a\n\\x0g\n",
            R"(report.txt:2: found '\x0g', expected \\, \n, \xNN or the end of the line behind a backslash)"},
           {"report.txt", "--- a\n\\q\n",
            R"(report.txt:2: found '\q', expected \\, \n, \xNN or the end of the line behind a backslash)"},
           {"report.txt", "--- a\n{\\\n--- b\n",
            "report.txt:2: found '\\' at the end of a seed, expected another line of it"},
           {"report.txt", "--- a\n{\n--- b\n{\n", "report.txt:3: found the seed of line 1, expected another one"},
       }) {
    EXPECT_THAT(error_in(broken.text, broken.file), StartsWith(broken.message)) << broken.text;
  }
}

TEST(SeedFile, WritingACommittedFileAgainChangesNothing) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DECONV_FUZZ_SEEDS)) {
    ++files;
    const auto text = ReadInput(entry.path());
    ASSERT_TRUE(text.has_value());
    const auto seeds = ParseSeeds(*text, entry.path());
    ASSERT_TRUE(std::holds_alternative<SeedFile>(seeds)) << std::get<std::string>(seeds);
    EXPECT_EQ(SeedsText(std::get<SeedFile>(seeds)), *text) << entry.path();
  }
  EXPECT_GE(files, 10U);  // a floor: an empty folder would test nothing
}

}  // namespace
}  // namespace fuzz
