// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads whole files, and finds the folder of the running program.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_FILES_H_
#define DECONV_CONFORMANCE_CASE_TEXT_FILES_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace conformance {

/// The most bytes of a report. Level full writes 110 MB for each backend, so a report of 18 backends fits.
inline constexpr std::size_t kMostBytesOfReport = std::size_t{2} << 30;

/// The most bytes of a file that people edit, and of a history. Their entries and lines have some 300 bytes, so 200,000
/// fit, more than a suite has cases.
inline constexpr std::size_t kMostBytesOfList = std::size_t{64} << 20;

/// The bytes of a file or pipe. Returns nullopt and sets errno if the path cannot be read or is a folder. (A C++ stream
/// opens a folder without an error, as if it were an empty file.) If there are more bytes than `most`, as in /dev/zero,
/// errno is EFBIG: "File too large".
std::optional<std::string> ReadWholeFile(const std::filesystem::path& path, std::size_t most = kMostBytesOfReport);

/// The folder of the running program. Files that are built or installed with it have fixed paths relative to it.
inline std::filesystem::path ProgramFolder() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_FILES_H_
