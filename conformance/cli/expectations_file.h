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
#include "conformance/run/expectations.h"

namespace conformance {

class ExpectationsFile {
 public:
  /// `path` may be empty: nothing is expected. A file that is to be written need not be there. Empty, or what is wrong.
  std::string Open(const std::string& path, bool update);
  const std::vector<Expectation>& entries() const { return entries_; }

  /// How many entries are stale or have expired, if these are all the runs.
  std::size_t ComplaintsOf(std::span<const RunRecord> runs) const;

  /// Prints what the entries did not meet, and writes the file. `whole`: the runs had all cases that a glob may mean.
  /// The exit code that follows from it alone.
  int Close(std::span<const RunRecord> runs, bool whole);

 private:
  std::string path_;
  std::string text_;
  std::vector<Expectation> entries_;
  ReportFile output_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_EXPECTATIONS_FILE_H_
