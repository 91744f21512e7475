// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the files of corpus/fuzz. Such a text file holds all seeds of a fuzz target, that is, the inputs
// with which fuzzing starts. A line "--- TITLE" begins a seed, and the lines after it are its bytes. Escapes stand for
// bytes that are not printable. corpus/README.md describes the form.

#ifndef DECONV_FUZZ_TARGETS_SEED_FILE_H_
#define DECONV_FUZZ_TARGETS_SEED_FILE_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fuzz {

struct Seed {
  std::string title;     ///< what the seed covers, such as "found by fuzzing" or "regression: ..."
  std::string bytes;     ///< the target's input
  std::size_t line = 0;  ///< number of the line in the file at which the seed begins, from 1; 0: not read from a file
};

struct SeedFile {
  std::string comment;  ///< the lines above the first seed
  std::vector<Seed> seeds;
};

/// Returns the seeds, or an error message: "FILE:LINE: what was found, what was expected". `file` is only its name in
/// messages.
std::variant<SeedFile, std::string> ParseSeeds(std::string_view text, const std::filesystem::path& file);

/// Makes `inputs` the seeds of the file. Seeds that are among them keep their places and titles. New inputs are
/// appended, each once. Other seeds are removed, except those whose title begins with "regression: ".
void ReplaceSeeds(SeedFile& seeds, const std::vector<std::string>& inputs);

/// The text of the file. ParseSeeds reads the same seeds back.
std::string SeedsText(const SeedFile& seeds);

// Functions that read inputs from files of their own, which is how fuzzing engines store them.

/// Returns each file of `paths`, and all files below each directory, sorted by name. If a path cannot be read, prints
/// why on stderr and returns nothing.
std::optional<std::vector<std::filesystem::path>> FindInputs(const std::vector<std::string>& paths);

/// The bytes of the file. If it cannot be read, prints why on stderr and returns nothing.
std::optional<std::string> ReadInput(const std::filesystem::path& path);

}  // namespace fuzz

#endif  // DECONV_FUZZ_TARGETS_SEED_FILE_H_
