// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The facts of a run (a list of cases on one backend, the library under test) as tables. A fact is what a reader of a
// report wants to know, such as the failures of each suite. Each fact has one function that returns a table, and every
// report format prints these tables. For a new fact, add a function and a line in FactsOf().

#ifndef DECONV_CONFORMANCE_REPORT_FACTS_H_
#define DECONV_CONFORMANCE_REPORT_FACTS_H_

#include <span>
#include <string>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/report/table.h"

namespace conformance {

/// The facts of a run that every report for people shows, without the empty tables: suites, warnings, failure classes,
/// failures by implementation, reasons without a verdict, support, rare declarations, needed tolerances, dialects and
/// open choices.
std::vector<Table> FactsOf(const RunSummary& summary);

/// The number of supported cases of each kind of operator. Leaves out kinds of which the backend supports all cases.
Table SupportTable(const SupportMap& map);
/// The backend's reasons for the cases that it does not support, with their numbers of cases.
Table SupportReasonTable(const SupportMap& map);

/// A tolerance with two digits, "1.2e-07"; "0" if it is zero.
std::string ToleranceText(double value);

/// The backend and what it declares: a list of names and values.
Table BackendTable(const RunRecord& run);

/// The facts on which the verdicts depend, as names and values: the backend and what it declares, suite, level, case
/// list, seed, shard.
Table RunFactsTable(const RunSummary& summary, const RunDescription& description);

/// One line about the causes: "2 causes of 31 failures, worst first". Empty if nothing failed or no diagnosis ran.
std::string CausesHeadline(const RunRecord& run);
/// A table for each cause, with its smallest case.
std::vector<Table> CauseTables(const RunRecord& run);

/// Two tables with a column for each backend; none for fewer than two runs. Cases of two runs are the same if suite,
/// name and line are equal. Backends differ on a case if both were judged on it and their failure classes differ.
std::vector<Table> ComparisonTables(std::span<const RunSummary> runs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_FACTS_H_
