// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The console output of a run (a list of cases on one backend, the library under test): a progress line, failures as
// they happen, a summary, and the causes of the failures.

#ifndef DECONV_CONFORMANCE_REPORT_CONSOLE_H_
#define DECONV_CONFORMANCE_REPORT_CONSOLE_H_

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/report/summary.h"

namespace conformance {

/// Prints one run after the other: Begin(), OnResult() for each case, End().
class ConsoleReport {
 public:
  /// If `stream` is a terminal, prints a moving progress line, and colours unless NO_COLOR is set. Else prints a line
  /// of progress every ten seconds.
  explicit ConsoleReport(std::FILE* stream);
  /// Also prints each invalid operator that the backend rightly refused, its answer to each operator that the documents
  /// leave open, and its standard error in a failing case. For cases given by hand, which are few.
  void PrintRefusals() { prints_refusals_ = true; }
  /// Sets the text that names the selected cases in the verdict line: "level gate; suites layers only".
  void SetSelectionText(std::string selection) { selection_ = std::move(selection); }

  bool colours() const { return has_colours_; }

  /// Prints the first line of a run with this number of cases.
  void Begin(const std::string& backend, std::size_t cases);
  /// Prints the case if it is a new failure, and from time to time the progress. `done` cases have a verdict by now.
  void OnResult(const CaseResult& result, std::size_t done);
  /// Prints the summary of the run.
  void End(const RunRecord& record);

  /// The text that describes one failure, with the line that replays it.
  std::string FailureText(const CaseResult& result) const;

 private:
  /// The same text. If `explained_by` is the id of an earlier failure with the same clauses, the text refers to it
  /// instead of repeating them. It may be empty.
  std::string FailureText(const CaseResult& result, const std::string& explained_by) const;
  void PrintVerdict(const RunSummary& summary);
  void Progress(const CaseResult& result, std::size_t done);
  void ClearProgress();
  /// Prints to the stream. A closed pipe or a full disk does not end the run; the program checks the stream at its end.
  template <class... Args>
  void Print(fmt::format_string<Args...> format, Args&&... args) {
    std::fputs(fmt::format(format, std::forward<Args>(args)...).c_str(), stream_);
  }
  std::string Coloured(std::string_view text, int colour) const;

  std::FILE* stream_;
  bool is_terminal_ = false;
  bool has_colours_ = false;
  bool prints_refusals_ = false;
  std::string selection_;
  std::string backend_;
  std::size_t cases_ = 0;
  std::size_t failures_ = 0;
  std::size_t shown_failures_ = 0;
  /// For each failure class with its clauses (numbered rules), the id of the first failure, which lists the clauses.
  std::map<std::pair<FailureClass, std::vector<std::string>>, std::string> explained_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_progress_;
};

/// The text that lists the causes of a run's failures. Empty if no diagnosis looked for them.
std::string CausesText(const RunRecord& record);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_CONSOLE_H_
