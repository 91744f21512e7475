// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Multiplies data element d by filter element f, adds the product to the sum of an output, and rounds the sum at its
// end. There is one class for each form of sum (SumForm of oracle/operands.h). The loops of gather.cc and scatter.cc
// are templates over these classes; each loop finds the indices d and f with its own code.
//
// Each class has the same members. `Sum` is the unfinished sum of one output, and `Result` its final form. Clear(sum)
// starts a sum, Add(sum, d, f) adds one product, and FinishSum(sum, result) rounds.

#ifndef DECONV_ORACLE_PRODUCTS_H_
#define DECONV_ORACLE_PRODUCTS_H_

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "oracle/evaluate.h"
#include "oracle/exact_sum.h"
#include "oracle/float_bits.h"
#include "oracle/integer_sum.h"
#include "oracle/operands.h"
#include "oracle/window_sum.h"

namespace oracle {

/// For floating types whose elements were decoded as integers, times one power of two per tensor. A sum is then an
/// integer: of 128 bits (AnyWindowSum is WindowSum), or of 64 bits (NarrowWindowSum). `kHasSubnormals`: some element is
/// subnormal, so each product is checked for a subnormal operand. NarrowWindowSum excludes it.
template <class AnyWindowSum, bool kHasSubnormals = false>
class WindowProducts {
 public:
  using Sum = AnyWindowSum;
  using Result = FloatSum;

  explicit WindowProducts(const Operands::Decoded& decoded)
      : decoded_(decoded), data_(decoded.data.values.data()), filter_(decoded.filter.values.data()) {}

  void Add(Sum& sum, std::int64_t d, std::int64_t f) const {
    sum.Add(data_[d], filter_[f]);
    if constexpr (kHasSubnormals) {
      if (decoded_.data.Subnormal(d) || decoded_.filter.Subnormal(f)) sum.AddSubnormal(data_[d], filter_[f]);
    }
  }
  void FinishSum(const Sum& sum, Result& result) const {
    sum.FinishSum(decoded_.data.exponent + decoded_.filter.exponent, decoded_.geometry.type, result);
  }
  static void Clear(Sum& sum) { sum = Sum{}; }

 private:
  const Operands::Decoded& decoded_;
  const std::int64_t* data_;
  const std::int64_t* filter_;
};

/// For all other operands of a floating type: sums of any width, NaN and infinities. Add() decodes the elements.
class ExactProducts {
 public:
  using Sum = FloatTerms;
  using Result = FloatSum;

  explicit ExactProducts(const Operands::Decoded& decoded)
      : decoded_(decoded), bytes_(ElementBytes(decoded.geometry.type)) {}

  void Add(Sum& sum, std::int64_t d, std::int64_t f) const {
    sum.Add(Decode(decoded_.data, d), Decode(decoded_.filter, f));
  }
  void FinishSum(const Sum& sum, Result& result) const { sum.FinishSum(decoded_.geometry.type, result); }
  static void Clear(Sum& sum) { sum.Clear(); }

 private:
  /// Element e of the tensor.
  FloatParts Decode(const DecodedTensor& tensor, std::int64_t e) const {
    return DecodeFloat(LoadBits(tensor.raw.data() + static_cast<std::size_t>(e) * bytes_, bytes_),
                       decoded_.geometry.type);
  }

  const Operands::Decoded& decoded_;
  std::size_t bytes_;  ///< of one element
};

/// For integer types: sums in 128 bits (AnyIntegerSum is NarrowIntegerSum), or in 192 bits (WideIntegerSum) if a sum
/// may exceed 128 bits.
template <class AnyIntegerSum>
class IntegerProducts {
 public:
  using Sum = AnyIntegerSum;
  using Result = IntegerSum;

  explicit IntegerProducts(const Operands::Decoded& decoded)
      : type_(decoded.geometry.type), data_(decoded.data.values.data()), filter_(decoded.filter.values.data()) {}

  void Add(Sum& sum, std::int64_t d, std::int64_t f) const {
    if constexpr (std::is_same_v<Sum, NarrowIntegerSum>) {
      sum.Add(data_[d], filter_[f]);
    } else if (IsSigned(type_)) {
      sum.AddSigned(data_[d], filter_[f]);
    } else {
      sum.AddUnsigned(static_cast<std::uint64_t>(data_[d]), static_cast<std::uint64_t>(filter_[f]));
    }
  }
  void FinishSum(const Sum& sum, Result& result) const { sum.FinishSum(type_, result); }
  static void Clear(Sum& sum) { sum = Sum{}; }

 private:
  ElementType type_;
  const std::int64_t* data_;
  const std::int64_t* filter_;
};

/// Calls `loop` with an object of the class above that fits the operands, which have a floating type.
template <class Loop>
void WithFloatProducts(const Operands& operands, const Loop& loop) {
  const Operands::Decoded& decoded = operands.decoded();
  assert(IsFloat(decoded.geometry.type));
  if (decoded.form == SumForm::kExact) {
    loop(ExactProducts(decoded));
  } else if (decoded.form == SumForm::kNarrowWindow) {
    loop(WindowProducts<NarrowWindowSum>(decoded));
  } else if (decoded.data.subnormals.empty() && decoded.filter.subnormals.empty()) {
    loop(WindowProducts<WindowSum>(decoded));
  } else {
    loop(WindowProducts<WindowSum, true>(decoded));
  }
}

/// The same for operands of an integer type.
template <class Loop>
void WithIntegerProducts(const Operands& operands, const Loop& loop) {
  const Operands::Decoded& decoded = operands.decoded();
  assert(IsInteger(decoded.geometry.type));
  if (decoded.form == SumForm::kNarrowInteger) {
    loop(IntegerProducts<NarrowIntegerSum>(decoded));
  } else {
    loop(IntegerProducts<WideIntegerSum>(decoded));
  }
}

/// If the data tensor is empty, there are no products: sets all sums to 0 and returns true. The loops must not run
/// then. The other sizes of an empty tensor may be huge, and distances between its elements may exceed 64 bits.
template <class Sum>
bool FillWithoutData(const Geometry& geometry, std::span<Sum> sums) {
  if (geometry.DataCount() != 0) return false;
  std::ranges::fill(sums, Sum{});
  return true;
}

}  // namespace oracle

#endif  // DECONV_ORACLE_PRODUCTS_H_
