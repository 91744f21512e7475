// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See expectations_file.h.

#include "conformance/cli/expectations_file.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <numeric>
#include <sstream>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "conformance/cli/exit_code.h"

namespace conformance {

std::string ExpectationsFile::Open(const std::string& path, bool update) {
  path_ = path;
  if (path.empty()) return update ? "--update-expectations: which file is not said, expected --expect FILE" : "";
  std::ifstream file(path, std::ios::binary);
  if (!file && !update) return fmt::format("{}: cannot be read, expected a file of known failures", path);
  std::stringstream text;
  text << file.rdbuf();
  text_ = std::move(text).str();
  auto read = ReadExpectations(text_);
  if (const auto* error = std::get_if<std::string>(&read)) return fmt::format("{}: {}", path, *error);
  entries_ = std::get<std::vector<Expectation>>(std::move(read));
  return update ? output_.Open(path) : "";
}

int ExpectationsFile::Close(std::span<const RunRecord> runs) {
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  // Several backends may share a file: an entry leaves it when it is stale for each of them.
  std::vector<std::size_t> stale(entries_.size());
  std::iota(stale.begin(), stale.end(), 0);
  std::vector<const CaseResult*> unexpected;
  bool met = true;
  for (const RunRecord& run : runs) {
    const Reconciled reconciled = Reconcile(entries_, today, run);
    for (const auto* lines : {&reconciled.differences, &reconciled.complaints}) {
      for (const std::string& line : *lines) fmt::print("{}: {}\n", path_, line);
    }
    met = met && reconciled.complaints.empty();
    unexpected.insert(unexpected.end(), reconciled.unexpected.begin(), reconciled.unexpected.end());
    std::erase_if(stale,
                  [&](std::size_t i) { return std::ranges::find(reconciled.stale, i) == reconciled.stale.end(); });
  }
  if (output_.is_open() && !runs.empty()) {
    const std::string error = output_.Commit(UpdatedExpectations(text_, entries_, stale, unexpected));
    if (!error.empty()) {
      fmt::print(stderr, "deconv-cts: {}\n", error);
      return kExitUsage;
    }
    fmt::print("{}: {} entries taken out, {} added\n", path_, stale.size(), unexpected.size());
  }
  return met ? kExitConforms : kExitExpectations;
}

}  // namespace conformance
