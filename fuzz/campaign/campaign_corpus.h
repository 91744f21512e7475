// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The corpus of a fuzzing campaign: the inputs from which the engines (processes with libFuzzer) make new ones. Each
// input is a file with one case, an operator and its values as text. The corpus is filled with seeds before the search,
// and pruned after it. The seeds are cases of the conformance suites. A feature is a property of a case, such as a
// stride above 1. Code that is reached in the backend counts, too, if the backend has coverage counters. Pruning
// removes inputs whose features other inputs also have.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "fuzz/campaign/campaign_folder.h"

namespace fuzz {

/// Adds those smoke cases of the suites (the smallest selection) that have new features. The others would only cost
/// time at every start of an engine. Returns an error, or a note that some cases may be missing. The note is empty if
/// none is.
std::variant<std::string, CampaignError> AddSuiteSeeds(const CampaignOptions& options, const CampaignFolder& folder);

/// Removes the inputs that add no feature to the others. It changes no other file. Returns an empty string, or why all
/// inputs stay.
std::string PruneCorpus(const CampaignOptions& options, const CampaignFolder& folder);

// The files of a corpus, the seeds, and the result of a merge, by which a corpus is filled and pruned. In a merge,
// libFuzzer copies the inputs that add features to another folder.

using Bytes = std::vector<std::uint8_t>;

/// The bytes of an input, cut off at the engine's limit (kMostInputBytes). Nothing if the file cannot be read.
std::optional<Bytes> BytesOf(const std::filesystem::path& path);

/// The regular files of a folder, sorted by name. If an error occurs, `error` says so, and the files that were listed
/// before it are returned.
std::vector<std::filesystem::path> FilesIn(const std::filesystem::path& folder, std::error_code& error);

/// Whether a merge finished, according to its control file, in which libFuzzer records its progress. On a full disk a
/// merge also exits with status 0, but its control file is cut off. A whole file begins with the number of inputs, and
/// ends with a line of the last input.
bool MergeFinished(const std::filesystem::path& control_file);

/// How many inputs a merge chose, according to its log.
std::optional<std::size_t> CountOfMergedInputs(const std::filesystem::path& log);

/// Returns the `files` that a merge did not copy into the folder `merged`. `count` is how many the merge chose. Returns
/// nothing if `merged` has another number of files, or a file that is none of `files`, byte for byte.
std::optional<std::vector<std::filesystem::path>> NotChosen(const std::vector<std::filesystem::path>& files,
                                                            const std::filesystem::path& merged, std::size_t count);

/// Writes the suites' cases of the level `smoke` as inputs. Returns their number, or why one could not be written.
std::variant<std::size_t, std::string> WriteSeeds(const std::filesystem::path& folder);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_
