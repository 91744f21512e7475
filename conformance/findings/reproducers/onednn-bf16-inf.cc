// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs convolution_backward_data in bf16 on one channel of two ones, with one weight for each of two channels of
// diff_src. The first weight is infinite: each product with it is infinite.
#include "onednn.h"

int main() {
  Print({memory::data_type::bf16, memory::format_tag::ncw, {1, 1, 2}, {1, 2, 1}, {1, 2, 2}}, {1, 1},
        {std::numeric_limits<float>::infinity(), 1}, "inf inf 1 1");
}
