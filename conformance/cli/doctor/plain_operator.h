// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds an operator of any kind from sizes. `deconv-cts doctor` makes all of its cases from such operators.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_PLAIN_OPERATOR_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_PLAIN_OPERATOR_H_

#include <cstdint>
#include <string>

#include "conformance/suite/suite.h"
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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_PLAIN_OPERATOR_H_
