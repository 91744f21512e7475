// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists and reads files of inputs. The files of a directory are sorted, so that two replays fail at the same input.

#include "fuzz/targets/input_files.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace fuzz {
namespace {

namespace fs = std::filesystem;

bool Complain(const fs::path& path, std::string_view what) {
  std::fprintf(stderr, "%s: %.*s\n", path.c_str(), static_cast<int>(what.size()), what.data());
  return false;
}

bool AddInputs(const fs::path& path, std::vector<fs::path>& inputs) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::is_directory(status)) {
    if (!fs::exists(status)) return Complain(path, "cannot be read: no such file or directory");
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

}  // namespace

std::optional<std::vector<fs::path>> FindInputs(const std::vector<std::string>& paths) {
  std::vector<fs::path> inputs;
  for (const std::string& path : paths) {
    if (!AddInputs(path, inputs)) return std::nullopt;
  }
  return inputs;
}

std::optional<std::string> ReadInput(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.is_open() && !file.bad()) return bytes;
  Complain(path, "cannot be read");
  return std::nullopt;
}

}  // namespace fuzz
