// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the file of findings: the failing cases that a fuzzing campaign keeps. The file has one line of JSON
// for each. A line is written as a whole as soon as the finding is known, so that a crash of the process loses none.

#ifndef DECONV_FUZZ_FINDINGS_FINDING_FILE_H_
#define DECONV_FUZZ_FINDINGS_FINDING_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

/// A finding: a failing case that is kept.
struct FoundCase {
  std::string line;          ///< the case as text on one line
  std::string failure;       ///< name of the failure class, such as "wrong-value"
  std::string message;       ///< "wrong-value: output [0,0,3]: ..."
  double time = 0;           ///< when it was found, in seconds since 1970
  bool unexplained = false;  ///< no cause of failures that was known then explained it

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

// A failure may depend on cases that ran before it, for example if one of them damaged the heap. The lines of these
// earlier cases then lie in a separate file: state/before-HASH.txt beside the file of findings, where HASH belongs to
// the line of the failing case. Below, `findings_path` is the path of the file of findings, and `line` the line of the
// failing case.

/// The most such files in a folder; each has up to half a megabyte.
inline constexpr std::size_t kMostEarlierCasesFiles = 64;
std::string EarlierCasesPath(const std::string& findings_path, const std::string& line);
/// Writes the lines of the earlier cases. If this fails, or if there are too many files, the finding has none.
void WriteEarlierCases(const std::string& findings_path, const std::string& line,
                       const std::vector<std::string>& earlier);
/// The lines of the earlier cases, the oldest first; none if there is no such file.
std::vector<std::string> ReadEarlierCases(const std::string& findings_path, const std::string& line);

/// The time now, for FoundCase::time.
double SecondsSince1970();

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_FINDING_FILE_H_
