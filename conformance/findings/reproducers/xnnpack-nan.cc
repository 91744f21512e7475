// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes a deconvolution of XNNPACK whose first element of data is NaN, with infinite bounds of the output.
#include <cmath>
#include <cstdio>

#include <xnnpack.h>

int main() {
  xnn_initialize(nullptr);
  const float filter[8] = {1, 1};
  const float data[8] = {NAN, 2};
  float output[16] = {};
  xnn_operator_t op = nullptr;
  xnn_create_deconvolution2d_nhwc_f32(0, 0, 0, 0, /*kernel*/ 1, 2, /*stride*/ 1, 2, /*dilation*/ 1, 1, /*groups*/ 1,
                                      /*channels of a group*/ 1, 1, /*channels of a pixel*/ 1, 1, filter, nullptr,
                                      -INFINITY, INFINITY, 0, nullptr, nullptr, &op);
  size_t height = 0;
  size_t width = 0;
  xnn_reshape_deconvolution2d_nhwc_f32(op, 1, 1, 2, 0, 0, &height, &width, nullptr);
  xnn_setup_deconvolution2d_nhwc_f32(op, data, output);
  xnn_run_operator(op, nullptr);
  std::printf("%g %g %g %g, expected nan nan 2 2\n", output[0], output[1], output[2], output[3]);
}
