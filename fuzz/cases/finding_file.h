// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Findings on disk, one line of JSON each. A line is written at once and whole, so that no finding is lost with its
// process.

#ifndef DECONV_FUZZ_CASES_FINDING_FILE_H_
#define DECONV_FUZZ_CASES_FINDING_FILE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/cases/judge_in_process.h"

namespace fuzz {

struct FoundCase {
  std::string line;     ///< the case
  std::string failure;  ///< name of the failure class
  std::string message;  ///< "wrong-value: output [0,0,3]: ..."
  double time = 0;      ///< seconds since 1970

  bool operator==(const FoundCase&) const = default;
};

/// Adds a line. Empty, or why it could not be written.
std::string AppendFinding(const std::string& path, const FoundCase& found);

/// The findings in the order in which they were written; none if there is no file. Lines that are no findings are
/// skipped and counted in `unreadable`, as is a last line that a killed process left unfinished.
std::vector<FoundCase> ReadFindings(const std::string& path, std::size_t* unreadable = nullptr);

/// Keeps the first few findings of each kind: a backend that is wrong everywhere fills no disk.
class FindingFilter {
 public:
  static constexpr int kEach = 8;

  /// Kinds: failure class, operator and type.
  bool Takes(const Finding& finding, const conformance::Case& test_case);

 private:
  std::vector<std::pair<std::string, int>> kinds_;
};

double SecondsSince1970();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_FINDING_FILE_H_
