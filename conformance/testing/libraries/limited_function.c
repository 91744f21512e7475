/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a backend from a plain function with usual limits. The function has sizes of type int, two spatial axes,
 * one pad for each axis, no dilations, no groups and one layout, and it fails on empty tensors. The file is built three
 * times. With DECLARES_EVERYTHING the backend declares all limits. With DECLARES_REASON it answers some of them as
 * reasons. With DECLARES_NOTHING it declares none.
 */
#include "conformance/interface/deconv_backend_function.h"

/* The function of a library, without parameters for dilations, groups or layouts. x is the data, w the filter, y the
 * output; in, kernel and out are their sizes, height first. Returns 0, or -1 if a tensor is empty. */
static int Upsample(const float* x, const float* w, float* y, int batch, int in_channels, int out_channels,
                    const int* in, const int* kernel, const int* stride, const int* pad, const int* out) {
  if (batch < 1 || in_channels < 1 || out_channels < 1 || in[0] < 1 || in[1] < 1 || out[0] < 1 || out[1] < 1) return -1;
  for (int i = 0; i < batch * out_channels * out[0] * out[1]; ++i) y[i] = 0;
  for (int n = 0; n < batch; ++n)
    for (int c = 0; c < in_channels; ++c)
      for (int o = 0; o < out_channels; ++o)
        for (int i = 0; i < in[0] * in[1]; ++i)
          for (int k = 0; k < kernel[0] * kernel[1]; ++k) {
            /* The row v and the column u of the output. A negative one becomes a huge number without sign. */
            const unsigned int v = (unsigned int)stride[0] * (unsigned int)(i / in[1]) + (unsigned int)(k / kernel[1]) -
                                   (unsigned int)pad[0];
            const unsigned int u = (unsigned int)stride[1] * (unsigned int)(i % in[1]) + (unsigned int)(k % kernel[1]) -
                                   (unsigned int)pad[1];
            if (v >= (unsigned int)out[0] || u >= (unsigned int)out[1]) continue;
            y[((n * out_channels + o) * out[0] + (int)v) * out[1] + (int)u] +=
                x[(n * in_channels + c) * in[0] * in[1] + i] * w[(c * out_channels + o) * kernel[0] * kernel[1] + k];
          }
  return 0;
}

/* The function has one pad for each axis, so the adapter passes pads_end for both ends. */
static int Adapter(const void* data, const void* filter, void* output, const deconv_resolved_geometry* g) {
  const int in[2] = {(int)g->data[0], (int)g->data[1]}, kernel[2] = {(int)g->kernel[0], (int)g->kernel[1]};
  const int stride[2] = {(int)g->strides[0], (int)g->strides[1]}, out[2] = {(int)g->output[0], (int)g->output[1]};
  const int pad[2] = {(int)g->pads_end[0], (int)g->pads_end[1]};
  if (g->spatial_rank != 2) return DECONV_ANSWER_UNSUPPORTED;
  return Upsample(data, filter, output, (int)g->batch, (int)g->in_channels, (int)g->out_channels, in, kernel, stride,
                  pad, out);
}

#if defined(DECLARES_EVERYTHING)
DECONV_BACKEND_FUNCTION_WITH(Adapter, "limited", 1u << DECONV_ID_F32, 4, 4,
                             DECONV_UNSUPPORTED_NXC | DECONV_UNSUPPORTED_XIO | DECONV_UNSUPPORTED_EMPTY_TENSORS |
                                 DECONV_UNSUPPORTED_ASYMMETRIC_PADS | DECONV_UNSUPPORTED_DILATIONS |
                                 DECONV_UNSUPPORTED_GROUPS,
                             INT32_MAX, 1 << 28, NULL)
#elif defined(DECLARES_REASON)
static const char* Against(const deconv_resolved_geometry* g) {
  if (g->groups != 1) return "only one group";
  if (g->dilations[0] != 1 || g->dilations[1] != 1) return "no dilations";
  return g->pads_begin[0] == g->pads_end[0] && g->pads_begin[1] == g->pads_end[1] ? NULL : "one pad for each axis";
}

DECONV_BACKEND_FUNCTION_WITH(Adapter, "limited", 1u << DECONV_ID_F32, 4, 4,
                             DECONV_UNSUPPORTED_NXC | DECONV_UNSUPPORTED_XIO | DECONV_UNSUPPORTED_EMPTY_TENSORS,
                             INT32_MAX, 1 << 28, Against)
#else
DECONV_BACKEND_FUNCTION(Adapter, "limited", 1u << DECONV_ID_F32, 3, 5, 0)
#endif
