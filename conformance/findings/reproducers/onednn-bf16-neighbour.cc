// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs convolution_backward_data in bf16 on one channel of two elements, 1 and NaN, with two weights of 1. The first
// element of diff_src is 1 * 1.
#include "onednn.h"

int main() {
  Print({memory::data_type::bf16, memory::format_tag::nwc, {1, 1, 2}, {1, 1, 2}, {1, 1, 3}},
        {1, std::numeric_limits<float>::quiet_NaN()}, {1, 1}, "1 nan nan");
}
