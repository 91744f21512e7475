// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the two commands of the program deconv-fuzz, and what they share: error messages, defaults, and a line that
// shows the progress.

#ifndef DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_
#define DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include <unistd.h>

namespace fuzz {

/// Prints an error message on stderr and returns `exit_code`.
int Complain(int exit_code, const std::string& message);

/// Prints that the program deconv-fuzz-engine, which makes and runs inputs, is missing. Returns the exit code for this.
int ComplainOfMissingEngine();

/// The number of processor cores, at least 1.
int CoreCount();

/// Shows the progress on stderr. On a terminal it rewrites one line; elsewhere it prints a new line every ten seconds.
class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Shows `text`. With `at_once`, it also prints a line if the last one is less than ten seconds old.
  void operator()(const std::string& text, bool at_once = false);

 private:
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point last_shown_ = std::chrono::steady_clock::now();
};

// Each function adds a command to the program. The command sets `exit_code`, which must outlive the program, when it
// has run.

/// `fuzz`: a campaign on a backend.
void AddFuzzCommand(CLI::App& program, int& exit_code);

/// `power`: measures how soon the fuzzer finds planted faults.
void AddPowerCommand(CLI::App& program, int& exit_code);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_COMMAND_LINE_H_
