// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders cases for a run that has time for a few of them only (`run --budget`). Each next case adds the most
// combinations of classes, such as "stride 2 with f16", that no case before it has.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_NOVELTY_ORDER_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_NOVELTY_ORDER_H_

#include <cstddef>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

/// A case, and the dialect that judges it.
struct CaseWithDialect {
  const Case* test_case = nullptr;  ///< null if the backend does not run the case; such cases come last
  oracle::Dialect dialect = oracle::Dialect::kOpenvinoSpec;
};

/// The indices of all cases in the new order. A combination is a pair of classes: of attributes, of kernel with stride,
/// of channels, and of values. A refused operator adds the clause that refuses it. Sweeps, laws, repetitions and large
/// operators come last. Cases that add equally many combinations keep their order.
std::vector<std::size_t> NoveltyOrder(const std::vector<CaseWithDialect>& cases);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_NOVELTY_ORDER_H_
