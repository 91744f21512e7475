// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts into which a plan is cut: what one process of the backend meets from its start.

#ifndef DECONV_CONFORMANCE_UNIT_H_
#define DECONV_CONFORMANCE_UNIT_H_

#include <cstddef>
#include <vector>

#include "conformance/judge.h"
#include "conformance/suite.h"

namespace conformance {

/// Consecutive cases of the plan, in this order. What a backend keeps from case to case shows in the same cases however
/// many workers there are, and whichever part of the plan they have.
struct Unit {
  std::size_t begin = 0;
  std::size_t end = 0;
  double products = 0;
};

/// In the order of the plan; `demands` are those of its cases. Sweeps share no unit with other cases.
std::vector<Unit> UnitsOf(const std::vector<SuiteCase>& plan, const std::vector<CaseDemand>& demands);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_UNIT_H_
