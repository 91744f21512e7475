// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges f64 and integer outputs of a backend that declares to compute these types in f32. The operands are rounded to
// f32. Then the error bound of f32 sums applies (conformance/verdict/bound.md).

#ifndef DECONV_CONFORMANCE_VERDICT_IN_F32_H_
#define DECONV_CONFORMANCE_VERDICT_IN_F32_H_

#include <cstdint>

#include "conformance/interface/backend.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/slab_of_sums.h"

namespace conformance {

class InF32 {
 public:
  /// `operands` are of f64 or of an integer type, which `declared` computes in f32.
  InF32(const oracle::Operands& operands, const Capabilities& declared);

  /// Judges the output with the flat index `flat`. `bits` is the element that the backend wrote, in its own type.
  OutputJudgement Judge(std::uint64_t bits, std::int64_t flat);
  /// Whether any value of the output would be right.
  bool AllowsAnything(std::int64_t flat);
  /// The operands, rounded to f32. Those beyond its range are infinite.
  const oracle::Operands& operands() const { return sums_.operands(); }
  const Arithmetic& arithmetic() const { return arithmetic_; }
  const oracle::FloatSum& SumAt(std::int64_t flat) { return sums_.At(flat); }

 private:
  /// Whether every value is right. For integers that wrap around in w bits, this is so if the range of right sums is at
  /// least 2^w wide: then it holds a number for each remainder modulo 2^w.
  bool IsAnything(const Bound& bound) const;
  OutputJudgement JudgeInteger(const oracle::FloatSum& sum, std::uint64_t bits) const;

  oracle::ElementType type_;
  bool saturates_;
  Arithmetic arithmetic_;
  SlabOfSums sums_;  ///< of the operands, rounded to f32
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_IN_F32_H_
