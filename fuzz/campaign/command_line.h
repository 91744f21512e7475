// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What the commands of deconv-fuzz share: messages, defaults, and a line that shows the progress.

#ifndef DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_
#define DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_

#include <chrono>
#include <string>

#include <unistd.h>

namespace fuzz {

/// Prints a message; returns `exit_code`.
int Complain(int exit_code, const std::string& message);

/// Tells that there is no engine; returns the exit code for it.
int NoEngine();

/// The number of processor cores.
int AllCores();

/// Shows the progress: on a terminal in one line, which it rewrites, else as a new line every ten seconds.
class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// `at_once`: also if the last line is not ten seconds old.
  void operator()(const std::string& text, bool at_once = false);

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_
