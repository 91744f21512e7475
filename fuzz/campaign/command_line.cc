// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the messages and the progress line of deconv-fuzz.

#include "fuzz/campaign/command_line.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "conformance/cli/exit_code.h"

namespace fuzz {

int Complain(int exit_code, const std::string& message) {
  fmt::print(stderr, "deconv-fuzz: {}\n", message);
  return exit_code;
}

int ComplainOfMissingEngine() {
  return Complain(conformance::kExitUsage,
                  "no engine: expected the program deconv-fuzz-engine beside this one; to have it, build with clang, "
                  "which has libFuzzer");
}

int AllCores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

StatusLine::~StatusLine() {
  if (terminal_) fmt::print(stderr, "\r\x1b[K");
}

void StatusLine::operator()(const std::string& text, bool at_once) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ && !at_once && now - last_ < std::chrono::seconds(10)) return;
  last_ = now;
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", text, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace fuzz
