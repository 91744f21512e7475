// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A run's verdicts on disk as they come, so that a killed run loses none: a JSON-lines report without its end. What one
// write(2) has taken survives the death of the process.

#ifndef DECONV_CONFORMANCE_REPORT_JOURNAL_H_
#define DECONV_CONFORMANCE_REPORT_JOURNAL_H_

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/report/json.h"
#include "conformance/report/json_reader.h"

namespace conformance {

/// The path of the journal for a run whose case list, backends and shard have this key: in $XDG_STATE_HOME/deconv-cts,
/// ~/.local/state/deconv-cts or the temporary folder.
std::string JournalPath(std::string_view key);

class Journal {
 public:
  Journal() = default;
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Opens or makes the file and locks it. Empty, or why there is none: no folder, another run that has it.
  std::string Open(const std::string& path);
  const std::string& path() const { return path_; }
  bool is_open() const { return file_ >= 0; }

  /// Reads the content that an earlier run left; nothing if it left none. Else returns what is wrong with it.
  std::variant<std::optional<ReportContent>, std::string> Read() const;
  /// Forgets the journal's content.
  void Clear();
  /// Forgets a last line that is cut off.
  void KeepWholeLines();
  /// Whole lines, in one piece. Where they cannot be written there is no journal any more.
  void Append(std::string_view lines);
  /// The run is whole, and its journal no longer needed.
  void Remove();

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_JOURNAL_H_
