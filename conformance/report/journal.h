// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The journal of a run: a file to which each verdict is written at once, so that a killed run can be resumed. It is a
// JSON-lines report without its last records. Lines that write(2) has accepted survive the death of the process.

#ifndef DECONV_CONFORMANCE_REPORT_JOURNAL_H_
#define DECONV_CONFORMANCE_REPORT_JOURNAL_H_

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/report/json.h"

namespace conformance {

/// The path of the journal for a run whose case list, backends and shard have this key: in $XDG_STATE_HOME/deconv-cts,
/// ~/.local/state/deconv-cts or the temporary folder.
std::string JournalPath(std::string_view key);

/// An open journal, locked so that no other run writes it.
class Journal {
 public:
  Journal() = default;
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Opens or creates the file and locks it. Returns an empty string, or why there is no journal: the folder is
  /// missing, another run has locked the file, or the file is not a journal, for example a complete report.
  std::string Open(const std::string& path);
  const std::string& path() const { return path_; }
  bool is_open() const { return file_ >= 0; }

  /// Reads the content that an earlier run left. Returns nothing if there is none, or an error message.
  std::variant<std::optional<ReportContent>, std::string> Read() const;
  /// Deletes the journal's content.
  void Clear();
  /// Whether the journal has a verdict.
  bool HasVerdicts() const;
  /// Renames the file to `moved`, a new name that ends in `.old` or `.old` and a number, and begins a new journal.
  /// Returns an empty string, or an error; then there is no journal.
  std::string MoveAside(std::string& moved);
  /// Deletes an incomplete last line.
  void DropIncompleteLine();
  /// Appends whole lines in one write. If they cannot be written, the journal is closed and the run goes on without it.
  void Append(std::string_view lines);
  /// Removes the file after the run is complete.
  void Remove();

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_JOURNAL_H_
