// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of XNNPACK: NaN becomes infinite. The data are NaN and 2, both weights are 1, and the bounds of
// the output are infinite. ../README.md describes the defect.
#include <cmath>
#include <cstdio>

#include <xnnpack.h>

int main() {
  xnn_initialize(nullptr);
  // XNNPACK may read some bytes behind its arrays, so they are larger than the tensors.
  const float filter[8] = {1, 1};
  const float data[8] = {NAN, 2};
  float output[16] = {};
  xnn_operator_t deconvolution = nullptr;
  xnn_create_deconvolution2d_nhwc_f32(/*pads*/ 0, 0, 0, 0, /*kernel*/ 1, 2, /*stride*/ 1, 2, /*dilation*/ 1, 1,
                                      /*groups*/ 1, /*channels of a group*/ 1, 1, /*channels of a pixel*/ 1, 1, filter,
                                      /*bias*/ nullptr, -INFINITY, INFINITY, /*flags*/ 0, nullptr, nullptr,
                                      &deconvolution);
  size_t height = 0;
  size_t width = 0;
  xnn_reshape_deconvolution2d_nhwc_f32(deconvolution, /*batch*/ 1, /*data*/ 1, 2, /*output_padding*/ 0, 0, &height,
                                       &width, nullptr);
  xnn_setup_deconvolution2d_nhwc_f32(deconvolution, data, output);
  xnn_run_operator(deconvolution, nullptr);
  std::printf("%g %g %g %g, expected nan nan 2 2\n", output[0], output[1], output[2], output[3]);
}
