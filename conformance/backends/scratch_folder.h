// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes, locks and removes the scratch folders of sandboxes. The process that makes a folder holds a lock on it, which
// ends with the process. So a folder without a lock was left by a process that was killed, and the next run removes it.

#ifndef DECONV_CONFORMANCE_BACKENDS_SCRATCH_FOLDER_H_
#define DECONV_CONFORMANCE_BACKENDS_SCRATCH_FOLDER_H_

#include <chrono>
#include <optional>
#include <string>
#include <system_error>

namespace conformance {

/// A removal stops after this time, in which a busy disk removed more than 100 000 files. The next run removes the
/// rest.
inline constexpr std::chrono::milliseconds kLongestRemoval{5000};

/// A path for a new folder, below the folder for temporary files (TMPDIR).
std::string NewScratchPath(std::error_code& error);

/// Makes the folder `name` in the folder `parent`. Returns the descriptor that holds the lock, which is -1 on a file
/// system without locks. Returns nothing, and sets errno, if the folder cannot be made.
std::optional<int> MakeScratchFolder(int parent, const char* name);

/// Removes the folder with all that a backend has left in it. Never follows a symbolic link.
void RemoveScratchFolder(int parent, const char* name);

/// Removes the scratch folders that this user's killed processes have left below the folder for temporary files.
/// Removes nothing if other users can rename files there, because it has no sticky bit or belongs to somebody else.
void RemoveAbandonedScratchFolders(std::chrono::milliseconds limit = kLongestRemoval);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SCRATCH_FOLDER_H_
