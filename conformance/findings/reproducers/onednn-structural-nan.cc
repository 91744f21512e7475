// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of oneDNN: an infinite weight makes NaN where it does not contribute. One element of data meets
// two weights, of which the first is infinite. The output has 7 elements (stride 6, a padding of -5 at the end).
// Elements 2 to 6 get no product and must be 0. ../README.md describes the defect.
#include "onednn.h"

int main() {
  const Operator op = {.type = memory::data_type::f32,
                       .format = memory::format_tag::nwc,
                       .diff_dst = {1, 1, 1},
                       .weights = {1, 1, 2},
                       .diff_src = {1, 1, 7},
                       .stride = 6,
                       .padding_r = -5};
  RunAndPrint(op, {1}, {std::numeric_limits<float>::infinity(), 1}, "inf 1 0 0 0 0 0");
}
