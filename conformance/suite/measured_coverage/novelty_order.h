// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders cases for a run that has time for a few of them only: each next case has the most combinations that no case
// before it had.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_NOVELTY_ORDER_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_NOVELTY_ORDER_H_

#include <cstddef>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

/// A case, and the dialect that judges it.
struct JudgedBy {
  const Case* test_case = nullptr;  ///< null if the backend will not run it; it comes last
  oracle::Dialect dialect = oracle::Dialect::kOpenvinoSpec;
};

/// The indices of all cases. Combinations are pairs of
/// classes of the attributes, of the kernel with its stride, of channels, and of values; of a refused operator the
/// clause. Sweeps, laws, repetitions and operators of much work come last too. Cases that add equally much keep their
/// order.
std::vector<std::size_t> NoveltyOrder(const std::vector<JudgedBy>& cases);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_NOVELTY_ORDER_H_
