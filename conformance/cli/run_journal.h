// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The journal of a run, and the verdicts that --resume takes from the journal of an earlier run.

#ifndef DECONV_CONFORMANCE_CLI_RUN_JOURNAL_H_
#define DECONV_CONFORMANCE_CLI_RUN_JOURNAL_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "conformance/report/journal.h"
#include "conformance/report/json.h"

namespace conformance {

class RunJournal {
 public:
  /// Opens the journal. If that fails, the run goes on without a journal, and a message says what that means. `resume`:
  /// an existing journal is read and kept, if its key is the same.
  void Open(const std::string& path, bool resume, const std::string& key);
  /// The verdicts on a backend in the run that is resumed.
  std::vector<CaseResult> RecordedResultsOf(const std::string& backend) const;

  void Begin(const RunRecord& run, const RunDescription& description, std::size_t cases);
  void Add(const std::string& backend, const CaseResult& result);
  /// Ends the journal. `whole`: the run is complete and its reports are written, so that the journal is removed.
  void End(bool whole);

 private:
  Journal journal_;
  std::map<std::string, std::vector<CaseResult>> known_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_RUN_JOURNAL_H_
