// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of --support-map: read before a run, compared after it, and rewritten by --update-support-map.

#ifndef DECONV_CONFORMANCE_CLI_SUPPORT_MAP_FILE_H_
#define DECONV_CONFORMANCE_CLI_SUPPORT_MAP_FILE_H_

#include <string>

#include "conformance/report/report_file.h"
#include "conformance/report/support/pinned_support.h"
#include "conformance/report/support/support_map.h"

namespace conformance {

class SupportMapFile {
 public:
  /// Reads the file; with an empty `path` nothing is compared. With `update` the file need not exist. `all_cases`:
  /// whether the command selects all cases of its level; a map of fewer cases is not written. Returns an empty string,
  /// or what is wrong.
  std::string Open(const std::string& path, bool update, bool all_cases);
  bool is_open() const { return !path_.empty(); }

  /// Prints what was lost and gained, or writes the file. `backend` calls itself so. `whole`: all
  /// selected cases have a verdict, so that the file may be written. The exit code that follows from it alone.
  int Close(const SupportMap& now, const std::string& backend, bool whole);

 private:
  std::string path_;
  PinnedSupport pinned_;
  ReportFile output_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_SUPPORT_MAP_FILE_H_
