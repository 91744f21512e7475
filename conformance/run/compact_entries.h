// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds a small number of globs that match many failures of one failure class, for entries of known failures. No glob
// may match a case that passes or fails in another way. --update-expectations writes an entry for each glob.

#ifndef DECONV_CONFORMANCE_RUN_COMPACT_ENTRIES_H_
#define DECONV_CONFORMANCE_RUN_COMPACT_ENTRIES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/verdict/result.h"

namespace conformance {

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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_COMPACT_ENTRIES_H_
