// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs convolution_backward_data with one element of diff_dst, two weights, of which the first is infinite, and a
// stride of 6. Elements 2 to 6 of diff_src get no product and must be 0.
#include "onednn.h"

int main() {
  Print({memory::data_type::f32, memory::format_tag::nwc, {1, 1, 1}, {1, 1, 2}, {1, 1, 7}, 6, -5}, {1},
        {std::numeric_limits<float>::infinity(), 1}, "inf 1 0 0 0 0 0");
}
