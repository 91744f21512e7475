// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the file of findings, which has one line of JSON for each finding. A line is written as a whole as
// soon as the finding is known, so that a crash of the process loses no finding.

#ifndef DECONV_FUZZ_FINDINGS_FINDING_FILE_H_
#define DECONV_FUZZ_FINDINGS_FINDING_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

/// A finding: a failing case that is kept.
struct FoundCase {
  std::string line;          ///< the case
  std::string failure;       ///< name of the failure class
  std::string message;       ///< "wrong-value: output [0,0,3]: ..."
  double time = 0;           ///< seconds since 1970
  bool unexplained = false;  ///< no cause that was found before explained it

  bool operator==(const FoundCase&) const = default;
};

/// The most bytes of a file of findings: some hundred thousand lines. A campaign may run for weeks, and it reads the
/// file again and again.
inline constexpr std::uintmax_t kMostFindingBytes = 32 << 20;
/// Whether the file is still shorter than kMostFindingBytes.
bool HasRoomForFindings(const std::string& path);

/// Appends the finding. Returns an empty string, or why it could not be written.
std::string AppendFinding(const std::string& path, const FoundCase& found);

/// The findings in the order in which they were written; none if there is no file. Lines that are no findings are
/// skipped and counted in `unreadable`, as is a last line that a killed process left unfinished.
std::vector<FoundCase> ReadFindings(const std::string& path, std::size_t* unreadable = nullptr);

/// The most files with earlier cases in a folder; each has up to half a megabyte. Such a file lists the cases that ran
/// before a finding, one on each line, if the failure may depend on them. It lies in state/ beside the file of
/// findings.
inline constexpr std::size_t kMostEarlierCasesFiles = 64;
/// The path of the file with the earlier cases of the finding `line`. `findings` is the path of the file of findings.
std::string EarlierCasesPath(const std::string& findings, const std::string& line);
/// Writes that file. If this fails, the finding has no earlier cases.
void WriteEarlierCases(const std::string& findings, const std::string& line, const std::vector<std::string>& earlier);
/// The earlier cases of the finding `line`, the oldest first; none if there is no such file.
std::vector<std::string> ReadEarlierCases(const std::string& findings, const std::string& line);

/// The time now, for FoundCase::time.
double SecondsSince1970();

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_FINDING_FILE_H_
