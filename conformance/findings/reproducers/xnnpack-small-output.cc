// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes a deconvolution of XNNPACK with one element of data, a kernel of 3, a stride of 3 and a pad of 2 at the end.
// Its output has one element.
#include <cmath>
#include <cstdio>

#include <xnnpack.h>

int main() {
  xnn_initialize(nullptr);
  const float filter[8] = {1, 1, 1};
  const float data[8] = {1};
  float output[8] = {};
  xnn_operator_t op = nullptr;
  const xnn_status created = xnn_create_deconvolution2d_nhwc_f32(
      /*top*/ 0, /*right*/ 2, /*bottom*/ 0, /*left*/ 0, /*kernel*/ 1, 3, /*stride*/ 1, 3, /*dilation*/ 1, 1,
      /*groups*/ 1,
      /*channels of a group*/ 1, 1, /*channels of a pixel*/ 1, 1, filter, nullptr, -INFINITY, INFINITY, 0, nullptr,
      nullptr, &op);
  std::printf("create: status %d\n", created);
  std::fflush(stdout);
  size_t height = 0;
  size_t width = 0;
  const xnn_status shaped = xnn_reshape_deconvolution2d_nhwc_f32(op, 1, 1, 1, 0, 0, &height, &width, nullptr);
  std::printf("reshape: status %d, output %zu x %zu\n", shaped, height, width);
  xnn_setup_deconvolution2d_nhwc_f32(op, data, output);
  xnn_run_operator(op, nullptr);
  std::printf("output: %g\n", output[0]);
}
