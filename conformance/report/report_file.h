// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A report file that is either complete or absent. A temporary file is opened before the run, so that a bad path is
// found at once, and is renamed at the end. The next run removes temporary files of runs that were killed. A link to a
// file stays a link.

#ifndef DECONV_CONFORMANCE_REPORT_REPORT_FILE_H_
#define DECONV_CONFORMANCE_REPORT_REPORT_FILE_H_

#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace conformance {

/// A file that a command line names, and the option or argument that names it.
struct NamedFile {
  std::string by;
  std::string path;  ///< empty if the option is not given
  bool is_written = true;
};

/// Returns an empty string, or that two of the files are the same one, which one of them writes.
std::string FileNamedTwice(std::span<const NamedFile> files);

/// A report file between Open() and Commit().
class ReportFile {
 public:
  ReportFile() = default;
  ~ReportFile();  ///< leaves nothing behind without a successful Commit()
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;

  /// Returns an empty string, or what is wrong with the path. A path that names no regular file (a pipe, a device), or
  /// the file to which stdout or stderr goes, is written directly.
  std::string Open(const std::string& path);
  bool is_open() const { return file_ != nullptr; }

  /// Writes the content and moves the file into place. Returns an empty string, or an error; then there is no new file.
  std::string Commit(std::string_view content);

 private:
  std::string path_;
  std::string partial_;  ///< empty when written directly
  std::FILE* file_ = nullptr;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_REPORT_FILE_H_
