// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists and reads corpus files, writes the seeds from the suites, and reads control file and log of a merge.

#include "fuzz/campaign/corpus.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/cases/input_text.h"
#include "fuzz/cases/shared_state.h"

namespace fuzz {

namespace fs = std::filesystem;

std::optional<Bytes> BytesOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  Bytes bytes(kMostInputBytes);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.is_open() || file.bad()) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

std::vector<fs::path> FilesIn(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> files;
  std::error_code ignored;  // a file whose status cannot be read is left out
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

// The last line of a whole control file begins with "COV 2 " if there are 3 inputs.
bool MergeFinished(const fs::path& merge) {
  std::ifstream file(merge);
  std::size_t count = 0;
  file >> count;
  std::string last;
  bool ended = false;
  for (std::string line; std::getline(file, line); last = std::move(line)) ended = !file.eof();
  return ended && count != 0 && (last + " ").starts_with(fmt::format("COV {} ", count - 1));
}

// The line of the log is "MERGE-OUTER: 12 new files with 34 new features added; ...".
std::optional<std::size_t> CountOfMergedInputs(const fs::path& log) {
  constexpr std::string_view kBegin = "MERGE-OUTER: ";
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kBegin) || line.find(" new files with ") == std::string::npos) continue;
    std::size_t count = 0;
    const char* const number = line.data() + kBegin.size();
    if (std::from_chars(number, line.data() + line.size(), count).ec == std::errc()) return count;
  }
  return std::nullopt;
}

std::optional<std::vector<fs::path>> NotChosen(const std::vector<fs::path>& files, const fs::path& merged,
                                               std::size_t count) {
  std::map<fs::path, Bytes> inputs;  // inputs by name: the engine keeps a file's name if that is its hash
  for (const fs::path& file : files) {
    auto bytes = BytesOf(file);
    if (!bytes) return std::nullopt;
    inputs.emplace(file.filename(), std::move(*bytes));
  }
  std::error_code error;
  std::set<fs::path> chosen;
  for (const fs::path& file : FilesIn(merged, error)) {
    const auto bytes = BytesOf(file);
    if (!bytes || bytes->empty()) return std::nullopt;
    auto input = inputs.find(file.filename());
    if (input == inputs.end()) input = std::ranges::find(inputs, *bytes, &std::pair<const fs::path, Bytes>::second);
    if (input == inputs.end() || input->second != *bytes) return std::nullopt;
    chosen.insert(input->first);
  }
  if (error || chosen.size() != count) return std::nullopt;
  std::vector<fs::path> others;
  std::ranges::copy_if(files, std::back_inserter(others),
                       [&](const fs::path& file) { return !chosen.contains(file.filename()); });
  return others;
}

std::variant<std::size_t, std::string> WriteSeeds(const fs::path& folder) {
  std::size_t written = 0;
  for (const conformance::Suite& suite : conformance::Suites()) {
    const auto cases = conformance::SuiteCases(suite.name, conformance::Level::kSmoke, 0);  // 0: the seeds as listed
    const auto* const list = std::get_if<std::vector<conformance::SuiteCase>>(&cases);
    if (list == nullptr) continue;  // the suite's files are not installed here
    for (const conformance::SuiteCase& listed : *list) {
      const std::string line = ToLine(listed.test_case);
      if (line.size() > kMostInputBytes || !CaseOfText(line)) continue;
      const fs::path path = folder / fmt::format("{}-{:05}", suite.name, written);
      std::ofstream file(path, std::ios::binary);
      file << line;
      file.close();
      if (!file) return fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno));
      ++written;
    }
  }
  return written;
}

}  // namespace fuzz
