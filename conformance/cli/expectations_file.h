// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of --expect: it is read before the run, compared with the results, and rewritten afterwards if
// --update-expectations asks for it.

#ifndef DECONV_CONFORMANCE_CLI_EXPECTATIONS_FILE_H_
#define DECONV_CONFORMANCE_CLI_EXPECTATIONS_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/report/report_file.h"
#include "conformance/run/update_expectations.h"

namespace conformance {

class ExpectationsFile {
 public:
  /// `path` may be empty: nothing is expected. A file that is to be written need not be there. Empty, or what is wrong.
  std::string Open(const std::string& path, bool update);
  const std::vector<Expectation>& entries() const { return entries_; }

  /// How many entries are stale or have expired, if these are all the runs.
  std::size_t ComplaintsOf(std::span<const RunRecord> runs) const;

  /// Marks the failures that are expected by their cause; they must have been looked for before.
  void MarkByCause(RunRecord& run) const { MarkExpectedByCause(entries_, run); }
  bool has_causes() const;

  /// Prints what the entries did not meet, and writes the file. `reach`: how much of the suites the runs had. The exit
  /// code that follows from it alone.
  int Close(std::span<const RunRecord> runs, Reach reach);

 private:
  std::string path_;
  std::string text_;
  std::vector<Expectation> entries_;
  ReportFile output_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_EXPECTATIONS_FILE_H_
