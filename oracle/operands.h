// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds data and filter in the form that the loops of gather.cc and scatter.cc read. Elements of an integer type are
// widened to 64 bits. Elements of a floating type become integers in a common unit, a power of two. This is done only
// if no 128-bit sum of the products of an output can overflow. Otherwise they keep the bits of their type. Example:
// 1.5, 0.25 and -2 become 6, 1 and -8 in the unit 2^-2. Products of such integers are added exactly and fast.

#ifndef DECONV_ORACLE_OPERANDS_H_
#define DECONV_ORACLE_OPERANDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/evaluate.h"

namespace oracle {

/// One tensor, data or filter. Element e is values[e] * 2^exponent. For SumForm::kExact, `values` is empty, and the
/// bits of element e begin at raw[e * bytes], where `bytes` is the size of an element.
struct DecodedTensor {
  std::vector<std::int64_t> values;      ///< u64 elements keep their 64 bits, so 2^64 - 1 is stored as -1
  int exponent = 0;                      ///< 0 for integer types
  std::vector<std::uint8_t> subnormals;  ///< for SumForm::kWindow: 1 where the element is subnormal; empty if none is
  std::vector<std::byte> raw;            ///< for SumForm::kExact only

  /// Whether element e is subnormal in its floating type.
  bool Subnormal(std::int64_t e) const { return !subnormals.empty() && subnormals[static_cast<std::size_t>(e)] != 0; }
};

/// The class that sums the products of an output, and the number of bits of the sum.
enum class SumForm {
  kWindow,         ///< floating types: WindowSum of window_sum.h, 128 bits
  kNarrowWindow,   ///< floating types: NarrowWindowSum of window_sum.h, 64 bits
  kExact,          ///< floating types: FloatTerms of exact_sum.h, any width, NaN and infinities
  kNarrowInteger,  ///< integer types: NarrowIntegerSum of integer_sum.h, 128 bits
  kWideInteger,    ///< integer types: WideIntegerSum of integer_sum.h, 192 bits
};

/// What an Operands object holds (oracle/evaluate.h).
struct Operands::Decoded {
  Geometry geometry;
  SumForm form = SumForm::kExact;
  DecodedTensor data;
  DecodedTensor filter;
};

}  // namespace oracle

#endif  // DECONV_ORACLE_OPERANDS_H_
