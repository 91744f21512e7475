// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Known failures, listed in a file with a reason for each. They run like all other cases. An entry whose case passes,
// fails in another way, or has been expected for too long breaks the gate until the file is updated. Format:
// conformance/run/expectations.md.

#ifndef DECONV_CONFORMANCE_RUN_EXPECTATIONS_H_
#define DECONV_CONFORMANCE_RUN_EXPECTATIONS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/run/runner.h"
#include "conformance/suite/suite.h"

namespace conformance {

/// Which failures are expected. What the entry leaves empty, every case has.
struct Expectation {
  std::string pattern;  ///< glob on suite/name or on the case line
  std::string clause;   ///< that the verdict names
  std::string cause;    ///< glob on what the diagnosis of the run found
  FailureClass failure = FailureClass::kNone;
  double largest_error = std::numeric_limits<double>::infinity();  ///< of all wrong outputs of a case
  std::string reason;
  std::string owner;                                   ///< may be empty
  std::string link;                                    ///< likewise
  std::optional<std::chrono::year_month_day> expires;  ///< the last day it holds
  bool sometimes = false;                              ///< its cases may pass
  std::optional<std::int64_t> failures;                ///< how many of its cases fail so in a complete run of `level`
  Level level = Level::kGate;                          ///< of `failures`
  std::size_t failures_line = 0;                       ///< of `failures` in the file, from 1
  std::size_t line = 0;                                ///< of its header in the file, from 1

  bool operator==(const Expectation&) const = default;
};

/// The expectations, or an error: the line, what was found and what was expected.
std::variant<std::vector<Expectation>, std::string> ReadExpectations(std::string_view toml);

/// Whether the glob is the case's name or its line. A line has one ':' more at its end, so that
/// "*:strides=2:*" finds the field wherever it stands.
bool MatchesCase(const std::string& glob, const CaseResult& result);

/// Whether the case could fail so at all: a refused invalid operator has no values, and a valid one cannot be accepted
/// wrongly. A case that could not says nothing about an entry.
bool CouldFailSo(const CaseResult& result, FailureClass failure);

/// Marks a failure that is expected with the reason. The suite's own troubles never are. Entries with a cause are left
/// out, unless the result came with their reason: a part of the run knew the cause.
void MarkExpected(std::span<const Expectation> expectations, CaseResult& result);
/// The same by the entries with a cause, after the causes of the run's failures were looked for.
void MarkExpectedByCause(std::span<const Expectation> expectations, RunRecord& run);

/// An entry that only some of its cases meet, and these cases.
struct PartlyMet {
  std::size_t entry = 0;
  std::vector<const CaseResult*> met;
};

/// An entry whose number of failures is another one than the file says.
struct Recounted {
  std::size_t entry = 0;
  std::int64_t failures = 0;
};

/// Whether the run judged, or was to judge, every case of the level that the entry can match: the whole case list of
/// the level, or that of the suite which the pattern begins with. The hash of its case list tells.
bool IsCompleteFor(const Expectation& expectation, const RunRecord& run);

/// How the failures of marked runs met the expectations.
struct Reconciled {
  std::vector<std::string> complaints;  ///< of entries that are stale or expired, a line each
  std::vector<std::size_t> stale;  ///< entries that no case met, though some were run, by their positions in the file
  std::vector<PartlyMet> partly_met;          ///< of a run of one backend
  std::vector<Recounted> recounted;           ///< of a run of one backend that is complete for the entry
  std::vector<const CaseResult*> unexpected;  ///< failures that no entry, or none of this kind, expects
  std::vector<std::string> differences;  ///< of those that an entry expects otherwise: what it expects, a line each
};

/// Of all the runs together: what is stale for one backend may hold for another. `today` decides what has expired.
Reconciled Reconcile(std::span<const Expectation> expectations, std::chrono::year_month_day today,
                     std::span<const RunRecord> runs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_EXPECTATIONS_H_
