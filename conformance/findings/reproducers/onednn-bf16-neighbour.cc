// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of oneDNN: in bf16 a NaN spreads to the element before it. The data are 1 and NaN, and both
// weights are 1. The first output is 1 * 1. ../README.md describes the defect.
#include "onednn.h"

int main() {
  const Operator op = {.type = memory::data_type::bf16,
                       .format = memory::format_tag::nwc,
                       .diff_dst = {1, 1, 2},
                       .weights = {1, 1, 2},
                       .diff_src = {1, 1, 3}};
  RunAndPrint(op, {1, std::numeric_limits<float>::quiet_NaN()}, {1, 1}, "1 nan nan");
}
