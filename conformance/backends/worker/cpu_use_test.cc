// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the CPU use of a process includes that of its descendants and its process group. The suite finds in this
// way whether a backend that does not answer computes or sleeps.

#include <array>
#include <csignal>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/backends/worker/process_resources.h"

namespace conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A shell in a process group of its own, which ends with this object.
class Shell {
 public:
  explicit Shell(std::string script) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::string shell = "/bin/sh";
    std::string flag = "-c";
    std::array<char*, 4> arguments = {shell.data(), flag.data(), script.data(), nullptr};
    EXPECT_EQ(posix_spawn(&process_, shell.c_str(), nullptr, &attributes, arguments.data(), environ), 0);
    posix_spawnattr_destroy(&attributes);
  }
  ~Shell() {
    kill(-process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  /// Whether the shell takes this much CPU time within 20 s, which is enough on a busy machine.
  bool UsesCpuTime(milliseconds cpu_time) const {
    const auto end = steady_clock::now() + std::chrono::seconds(20);
    while (steady_clock::now() < end) {
      if (CpuUseOf(process_).time >= cpu_time) return true;
      usleep(10000);
    }
    return false;
  }
  pid_t process() const { return process_; }

 private:
  pid_t process_ = -1;
};

TEST(CpuUse, IncludesDescendants) {
  EXPECT_TRUE(Shell("while :; do :; done").UsesCpuTime(milliseconds(100)));
  const Shell shell("(while :; do :; done); true");
  EXPECT_TRUE(shell.UsesCpuTime(milliseconds(100)));
  EXPECT_TRUE(CpuUseOf(shell.process()).can_run);
}

TEST(CpuUse, IncludesTheGroupOfAProcessThatHasNoParentInTheFamily) {
  EXPECT_TRUE(Shell("( (while :; do :; done) & ); sleep 100").UsesCpuTime(milliseconds(100)));
}

TEST(CpuUse, IncludesProcessesThatHaveEnded) {
  // The inner shell counts to 200000, which takes more than 20 ms, and ends. Then the outer one becomes `sleep`.
  const Shell shell("(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done); exec sleep 100");
  const std::string name = fmt::format("/proc/{}/comm", shell.process());
  std::string running;
  for (int i = 0; i < 2000 && running != "sleep"; ++i, usleep(10000)) std::getline(std::ifstream(name), running);
  ASSERT_EQ(running, "sleep") << "the loop has ended";
  EXPECT_GE(CpuUseOf(shell.process()).time, milliseconds(20));
}

TEST(CpuUse, OfASleepingProcessDoesNotGrow) {
  const Shell shell("sleep 100");
  usleep(100000);  // time for the process to start
  const milliseconds before = CpuUseOf(shell.process()).time;
  usleep(100000);
  const CpuUse use = CpuUseOf(shell.process());
  EXPECT_LT(use.time - before, milliseconds(20));
  EXPECT_FALSE(use.can_run);
}

}  // namespace
}  // namespace conformance
