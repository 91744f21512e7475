// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fills and prunes the corpus of a campaign. A merge copies the inputs that add features, which are properties of
// cases. It runs in an engine (a process with libFuzzer) of its own. The merge's log and files are checked before the
// corpus is changed: on a full disk, a failed merge ends with status 0, too.

#include "fuzz/campaign/campaign_corpus.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/files.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/engine.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

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

/// Copies the inputs of `from` that add features to `into`. NAME.log in state/ receives the engine's log. Returns an
/// empty string, or why some inputs may be missing.
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
