// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds the error of an output if the backend declares that it computes by transforms (FFT). A transform mixes all
// elements of a channel, so the error depends on the norms of data and filter, not on the output's own products. The
// derivation is in conformance/verdict/bound.md.

#ifndef DECONV_CONFORMANCE_VERDICT_TRANSFORM_ERROR_H_
#define DECONV_CONFORMANCE_VERDICT_TRANSFORM_ERROR_H_

#include <cstdint>
#include <vector>

#include "conformance/verdict/bound.h"
#include "oracle/evaluate.h"

namespace conformance {

class TransformErrors {
 public:
  /// `operands` must have a floating type.
  TransformErrors(const oracle::Operands& operands, const Arithmetic& arithmetic);

  /// The error bound of the output at index `flat`, in the operator's layout; infinite where every value is right.
  double Of(std::int64_t flat) const;

 private:
  bool channels_last_;
  std::int64_t channels_;       ///< channels of the output
  std::int64_t positions_;      ///< positions of each channel
  std::vector<double> errors_;  ///< one error bound for each sample and output channel
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_TRANSFORM_ERROR_H_
