// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of oneDNN: in bf16 an infinite weight makes NaN of every product. One channel of two ones meets
// one weight for each of two output channels. The first weight is infinite, and so is each product with it.
// ../README.md describes the defect.
#include "onednn.h"

int main() {
  const Operator op = {.type = memory::data_type::bf16,
                       .format = memory::format_tag::ncw,
                       .diff_dst = {1, 1, 2},
                       .weights = {1, 2, 1},
                       .diff_src = {1, 2, 2}};
  RunAndPrint(op, {1, 1}, {std::numeric_limits<float>::infinity(), 1}, "inf inf 1 1");
}
