// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the program deconv-frames for the source lines of stack frames. Keeps one process of that program and a cache of
// its answers, because crashes of one defect have the same frames.

#include "conformance/backends/worker/stack_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/backends/child_process.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/case/text/files.h"
#include "conformance/case/text/shell_command.h"

namespace conformance {
namespace {

// Limits of one answer of deconv-frames, of all answers, and of its crashes. They are guesses: real answers are one
// line for each inlined function.
constexpr std::size_t kLongestAnswer = 64 * 1024;
constexpr std::size_t kMostAnswers = 20'000;  // a hostile worker can name any number of frames
constexpr int kMostFailures = 3;              // after so many failures, deconv-frames is not started again

bool IsFrame(std::string_view line) { return line.find(" +0x") != std::string_view::npos && !line.starts_with("? "); }

class Frames {
 public:
  /// The functions of one frame with their source lines, with tabs between them; empty if nothing is known.
  std::string Parts(const std::string& frame, const std::string& backend) {
    const std::lock_guard lock(mutex_);
    if (const auto known = answers_.find(frame); known != answers_.end()) return known->second;
    if (answers_.size() >= kMostAnswers || !Runs(backend)) return "";
    const std::array<std::string_view, 2> request = {frame, "\n"};
    std::string answer;
    if (child_.Ask(request, kLongestAnswer, answer) != ChildProcess::Read::kDone) {
      child_.Kill();
      ++failures_;
      answer.clear();
    }
    return answers_[frame] = answer;
  }

 private:
  bool Runs(const std::string& backend) {
    if (child_.runs()) return true;
    const std::string program = (ProgramFolder() / "deconv-frames").string();
    if (failures_ >= kMostFailures || access(program.c_str(), X_OK) != 0) return false;
    const std::string sandbox = SandboxOf(backend);
    // Without this, libdw may ask servers for debug information, which takes minutes.
    const std::string command = fmt::format("unset DEBUGINFOD_URLS; exec {} {} 2>/dev/null", ShellWord(program),
                                            sandbox.empty() ? "" : ShellWord(sandbox));
    if (child_.Start(command).empty()) return true;
    failures_ = kMostFailures;
    return false;
  }

  std::mutex mutex_;
  ChildProcess child_;
  std::map<std::string, std::string> answers_;
  int failures_ = 0;
};

}  // namespace

std::string WithSourceLines(std::string_view stack, const std::string& backend) {
  static Frames frames;
  std::string text;
  while (!stack.empty()) {
    const std::size_t end = std::min(stack.find('\n'), stack.size());
    const std::string line(stack.substr(0, end));
    stack.remove_prefix(std::min(end + 1, stack.size()));
    std::string parts = IsFrame(line) ? frames.Parts(line, backend) : "";
    std::ranges::replace(parts, '\t', '\n');
    // The names come from a file that may be hostile.
    std::ranges::replace_if(parts, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7F; }, '?');
    text += (parts.empty() ? line : parts) + '\n';
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace conformance
