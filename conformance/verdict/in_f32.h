// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges outputs of f64 and of integers whose backend declares that it computes the type in f32. The bound is that of
// f32 sums of operands that are rounded to f32 (conformance/verdict/bound.md).

#ifndef DECONV_CONFORMANCE_VERDICT_IN_F32_H_
#define DECONV_CONFORMANCE_VERDICT_IN_F32_H_

#include <cstdint>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/verdict/bound.h"
#include "oracle/evaluate.h"

namespace conformance {

class InF32 {
 public:
  /// `operands` are of f64 or of an integer type, which `declared` computes in f32.
  InF32(const oracle::Operands& operands, const Capabilities& declared);

  /// `bits` is what the backend wrote at the output `flat`, in its own type.
  OutputJudgement Judge(std::uint64_t bits, std::int64_t flat);
  /// Whether any value of the output would be right.
  bool AllowsAnything(std::int64_t flat);

 private:
  const oracle::FloatSum& SumAt(std::int64_t flat);
  /// Whether all values are right: also if the range of a sum has a number for each remainder modulo 2^bits.
  bool IsAnything(const Bound& bound) const;
  OutputJudgement JudgeInteger(const oracle::FloatSum& sum, std::uint64_t bits) const;

  oracle::ElementType type_;
  bool saturates_;
  Arithmetic arithmetic_;
  oracle::Operands operands_;  ///< rounded to f32
  std::vector<oracle::FloatSum> sums_;
  oracle::OutputRange held_;  ///< the outputs of `sums_`
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_IN_F32_H_
