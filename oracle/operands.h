// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Data and filter in the form that the loops read: integers in a common unit if a 128-bit sum provably holds the terms
// of every output, else the bits of the elements.

#ifndef DECONV_ORACLE_OPERANDS_H_
#define DECONV_ORACLE_OPERANDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/evaluate.h"

namespace oracle {

/// One tensor. In window form element e is values[e] * 2^exponent; else its bits are at raw[e * bytes].
struct DecodedTensor {
  std::vector<std::int64_t> values;      ///< values of the wide integer form: the two's complement bits
  int exponent = 0;                      ///< 0 for integers
  std::vector<std::uint8_t> subnormals;  ///< window form: 1 where the element is subnormal; empty if none is
  std::vector<std::byte> raw;

  bool Subnormal(std::int64_t e) const { return !subnormals.empty() && subnormals[static_cast<std::size_t>(e)] != 0; }
};

enum class SumForm {
  kWindow,         ///< floating types, WindowSum
  kNarrowWindow,   ///< floating types, NarrowWindowSum
  kExact,          ///< floating types, FloatTerms
  kNarrowInteger,  ///< NarrowIntegerSum
  kWideInteger,    ///< WideIntegerSum
};

struct Operands::Decoded {
  Geometry geometry;
  SumForm form = SumForm::kExact;
  DecodedTensor data;
  DecodedTensor filter;
};

}  // namespace oracle

#endif  // DECONV_ORACLE_OPERANDS_H_
