// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The main program of a target without an engine: it runs each file, and each file below each directory, through the
// target once. Exit codes: 0 all ran (a finding aborts), 2 a path cannot be read, or no path is given.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* count, char*** values);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

namespace fs = std::filesystem;

constexpr int kUsage = 2;

bool Complain(const fs::path& path, const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", path.c_str(), what.c_str());
  return false;
}

// In the order of their names, so that two runs fail at the same input.
bool AddInputs(const fs::path& path, std::vector<fs::path>& inputs) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::is_directory(status)) {
    if (!fs::exists(status)) return Complain(path, "no such file or directory");
    inputs.push_back(path);
    return true;
  }
  std::vector<fs::path> found;
  fs::recursive_directory_iterator entry(path, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_regular_file(error)) found.push_back(entry->path());
  }
  if (error) return Complain(path, error.message());
  std::sort(found.begin(), found.end());
  inputs.insert(inputs.end(), found.begin(), found.end());
  return true;
}

std::optional<std::vector<std::uint8_t>> Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) return std::nullopt;
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE|DIRECTORY...\n", argv[0]);
    return kUsage;
  }
  std::vector<fs::path> inputs;
  for (int i = 1; i < argc; ++i) {
    if (!AddInputs(argv[i], inputs)) return kUsage;
  }
  for (const fs::path& path : inputs) {
    const auto bytes = Read(path);
    if (!bytes) {
      Complain(path, "cannot be read");
      return kUsage;
    }
    // Exactly as many bytes as the input has, so that a target that reads further is seen.
    const auto exact = std::make_unique<std::uint8_t[]>(bytes->size());
    std::copy(bytes->begin(), bytes->end(), exact.get());
    LLVMFuzzerTestOneInput(exact.get(), bytes->size());
  }
  std::printf("%zu inputs replayed\n", inputs.size());
  return 0;
}
