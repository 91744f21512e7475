// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts a case list into case batches. One process of the backend runs one batch from its start.

#ifndef DECONV_CONFORMANCE_RUN_CASE_BATCH_H_
#define DECONV_CONFORMANCE_RUN_CASE_BATCH_H_

#include <cstddef>
#include <vector>

#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {

/// Consecutive cases of the case list. State that a backend keeps from case to case then shows in the
/// same cases, however many workers there are and whichever part of the list they run.
struct CaseBatch {
  std::size_t begin = 0;
  std::size_t end = 0;
  double products = 0;
};

/// The batches in the order of the case list; `estimates` are those of its cases. Sweeps share no case batch with other
/// cases.
std::vector<CaseBatch> CaseBatchesOf(const std::vector<SuiteCase>& case_list,
                                     const std::vector<ResourceEstimate>& estimates);

/// The places of a batch in the order in which they run: that of the list, but cases of one operator run one after the
/// other. A library that compiles each operator then compiles it once.
std::vector<std::size_t> RunningOrderOf(const std::vector<SuiteCase>& case_list, const CaseBatch& case_batch);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_CASE_BATCH_H_
