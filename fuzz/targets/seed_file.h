// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the files of corpus/fuzz: one text file holds all seeds of a fuzz target. corpus/README.md explains
// the form.

#ifndef DECONV_FUZZ_TARGETS_SEED_FILE_H_
#define DECONV_FUZZ_TARGETS_SEED_FILE_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fuzz {

struct Seed {
  std::string title;     ///< what the seed covers
  std::string bytes;     ///< the target's input
  std::size_t line = 0;  ///< where the seed begins in the file
};

struct SeedFile {
  std::string comment;  ///< the lines above the first seed
  std::vector<Seed> seeds;
};

/// `file` stands in messages. A string is "FILE:LINE: what was found, what was expected".
std::variant<SeedFile, std::string> ParseSeeds(std::string_view text, const std::filesystem::path& file);

/// Keeps the seeds that are among the inputs or whose title begins with "regression: ", and adds the other inputs
/// behind them, each once.
void SetInputs(SeedFile& seeds, const std::vector<std::string>& inputs);

/// The text of the file. ParseSeeds reads the same seeds from it.
std::string SeedsText(const SeedFile& seeds);

}  // namespace fuzz

#endif  // DECONV_FUZZ_TARGETS_SEED_FILE_H_
