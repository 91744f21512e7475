// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes the file of known failures for --update-expectations: it removes stale entries, divides those that only
// some of their cases meet, corrects numbers of failures, and adds few entries for the failures that are new.

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
  std::vector<std::size_t> removed;                         ///< places of entries
  std::map<std::size_t, std::vector<Expectation>> divided;  ///< by its position: what stands instead of an entry
  std::vector<Recounted> recounted;                         ///< entries that get another number of failures
  std::vector<Expectation> added;

  /// How many entries the file has after the update, if it had so many before.
  std::size_t SizeAfter(std::size_t before) const;
};

/// `reach`: how much of the suites the runs had.
ExpectationsUpdate PlanUpdate(std::span<const Expectation> expectations, const Reconciled& reconciled,
                              std::span<const RunRecord> runs, Reach reach);

/// The file with the update; all else stays as it is, also the comments.
std::string UpdatedExpectations(std::string_view toml, std::span<const Expectation> expectations,
                                const ExpectationsUpdate& update);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_UPDATE_EXPECTATIONS_H_
