// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Known failures of a backend (the library under test), listed in a file with a reason for each. They run like all
// other cases. An entry breaks the gate, the run in CI that must succeed, if its case passes, fails in another way, or
// has been expected for too long. Format: conformance/run/expectations.md.

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

/// One entry of the file: the failures that it expects. An empty pattern, clause or cause matches every case.
struct Expectation {
  std::string pattern;  ///< glob on suite/name or on the case line
  std::string clause;   ///< a clause that the verdict must name
  std::string cause;    ///< glob on the cause that the run's diagnosis found
  FailureClass failure = FailureClass::kNone;
  double largest_error = std::numeric_limits<double>::infinity();  ///< largest absolute error of a wrong output
  std::string reason;
  std::string owner;                                   ///< may be empty
  std::string link;                                    ///< may be empty
  std::optional<std::chrono::year_month_day> expires;  ///< the last day on which the entry holds
  bool sometimes = false;                              ///< its cases may pass
  std::optional<std::int64_t> failures;                ///< number of matching failures in a complete run of `level`
  Level level = Level::kGate;                          ///< the level that `failures` counts
  std::size_t failures_line = 0;                       ///< the line of `failures` in the file, from 1
  std::size_t line = 0;                                ///< the line of the entry's header in the file, from 1

  bool operator==(const Expectation&) const = default;
};

/// The expectations, or an error: the line, what was found and what was expected.
std::variant<std::vector<Expectation>, std::string> ReadExpectations(std::string_view toml);

/// Whether the glob matches the case's name or its line. A ':' is added to the line, so that "*:strides=2:*" also
/// matches the last field.
bool MatchesCase(const std::string& glob, const CaseResult& result);

/// Whether the pattern and the clause of the entry match the case. The cause is compared later, because only failures
/// have one.
bool MatchesEntry(const Expectation& entry, const CaseResult& result);

/// Whether the case can have a failure of this class. A refused invalid operator has no values, and a valid operator
/// cannot be accepted wrongly. A case that cannot fail this way neither meets nor breaks an entry.
bool CanHaveFailure(const CaseResult& result, FailureClass failure);

/// If an entry expects the failure, sets the result's `known_failure` to the entry's reason. Errors of the suite are
/// never expected. An entry with a cause is skipped, unless the result already has its reason from a shard of the run.
void MarkExpected(std::span<const Expectation> expectations, CaseResult& result);
/// Marks the failures that entries with a cause expect, after a diagnosis has found the causes of the run's failures.
void MarkExpectedByCause(std::span<const Expectation> expectations, RunRecord& run);

/// An entry that only some of its cases meet, and the cases that meet it.
struct PartlyMatched {
  std::size_t entry = 0;
  std::vector<const CaseResult*> met;
};

/// An entry, and its number of failures, which differs from the number in the file.
struct ChangedCount {
  std::size_t entry = 0;
  std::int64_t failures = 0;
};

/// Whether the case list of the run has every case of the entry's level that the entry can match. It is the whole case
/// list of the level, or that of the suite with which the pattern begins. The hash of the case list decides.
bool IsCompleteFor(const Expectation& expectation, const RunRecord& run);

/// The result of comparing the failures of marked runs with the expectations.
struct Reconciled {
  std::vector<std::string> complaints;  ///< a line for each entry that is stale or expired
  std::vector<std::size_t> stale;  ///< entries that no case met, though some were run, by their positions in the file
  std::vector<PartlyMatched> partly_met;  ///< filled only if one backend was run
  std::vector<ChangedCount> recounted;    ///< filled only if one backend was run, and its run is complete for the entry
  std::vector<const CaseResult*> unexpected;  ///< failures that no entry expects
  std::vector<std::string> differences;       ///< a line for each entry that matches such a case but expects otherwise
};

/// Compares all the runs together, because an entry that is stale for one backend may hold for another. `today` decides
/// which entries have expired.
Reconciled Reconcile(std::span<const Expectation> expectations, std::chrono::year_month_day today,
                     std::span<const RunRecord> runs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_EXPECTATIONS_H_
