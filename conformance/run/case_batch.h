// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides a case list into batches. Each batch runs in a new process of the backend. So a backend that keeps state from
// case to case fails in the same cases in every run.

#ifndef DECONV_CONFORMANCE_RUN_CASE_BATCH_H_
#define DECONV_CONFORMANCE_RUN_CASE_BATCH_H_

#include <cstddef>
#include <vector>

#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {

/// The cases with the indices begin <= i < end of the case list. Batches depend neither on the number of workers nor on
/// the shard.
struct CaseBatch {
  std::size_t begin = 0;
  std::size_t end = 0;
  double products = 0;  ///< multiplications of all its cases
  double bytes = 0;     ///< of all tensors of its cases, and of the oracle's decoded copies

  /// An estimate of the time, in products. On Zen 5 the oracle took 66 ns for each output of f32 in a case of
  /// gigabytes, and 6 ns for a product, so a byte counts as three products.
  double Work() const { return products + 3 * bytes; }
};

/// The batches in the order of the case list. `estimates` has the work of each case. A sweep (one case for many small
/// operators) shares no batch with other cases.
std::vector<CaseBatch> CaseBatchesOf(const std::vector<SuiteCase>& case_list,
                                     const std::vector<ResourceEstimate>& estimates);

/// The case indices of a batch in running order. It is the order of the list, except that cases with the same operator
/// follow each other. A library that compiles each operator then compiles it once.
std::vector<std::size_t> RunningOrderOf(const std::vector<SuiteCase>& case_list, const CaseBatch& case_batch);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_CASE_BATCH_H_
