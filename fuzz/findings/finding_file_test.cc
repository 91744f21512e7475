// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the file of findings, the failing cases that a fuzzing campaign keeps. Findings are read back, even if a killed
// process left half a line in the file, and the sizes of the files are limited.

#include "fuzz/findings/finding_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace fuzz {
namespace {

// A killed process may leave half a line. It is skipped, and the next finding begins on a new line.
TEST(FindingFile, ReadsWhatWasAppended) {
  const std::string path = testing::TempDir() + "/findings.jsonl";
  std::remove(path.c_str());
  const FoundCase one = {
      .line = "ConvTranspose:data=1,1,1", .failure = "crash", .message = "\"quoted\"\n", .time = 3.5};
  const FoundCase other = {.line = "b", .failure = "hang", .message = "", .time = 4, .unexplained = true};
  EXPECT_EQ(AppendFinding(path, one), "");
  EXPECT_EQ(AppendFinding(path, other), "");
  EXPECT_EQ(ReadFindings(path), (std::vector{one, other}));
  std::ofstream(path, std::ios::app) << "{\"case\":\"half a li";
  EXPECT_EQ(ReadFindings(path), (std::vector{one, other}));
  EXPECT_EQ(AppendFinding(path, one), "");
  EXPECT_EQ(ReadFindings(path), (std::vector{one, other, one}));
}

// The file of findings has a largest size. The files with earlier cases, one for each finding that may depend on cases
// that ran before it, have a largest number.
TEST(FindingFile, ItsSizeIsLimited) {
  const std::filesystem::path folder = testing::TempDir() + "/limited";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "state");
  const std::string path = folder / "findings.jsonl";
  EXPECT_TRUE(HasRoomForFindings(path));
  EXPECT_EQ(AppendFinding(path, {.line = "a", .failure = "hang", .message = ""}), "");
  EXPECT_TRUE(HasRoomForFindings(path));
  std::filesystem::resize_file(path, kMostFindingBytes);
  EXPECT_FALSE(HasRoomForFindings(path));
  for (std::size_t i = 0; i < kMostEarlierCasesFiles + 10; ++i) WriteEarlierCases(path, std::to_string(i), {"b"});
  EXPECT_EQ(ReadEarlierCases(path, "0"), std::vector<std::string>{"b"});
  const auto files = std::filesystem::directory_iterator(folder / "state");
  EXPECT_EQ(std::distance(begin(files), end(files)), static_cast<std::ptrdiff_t>(kMostEarlierCasesFiles));
}

TEST(FindingFile, NoFileHasNoFindings) { EXPECT_TRUE(ReadFindings("/nowhere/findings.jsonl").empty()); }

TEST(FindingFile, NamesAFileThatCannotBeWritten) {
  EXPECT_NE(AppendFinding("/nowhere/findings.jsonl", {}).find("/nowhere/findings.jsonl"), std::string::npos);
}

}  // namespace
}  // namespace fuzz
