// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that seeds survive their text, that a broken file is refused with the place and the cause, and that each file
// of corpus/fuzz is written as it would be written again.

#include "fuzz/targets/seed_file.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "fuzz/targets/input_files.h"
#include "gmock/gmock.h"

namespace fuzz {
namespace {

using std::string_literals::operator""s;
using testing::ElementsAre;
using testing::StartsWith;

constexpr const char* kPlainCase =
    "case: ConvolutionBackpropData:data=1,1,1:filter=1,1,1:strides=1:dilations=1:pads_begin=0:pads_end=0:"
    "output_padding=0\n";
constexpr const char* kTexts = "report.txt";  // a target whose inputs are texts
constexpr std::size_t kCaseBytes = 84;

std::string TextOf(const std::string& bytes, const char* file) {
  return SeedsText({.comment = {}, .seeds = {{.title = "a", .bytes = bytes}}}, file);
}

std::vector<std::string> InputsIn(const std::string& text, const char* file) {
  const auto parsed = ParseSeeds(text, file);
  EXPECT_TRUE(std::holds_alternative<SeedFile>(parsed)) << std::get<std::string>(parsed);
  std::vector<std::string> inputs;
  for (const Seed& seed : std::get<SeedFile>(parsed).seeds) inputs.push_back(seed.bytes);
  return inputs;
}

TEST(SeedFile, TextStandsAsItIs) {
  EXPECT_EQ(TextOf("{\n  \"a\": 1\n}", kTexts), "--- a\n{\n  \"a\": 1\n}\n");
  EXPECT_EQ(TextOf("", kTexts), "--- a\n");
  EXPECT_EQ(TextOf("\n\na \n", kTexts), "--- a\n\n\na\\x20\\n\n");
  EXPECT_EQ(TextOf("---\\\x80", kTexts), "--- a\n\\x2d--\\\\\\x80\n");
  EXPECT_EQ(TextOf(std::string(121, 'a'), kTexts), "--- a\n" + std::string(119, 'a') + "\\\naa\n");
}

TEST(SeedFile, AnyBytesSurviveTheirText) {
  std::string all;
  for (int i = 0; i < 3 * 256; ++i) all.push_back(static_cast<char>(i % 256));
  for (const std::string& bytes : {all, std::string(), std::string("\n"), std::string("a\n\n"), std::string("\n---\n"),
                                   std::string(300, ' '), std::string(119, 'a') + "--- b\n#", std::string(3, '\0')}) {
    EXPECT_EQ(InputsIn(TextOf(bytes, kTexts), kTexts), std::vector{bytes});
  }
}

TEST(SeedFile, CasesAreLines) {
  EXPECT_EQ(TextOf("", "kernel_vs_oracle.txt"), std::string("--- a\n") + kPlainCase);
  EXPECT_EQ(TextOf("\x03\xff", "kernel_interface.txt"), std::string("--- a\nchoices: 3 255\n") + kPlainCase);
}

TEST(SeedFile, InputsOfOneMeaningHaveOneText) {
  const std::string choices(64, '\1');
  const std::string text = TextOf(choices + std::string(30, '\0'), "kernel_interface.txt");
  EXPECT_EQ(TextOf(choices, "kernel_interface.txt"), text);
  SeedFile seeds;
  SetInputs(seeds, {choices, choices + std::string(30, '\0')}, "kernel_interface.txt");
  EXPECT_EQ(seeds.seeds.size(), 1U);
}

TEST(SeedFile, SequencesAreFourCasesAndSteps) {
  // The last case is refused, which takes more bytes than there are.
  const std::string refused = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xb8"s;
  std::string bytes(3 * kCaseBytes, '\0');
  bytes += refused + std::string(kCaseBytes - refused.size(), '\0');
  bytes += "\x00\x75\x1a\xff\x0f"s;
  const std::string plain(kPlainCase);
  EXPECT_EQ(TextOf(bytes, "kernel_sequences.txt"), "--- a\n" + plain + plain + plain +
                                                       "bytes: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 184\n"
                                                       "steps: create 0, pack 1 7, run 2 1, destroy 3, destroy 3\n");
  bytes[bytes.size() - 2] = '\x0f';  // destroying has no number
  EXPECT_THAT(InputsIn(TextOf(bytes, "kernel_sequences.txt"), "kernel_sequences.txt"), ElementsAre(bytes));
}

TEST(SeedFile, SeedsThatStayKeepTheirTitles) {
  SeedFile seeds = {.comment = "# Seeds.\n", .seeds = {{.title = "one", .bytes = "1"}, {.title = "two", .bytes = "2"}}};
  SetInputs(seeds, {"0", "2"}, kTexts);
  EXPECT_EQ(SeedsText(seeds, kTexts), "# Seeds.\n--- two\n2\n--- found by fuzzing\n0\n");
}

TEST(SeedFile, RegressionsStay) {
  SeedFile seeds = {.comment = {},
                    .seeds = {{.title = "regression: one", .bytes = "1"}, {.title = "two", .bytes = "2"}}};
  SetInputs(seeds, {}, kTexts);
  EXPECT_EQ(SeedsText(seeds, kTexts), "--- regression: one\n1\n");
}

TEST(SeedFile, BrokenFilesAreRefusedWithPlaceAndCause) {
  const auto fault = [](const std::string& text, const char* file) {
    const auto parsed = ParseSeeds(text, file);
    const auto* message = std::get_if<std::string>(&parsed);
    return message == nullptr ? "no fault" : *message;
  };
  struct Broken {
    const char* file;
    std::string text;
    const char* message;
  };
  const std::string plain(kPlainCase);
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
            "report.txt:3: found '\\' at the end of a seed, expected another line of it"},
           {"report.txt", "--- a\n{\n--- b\n{\n", "report.txt:3: found the seed of line 1, expected another one"},
           {"kernel_vs_oracle.txt", "--- a\n", "kernel_vs_oracle.txt:1: found 0 lines, expected another one: case"},
           {"kernel_vs_oracle.txt", "--- a\ncase\n",
            "kernel_vs_oracle.txt:2: found 'case', expected a line 'case: ...'"},
           {"kernel_vs_oracle.txt", "--- a\n" + plain + plain, "kernel_vs_oracle.txt:3: found '"},
           {"kernel_vs_oracle.txt", "--- a\ncase: Convolution:data=1\n", "kernel_vs_oracle.txt:2: case: "},
           {"kernel_vs_oracle.txt", "--- a\nbytes: 1 256\n",
            "kernel_vs_oracle.txt:2: bytes: found '256', expected a number from 0 to 255"},
           {"kernel_interface.txt", "--- a\n" + plain, "kernel_interface.txt:2: found 'case: "},
           {"kernel_sequences.txt", "--- a\n" + plain + plain + plain + plain + "steps: turn 0\n",
            "kernel_sequences.txt:6: steps: found 'turn 0', expected create, pack, run or destroy, a plan from 0 to 3"},
           {"kernel_sequences.txt", "--- a\n" + plain + plain + plain + plain + "steps: create 4\n",
            "kernel_sequences.txt:6: steps: found 'create 4'"},
       }) {
    EXPECT_THAT(fault(broken.text, broken.file), StartsWith(broken.message)) << broken.text;
  }
}

TEST(SeedFile, CommittedFilesAreWrittenAsTheyWouldBeWrittenAgain) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DECONV_FUZZ_SEEDS)) {
    ++files;
    const auto text = ReadInput(entry.path());
    ASSERT_TRUE(text.has_value());
    const auto seeds = ParseSeeds(*text, entry.path());
    ASSERT_TRUE(std::holds_alternative<SeedFile>(seeds)) << std::get<std::string>(seeds);
    EXPECT_EQ(SeedsText(std::get<SeedFile>(seeds), entry.path()), *text) << entry.path();
  }
  EXPECT_GE(files, 10U);
}

}  // namespace
}  // namespace fuzz
