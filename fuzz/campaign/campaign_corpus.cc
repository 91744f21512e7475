// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fills the corpus of a campaign, the inputs of the fuzzer, with cases of the suites, and prunes it. Both run a merge
// of libFuzzer in an engine (a process with libFuzzer) of its own: it copies the inputs that add features, which are
// properties of cases, to another folder. The merge's log and files are checked before the corpus is changed: on a full
// disk, a failed merge ends with status 0, too.

#include "fuzz/campaign/campaign_corpus.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/files.h"
#include "conformance/suite/suite.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/cases/case_input.h"
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

// The last line of a whole control file begins with "COV 2 " if there are 3 inputs, numbered from 0. It ends with a
// line break.
bool MergeFinished(const fs::path& control_file) {
  std::ifstream file(control_file);
  std::size_t count = 0;
  file >> count;
  std::string last_line;
  bool has_line_break = false;
  for (std::string line; std::getline(file, line); last_line = std::move(line)) has_line_break = !file.eof();
  return has_line_break && count != 0 && (last_line + " ").starts_with(fmt::format("COV {} ", count - 1));
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

namespace {

/// Waits for the end of the engine. Returns nothing if the user interrupts before that.
std::optional<EngineEnd> EndOf(Engine& engine, const CampaignOptions& options) {
  while (!Interrupted(options)) {
    if (const auto end = engine.Poll()) return end;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return std::nullopt;
}

/// Whether the backend is a library that was compiled with coverage counters. Such a library registers them with the
/// engine, so that newly reached code counts as a feature.
bool HasCounters(const std::string& backend) {
  const auto library = conformance::ReadWholeFile(backend.substr(0, backend.find('?')));
  return library && library->find("__sanitizer_cov_8bit_counters_init") != std::string::npos;
}

/// Copies the inputs of `from` that add features to `into`. `name` names the log and the control file in state/. With
/// `by_counters`, code of the backend that an input reaches counts as a feature, too. Returns an empty string, or why
/// some inputs may be missing.
std::string Merge(const CampaignOptions& options, const CampaignFolder& folder, const fs::path& into,
                  const fs::path& from, const std::string& name, bool by_counters = false) {
  EngineOptions merge = EngineOptionsOf(options, folder);
  merge.merges_by_counters = by_counters;
  merge.corpora = {into.string(), from.string()};
  merge.merge = (folder.state / (name + ".merge")).string();
  merge.log = (folder.state / (name + ".log")).string();
  for (const std::string& file : {merge.merge, merge.log}) {  // else the engine would continue the last merge
    std::error_code error;
    fs::remove(file, error);
    if (error) return fmt::format("{}: cannot be removed: {}", file, error.message());
  }
  Engine engine;
  if (std::string why = engine.Start(merge); !why.empty()) return why;
  const auto end = EndOf(engine, options);
  if (!end) return "it was interrupted";
  if (!end->clean()) return fmt::format("{}, see {}", end->Text(), merge.log);
  if (!MergeFinished(merge.merge)) return fmt::format("{} is not complete, see {}", merge.merge, merge.log);
  std::error_code ignored;  // the file is not needed any more
  fs::remove(merge.merge, ignored);
  return {};
}

}  // namespace

// In the errors below, `true` stands for a wrong argument (CampaignError::usage), because the user names the folder.
std::variant<std::string, CampaignError> AddSuiteSeeds(const CampaignOptions& options, const CampaignFolder& folder) {
  std::error_code error;
  fs::remove_all(folder.seeds, error);
  if (!error) fs::create_directories(folder.seeds, error);
  if (error) return CampaignError{true, fmt::format("{}: cannot be made: {}", folder.seeds.string(), error.message())};
  const auto written = WriteSeeds(folder.seeds);
  if (const auto* why = std::get_if<std::string>(&written)) return CampaignError{true, *why};
  const std::string why =
      std::get<std::size_t>(written) == 0 ? "" : Merge(options, folder, folder.corpus, folder.seeds, "seeds");
  if (why.empty()) {
    fs::remove_all(folder.seeds, error);
    return "";
  }
  if (Interrupted(options)) return "";
  return fmt::format("the suites' cases may be missing in the corpus, the next campaign sows them again: {}", why);
}

std::string PruneCorpus(const CampaignOptions& options, const CampaignFolder& folder) {
  const fs::path pruned = folder.state / "pruned";
  std::error_code error;
  const std::vector<fs::path> files = FilesIn(folder.corpus, error);  // inputs that are added from now on stay
  if (error) return fmt::format("{}: cannot be read: {}", folder.corpus.string(), error.message());
  if (files.empty()) return {};
  fs::remove_all(pruned, error);
  if (!error) fs::create_directories(pruned, error);
  if (error) return fmt::format("{}: cannot be made: {}", pruned.string(), error.message());
  if (std::string why = Merge(options, folder, pruned, folder.corpus, "prune", HasCounters(options.backend));
      !why.empty()) {
    return why;
  }
  const auto count = CountOfMergedInputs(folder.state / "prune.log");
  const auto others = count ? NotChosen(files, pruned, *count) : std::nullopt;
  if (!others) return fmt::format("{} does not hold the chosen inputs; the disk may be full", pruned.string());
  for (const fs::path& file : *others) fs::remove(file, error);
  fs::remove_all(pruned, error);
  return {};
}

}  // namespace fuzz
