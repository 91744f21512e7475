// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that scratch folders without a maker are removed with whatever a hostile backend has left in them, and that
// nothing else is touched: folders in use, files behind links, and what other users or programs own.

#include "conformance/backends/scratch_folder.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// The next call of flock() calls this function first. A test puts in it what another run does at that moment.
std::function<void()> before_lock;
bool has_locks = true;

}  // namespace

/// Takes the place of the system's function.
extern "C" int flock(int file, int how) noexcept {
  if (before_lock) std::exchange(before_lock, nullptr)();
  if (has_locks) return static_cast<int>(syscall(SYS_flock, file, how));
  errno = ENOSYS;
  return -1;
}

namespace conformance {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;
constexpr const char* kUnreachable = "another user cannot reach the folder for temporary files";

/// Runs the action in a process of its own. Returns whether it returned true there.
bool InProcess(const std::function<bool()>& action) {
  const pid_t child = fork();
  if (child == 0) _exit(action() ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// A folder for temporary files of each test, and a folder beside it whose files must stay.
class ScratchFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "scratch-folder-test-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    fs::create_directories(root_ / "tmp");
    fs::create_directories(root_ / "kept/folder");
    std::ofstream(root_ / "kept/folder/file") << "kept";
    // Another user may work here.
    for (const char* folder : {".", "tmp", "kept"}) fs::permissions(root_ / folder, fs::perms::all);
    fs::permissions(root_ / "tmp", fs::perms::sticky_bit, fs::perm_options::add);
    setenv("TMPDIR", (root_ / "tmp").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("TMPDIR");
    fs::remove_all(root_);
  }

  /// Makes a scratch folder and gives up its lock, as if the process that made it had been killed.
  static fs::path MakeAbandonedFolder() {
    std::error_code error;
    const std::string path = NewScratchPath(error);
    const auto lock = MakeScratchFolder(AT_FDCWD, path.c_str());
    EXPECT_TRUE(lock && *lock >= 0) << path;
    close(lock.value_or(-1));
    return path;
  }

  /// Whether another user can work in the folder for temporary files. In some trees only root can enter "/".
  bool IsReachedByNobody() const {
    return InProcess([this] { return setuid(kNobody) == 0 && access((root_ / "tmp").c_str(), W_OK | X_OK) == 0; });
  }

  /// The names in the folder for temporary files.
  std::set<std::string> NamesLeft() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(root_ / "tmp")) names.insert(entry.path().filename());
    return names;
  }

  fs::path root_;
};

TEST_F(ScratchFolder, GoesAfterItsMaker) {
  MakeAbandonedFolder();
  MakeAbandonedFolder();
  EXPECT_EQ(NamesLeft().size(), 2U);
  RemoveAbandonedScratchFolders();
  EXPECT_EQ(NamesLeft(), std::set<std::string>());
}

TEST_F(ScratchFolder, StaysWithItsMaker) {
  std::error_code error;
  const fs::path path = NewScratchPath(error);
  const auto lock = MakeScratchFolder(AT_FDCWD, path.c_str());
  ASSERT_TRUE(lock);
  std::ofstream(path / "file") << "used";
  RemoveAbandonedScratchFolders();
  EXPECT_TRUE(fs::exists(path / "file"));
  EXPECT_FALSE(MakeScratchFolder(AT_FDCWD, path.c_str())) << "a folder with two makers";
  close(*lock);
  RemoveAbandonedScratchFolders();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchFolder, GoesWithLinksThatNobodyFollows) {
  const fs::path scratch = MakeAbandonedFolder();
  fs::create_directories(scratch / "inner/more");
  for (const fs::path& folder : {scratch, scratch / "inner", scratch / "inner/more"}) {
    fs::create_directory_symlink(root_ / "kept", folder / "to_folder");
    fs::create_directory_symlink("../../kept/folder", folder / "upwards");
    fs::create_symlink(root_ / "kept/folder/file", folder / "to_file");
    fs::create_hard_link(root_ / "kept/folder/file", folder / "same_file");
    ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  }
  RemoveAbandonedScratchFolders();
  EXPECT_EQ(NamesLeft(), std::set<std::string>());
  EXPECT_EQ(fs::file_size(root_ / "kept/folder/file"), 4U);
}

// The worker's own removal meets the same files.
TEST_F(ScratchFolder, IsRemovedByItsMakerWithItsLinks) {
  const fs::path scratch = MakeAbandonedFolder();
  fs::create_directories(scratch / "inner/more");
  fs::create_directory_symlink(root_ / "kept", scratch / "inner/more/to_folder");
  RemoveScratchFolder(AT_FDCWD, scratch.c_str());
  EXPECT_EQ(NamesLeft(), std::set<std::string>());
  fs::create_directory_symlink(root_ / "kept", scratch);
  RemoveScratchFolder(AT_FDCWD, scratch.c_str());
  EXPECT_TRUE(fs::exists(root_ / "kept/folder/file"));
}

TEST_F(ScratchFolder, GoesHoweverDeepItsFoldersAre) {
  constexpr int kDeep = 100;  // more folders than the process may open below
  const fs::path scratch = MakeAbandonedFolder();
  int folder = open(scratch.c_str(), O_RDONLY | O_DIRECTORY);
  for (int depth = 0; depth < kDeep; ++depth) {
    ASSERT_EQ(mkdirat(folder, "f", 0700), 0);
    ASSERT_EQ(mkdirat(folder, "g", 0700), 0);
    const int inner = openat(folder, "f", O_RDONLY | O_DIRECTORY);
    close(folder);
    folder = inner;
  }
  close(folder);
  EXPECT_TRUE(InProcess([] {
    const rlimit few = {32, 32};
    if (setrlimit(RLIMIT_NOFILE, &few) != 0) return false;
    RemoveAbandonedScratchFolders();
    return true;
  }));
  EXPECT_EQ(NamesLeft(), std::set<std::string>());
}

TEST_F(ScratchFolder, GoesAlthoughItsFoldersCannotBeRead) {
  if (geteuid() == 0 && !IsReachedByNobody()) GTEST_SKIP() << kUnreachable;
  EXPECT_TRUE(InProcess([] {
    if (geteuid() == 0 && setuid(kNobody) != 0) return false;  // root reads every folder
    const fs::path scratch = MakeAbandonedFolder();
    for (const char* folder : {"inner", "inner/more"}) {
      if (mkdir((scratch / folder).c_str(), 0300) != 0) return false;
      std::ofstream(scratch / folder / "file") << "text";
    }
    RemoveAbandonedScratchFolders();
    return !fs::exists(scratch);
  }));
}

TEST_F(ScratchFolder, StaysForTheNextRunWhenTimeIsUp) {
  const fs::path scratch = MakeAbandonedFolder();
  std::ofstream(scratch / "file") << "text";
  RemoveAbandonedScratchFolders(std::chrono::milliseconds(0));
  EXPECT_TRUE(fs::exists(scratch / "file"));
  RemoveAbandonedScratchFolders();
  EXPECT_EQ(NamesLeft(), std::set<std::string>());
}

// Another user could have given any folder of this user the name of a scratch folder.
TEST_F(ScratchFolder, StaysWhereOthersCanRenameIt) {
  const fs::path scratch = MakeAbandonedFolder();
  fs::permissions(root_ / "tmp", fs::perms::sticky_bit, fs::perm_options::remove);
  RemoveAbandonedScratchFolders();
  EXPECT_TRUE(fs::exists(scratch));
  fs::permissions(root_ / "tmp", fs::perms::sticky_bit, fs::perm_options::add);
  RemoveAbandonedScratchFolders();
  EXPECT_EQ(NamesLeft(), std::set<std::string>());
}

TEST_F(ScratchFolder, OtherFoldersStay) {
  const std::string name = "deconv-scratch-0123456789abcde";
  fs::create_directory(root_ / "tmp" / name);  // a digit is missing
  fs::create_directory(root_ / "tmp" / (name + "X"));
  fs::create_directory(root_ / "tmp" / (name + "00"));
  for (const char* name_of_other : {"deconv-sandbox-0123456789abcdef", "deconv-cts-0"}) {
    fs::create_directory(root_ / "tmp" / name_of_other);
  }
  std::set<std::string> kept = NamesLeft();
  for (const std::string& each : kept) fs::permissions(root_ / "tmp" / each, fs::perms::owner_all);
  // These have the name of a scratch folder.
  fs::permissions(root_ / "kept/folder", fs::perms::owner_all);
  fs::create_directory_symlink(root_ / "kept/folder", root_ / "tmp" / (name + "0"));
  std::ofstream(root_ / "tmp" / (name + "1")) << "a file";
  // Its group may write to it, so others may have moved it here.
  fs::create_directory(root_ / "tmp" / (name + "2"));
  fs::permissions(root_ / "tmp" / (name + "2"), fs::perms::owner_all | fs::perms::group_all);
  kept.insert({name + "0", name + "1", name + "2"});
  RemoveAbandonedScratchFolders();
  EXPECT_EQ(NamesLeft(), kept);
  EXPECT_TRUE(fs::exists(root_ / "kept/folder/file"));
}

TEST_F(ScratchFolder, ThatOfAnotherUserStays) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can act as two users";
  if (!IsReachedByNobody()) GTEST_SKIP() << kUnreachable;
  const fs::path mine = MakeAbandonedFolder();
  const auto as_nobody = [](const std::function<bool()>& action) {
    return InProcess([&] { return setuid(kNobody) == 0 && action(); });
  };
  EXPECT_TRUE(as_nobody([] { return fs::exists(MakeAbandonedFolder()); }));
  EXPECT_EQ(NamesLeft().size(), 2U);
  RemoveAbandonedScratchFolders();  // root could remove both
  EXPECT_FALSE(fs::exists(mine));
  EXPECT_EQ(NamesLeft().size(), 1U);
  const fs::path second = MakeAbandonedFolder();
  EXPECT_TRUE(as_nobody([] {
    RemoveAbandonedScratchFolders();
    return true;
  }));
  EXPECT_EQ(NamesLeft(), std::set<std::string>{second.filename()});
}

// A user who loses and regains the right to see the folder for temporary files.
TEST_F(ScratchFolder, GoesAfterItCanBeSeenAgain) {
  if (geteuid() == 0 && !IsReachedByNobody()) GTEST_SKIP() << kUnreachable;
  EXPECT_TRUE(InProcess([this] {
    if (geteuid() == 0 && (chown((root_ / "tmp").c_str(), kNobody, kNobody) != 0 || setuid(kNobody) != 0)) return false;
    const fs::path scratch = MakeAbandonedFolder();
    for (const fs::perms hidden : {fs::perms::none, fs::perms::owner_read, fs::perms::owner_exec}) {
      fs::permissions(root_ / "tmp", hidden);
      RemoveAbandonedScratchFolders();
      RemoveScratchFolder(AT_FDCWD, scratch.c_str());
      fs::permissions(root_ / "tmp", fs::perms::owner_all);
      if (!fs::exists(scratch)) return false;
    }
    RemoveAbandonedScratchFolders();
    return !fs::exists(scratch);
  }));
  setenv("TMPDIR", "/nowhere", 1);
  RemoveAbandonedScratchFolders();
}

// Two threads remove without a pause. Each descriptor has a lock of its own, so threads act as processes do.
TEST_F(ScratchFolder, IsNeverTakenFromItsMaker) {
  constexpr int kRounds = 300;
  std::atomic<bool> stops = false;
  std::vector<std::thread> removers;
  for (int i = 0; i < 2; ++i) {
    removers.emplace_back([&] {
      while (!stops) RemoveAbandonedScratchFolders();
    });
  }
  int lost = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::error_code error;
    const fs::path path = NewScratchPath(error);
    const auto lock = MakeScratchFolder(AT_FDCWD, path.c_str());
    std::this_thread::sleep_for(std::chrono::microseconds(round % 100));
    struct stat held{};
    struct stat named{};
    if (!lock || fstat(*lock, &held) != 0 || stat(path.c_str(), &named) != 0 || held.st_ino != named.st_ino) ++lost;
    close(lock.value_or(-1));
  }
  stops = true;
  for (std::thread& remover : removers) remover.join();
  EXPECT_EQ(lost, 0);
  RemoveAbandonedScratchFolders();
  EXPECT_EQ(NamesLeft(), std::set<std::string>());
}

// Another run may lock a new folder before its maker does, take it for an abandoned one and remove it.
TEST_F(ScratchFolder, IsMadeAgainIfAnotherRunRemovesItBeforeTheLock) {
  std::error_code error;
  const fs::path path = NewScratchPath(error);
  before_lock = [&] { fs::remove(path); };
  const auto lock = MakeScratchFolder(AT_FDCWD, path.c_str());
  ASSERT_TRUE(lock);
  EXPECT_GE(*lock, 0);
  EXPECT_TRUE(fs::exists(path));
  close(*lock);
}

// The maker may make it again between the moments in which a third run opens and locks the removed folder.
TEST_F(ScratchFolder, StaysIfItIsMadeAgainBeforeTheLock) {
  const fs::path path = MakeAbandonedFolder();
  before_lock = [&] {
    fs::remove(path);
    fs::create_directory(path);
  };
  RemoveAbandonedScratchFolders();
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(ScratchFolder, IsMadeWhereFoldersHaveNoLocks) {
  std::error_code error;
  const fs::path path = NewScratchPath(error);
  has_locks = false;
  EXPECT_EQ(MakeScratchFolder(AT_FDCWD, path.c_str()), -1);
  RemoveAbandonedScratchFolders();
  EXPECT_TRUE(fs::exists(path));
  has_locks = true;
  setenv("TMPDIR", "/proc", 1);
  EXPECT_FALSE(MakeScratchFolder(AT_FDCWD, NewScratchPath(error).c_str()));
}

}  // namespace
}  // namespace conformance
