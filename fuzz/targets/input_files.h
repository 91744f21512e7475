// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds and reads the files of fuzz inputs that a command line names.

#ifndef DECONV_FUZZ_TARGETS_INPUT_FILES_H_
#define DECONV_FUZZ_TARGETS_INPUT_FILES_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fuzz {

/// Returns each file of `paths`, and all files below each directory, sorted by name. If a path cannot be read, prints
/// why on stderr and returns nothing.
std::optional<std::vector<std::filesystem::path>> FindInputs(const std::vector<std::string>& paths);

/// The bytes of the file. If it cannot be read, prints why on stderr and returns nothing.
std::optional<std::string> ReadInput(const std::filesystem::path& path);

}  // namespace fuzz

#endif  // DECONV_FUZZ_TARGETS_INPUT_FILES_H_
