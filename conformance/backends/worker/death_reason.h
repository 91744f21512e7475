// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says why a worker, the process that runs a backend, ended: the reason from the end of its standard error, as one line
// for a verdict's message, and the functions and source lines of its stack, with the help of the program deconv-frames.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_DEATH_REASON_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_DEATH_REASON_H_

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

/// Translates the stack of a crash report (conformance/backends/crash_report.h). A frame becomes for example "Pack(int)
/// at pack.cc:57 in libvendor.so" if the file has debug information. The result has one line for each frame, the
/// innermost first. Other lines are not changed. Without deconv-frames, or if it fails, no line is changed. `backend`
/// is the name of the worker's backend. Any thread may call this function.
std::string WithSourceLines(std::string_view stack, const std::string& backend);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_DEATH_REASON_H_
