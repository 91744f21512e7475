// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Ends a batch when its work is enough, and keeps sweeps apart from other cases.

#include "conformance/run/case_batch.h"

namespace conformance {
namespace {

// Much more work than the start of a process, and a level has enough of them to share out.
constexpr std::size_t kMostCases = 200;
constexpr double kMostProducts = 1e7;

}  // namespace

std::vector<CaseBatch> CaseBatchesOf(const std::vector<SuiteCase>& case_list,
                                     const std::vector<ResourceEstimate>& estimates) {
  std::vector<CaseBatch> case_batches;
  for (std::size_t i = 0; i < case_list.size(); ++i) {
    const bool goes_on = !case_batches.empty() && case_batches.back().end - case_batches.back().begin < kMostCases &&
                         case_batches.back().products + estimates[i].products <= kMostProducts &&
                         case_list[i].test_case.sweep.has_value() == case_list[i - 1].test_case.sweep.has_value();
    if (!goes_on) case_batches.push_back({i, i, 0});
    case_batches.back().end = i + 1;
    case_batches.back().products += estimates[i].products;
  }
  return case_batches;
}

}  // namespace conformance
