// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the few operators with which the doctor examines a backend: the plainest operator of each kind, rank and type,
// one operator for each attribute, one for each limit that libraries often have, and invalid operators.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_CASES_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_CASES_H_

#include <cstddef>
#include <vector>

#include "conformance/suite/suite.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// The plain case: one batch, one channel, stride 2. Data have size 3 and the filter size 2 along the first two axes;
/// along other axes the sizes are 2 and 1. `rank` is 3 to 10.
SuiteCase PlainCase(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// The plain case with strides of 1.
SuiteCase UnstridedCase(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// Valid operators; each has one feature more than the plain operator.
std::vector<SuiteCase> VariedCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// The plain case with dilations of 2.
SuiteCase DilatedCase(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// Operators whose data have 4 KB, in each layout of the kind, with two sets of values.
std::vector<SuiteCase> LargeCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// Operators; each has one feature that many libraries lack: negative pads, another layout, an empty tensor, numbers
/// above 2^32. Some dialects refuse some of them.
std::vector<SuiteCase> LimitCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// One operator with 32 input channels of real numbers: another order of the sums gives other bits.
std::vector<SuiteCase> LongSumCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// The sweep of 200 small geometries.
SuiteCase ResolveSweep(oracle::OperatorKind kind, oracle::Dialect dialect);

/// Adds the output shape that the text of ConvTranspose gives, if the dialect is `tensorflow`, which requires an output
/// shape (clause S22). Other cases stay as they are.
SuiteCase WithRequiredShape(oracle::Dialect dialect, SuiteCase suite_case);

/// Operators that every dialect of the kind refuses.
std::vector<SuiteCase> InvalidCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_CASES_H_
