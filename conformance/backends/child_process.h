// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A command that runs beside this process and talks to it over its standard input and output. The command never
// outlives this process: a keeper process in its group waits until a pipe closes and then kills the group.

#ifndef DECONV_CONFORMANCE_BACKENDS_CHILD_PROCESS_H_
#define DECONV_CONFORMANCE_BACKENDS_CHILD_PROCESS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace conformance {

/// How a process ended.
struct ProcessEnd {
  int status = 0;
  int signal = 0;      ///< 0: it exited with `status`
  bool alive = false;  ///< the process did not end: this side killed it

  /// "was killed by Segmentation fault (11)", "exited with status 1", "closed its standard output but kept running".
  std::string Text() const;
};

/// A command and its process. The destructor kills the process.
class ChildProcess {
 public:
  ChildProcess() = default;
  ~ChildProcess() { Kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Starts `/bin/sh -c command`, which writes to this process's standard error. Returns an empty string, or why the
  /// command could not be started.
  std::string Start(const std::string& command);
  bool runs() const { return process_ > 0; }
  /// The group of the command and of all that it starts. SIGABRT to the group does not end the keeper.
  pid_t group() const { return keeper_; }

  enum class Read { kDone, kEnded, kTooLong };  // how reading went; kTooLong: only Ask() returns it
  /// Writes the parts in order, and reads one line of at most `most` bytes into `line`, without the newline. Returns
  /// kEnded if the process ended or closed its standard output first; then `line` is the text that it wrote before.
  /// kTooLong: `line` is the beginning of a longer line.
  Read Ask(std::span<const std::string_view> parts, std::size_t most, std::string& line);
  /// Fills `bytes` with the next bytes of the process's standard output. Returns kEnded if the output ends before.
  Read ReadBytes(std::span<std::byte> bytes);
  /// Reads the next `count` bytes of the output and drops them. Returns kEnded if the output ends before.
  Read Discard(std::size_t count);
  /// Returns output that the process has written and nobody has read, at most 80 bytes of it; empty if there is none.
  std::string UnreadOutput();

  /// Returns how the process ended, once it has; nothing while it runs. Processes that it has started are then killed.
  std::optional<ProcessEnd> Poll();
  /// Waits until the process ends by itself.
  ProcessEnd Wait();
  /// Sends the process SIGINT.
  void Interrupt() const;

  /// Waits two seconds for the end of a process that has closed its standard output, then kills it. Returns how it
  /// ended.
  ProcessEnd WaitOrKill();
  /// Closes the process's input and gives it two seconds to end by itself.
  void Close();
  /// Kills the process at once, and all of its group.
  void Kill();

 private:
  enum class Fill { kSome, kNone, kEnded };
  /// Appends output to `buffer_`. With `wait`, waits until there is some, so that the result is never kNone.
  Fill FillBuffer(bool wait);
  /// Waits for output. Returns false if the process has ended without output, even if a process that it forked still
  /// holds the pipe open.
  bool WaitForOutput() const;
  bool WaitForEnd(int milliseconds, int& status) const;

  pid_t process_ = -1;
  int process_file_ = -1;  ///< readable once the process has ended
  pid_t keeper_ = -1;      ///< leader of the group
  int input_ = -1;         ///< this side's end of the process's standard input
  int output_ = -1;
  int lifeline_ = -1;   ///< closes when this process ends; then the keeper kills the group
  std::string buffer_;  ///< output that was read from the pipe and not returned yet
};

/// The last lines of this process's standard error (LastLines), if it is a readable file, as in a worker. Else empty.
std::string LastLinesOfStderr();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_CHILD_PROCESS_H_
