// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says why a backend's process ended. Chooses the most informative lines of its standard error: a crash report
// (crash_report.h) or a sanitizer's summary, else the last lines. Asks the program deconv-frames for the source lines
// of stack frames. Keeps one process of that program and a cache of its answers, because crashes of one defect have the
// same frames.

#include "conformance/backends/worker/death_reason.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/backends/child_process.h"
#include "conformance/backends/crash_report.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/case/text/files.h"
#include "conformance/case/text/lines.h"
#include "conformance/case/text/shell_command.h"

namespace conformance {
namespace {

/// Replaces control characters except newlines by '?'.
void MakePrintable(std::string& text) {
  std::ranges::replace_if(text, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7F; }, '?');
}

/// Splits the crash report whose text begins at `at`, directly after its prefix, into `tail`.
void ReadReport(std::string_view text, std::size_t at, StderrTail& tail) {
  const std::string_view report = text.substr(at);
  const std::size_t end = report.find('\n');
  if (end != std::string_view::npos) tail.backtrace = report.substr(end + 1);
  tail.text = report.substr(0, end);
  tail.reported = true;
}

// Beginnings of lines that Python's module faulthandler writes. The stack of the thread that got the signal follows the
// line that begins with kPythonThread.
constexpr std::string_view kPythonPrefix = "Fatal Python error: ";
constexpr std::string_view kPythonThread = "Current thread ";
constexpr std::string_view kPythonFrame = "  File ";

void ReadPythonReport(std::string_view report, StderrTail& tail) {
  tail.text = report.substr(0, report.find('\n'));
  tail.reported = true;
  const std::size_t thread = report.find(kPythonThread);
  if (thread == std::string_view::npos) return;
  report.remove_prefix(std::min(report.find('\n', thread), report.size() - 1) + 1);
  while (report.starts_with(kPythonFrame)) {
    const std::size_t end = std::min(report.find('\n'), report.size() - 1) + 1;
    tail.backtrace += report.substr(2, end - 2);
    report.remove_prefix(end);
  }
}

/// The position at which the last crash report begins, or npos.
std::size_t ReportBegin(std::string_view text) {
  const std::size_t input_write = text.rfind(kInputWritePrefix);
  if (input_write != std::string_view::npos) return input_write;
  const std::size_t crash = text.rfind(kCrashPrefix);
  return crash != std::string_view::npos ? crash : text.rfind(kPythonPrefix);
}

}  // namespace

std::string_view WithoutReport(std::string_view text) { return text.substr(0, ReportBegin(text)); }

StderrTail StderrTailOf(std::string_view text) {
  StderrTail tail;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  // In order of preference: a write to an input, a sanitizer's summary, the crash report, the last lines.
  const std::size_t input_write = text.rfind(kInputWritePrefix);
  const std::size_t summary = text.rfind("SUMMARY:");
  const std::size_t crash = ReportBegin(text);
  if (input_write != std::string_view::npos) {
    ReadReport(text, input_write + kInputWritePrefix.size(), tail);
    tail.wrote_to_input = true;
  } else if (summary != std::string_view::npos) {
    // At most 300 bytes, as of a line in LastLines().
    tail.text = text.substr(summary, std::min<std::size_t>(300, text.find('\n', summary) - summary));
  } else if (crash != std::string_view::npos && text.substr(crash).starts_with(kPythonPrefix)) {
    ReadPythonReport(text.substr(crash), tail);
  } else if (crash != std::string_view::npos) {
    ReadReport(text, crash + kCrashPrefix.size(), tail);
  } else {
    tail.text = LastLines(text);
  }
  if (tail.reported) tail.before_report = LastLines(WithoutReport(text));
  MakePrintable(tail.text);
  MakePrintable(tail.before_report);
  MakePrintable(tail.backtrace);
  return tail;
}

namespace {

// Limits of one answer of deconv-frames, of all answers, and of its crashes. They are guesses: real answers are one
// line for each inlined function.
constexpr std::size_t kLongestAnswer = 64 * 1024;
constexpr std::size_t kMostAnswers = 20'000;  // a hostile worker can name any number of frames
constexpr int kMostFailures = 3;              // after so many failures, deconv-frames is not started again

bool IsFrame(std::string_view line) { return line.find(" +0x") != std::string_view::npos && !line.starts_with("? "); }

/// A process of deconv-frames, and the answers that it has given.
class FrameTranslator {
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
  /// Starts the process if none runs. Returns false if there is none.
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
  static FrameTranslator translator;
  std::string text;
  while (!stack.empty()) {
    const std::size_t end = std::min(stack.find('\n'), stack.size());
    const std::string line(stack.substr(0, end));
    stack.remove_prefix(std::min(end + 1, stack.size()));
    std::string parts = IsFrame(line) ? translator.Parts(line, backend) : "";
    std::ranges::replace(parts, '\t', '\n');
    // The names come from a file that may be hostile.
    std::ranges::replace_if(parts, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7F; }, '?');
    text += (parts.empty() ? line : parts) + '\n';
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace conformance
