// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the paths of a fuzzing campaign's folder, its lock, the options that all engines (processes with
// libFuzzer) share, and the question whether the user interrupted.

#include "fuzz/campaign/campaign_folder.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace fuzz {

CampaignFolder::CampaignFolder(const CampaignOptions& options)
    : root(options.folder),
      corpus(options.corpus.empty() ? root / "corpus" : std::filesystem::path(options.corpus)),
      state(root / "state"),
      seeds(state / "seeds"),
      findings((root / "findings.jsonl").string()) {}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

std::string FolderLock::Acquire(const std::string& lock_file) {
  file_ = open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) return fmt::format("cannot be locked: {}", std::strerror(errno));
  // LOCK_NB: fails at once if another process has the lock, instead of waiting for it.
  return flock(file_, LOCK_EX | LOCK_NB) == 0 ? "" : "found another campaign at work, expected none";
}

EngineOptions EngineOptionsOf(const CampaignOptions& options, const CampaignFolder& folder) {
  EngineOptions engine;
  engine.program = options.engine;
  engine.backend = options.backend;
  engine.findings = folder.findings;
  engine.expect = options.expect;
  engine.timeout = options.timeout;
  engine.isolated = options.isolated;
  engine.sandbox = options.sandbox;
  engine.seed = options.seed;
  return engine;
}

bool Interrupted(const CampaignOptions& options) { return options.interrupt != nullptr && *options.interrupt != 0; }

}  // namespace fuzz
