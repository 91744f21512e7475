// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Merges the reports of a run's shards (the parts of a run that several machines judged). Proves that no case is
// missing and none has two verdicts.

#ifndef DECONV_CONFORMANCE_REPORT_MERGE_H_
#define DECONV_CONFORMANCE_REPORT_MERGE_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "conformance/report/json.h"

namespace conformance {

struct Merged {
  /// The report of one run over all shards, without times, the exit code and the journal's key. Cases without a verdict
  /// are counted as not judged.
  ReportContent content;
  /// A line for each shard that is missing, duplicate or incomplete, and for each case that is missing or duplicate. If
  /// empty, every case of the case list has exactly one verdict on every backend, and the hash of the case list is
  /// right.
  std::vector<std::string> complaints;
};

/// The id of the case at this index of the case list, if it is known.
using IdOfCase = std::function<std::string(std::size_t case_index)>;

/// Merges the reports, or returns why they are not shards of one run: two reports differ in a fact, or the cases are
/// not those of the case list. The name of a missing case comes from another backend's record of it, or from `id_of`.
std::variant<Merged, std::string> MergeReports(std::span<const NamedReport> reports, const IdOfCase& id_of = nullptr);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_MERGE_H_
