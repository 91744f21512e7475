// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a whole file.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_WHOLE_FILE_H_
#define DECONV_CONFORMANCE_CASE_TEXT_WHOLE_FILE_H_

#include <filesystem>
#include <optional>
#include <string>

namespace conformance {

/// The bytes of a file or pipe. Returns nullopt and sets errno if the path cannot be read or is a folder. (A C++ stream
/// opens a folder without an error, as if it were an empty file.)
std::optional<std::string> ReadWholeFile(const std::filesystem::path& path);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_WHOLE_FILE_H_
