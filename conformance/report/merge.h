// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Merges the reports of a run's shards, and proves that no case is missing and none is there twice.

#ifndef DECONV_CONFORMANCE_REPORT_MERGE_H_
#define DECONV_CONFORMANCE_REPORT_MERGE_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "conformance/report/json_reader.h"

namespace conformance {

struct Merged {
  /// The report of one run over all shards, without times, the exit code and the journal's key. Cases without a verdict
  /// are counted as not judged.
  ReportContent content;
  /// A line for each shard that is lost, doubled or not whole, and for each case that is missing or doubled. Empty:
  /// every case of the case list has exactly one verdict on every backend, and these are the cases of the case list's
  /// hash.
  std::vector<std::string> complaints;
};

/// The id of the case at this index of the case list, if it is known.
using IdOfCase = std::function<std::string(std::size_t case_index)>;

/// Merges the reports. Or returns why they are not shards of one run: which two differ in what, or that the case list
/// has other cases. A missing case is named by another backend's record of it, or by `id_of`.
std::variant<Merged, std::string> MergeReports(std::span<const NamedReport> reports, const IdOfCase& id_of = nullptr);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_MERGE_H_
