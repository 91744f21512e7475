// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds what the commands of deconv-fuzz share: error messages, defaults, and a line that shows the progress.

#ifndef DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_
#define DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_

#include <chrono>
#include <string>

#include <unistd.h>

namespace fuzz {

/// Prints an error message and returns `exit_code`.
int Complain(int exit_code, const std::string& message);

/// Prints that the program of the engine is missing, and returns the exit code for this.
int ComplainOfMissingEngine();

/// The number of processor cores.
int AllCores();

/// Shows the progress. On a terminal it rewrites one line; elsewhere it prints a new line every ten seconds.
class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Shows `text`. With `at_once`, it also prints a line if the last one is less than ten seconds old.
  void operator()(const std::string& text, bool at_once = false);

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_
