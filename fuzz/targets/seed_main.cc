// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-fuzz-seed, for builds and for people who maintain seeds, the inputs with which fuzzing starts. A
// fuzzer reads each input from a file of its own, but the repository keeps all seeds of a fuzz target in one text file
// (seed_file.h). `unpack` writes each seed of such a text file to its own file. `pack` makes such a text file of the
// inputs in directories.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include "fuzz/targets/seed_file.h"

namespace {

namespace fs = std::filesystem;

constexpr int kUsage = 2;  // the exit code of all errors

/// Prints how to call the program. Returns the exit code for a wrong call.
int PrintUsage() {
  std::fputs(
      "usage: deconv-fuzz-seed unpack SEEDS DIRECTORY    writes the inputs of SEEDS, a file like those of corpus/fuzz\n"
      "       deconv-fuzz-seed pack SEEDS DIRECTORY...   makes SEEDS hold the inputs of the directories;\n"
      "                                                  removes other seeds from SEEDS, except seeds whose title\n"
      "                                                  begins with 'regression: '; seeds that stay keep their "
      "titles\n"
      "Exit codes: 0 all done, 2 usage or a file that cannot be read or written\n",
      stderr);
  return kUsage;
}

/// Prints on stderr why the path cannot be written. Returns false.
bool ComplainOfWriting(const fs::path& path, const std::string& reason) {
  std::fprintf(stderr, "%s: cannot be written: %s\n", path.c_str(), reason.c_str());
  return false;
}

/// Writes the file. If that fails, prints why on stderr and returns false.
bool WriteFile(const fs::path& path, std::string_view bytes) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file ? true : ComplainOfWriting(path, std::generic_category().message(errno));
}

/// Reads the inputs below `paths`. If that fails, prints why on stderr and returns nothing.
std::optional<std::vector<std::string>> InputsOf(const std::vector<std::string>& paths) {
  const auto files = fuzz::FindInputs(paths);
  if (!files) return std::nullopt;
  std::vector<std::string> inputs;
  for (const fs::path& file : *files) {
    auto bytes = fuzz::ReadInput(file);
    if (!bytes) return std::nullopt;
    inputs.push_back(*std::move(bytes));
  }
  return inputs;
}

/// Reads a file of seeds. If that fails, prints why on stderr and returns nothing.
std::optional<fuzz::SeedFile> ReadSeeds(const fs::path& path) {
  const auto text = fuzz::ReadInput(path);
  if (!text) return std::nullopt;
  auto seeds = fuzz::ParseSeeds(*text, path);
  if (const auto* error = std::get_if<std::string>(&seeds)) {
    std::fprintf(stderr, "%s\n", error->c_str());
    return std::nullopt;
  }
  return std::get<fuzz::SeedFile>(std::move(seeds));
}

/// Writes each seed of a file of seeds to a file in `directory`, which is named after the number of the seed's line,
/// such as line-00012. Returns the exit code.
int Unpack(const fs::path& seed_file, const fs::path& directory) {
  const auto seeds = ReadSeeds(seed_file);
  if (!seeds) return kUsage;
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    ComplainOfWriting(directory, error.message());
    return kUsage;
  }
  for (const fuzz::Seed& seed : seeds->seeds) {
    const std::string number = std::to_string(seed.line);
    const std::string name = "line-" + std::string(5 - std::min<std::size_t>(number.size(), 5), '0') + number;
    if (!WriteFile(directory / name, seed.bytes)) return kUsage;
  }
  return 0;
}

/// Makes the file of seeds hold the inputs of the directories. Removes its other seeds, except seeds whose title begins
/// with "regression: ". Seeds that stay keep their titles. Returns the exit code.
int Pack(const fs::path& seed_file, const std::vector<std::string>& directories) {
  fuzz::SeedFile seeds;
  seeds.comment =
      "# SPDX-FileCopyrightText: the deconv-cts authors\n# SPDX-License-Identifier: Apache-2.0\n#\n# Seeds of the fuzz "
      "target " +
      seed_file.stem().string() + ". corpus/README.md explains the form.\n\n";
  std::error_code error;
  if (fs::exists(seed_file, error) || error) {
    auto read = ReadSeeds(seed_file);
    if (!read) return kUsage;
    seeds = *std::move(read);
  }
  const auto inputs = InputsOf(directories);
  if (!inputs) return kUsage;
  if (inputs->empty()) {
    std::fprintf(stderr, "the directories hold no input, expected some; %s stays as it is\n", seed_file.c_str());
    return kUsage;
  }
  fuzz::ReplaceSeeds(seeds, *inputs);
  // Writes to another file first, so that the old file stays if the disk is full.
  const fs::path partial = seed_file.string() + ".partial";
  if (WriteFile(partial, fuzz::SeedsText(seeds))) {
    fs::rename(partial, seed_file, error);
    if (!error) return 0;
    ComplainOfWriting(seed_file, error.message());
  }
  fs::remove(partial, error);
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (arguments.size() == 1 && (command == "--help" || command == "-h")) {
    PrintUsage();
    return 0;
  }
  if (arguments.size() == 3 && command == "unpack") return Unpack(arguments[1], arguments[2]);
  if (arguments.size() >= 3 && command == "pack") return Pack(arguments[1], {arguments.begin() + 2, arguments.end()});
  return PrintUsage();
}
