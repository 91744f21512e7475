// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the sandbox with a hostile library (conformance/testing/libraries/hostile.c), which the worker loads or runs as
// a command. The library reports its successful attacks as its version. A further test shows that the same attacks
// succeed without a sandbox, so that a failed attack proves something.

#include "conformance/backends/sandbox.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/backends/worker/worker.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1";

/// How the worker reaches the hostile library: it loads it, or starts a command that does.
enum class ReachedAs { kLibrary, kProcess };

/// Each test works in a new folder, and its user's home is another new folder with a secret.
class Sandbox : public testing::TestWithParam<ReachedAs> {
 protected:
  void SetUp() override {
    SandboxWorkers({});
    root_ = fs::temp_directory_path() / "deconv-sandbox-test-XXXXXX";
    std::string name = root_.string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    fs::create_directories(root_ / "work");
    fs::create_directories(root_ / "home");
    std::ofstream(root_ / "home/secret") << "secret";
    std::ofstream(root_ / "file") << "kept";
    fs::current_path(root_ / "work");
    setenv("HOME", (root_ / "home").c_str(), 1);
    setenv("HOSTILE_TEST_TOKEN", "secret", 1);
  }
  void TearDown() override {
    fs::current_path("/");
    fs::remove_all(root_);
  }

  std::string Backend(const std::string& attack) const {
    const std::string library = fmt::format("{}?{}", DECONV_HOSTILE, attack);
    if (GetParam() == ReachedAs::kLibrary) return library;
    return fmt::format("cmd:exec '{}' '{}'", DECONV_SERVER, library);
  }

  /// "1" and the attacks that succeeded while the backend was opened.
  std::string Opened(const std::string& attack) const {
    Arena arena;
    Worker worker(Backend(attack), arena);
    if (const auto error = worker.Start()) return error->message;
    return worker.capabilities().version;
  }

  WorkerOutcome Run(const std::string& attack, std::uint64_t memory = 0) const {
    Arena arena;
    EXPECT_TRUE(arena.Resize({.bytes = {12, 12, 28}}));
    Worker worker(Backend(attack), arena);
    worker.LimitMemory(memory);
    return worker.Run(kPlain, oracle::Dialect::kOpenvinoSpec, std::chrono::seconds(60));
  }

  fs::path root_;
};

INSTANTIATE_TEST_SUITE_P(, Sandbox, testing::Values(ReachedAs::kLibrary, ReachedAs::kProcess),
                         [](const auto& parameter) {
                           return parameter.param == ReachedAs::kLibrary ? "Library" : "Process";
                         });

// This test must be the first one, because SandboxWorkers() cannot be undone.
TEST(WithoutSandbox, TheAttacksSucceed) {
  Arena arena;
  const std::string folder = fs::temp_directory_path() / fmt::format("deconv-unsandboxed-{}", getpid());
  fs::create_directories(folder);
  std::ofstream(folder + "/file") << "text";
  Worker writer(fmt::format("{}?writes={}", DECONV_HOSTILE, folder), arena);
  ASSERT_FALSE(writer.Start());
  EXPECT_THAT(writer.capabilities().version, HasSubstr("create append truncate opened_empty chmod remove folder"));
  fs::remove_all(folder);
  fs::remove("made-by-a-hostile-backend");
  fs::remove("/dev/shm/hostile");
  fs::remove(fs::temp_directory_path() / "mine");
  Worker network(fmt::format("{}?network", DECONV_HOSTILE), arena);
  ASSERT_FALSE(network.Start());
  EXPECT_THAT(network.capabilities().version, HasSubstr("unix"));
  Worker runner(fmt::format("{}?runner={}", DECONV_HOSTILE, getpid()), arena);
  ASSERT_FALSE(runner.Start());
  EXPECT_THAT(runner.capabilities().version, HasSubstr("environ cmdline"));
}

TEST_P(Sandbox, SaysWhichProtectionsHold) {
  Arena arena;
  Worker worker(Backend("nothing"), arena);
  const auto error = worker.Start();
  if (error && error->usage) GTEST_SKIP() << error->message;
  ASSERT_FALSE(error) << error->message;
  ASSERT_TRUE(worker.sandbox());
  EXPECT_EQ(worker.sandbox()->Refusal(), "");
  EXPECT_THAT(worker.sandbox()->Text(), HasSubstr("no network; no writes outside of its scratch folder"));
}

TEST_P(Sandbox, ReachesNoNetwork) { EXPECT_EQ(Opened("network"), "1"); }

TEST_P(Sandbox, WritesInItsScratchFolderAlone) {
  EXPECT_EQ(Opened("writes=" + root_.string()), "1 scratch");
  std::stringstream text;
  text << std::ifstream(root_ / "file").rdbuf();
  EXPECT_EQ(text.str(), "kept");
  struct stat file{};
  ASSERT_EQ(stat((root_ / "file").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0644U);
  EXPECT_TRUE(fs::is_empty(root_ / "work"));
}

TEST_P(Sandbox, ReadsNoSecrets) { EXPECT_EQ(Opened("secrets=" + (root_ / "home").string()), "1"); }

TEST_P(Sandbox, ReachesNoOtherProcess) { EXPECT_EQ(Opened(fmt::format("runner={}", getpid())), "1"); }

TEST_P(Sandbox, CannotFillTheDisk) { EXPECT_EQ(Opened("disk"), "1"); }

TEST_P(Sandbox, CannotForkWithoutEnd) {
  const WorkerOutcome outcome = Run("forks");
  EXPECT_EQ(outcome.end, WorkerOutcome::End::kOutOfMemory);
  EXPECT_THAT(outcome.detail, HasSubstr("the process held more than 256 processes"));
}

TEST_P(Sandbox, CannotFillTheMemory) {
  for (const char* attack : {"memory", "shared_memory"}) {
    const WorkerOutcome outcome = Run(attack, std::uint64_t{1} << 29);
    EXPECT_EQ(outcome.end, WorkerOutcome::End::kOutOfMemory) << attack;
    EXPECT_THAT(outcome.detail, HasSubstr("the process held more than 0.5 GiB besides the buffers")) << attack;
  }
}

// A hostile backend cannot forge an answer, although the sandbox puts processes between the runner and the worker.
TEST(SandboxedWorker, CannotForgeAnAnswer) {
  SandboxWorkers({});
  Arena arena;
  ASSERT_TRUE(arena.Resize({.bytes = {12, 12, 28}}));
  const auto run = [&](const char* attack) {
    Worker worker(fmt::format("{}?{}", DECONV_HOSTILE, attack), arena);
    return worker.Run(kPlain, oracle::Dialect::kOpenvinoSpec, std::chrono::seconds(60));
  };
  EXPECT_EQ(run("forged").end, WorkerOutcome::End::kBrokeProtocol);
  EXPECT_EQ(run("words").answer.answer, kContractBroken);
  // The runner still reads the buffers, and can make them larger.
  EXPECT_EQ(run("arena").end, WorkerOutcome::End::kAnswered);
  EXPECT_EQ(arena.BrokenCanary(), "");
  EXPECT_TRUE(arena.Resize({.bytes = {12, 12, 8 << 20}}));
  EXPECT_EQ(arena.buffer(kOutputBuffer).back(), std::byte{0});
}

/// A new folder for the temporary files of a test.
class TemporaryFiles {
 public:
  TemporaryFiles() : path_(fs::temp_directory_path() / "sandbox-test-XXXXXX") {
    EXPECT_NE(mkdtemp(path_.data()), nullptr);
    setenv("TMPDIR", path_.c_str(), 1);
  }
  TemporaryFiles(const TemporaryFiles&) = delete;
  TemporaryFiles& operator=(const TemporaryFiles&) = delete;
  ~TemporaryFiles() {
    unsetenv("TMPDIR");
    fs::remove_all(path_);
  }
  bool empty() const { return fs::is_empty(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// From now on, this process and its children can enter no mount namespaces, so a sandbox has no namespaces.
void ForbidNamespaces() {
  unshare(CLONE_NEWUSER);
  std::ofstream("/proc/sys/user/max_mnt_namespaces") << "0";
}

/// Starts a runner with one worker in a process of its own.
pid_t StartRunner(bool has_namespaces) {
  const pid_t runner = fork();
  if (runner != 0) return runner;
  if (!has_namespaces) ForbidNamespaces();
  Arena arena;
  Worker worker(fmt::format("{}?nothing", DECONV_HOSTILE), arena);
  const bool failed = worker.Start().has_value();
  if (!failed) pause();
  _exit(1);
}

/// Waits up to 20 s for the condition, and returns whether it came true.
bool BecomesTrue(const std::function<bool()>& is_true) {
  constexpr std::chrono::seconds kPatience{20};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

// Round by round, the runner is killed 1 ms later after the scratch folder has appeared, so that the kill meets each
// step of the worker's start.
TEST(SandboxedWorker, LeavesNoFolderOfAKilledRunner) {
  SandboxWorkers({});
  const TemporaryFiles files;
  for (int round = 0; round < 30; ++round) {
    const pid_t runner = StartRunner(round % 3 != 2);
    EXPECT_TRUE(BecomesTrue([&] { return !files.empty(); })) << "no scratch folder";
    std::this_thread::sleep_for(std::chrono::milliseconds(round));
    kill(runner, SIGKILL);
    waitpid(runner, nullptr, 0);
    ASSERT_TRUE(BecomesTrue([&] { return files.empty(); })) << "killed after " << round << " ms";
  }
}

/// The process that the runner has started, which makes the scratch folder.
pid_t ChildOf(pid_t process) {
  pid_t child = -1;
  std::ifstream(fmt::format("/proc/{0}/task/{0}/children", process)) >> child;
  return child;
}

/// The processes with a descriptor of a path that begins with the text.
std::set<pid_t> ProcessesThatHold(const std::string& text) {
  std::set<pid_t> found;
  std::error_code error;
  for (const auto& process : fs::directory_iterator("/proc")) {
    for (const auto& file : fs::directory_iterator(process.path() / "fd", error)) {
      const std::string path = fs::read_symlink(file, error);
      if (path.starts_with(text)) found.insert(std::stoi(process.path().filename()));
    }
  }
  return found;
}

// A descriptor that the backend had too would keep the lock as long as the backend runs, and let the backend unlock.
TEST(SandboxedWorker, HoldsItsFolderOutsideOfTheSandboxAlone) {
  SandboxWorkers({});
  const TemporaryFiles files;
  Arena arena;
  Worker worker(fmt::format("{}?nothing", DECONV_HOSTILE), arena);
  ASSERT_FALSE(worker.Start());
  EXPECT_EQ(ProcessesThatHold(files.path() + "/"), std::set<pid_t>{ChildOf(getpid())});
}

// Nobody is left to remove the folder then. The next run with a sandbox does it.
TEST(SandboxedWorker, LeavesItsFolderToTheNextRunIfRunnerAndWorkerAreKilled) {
  SandboxWorkers({});
  const TemporaryFiles files;
  for (int round = 0; round < 12; ++round) {
    const bool has_namespaces = round % 2 == 0;
    const pid_t runner = StartRunner(has_namespaces);
    ASSERT_TRUE(BecomesTrue([&] { return !files.empty(); })) << "no scratch folder";
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * round));
    SandboxWorkers({});  // may remove a folder that has no lock yet, and then the worker makes it again
    ASSERT_TRUE(BecomesTrue([&] { return !files.empty(); })) << "the folder of a running worker is removed";
    kill(runner, SIGSTOP);  // so that it does not see the worker's end
    kill(ChildOf(runner), SIGKILL);
    kill(runner, SIGKILL);
    waitpid(runner, nullptr, 0);
    EXPECT_FALSE(files.empty()) << "who has removed the folder?";
    ASSERT_TRUE(BecomesTrue([&] {
      SandboxWorkers({});  // a worker has its lock until it has ended
      return files.empty();
    })) << "killed after "
        << 5 * round << " ms";
  }
}

TEST(SandboxedWorker, SaysWhyItHasNoScratchFolder) {
  SandboxWorkers({});
  Arena arena;
  setenv("TMPDIR", "/proc", 1);
  Worker worker(fmt::format("{}?nothing", DECONV_HOSTILE), arena);
  const auto error = worker.Start();
  unsetenv("TMPDIR");
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("a scratch folder (/proc/deconv-scratch-"));
  EXPECT_THAT(error->message, HasSubstr("TMPDIR names another place for it"));
}

TEST(SandboxPolicy, SurvivesACommandLine) {
  const SandboxPolicy policy = {.scratch = "/tmp/x y", .readable = {"/a", "/b c"}};
  const SandboxPolicy read = DecodeSandbox(EncodeSandbox(policy));
  EXPECT_EQ(read.scratch, policy.scratch);
  EXPECT_EQ(read.readable, policy.readable);
}

}  // namespace
}  // namespace conformance
