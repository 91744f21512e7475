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

/// One entry of the file: the failures that it expects. A member that the entry leaves empty matches every case.
struct Expectation {
  std::string pattern;  ///< glob on suite/name or on the case line
  std::string clause;   ///< a clause that the verdict must name
  std::string cause;    ///< glob on the cause that the run's diagnosis found
  FailureClass failure = FailureClass::kNone;
  double largest_error = std::numeric_limits<double>::infinity();  ///< limit for each wrong output
  std::string reason;
  std::string owner;                                   ///< may be empty
  std::string link;                                    ///< may be empty
  std::optional<std::chrono::year_month_day> expires;  ///< the last day on which the entry holds
  bool sometimes = false;                              ///< its cases may pass
  std::optional<std::int64_t> failures;                ///< how many of its cases fail so in a complete run of `level`
  Level level = Level::kGate;                          ///< the level that `failures` counts
  std::size_t failures_line = 0;                       ///< the line of `failures` in the file, from 1
  std::size_t line = 0;                                ///< the line of the entry's header in the file, from 1

  bool operator==(const Expectation&) const = default;
};

/// The expectations, or an error: the line, what was found and what was expected.
std::variant<std::vector<Expectation>, std::string> ReadExpectations(std::string_view toml);

/// Whether the glob is the case's name or its line. A line has one ':' more at its end, so that
/// "*:strides=2:*" finds the field wherever it stands.
bool MatchesCase(const std::string& glob, const CaseResult& result);

/// Whether the case can fail in this way at all. A refused invalid operator has no values, and a valid one cannot be
/// accepted wrongly. A case that cannot fail so says nothing about an entry.
bool CouldFailSo(const CaseResult& result, FailureClass failure);

/// Gives an expected failure the entry's reason. Failures of the suite itself are never expected. Entries with a cause
/// are skipped, unless the result came with their reason: a part of the run knew the cause.
void MarkExpected(std::span<const Expectation> expectations, CaseResult& result);
/// Does the same for entries with a cause, after the run's diagnosis has found the causes of its failures.
void MarkExpectedByCause(std::span<const Expectation> expectations, RunRecord& run);

/// An entry that only some of its cases meet, and the cases that meet it.
struct PartlyMet {
  std::size_t entry = 0;
  std::vector<const CaseResult*> met;
};

/// An entry, and its number of failures, which differs from the number in the file.
struct Recounted {
  std::size_t entry = 0;
  std::int64_t failures = 0;
};

/// Whether the run judged, or was to judge, every case of the level that the entry can match: the whole case list of
/// the level, or that of the suite which the pattern begins with. The hash of its case list tells.
bool IsCompleteFor(const Expectation& expectation, const RunRecord& run);

/// The result of comparing the failures of marked runs with the expectations.
struct Reconciled {
  std::vector<std::string> complaints;  ///< a line for each entry that is stale or expired
  std::vector<std::size_t> stale;  ///< entries that no case met, though some were run, by their positions in the file
  std::vector<PartlyMet> partly_met;  ///< filled only if one backend was run
  std::vector<Recounted> recounted;   ///< filled only if one backend was run, and its run is complete for the entry
  std::vector<const CaseResult*> unexpected;  ///< failures that no entry expects in their kind
  std::vector<std::string> differences;       ///< a line for each entry that expects an unexpected failure otherwise
};

/// Compares all the runs together, because an entry that is stale for one backend may hold for another. `today` decides
/// which entries have expired.
Reconciled Reconcile(std::span<const Expectation> expectations, std::chrono::year_month_day today,
                     std::span<const RunRecord> runs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_EXPECTATIONS_H_
