/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An example of a backend, a library that the suite can judge, made of one plain C function: a transposed convolution
 * of two spatial axes on f32. Copy it, and call your function instead.
 *
 * The geometry has int64_t sizes and attributes. A function that takes int gets wrong numbers from 2^31 on, and many
 * functions take no empty tensor. Declare such limits at the end of the file:
 *
 *   DECONV_BACKEND_FUNCTION_WITH(Deconvolve, "function", 1u << DECONV_ID_F32, 4, 4,
 *                                DECONV_UNSUPPORTED_NXC | DECONV_UNSUPPORTED_XIO | DECONV_UNSUPPORTED_EMPTY_TENSORS,
 *                                INT32_MAX, 0, NULL)
 */
#include "conformance/interface/deconv_backend_function.h"

static int Deconvolve(const void* data, const void* filter, void* output, const deconv_resolved_geometry* g) {
  const int64_t in = g->in_channels / g->groups, out = g->out_channels / g->groups; /* channels of one group */
  const int64_t inputs = g->data[0] * g->data[1], taps = g->kernel[0] * g->kernel[1];
  const float *x = data, *w = filter;
  float* y = output;
  for (int64_t i = 0; i < g->batch * g->out_channels * g->output[0] * g->output[1]; ++i) y[i] = 0;
  for (int64_t p = 0; p < g->batch * g->in_channels * out; ++p) /* pairs of a data plane and an output channel */
    for (int64_t i = 0; i < inputs; ++i)
      for (int64_t k = 0; k < taps; ++k) {
        /* The plane of the data, its input channel, and the output channel, which is in the same group. */
        const int64_t plane = p / out, c = plane % g->in_channels, co = c / in * out + p % out;
        /* The row and the column of the output: stride * data element + dilation * tap - pad. */
        const int64_t v = g->strides[0] * (i / g->data[1]) + g->dilations[0] * (k / g->kernel[1]) - g->pads_begin[0];
        const int64_t u = g->strides[1] * (i % g->data[1]) + g->dilations[1] * (k % g->kernel[1]) - g->pads_begin[1];
        if (v < 0 || v >= g->output[0] || u < 0 || u >= g->output[1]) continue;
        y[((plane / g->in_channels * g->out_channels + co) * g->output[0] + v) * g->output[1] + u] +=
            x[plane * inputs + i] * w[(c * out + p % out) * taps + k];
      }
  return 0;
}

DECONV_BACKEND_FUNCTION(Deconvolve, "function", 1u << DECONV_ID_F32, 4, 4,
                        DECONV_UNSUPPORTED_NXC | DECONV_UNSUPPORTED_XIO)
