// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a whole file, after checks of its kind and size.

#include "conformance/formats/load_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace conformance::formats {

std::variant<std::string, ReadError> LoadFile(const std::filesystem::path& file, std::uintmax_t most_bytes) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return ReadError{fmt::format("{}: no such file", file.string())};
  if (!std::filesystem::is_regular_file(status)) {
    return ReadError{fmt::format("{}: is not a regular file, expected a model", file.string())};
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return ReadError{fmt::format("{}: {}", file.string(), error.message())};
  if (size > most_bytes) {
    return ReadError{fmt::format("{}: found {} bytes, expected at most {}", file.string(), size, most_bytes)};
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return ReadError{fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno))};
  std::string content(static_cast<std::size_t>(size), '\0');
  stream.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (static_cast<std::uintmax_t>(stream.gcount()) != size) {
    return ReadError{fmt::format("{}: cannot be read: found {} of {} bytes", file.string(), stream.gcount(), size)};
  }
  return content;
}

}  // namespace conformance::formats
