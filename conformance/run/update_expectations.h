// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Updates the file of known failures (--update-expectations). An update removes entries that no case meets, divides
// entries that only some of their cases meet, corrects numbers of failures, and adds entries for new failures.

#ifndef DECONV_CONFORMANCE_RUN_UPDATE_EXPECTATIONS_H_
#define DECONV_CONFORMANCE_RUN_UPDATE_EXPECTATIONS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/expectations.h"
#include "conformance/verdict/result.h"

namespace conformance {

// Compact entries (compact_entries.cc): a small number of globs that match many failures of one failure class. No glob
// may match a case that passes or fails in another way.

/// One entry for the file of known failures.
struct CompactEntry {
  std::string pattern;                    ///< a glob; may be empty if there is a clause
  std::string clause;                     ///< a clause that the verdicts name; may be empty
  std::vector<const CaseResult*> covers;  ///< the failures that the entry matches, by case index
};

/// The cases that a glob of a compact entry may match. A run that skipped cases does not know their results, so its
/// globs match fewer cases.
enum class Reach : std::uint8_t {
  kNone,   ///< one failure for each entry: other cases of the suites were not run
  kSuite,  ///< parts of names within a suite: all cases of the suite were run
  kAll,    ///< parts of names or of case lines: all cases were run
};

/// Returns entries that together match every failure. `free` are cases that a glob may match but need not, `others` are
/// cases that no glob may match. A case may occur several times, from several runs.
std::vector<CompactEntry> CompactEntries(std::span<const CaseResult* const> failures,
                                         std::span<const CaseResult* const> free,
                                         std::span<const CaseResult* const> others, Reach reach);

/// The planned changes of a file.
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
