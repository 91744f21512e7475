// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the messages and the progress line that the commands of the program deconv-fuzz share.

#include "fuzz/campaign/command_line.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "conformance/cli/exit_code.h"

namespace fuzz {
namespace {

// The text that erases the line of a terminal: it moves the cursor to the beginning of the line, and clears the rest.
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

int Complain(int exit_code, const std::string& message) {
  fmt::print(stderr, "deconv-fuzz: {}\n", message);
  return exit_code;
}

int ComplainOfMissingEngine() {
  return Complain(conformance::kExitUsage,
                  "no engine: expected the program deconv-fuzz-engine beside this one; to have it, build with clang, "
                  "which has libFuzzer");
}

// hardware_concurrency() is 0 if the number is unknown.
int CoreCount() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

StatusLine::~StatusLine() {
  if (is_terminal_) fmt::print(stderr, kEraseLine);
}

void StatusLine::operator()(const std::string& text, bool at_once) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ && !at_once && now - last_shown_ < std::chrono::seconds(10)) return;
  last_shown_ = now;
  fmt::print(stderr, "{}{}{}", is_terminal_ ? kEraseLine : "", text, is_terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace fuzz
