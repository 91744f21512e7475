// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a report file is complete or absent, and that errors of the file system are reported.

#include "conformance/report/report_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace conformance {
namespace {

using testing::HasSubstr;

class ReportFileTest : public testing::Test {
 protected:
  ReportFileTest() : folder_(std::filesystem::path(testing::TempDir()) / "report_file_test") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ReportFileTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const char* name) const { return (folder_ / name).string(); }
  std::size_t FileCount() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(ReportFileTest, IsThereAfterCommit) {
  ReportFile file;
  ASSERT_EQ(file.Open(Path("report")), "");
  EXPECT_FALSE(std::filesystem::exists(Path("report")));
  EXPECT_EQ(file.Commit("text"), "");
  std::ifstream in(Path("report"));
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "text");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(ReportFileTest, WithoutCommitTheOldOneStays) {
  std::ofstream(Path("report")) << "old";
  {
    ReportFile file;
    ASSERT_EQ(file.Open(Path("report")), "");
  }
  EXPECT_EQ(std::filesystem::file_size(Path("report")), 3u);
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(ReportFileTest, LinksStayAndTheFilesBehindThemAreWritten) {
  std::ofstream(Path("real")) << "old";
  for (const char* real : {"real", "new"}) {
    std::filesystem::remove(Path("link"));
    std::filesystem::create_symlink(real, Path("link"));
    ReportFile file;
    ASSERT_EQ(file.Open(Path("link")), "");
    EXPECT_EQ(file.Commit("text"), "");
    EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(Path(real))));
    EXPECT_EQ(std::filesystem::file_size(Path(real)), 4u);
  }
}

TEST_F(ReportFileTest, TwoRunsMayWriteTheSameReport) {
  // Two processes write the report 300 times each, a guess, so that they meet in every step.
  const auto write = [&] {
    int errors = 0;
    for (int i = 0; i < 300; ++i) {
      ReportFile file;
      if (!file.Open(Path("report")).empty() || !file.Commit("text").empty()) ++errors;
    }
    return errors;
  };
  const pid_t other = fork();
  if (other == 0) _exit(write() == 0 ? 0 : 1);
  EXPECT_EQ(write(), 0);
  int status = -1;
  ASSERT_EQ(waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(ReportFileTest, RemovesFilesOfKilledRuns) {
  std::ofstream(Path("report.partial-123")) << "abandoned";
  std::ofstream(Path("report.partial-123.txt")) << "somebody's own";
  std::ofstream(Path("other.partial-123")) << "of another report";
  ReportFile first;
  ASSERT_EQ(first.Open(Path("report")), "");
  EXPECT_FALSE(std::filesystem::exists(Path("report.partial-123")));
  EXPECT_EQ(FileCount(), 3u);
  ReportFile second;  // another run of the same report at the same time
  ASSERT_EQ(second.Open(Path("report")), "");
  EXPECT_EQ(first.Commit("text"), "") << "what is being written is not taken away";
}

TEST_F(ReportFileTest, SaysWhatIsWrongWithAPath) {
  ReportFile file;
  EXPECT_THAT(file.Open(Path("no/such/folder")), HasSubstr("cannot be written: No such file or directory"));
  EXPECT_THAT(file.Open(folder_.string()), HasSubstr("is a directory"));
}

TEST_F(ReportFileTest, AFullDiskIsAnError) {
  ReportFile file;
  ASSERT_EQ(file.Open("/dev/full"), "");
  EXPECT_THAT(file.Commit("text"), HasSubstr("/dev/full: cannot be written: No space left on device"));
}

}  // namespace
}  // namespace conformance
