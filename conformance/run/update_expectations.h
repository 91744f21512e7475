// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Updates the file of known failures (--update-expectations). An update removes entries that no case meets, divides
// entries that only some of their cases meet, corrects numbers of failures, and adds entries for new failures.

#ifndef DECONV_CONFORMANCE_RUN_UPDATE_EXPECTATIONS_H_
#define DECONV_CONFORMANCE_RUN_UPDATE_EXPECTATIONS_H_

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/compact_entries.h"
#include "conformance/run/expectations.h"

namespace conformance {

struct ExpectationsUpdate {
  std::vector<std::size_t> removed;                         ///< indices of entries in the file
  std::map<std::size_t, std::vector<Expectation>> divided;  ///< the new entries, by the index of the entry they replace
  std::vector<ChangedCount> recounted;                      ///< entries that get another number of failures
  std::vector<Expectation> added;

  /// The number of entries after the update, if the file had `before` entries.
  std::size_t SizeAfter(std::size_t before) const;
};

/// Plans the update after `runs`. `reach` says which cases of the suites the runs had, and so which cases a glob may
/// match.
ExpectationsUpdate PlanUpdate(std::span<const Expectation> expectations, const Reconciled& reconciled,
                              std::span<const RunRecord> runs, Reach reach);

/// The text of the file after the update. All other lines stay, comments too.
std::string UpdatedExpectations(std::string_view toml, std::span<const Expectation> expectations,
                                const ExpectationsUpdate& update);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_UPDATE_EXPECTATIONS_H_
