// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that findings are read back, whatever a killed process left in the file.

#include "fuzz/findings/finding_file.h"

#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace fuzz {
namespace {

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

TEST(FindingFile, NoFileHasNoFindings) { EXPECT_TRUE(ReadFindings("/nowhere/findings.jsonl").empty()); }

TEST(FindingFile, NamesAFileThatCannotBeWritten) {
  EXPECT_NE(AppendFinding("/nowhere/findings.jsonl", {}).find("/nowhere/findings.jsonl"), std::string::npos);
}

}  // namespace
}  // namespace fuzz
