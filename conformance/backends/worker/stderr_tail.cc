// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the most informative lines of a process's standard error: a crash report (crash_report.h) or a sanitizer's
// summary, else the last lines.

#include "conformance/backends/worker/stderr_tail.h"

#include <algorithm>
#include <cstddef>

#include "conformance/backends/crash_report.h"
#include "conformance/case/text/lines.h"

namespace conformance {
namespace {

void MakePrintable(std::string& said) {
  std::ranges::replace_if(said, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7F; }, '?');
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

}  // namespace conformance
