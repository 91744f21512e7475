// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks for a crash report or a sanitizer's summary; else the last few lines are taken.

#include "conformance/backends/worker/stderr_tail.h"

#include <algorithm>
#include <cstddef>

#include "conformance/backends/worker/crash_report.h"
#include "conformance/case/text/last_lines.h"

namespace conformance {
namespace {

void MakePrintable(std::string& said) {
  std::ranges::replace_if(said, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7F; }, '?');
}

/// Splits the crash report that begins at `at`, behind its prefix.
void ReadReport(std::string_view text, std::size_t at, StderrTail& tail) {
  const std::string_view report = text.substr(at);
  const std::size_t end = report.find('\n');
  if (end != std::string_view::npos) tail.backtrace = report.substr(end + 1);
  tail.text = report.substr(0, end);
  tail.reported = true;
}

/// The position at which the last crash report begins, or npos.
std::size_t ReportBegin(std::string_view text) {
  const std::size_t input_write = text.rfind(kInputWritePrefix);
  return input_write != std::string_view::npos ? input_write : text.rfind(kCrashPrefix);
}

}  // namespace

std::string_view WithoutReport(std::string_view text) { return text.substr(0, ReportBegin(text)); }

StderrTail StderrTailOf(std::string_view text) {
  StderrTail tail;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  // A write to an input says most, then a sanitizer's summary, then the crash report; else the last lines.
  const std::size_t input_write = text.rfind(kInputWritePrefix);
  const std::size_t summary = text.rfind("SUMMARY:");
  const std::size_t crash = ReportBegin(text);
  if (input_write != std::string_view::npos) {
    ReadReport(text, input_write + kInputWritePrefix.size(), tail);
    tail.wrote_to_input = true;
  } else if (summary != std::string_view::npos) {
    tail.text = text.substr(summary, std::min<std::size_t>(300, text.find('\n', summary) - summary));
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
