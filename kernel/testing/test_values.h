// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of the kernel's tests: logical tensors of doubles, which are the same for every type and layout, their
// encoding in memory, and a naive loop that sums the expected outputs.
#ifndef DECONV_KERNEL_TESTING_TEST_VALUES_H_
#define DECONV_KERNEL_TESTING_TEST_VALUES_H_

#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "kernel/testing/test_operator.h"

namespace deconv::testing {

// Logical tensors: data [N, G*Cin, X], filter [G, Cin, Cout, K], output [N, G*Cout, Y]. Doubles hold small integers
// exactly.
struct Values {
  std::vector<double> data;
  std::vector<double> filter;
};
// Draws integers up to `magnitude`, also negative ones if the type has a sign.
Values RandomValues(std::mt19937& random, const TestOperator& op, int magnitude);
// Returns the expected output: adds each product of a data element and a tap to its output, as deconv.h defines it.
std::vector<double> NaiveScatter(const TestOperator& op, const Values& values);

// Convert logical tensors to and from memory, in the type and layout of the operator. Integers wrap when they are
// encoded.
void EncodeData(const TestOperator& op, const std::vector<double>& logical, std::span<std::byte> memory);
void EncodeFilter(const TestOperator& op, const std::vector<double>& logical, std::span<std::byte> memory);
std::vector<double> DecodeOutput(const TestOperator& op, std::span<const std::byte> memory);

// Returns the value as the type holds it: modulo 2^n for integers, unchanged for floating types.
double Wrapped(deconv_type type, double value);
// Returns the unit roundoff of the stored type if sums are rounded to it; 0 if small integers are exact.
double Roundoff(deconv_type type);

size_t BytesOf(deconv_type type);
inline constexpr deconv_type kAllTypes[] = {DECONV_F64, DECONV_F32, DECONV_F16, DECONV_BF16, DECONV_I8,  DECONV_I16,
                                            DECONV_I32, DECONV_I64, DECONV_U8,  DECONV_U16,  DECONV_U32, DECONV_U64};

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_TEST_VALUES_H_
