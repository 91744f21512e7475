// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the few operators with which `deconv-cts doctor` examines a backend (a library behind its adapter), and any
// operator from its sizes. There is the plainest operator of each kind, rank and type, one operator for each attribute,
// one for each limit that libraries often have, large and invalid operators, a long sum, and a sweep (a case of 200
// geometries).

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_CASES_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_CASES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/suite/suite.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// The sizes of an operator. Stride and dilation are the same along all axes.
struct PlainSizes {
  std::int64_t batch = 1;
  std::int64_t groups = 1;
  std::int64_t in = 1;   ///< input channels of a group
  std::int64_t out = 1;  ///< output channels of a group
  oracle::Dims data;     ///< size along each spatial axis
  oracle::Dims kernel;   ///< size along each spatial axis
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
};

/// An operator without pads. It has every list that the kind requires, but for the `dst_shape` of
/// ConvolutionBackwardData, which WithDstShape() adds.
oracle::Operator PlainOperator(oracle::OperatorKind kind, oracle::ElementType type, const PlainSizes& sizes);

/// Adds the layouts and, if it is absent, the `dst_shape` of ConvolutionBackwardData, which must agree with sizes and
/// pads. Other kinds stay as they are.
oracle::Operator WithDstShape(oracle::Operator op);

/// A case of the doctor on the data set `integers`.
SuiteCase DoctorCase(std::string name, oracle::Operator op);

/// The plain case: one batch, one channel, stride 2. Data have size 3 and the filter size 2 along the first two axes;
/// along other axes the sizes are 2 and 1. `rank` is 3 to 10.
SuiteCase PlainCase(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// The plain case with strides of 1, the only plain case for a library without strides.
SuiteCase UnstridedCase(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// Valid operators; each has one feature more than the plain operator.
std::vector<SuiteCase> VariedCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// The plain case with dilations of 2, which some libraries have only in some types or ranks.
SuiteCase DilatedCase(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// Operators whose data have 1024 elements, which is a page of 4 KB in f32. Some bindings copy only smaller tensors, so
/// they confuse two large ones. Each layout of the kind gets two cases, with different values.
std::vector<SuiteCase> LargeCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// Operators; each has one feature that many libraries lack: equal or negative pads, another layout, a batch of 0, a
/// stride of 2^32. Some dialects refuse some of them.
std::vector<SuiteCase> LimitCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// Returns one case with 32 input channels. Floating types get real numbers, so that sums in another order have other
/// bits, which shows a backend that is not deterministic.
std::vector<SuiteCase> LongSumCase(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

/// A sweep, that is one case that stands for many operators: 200 small geometries, which the backend only resolves.
SuiteCase ResolveSweep(oracle::OperatorKind kind, oracle::Dialect dialect);

/// For the dialect `tensorflow`, which requires an output shape (clause S22): adds the shape that the operator has in
/// the dialect onnx-22, if it has none. In other dialects the case stays as it is.
SuiteCase WithRequiredShape(oracle::Dialect dialect, SuiteCase suite_case);

/// Operators that every dialect of the kind refuses.
std::vector<SuiteCase> InvalidCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_DOCTOR_CASES_H_
