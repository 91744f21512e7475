// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The journal of a run: a file that receives each verdict at once. After a run was killed, --resume reads its verdicts
// from the journal and continues, if both runs have the same key.

#ifndef DECONV_CONFORMANCE_CLI_RUN_JOURNAL_H_
#define DECONV_CONFORMANCE_CLI_RUN_JOURNAL_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "conformance/cli/run_arguments.h"
#include "conformance/report/journal.h"
#include "conformance/report/json.h"

namespace conformance {

// The key of a run is a hash of all inputs that determine its verdicts.

/// Returns the key. It depends on the suite's version and program, the case list, the shard, the limits, and the names
/// and current files of the backends and of the cases' values. It does not depend on files that the command of a
/// backend reads but does not name.
std::string KeyOf(const RunArguments& arguments, const std::vector<SuiteCase>& case_list, const Shard& shard);

/// The journal of the current run, and the verdicts of the run that is resumed.
class RunJournal {
 public:
  /// Opens the journal at `path`, or if it is empty at the default path of the key (KeyOf). If that fails, a
  /// message says so, and the run goes on without a journal. With `resume`, an existing journal is read and kept if its
  /// key is the same. Else a journal at `path` is renamed, so that no verdict is lost.
  void Open(const std::string& path, bool resume, const std::string& key);
  /// The verdicts on a backend in the run that is resumed.
  std::vector<CaseResult> RecordedResultsOf(const std::string& backend) const;

  /// Records that the run on a backend begins. `cases`: the number of its cases.
  void Begin(const RunRecord& run, const RunDescription& description, std::size_t cases);
  void Add(const std::string& backend, const CaseResult& result);
  /// Ends the journal. `whole`: the run is complete and its reports are written, so that the journal is removed.
  void End(bool whole);

 private:
  /// Begins a new journal. Moves the old one aside if `keep_old` and it has verdicts.
  void Restart(bool keep_old);

  Journal journal_;
  std::map<std::string, std::vector<CaseResult>> recorded_results_;  ///< of the resumed run, by backend
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_RUN_JOURNAL_H_
