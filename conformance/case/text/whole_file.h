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

/// Returns the bytes of a file or pipe. Returns nothing and sets errno if the path is a folder or cannot be read. (A
/// folder would open like an empty file.)
std::optional<std::string> ReadWholeFile(const std::filesystem::path& path);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_WHOLE_FILE_H_
