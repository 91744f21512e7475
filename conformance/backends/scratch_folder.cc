// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes, locks and removes the scratch folders, in which sandboxed backends write their files. Two rules protect a
// folder that is in use: a run that cleans up after others holds the lock of a folder that it removes, and a lock
// counts only while the folder still has its name. So the maker of a folder sees if another run has removed it before
// the lock, and makes it again.

#include "conformance/backends/scratch_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace conformance {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view kPrefix = "deconv-scratch-";
constexpr std::size_t kDigits = 16;
constexpr int kFolder = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

std::uint64_t RandomNumber() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

bool IsScratchName(std::string_view name) {
  return name.starts_with(kPrefix) && name.size() == kPrefix.size() + kDigits &&
         name.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string_view::npos;
}

/// Whether nobody but this user and root can rename what others have made in the folder. If another user can, the name
/// of a scratch folder may stand for any folder of this user.
bool KeepsNames(int folder) {
  struct stat status{};
  if (fstat(folder, &status) != 0 || (status.st_uid != 0 && status.st_uid != geteuid())) return false;
  return (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 || (status.st_mode & S_ISVTX) != 0;
}

/// Whether this user made the folder as a scratch folder. Others cannot move a folder of mode 0700 here.
bool IsOwnScratch(const struct stat& folder) {
  return folder.st_uid == geteuid() && (folder.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO)) == S_IRWXU;
}

/// Locks the folder with the flags of flock(). Returns false if that is not possible, or not at once with LOCK_NB.
bool HasLocked(int folder, int how) {
  int locked = flock(folder, how);
  while (locked != 0 && errno == EINTR) locked = flock(folder, how);
  return locked == 0;
}

/// Returns a descriptor that holds the lock of a scratch folder; -1 if the folder has no lock to be had, or has gone.
int Lock(int parent, const char* name, int how) {
  const int folder = openat(parent, name, O_RDONLY | kFolder);
  if (folder < 0) return -1;
  struct stat held{};
  struct stat named{};
  if (fstat(folder, &held) == 0 && IsOwnScratch(held) && HasLocked(folder, how) &&
      fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && held.st_dev == named.st_dev &&
      held.st_ino == named.st_ino) {
    return folder;
  }
  close(folder);
  return -1;
}

/// Calls use(name) for each entry of the folder until the deadline.
void ForEachEntry(int folder, steady_clock::time_point deadline, const std::function<void(const char*)>& use) {
  const int again = openat(folder, ".", O_RDONLY | kFolder);
  DIR* const entries = again < 0 ? nullptr : fdopendir(again);
  if (entries == nullptr) {
    if (again >= 0) close(again);
    return;
  }
  while (steady_clock::now() < deadline) {
    const dirent* const entry = readdir(entries);
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") use(entry->d_name);
  }
  closedir(entries);
}

/// Removes a file, a link or an empty folder.
bool RemoveEntry(int folder, const char* name) {
  return unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

/// Opens a folder that a backend has left, perhaps without the right to read it.
int OpenInner(int folder, const char* name) {
  const int path = openat(folder, name, O_PATH | kFolder);
  if (path < 0) return -1;
  chmod(fmt::format("/proc/self/fd/{}", path).c_str(), S_IRWXU);  // follows no link, because `path` is a folder
  const int inner = openat(path, ".", O_RDONLY | kFolder);
  close(path);
  return inner;
}

/// Removes all in the folder. A full folder inside of a folder is moved up first, so that folders of any depth need
/// neither more descriptors nor more stack.
void Empty(int top, steady_clock::time_point deadline) {
  std::uint64_t moved = RandomNumber();
  for (bool changed = true; changed;) {
    changed = false;
    ForEachEntry(top, deadline, [&](const char* name) {
      const bool removed = RemoveEntry(top, name);
      changed |= removed;
      const int inner = removed ? -1 : OpenInner(top, name);
      if (inner < 0) return;
      ForEachEntry(inner, deadline, [&](const char* deeper) {
        changed |=
            RemoveEntry(inner, deeper) || renameat(inner, deeper, top, fmt::format("{:x}", ++moved).c_str()) == 0;
      });
      close(inner);
      RemoveEntry(top, name);
    });
  }
}

}  // namespace

std::string NewScratchPath(std::error_code& error) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) return "";
  return folder / fmt::format("{}{:0{}x}", kPrefix, RandomNumber(), kDigits);
}

std::optional<int> MakeScratchFolder(int parent, const char* name) {
  bool made = false;
  while (mkdirat(parent, name, S_IRWXU) == 0) {
    made = true;
    if (const int lock = Lock(parent, name, LOCK_EX); lock >= 0) return lock;
  }
  if (made && errno == EEXIST) return -1;  // no other run can lock the folder either, so none removes it
  return std::nullopt;
}

void RemoveScratchFolder(int parent, const char* name) {
  const int folder = openat(parent, name, O_RDONLY | kFolder);
  if (folder >= 0) {
    Empty(folder, steady_clock::now() + kLongestRemoval);
    close(folder);
  }
  unlinkat(parent, name, AT_REMOVEDIR);
}

void RemoveAbandonedScratchFolders(std::chrono::milliseconds limit) {
  const auto deadline = steady_clock::now() + limit;
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  if (error) return;
  const int parent = open(temporary.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) return;
  const bool keeps_names = KeepsNames(parent);
  ForEachEntry(parent, deadline, [&](const char* name) {
    if (!keeps_names || !IsScratchName(name)) return;
    const int folder = Lock(parent, name, LOCK_EX | LOCK_NB);
    if (folder < 0) return;  // it is in use, or belongs to somebody else
    Empty(folder, deadline);
    unlinkat(parent, name, AT_REMOVEDIR);
    close(folder);
  });
  close(parent);
}

}  // namespace conformance
