// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The two files that pin what a run must give: known failures (--expect) and the support map (--support-map). Each is
// read before the run, compared with its results, and rewritten on request.

#ifndef DECONV_CONFORMANCE_CLI_PINNED_FILES_H_
#define DECONV_CONFORMANCE_CLI_PINNED_FILES_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/report/report_file.h"
#include "conformance/report/support/pinned_support.h"
#include "conformance/report/support/support_map.h"
#include "conformance/run/update_expectations.h"

namespace conformance {

/// The file of known failures and its entries. An entry expects that some cases fail. It is stale if they pass.
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

/// The file of a support map, which says how many operators of each class a backend supports.
class SupportMapFile {
 public:
  /// Reads the file; with an empty `path` nothing is compared. With `update` the file need not exist. `all_cases`:
  /// whether the command selects all cases of its level; a map of fewer cases is not written. Returns an empty string,
  /// or what is wrong.
  std::string Open(const std::string& path, bool update, bool all_cases);
  bool is_open() const { return !path_.empty(); }

  /// Prints the lost and the gained support, or writes the file. `backend`: the name that the backend gives itself.
  /// `whole`: all selected cases have a verdict, so that the file may be written. Returns the exit code that follows
  /// from the map alone.
  int Close(const SupportMap& now, const std::string& backend, bool whole);

 private:
  std::string path_;
  PinnedSupport pinned_;
  ReportFile output_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_PINNED_FILES_H_
