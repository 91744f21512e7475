// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges single outputs. A judge is called with the exact sum of an output, the bits that the backend gave, and the
// flat index of the output. FloatJudge serves floating types, IntegerJudge integer types; both have the same functions.

#ifndef DECONV_CONFORMANCE_VERDICT_OUTPUT_JUDGES_H_
#define DECONV_CONFORMANCE_VERDICT_OUTPUT_JUDGES_H_

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/declared_arithmetic.h"
#include "conformance/verdict/element.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"

namespace conformance {

/// Judges floating-point outputs by the error bound, or by a deviation that the backend declares.
class FloatJudge {
 public:
  FloatJudge(const oracle::Operands& operands, const Capabilities& declared)
      : arithmetic_(ArithmeticOf(declared, operands.geometry().type)), output_dims_(operands.geometry().OutputDims()) {
    clamps_ = (declared.known_deviations & DECONV_DEVIATION_CLAMPED_INFINITY) != 0;
    arithmetic_.lambda = LambdaFor(operands.geometry().OutputCount());
    if (declared.fast_algorithm) transforms_.emplace(operands, arithmetic_);
    if ((declared.known_deviations & DECONV_DEVIATION_STRUCTURAL_NAN) != 0) zeros_.emplace(operands);
    if (declared.ComputesInF32(arithmetic_.type)) in_f32_ = std::make_unique<InF32>(operands, declared);
    if (clamps_) {
      clamped_ = in_f32_ ? std::make_unique<ClampedOperands>(in_f32_->operands(), in_f32_->arithmetic())
                         : std::make_unique<ClampedOperands>(operands, arithmetic_);
    }
  }

  /// Judges an output by the error bound of its exact sum; else as computed in f32 and rounded to the type, if the
  /// backend declares that; else by the deviations that the backend declares.
  OutputJudgement operator()(const oracle::FloatSum& sum, std::uint64_t bits, std::int64_t flat) const {
    const OutputJudgement judgement = JudgeOutput(sum, bits, arithmetic_, transforms_ ? transforms_->Of(flat) : 0);
    if (judgement.verdict == OutputVerdict::kRight) return judgement;
    const OutputJudgement in_f32 = in_f32_ ? in_f32_->Judge(bits, flat) : judgement;
    if (in_f32.verdict == OutputVerdict::kRight) return in_f32;
    const bool excused = IsStructuralNan(bits, flat) || IsClampedInfinity(sum, bits, flat);
    return excused ? OutputJudgement{.excused = true} : in_f32;
  }
  /// Whether every value of this output would be right, so that the output proves nothing.
  bool AllowsAnything(const oracle::FloatSum& sum, std::int64_t flat) const {
    if (in_f32_ && in_f32_->AllowsAnything(flat)) return true;
    return sum.taps != 0 && sum.special == oracle::Special::kNone &&
           BoundOf(sum, arithmetic_, transforms_ ? transforms_->Of(flat) : 0).anything;
  }
  /// Whether the element is -0.0.
  bool IsNegativeZero(std::uint64_t bits) const { return bits == SignBit(); }
  /// The bits of the exact sum, rounded to the type.
  static std::uint64_t Expected(const oracle::FloatSum& sum) { return sum.bits; }
  /// The values that a backend could write everywhere without reading the operands: 0, NaN, both infinities.
  std::vector<std::uint64_t> Constants() const {
    return {0, oracle::NanBits(arithmetic_.type), Infinity(), Infinity() | SignBit()};
  }

 private:
  std::uint64_t SignBit() const { return std::uint64_t{1} << (8 * oracle::ElementBytes(arithmetic_.type) - 1); }
  /// The bits of positive infinity. One less is the largest finite number.
  std::uint64_t Infinity() const { return oracle::InfinityBits(false, arithmetic_.type); }
  /// Whether the output is NaN because the backend multiplies the zeros that it puts between the data (0 * Inf is NaN).
  bool IsStructuralNan(std::uint64_t bits, std::int64_t flat) const {
    return zeros_ && std::isnan(oracle::FloatValue(bits, arithmetic_.type)) &&
           zeros_->OverlapsSpecial(CoordinateOf(flat, output_dims_));
  }
  /// Whether the output is the largest finite number of its sign, and an infinity of that sign would be right. Or
  /// whether an infinite operand contributes, and the output is right if the operand is the largest finite number.
  bool IsClampedInfinity(const oracle::FloatSum& sum, std::uint64_t bits, std::int64_t flat) const {
    if (!clamps_) return false;
    const oracle::Special special = in_f32_ ? in_f32_->SumAt(flat).special : sum.special;
    if (special != oracle::Special::kNone && clamped_->Explains(bits, flat)) return true;
    const std::uint64_t sign = bits & SignBit();
    if (in_f32_ && (bits ^ sign) == std::bit_cast<std::uint64_t>(double{FLT_MAX})) {
      return in_f32_->Judge(Infinity() | sign, flat).verdict == OutputVerdict::kRight;
    }
    if ((bits ^ sign) != Infinity() - 1) return false;
    const double transform = transforms_ ? transforms_->Of(flat) : 0;
    return JudgeOutput(sum, Infinity() | sign, arithmetic_, transform).verdict == OutputVerdict::kRight;
  }

  Arithmetic arithmetic_;
  oracle::Dims output_dims_;
  std::optional<TransformErrors> transforms_;  ///< absent for direct sums
  std::optional<StructuralZeros> zeros_;       ///< set if the backend declares that it multiplies structural zeros
  bool clamps_ = false;                        ///< the backend declares that it clamps infinities
  std::unique_ptr<InF32> in_f32_;              ///< set if the backend declares that it computes the type in f32
  std::unique_ptr<ClampedOperands> clamped_;   ///< set if the backend declares that it clamps infinities
};

/// Judges integer outputs: they are equal or wrong, unless the backend computes them in f32.
class IntegerJudge {
 public:
  IntegerJudge(const oracle::Operands& operands, const Capabilities& declared)
      : type_(operands.geometry().type), wraps_(!declared.Saturates(type_)) {
    if (declared.ComputesInF32(type_)) in_f32_ = std::make_unique<InF32>(operands, declared);
  }

  OutputJudgement operator()(const oracle::IntegerSum& sum, std::uint64_t bits, std::int64_t flat) const {
    const std::uint64_t expected = Expected(sum);
    if (bits == expected) return {};
    if (in_f32_) return in_f32_->Judge(bits, flat);
    const double error = std::abs(Value(bits) - Value(expected));
    return {sum.taps == 0 ? OutputVerdict::kGapNotZero : OutputVerdict::kWrongValue, error, 0};
  }
  std::uint64_t Expected(const oracle::IntegerSum& sum) const { return wraps_ ? sum.wrapped : sum.saturated; }
  bool AllowsAnything(const oracle::IntegerSum& /*sum*/, std::int64_t flat) const {
    return in_f32_ && in_f32_->AllowsAnything(flat);
  }
  static std::vector<std::uint64_t> Constants() { return {0}; }
  static bool IsNegativeZero(std::uint64_t /*bits*/) { return false; }

 private:
  double Value(std::uint64_t bits) const {
    return oracle::IsSigned(type_) ? static_cast<double>(SignExtended(bits, type_)) : static_cast<double>(bits);
  }

  oracle::ElementType type_;
  bool wraps_;
  std::unique_ptr<InF32> in_f32_;  ///< set if the backend declares that it computes the type in f32
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_OUTPUT_JUDGES_H_
