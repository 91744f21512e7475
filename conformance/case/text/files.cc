// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a whole file in blocks, because the size of a pipe is not known in advance.

#include "conformance/case/text/files.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <utility>

namespace conformance {

std::optional<std::string> ReadWholeFile(const std::filesystem::path& path, std::size_t most) {
  errno = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return std::nullopt;
  std::string text;
  std::array<char, 1 << 16> block;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    if (count > most - text.size()) {
      errno = EFBIG;
      return std::nullopt;
    }
    text.append(block.data(), count);
  }
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return text;
}

}  // namespace conformance
