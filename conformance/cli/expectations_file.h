// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of known failures (--expect). It is read before the run and compared with the results. With
// --update-expectations it is rewritten after the run.

#ifndef DECONV_CONFORMANCE_CLI_EXPECTATIONS_FILE_H_
#define DECONV_CONFORMANCE_CLI_EXPECTATIONS_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/report/report_file.h"
#include "conformance/run/update_expectations.h"

namespace conformance {

/// The file and its entries. An entry expects that some cases fail. It is stale if they pass.
class ExpectationsFile {
 public:
  /// Reads the file; with an empty `path` nothing is expected. With `update` the file need not exist. Returns an empty
  /// string, or what is wrong.
  std::string Open(const std::string& path, bool update);
  const std::vector<Expectation>& entries() const { return entries_; }

  /// Returns the number of entries that are stale or have expired. `runs` must be all runs.
  std::size_t ComplaintsOf(std::span<const RunRecord> runs) const;

  /// Marks the failures whose cause is expected. The causes must have been searched for before.
  void MarkByCause(RunRecord& run) const { MarkExpectedByCause(entries_, run); }
  bool has_causes() const;

  /// Prints stale and expired entries, and writes the file if an update was asked for. `reach`: how much of the suites
  /// the runs covered. Returns the exit code that follows from the entries alone.
  int Close(std::span<const RunRecord> runs, Reach reach);

 private:
  std::string path_;
  std::string text_;
  std::vector<Expectation> entries_;
  ReportFile output_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_EXPECTATIONS_FILE_H_
