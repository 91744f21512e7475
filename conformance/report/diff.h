// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares an old and a new report of a backend (a library under test): failures that are new or fixed, and cases that
// changed in another way, such as cases that became less exact. `deconv-cts diff` prints the result.

#ifndef DECONV_CONFORMANCE_REPORT_DIFF_H_
#define DECONV_CONFORMANCE_REPORT_DIFF_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/report/json.h"

namespace conformance {

/// The ways in which a case differs between two reports. A case may differ in several ways.
enum class Change {
  kNewlyFailing,
  kNewlyExpected,
  kOtherFailure,
  kFixed,
  kNoLongerJudged,
  kNewlyJudged,
  kOtherStatus,
  kErrorDrift,
  kOtherImplementation,
  kNew,
  kVanished,
  kRenamed,
  kOtherCase,
};

/// A kind of change as reports show it.
struct ChangeWord {
  Change change;
  std::string_view name;
  std::string_view sentence;  ///< its meaning
};

/// The changes in the order of the report; the first ones matter most.
inline constexpr std::array kChanges = {
    ChangeWord{Change::kNewlyFailing, "newly-failing", "did not fail before, and no expectation covers the failure"},
    ChangeWord{Change::kNewlyExpected, "newly-expected",
               "did not fail before, but an expectation of the new run covers it"},
    ChangeWord{Change::kOtherFailure, "other-failure", "failed before and fails now in another failure class"},
    ChangeWord{Change::kFixed, "fixed", "failed before and is right now"},
    ChangeWord{Change::kNoLongerJudged, "no-longer-judged", "was judged before and is not run now"},
    ChangeWord{Change::kNewlyJudged, "newly-judged", "was not run before and is right now"},
    ChangeWord{Change::kOtherStatus, "other-status", "right or not run in both, but with another status"},
    ChangeWord{Change::kErrorDrift, "error-drift", "right in both, but the largest error/bound has grown"},
    ChangeWord{Change::kOtherImplementation, "other-implementation", "judged in both, but by another implementation"},
    ChangeWord{Change::kNew, "new", "is only in the new report"},
    ChangeWord{Change::kVanished, "vanished", "is only in the old report"},
    ChangeWord{Change::kRenamed, "renamed", "is the same case under another id"},
    ChangeWord{Change::kOtherCase, "other-case", "has the same id, but another case line"},
};

struct DiffOptions {
  double drift = 2;  ///< the factor by which the largest error/bound must grow to be reported
};

/// A case in both reports; nullptr for a report without it. Points into the reports.
struct CasePair {
  const CaseResult* old_result = nullptr;
  const CaseResult* new_result = nullptr;
};

/// All changes of one backend.
struct BackendDiff {
  std::string old_name;
  std::string new_name;      ///< both names are those of the command lines
  std::size_t compared = 0;  ///< cases that are in both reports
  /// Open points (where a document lets backends choose) with another choice. Example: S8: a batch of 0: "refuses"
  /// before, "computes" now.
  std::vector<std::string> choices = {};
  std::vector<std::string> tolerances = {};  ///< types whose outputs need a tolerance larger by the factor `drift`
  /// The pairs of each change, in the order of the new case list; those of kErrorDrift by its size.
  std::array<std::vector<CasePair>, kChanges.size()> pairs = {};

  std::vector<CasePair>& of(Change change) { return pairs[static_cast<std::size_t>(change)]; }
  const std::vector<CasePair>& of(Change change) const { return pairs[static_cast<std::size_t>(change)]; }
};

/// All changes between two reports.
struct ReportDiff {
  std::vector<std::string> warnings;  ///< a line for each difference in the runs' settings and declarations
  std::vector<BackendDiff> backends;

  std::size_t CountOf(Change change) const;
};

/// Compares the reports, or returns why they cannot be compared. Two cases are the same if id and line are equal; else
/// if the lines are equal; else if the ids are equal. Both reports must outlive the result.
std::variant<ReportDiff, std::string> DiffReports(const ReportContent& old_report, const ReportContent& new_report,
                                                  const DiffOptions& options = {});

/// For each kind of change that occurs: the number of cases, and the first of them.
std::string DiffText(const ReportDiff& diff);

/// One JSON object with every case that changed.
std::string DiffJson(const ReportDiff& diff, int exit_code);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_DIFF_H_
