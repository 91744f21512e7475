// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests ReadWholeFile: it reads all bytes of a file, a folder is an error and no empty file, and a file that is too
// long is refused.

#include "conformance/case/text/files.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace conformance {
namespace {

TEST(WholeFile, IsReadToItsEnd) {
  const std::string path = testing::TempDir() + "files_test";
  for (const std::size_t size : {0, 1, 1 << 16, (1 << 16) + 1, 300'000}) {  // it reads blocks of 2^16 bytes
    std::string text(size, 'a');
    if (size > 1) text[size / 2] = '\0';
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(ReadWholeFile(path), text) << size;
  }
  std::filesystem::remove(path);
}

TEST(WholeFile, ErrnoSaysWhyAPathCannotBeRead) {
  EXPECT_EQ(ReadWholeFile(testing::TempDir()), std::nullopt);
  EXPECT_EQ(errno, EISDIR);
  EXPECT_EQ(ReadWholeFile(testing::TempDir() + "no such file"), std::nullopt);
  EXPECT_EQ(errno, ENOENT);
}

TEST(WholeFile, IsRefusedIfItIsLongerThanTheLimit) {
  const std::string path = testing::TempDir() + "files_test";
  const std::string text(100'000, 'a');
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(ReadWholeFile(path, text.size()), text);
  EXPECT_EQ(ReadWholeFile(path, text.size() - 1), std::nullopt);
  EXPECT_EQ(errno, EFBIG);
  EXPECT_EQ(ReadWholeFile("/dev/zero", 1 << 20), std::nullopt) << "a file without an end";
  EXPECT_EQ(errno, EFBIG);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace conformance
