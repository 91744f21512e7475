// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds few globs for many failures of one class. A glob may match only the given failures: a case that passes, or
// fails in another way, may not be among those that it matches.

#ifndef DECONV_CONFORMANCE_RUN_COMPACT_ENTRIES_H_
#define DECONV_CONFORMANCE_RUN_COMPACT_ENTRIES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/verdict/result.h"

namespace conformance {

/// The cases of one entry.
struct CompactEntry {
  std::string pattern;                    ///< may be empty beside a clause
  std::string clause;                     ///< may be empty
  std::vector<const CaseResult*> covers;  ///< failures that it covers, in their order
};

/// How far a glob may reach beyond the cases that it was made for.
enum class Reach : std::uint8_t {
  kNone,   ///< an entry for each failure: other cases of the suites were not run
  kSuite,  ///< parts of names within a suite: all of its cases were run
  kAll,    ///< parts of names or of case lines: all cases were run
};

/// Every failure is covered by an entry. `free`: cases that a glob may match, but need not. `others`: cases that no
/// glob may match. The same case may come more than once, from several runs.
std::vector<CompactEntry> CompactEntries(std::span<const CaseResult* const> failures,
                                         std::span<const CaseResult* const> free,
                                         std::span<const CaseResult* const> others, Reach reach);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_COMPACT_ENTRIES_H_
