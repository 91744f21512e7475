// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of a campaign's corpus: listing and reading them, writing the seeds, and checking what a merge left.

#ifndef DECONV_FUZZ_CAMPAIGN_CORPUS_H_
#define DECONV_FUZZ_CAMPAIGN_CORPUS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

namespace fuzz {

using Bytes = std::vector<std::uint8_t>;

/// As the engine reads an input. Nothing if it cannot be read.
std::optional<Bytes> BytesOf(const std::filesystem::path& path);

/// Sorted; after an error, what was listed before it.
std::vector<std::filesystem::path> FilesIn(const std::filesystem::path& folder, std::error_code& error);

/// Whether a merge came to its end. On a full disk it ends with status 0 too, but what it noted breaks off: the number
/// of files stands in the first line, and the last is that of the last file.
bool IsWhole(const std::filesystem::path& merge);

/// How many inputs a merge chose, says its log.
std::optional<std::size_t> ChosenBy(const std::filesystem::path& log);

/// Those of a folder's files that were not chosen into `merged`, `count` of them. Nothing unless what was chosen is all
/// there, and byte for byte.
std::optional<std::vector<std::filesystem::path>> NotChosen(const std::vector<std::filesystem::path>& files,
                                                            const std::filesystem::path& merged, std::size_t count);

/// The suites' smoke cases as inputs: how many were written, or why one could not be.
std::variant<std::size_t, std::string> WriteSeeds(const std::filesystem::path& folder);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CORPUS_H_
