// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Extracts the reason why a worker's process ended from the end of its standard error, as one line for a verdict's
// message.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_STDERR_TAIL_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_STDERR_TAIL_H_

#include <string>
#include <string_view>

namespace conformance {

/// The end of a process's standard error. Control characters are replaced by '?'.
struct StderrTail {
  std::string text;       ///< the most informative lines, joined to one line; empty if there are none
  std::string backtrace;  ///< the stack of a crash report or of Python, one frame on each line
  /// The last lines that the backend wrote before a crash report, in one line: a failed assertion, for example, or the
  /// what() of an exception that nothing caught. Empty without a report.
  std::string before_report;
  bool reported = false;        ///< `text` comes from a crash report (conformance/backends/crash_report.h)
  bool wrote_to_input = false;  ///< the crash line says to which byte of data or filter the backend wrote

  /// Whether `text` is the summary of a sanitizer, which ends a process in its own way.
  bool IsOfSanitizer() const { return text.starts_with("SUMMARY:"); }
};
StderrTail StderrTailOf(std::string_view standard_error);

/// The text before the crash report, or all of it if there is no report.
std::string_view WithoutReport(std::string_view standard_error);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_STDERR_TAIL_H_
