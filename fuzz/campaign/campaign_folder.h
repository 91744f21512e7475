// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles the folder of a fuzzing campaign: the paths of its files, and a lock against a second campaign in the same
// folder. Also makes the options that all engines of the campaign share (an engine is a process with libFuzzer), and
// tells whether the user interrupted the campaign.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_FOLDER_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_FOLDER_H_

#include <filesystem>
#include <string>

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/engine.h"

namespace fuzz {

/// The paths in the folder of a campaign. campaign.h says what each of them holds.
struct CampaignFolder {
  explicit CampaignFolder(const CampaignOptions& options);

  std::filesystem::path root;
  std::filesystem::path corpus;  ///< below the root, or the folder that the options name
  std::filesystem::path state;   ///< files of the engines, the lock, and temporary files
  std::filesystem::path seeds;   ///< inputs to start from; exists only while they are put into the corpus
  std::string findings;          ///< path of findings.jsonl
};

/// Locks a folder, because two campaigns would overwrite each other's state files.
class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Creates and locks this file of the folder. Returns an empty string, or why the folder cannot be locked. The lock
  /// ends with the process, even after a crash.
  std::string Acquire(const std::string& lock_file);

 private:
  int file_ = -1;
};

/// The options that all engines of the campaign share.
EngineOptions EngineOptionsOf(const CampaignOptions& options, const CampaignFolder& folder);

/// Whether the user has interrupted the campaign, for example with Ctrl-C.
bool Interrupted(const CampaignOptions& options);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_FOLDER_H_
