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
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case_lists/renames.h"
#include "conformance/run/runner.h"

namespace conformance {

struct Expectation {
  std::string pattern;  ///< glob on suite/name, as it is or was, or on the case line
  FailureClass failure = FailureClass::kNone;
  double largest_error = std::numeric_limits<double>::infinity();  ///< of all wrong outputs of a case
  std::string reason;
  std::string link;                                    ///< may be empty
  std::optional<std::chrono::year_month_day> expires;  ///< the last day it holds
  bool sometimes = false;                              ///< its cases may pass
  std::size_t line = 0;                                ///< of its header in the file, from 1
};

/// What is expected, or the line that is wrong, what was found and what was expected.
std::variant<std::vector<Expectation>, std::string> ReadExpectations(std::string_view toml);

/// Marks a failure that is expected with the reason. The suite's own troubles never are.
void MarkExpected(std::span<const Expectation> expectations, CaseResult& result,
                  const Renames& renames = Renames::BuiltIn());

/// What became of the expectations in runs whose failures are marked.
struct Reconciled {
  std::vector<std::string> complaints;        ///< of entries that are stale or expired, a line each
  std::vector<std::size_t> stale;             ///< entries that no case met, though some were run, by their places
  std::vector<const CaseResult*> unexpected;  ///< failures that no entry, or none of this kind, expects
  std::vector<std::string> differences;  ///< of those that an entry expects otherwise: what it expects, a line each
};

/// Of all the runs together: what is stale for one backend may hold for another. `today` decides what has expired.
Reconciled Reconcile(std::span<const Expectation> expectations, std::chrono::year_month_day today,
                     std::span<const RunRecord> runs, const Renames& renames = Renames::BuiltIn());

/// The file with these stale entries taken out and one for each unexpected failure at its end; all else as it stood.
std::string UpdatedExpectations(std::string_view toml, std::span<const Expectation> expectations,
                                std::span<const std::size_t> stale, std::span<const CaseResult* const> unexpected);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_EXPECTATIONS_H_
