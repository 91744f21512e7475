// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of --support-map. A support map says how many operators of each class a backend supports. The file is read
// before a run, compared with the map of the run, and rewritten by --update-support-map.

#ifndef DECONV_CONFORMANCE_CLI_SUPPORT_MAP_FILE_H_
#define DECONV_CONFORMANCE_CLI_SUPPORT_MAP_FILE_H_

#include <string>

#include "conformance/report/report_file.h"
#include "conformance/report/support/pinned_support.h"
#include "conformance/report/support/support_map.h"

namespace conformance {

/// The file, and the map that it holds.
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

#endif  // DECONV_CONFORMANCE_CLI_SUPPORT_MAP_FILE_H_
