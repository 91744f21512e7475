// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the relatives of an operator: operators that differ from it in one attribute, in the batch or in the type. A
// cache with an incomplete key may confuse them.

#ifndef DECONV_CONFORMANCE_INTERFACE_RELATED_OPERATORS_H_
#define DECONV_CONFORMANCE_INTERFACE_RELATED_OPERATORS_H_

#include <vector>

#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// Whether a backend that computes `op` must compute the candidate, too. The candidate must be valid. It may have open
/// points, which are questions that the specification does not answer, only if `op` has the same open points and none
/// of them depends on sizes.
bool MustComputeToo(const oracle::Operator& op, const oracle::Operator& candidate, oracle::Dialect dialect);

/// Operators that differ from `op` in the strides, the dilations, one or both of the pads, the batch or the type. A
/// backend that computes `op` must compute them too, if it declares them.
std::vector<oracle::Operator> RelatedOperatorsOf(const oracle::Operator& op, oracle::Dialect dialect);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_RELATED_OPERATORS_H_
