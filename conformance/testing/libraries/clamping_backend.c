/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declares openvino-spec and computes as OpenVINO's code does: ConvolutionBackpropData along one axis, in f32, with the
 * total padding clamped at 0, pads of `explicit` as given beside an output shape, and none for `valid`. Only attributes
 * whose ranges matter to valid operators are checked. */
#include <string.h>

#include "conformance/door/deconv_backend.h"

static const deconv_backend_description* Describe(void* self) {
  static const char* const dialects[] = {"openvino-spec", NULL};
  static deconv_backend_description description;
  (void)self;
  memset(&description, 0, sizeof description);
  description.size = sizeof description;
  description.name = "clamping";
  description.version = "1";
  description.dialects = dialects;
  description.operators = 1u << DECONV_ID_CONVOLUTION_BACKPROP_DATA;
  description.element_types = 1u << DECONV_ID_F32;
  description.min_rank = 3;
  description.max_rank = 3;
  return &description;
}

static int64_t First(deconv_id_list list, int64_t absent) { return list.count > 0 ? list.values[0] : absent; }

static deconv_answer Run(void* self, deconv_run_request* request) {
  const deconv_operator_description* op = request->operation;
  (void)self;
  const int64_t batch = op->data.dims.values[0], in = op->data.dims.values[1], x = op->data.dims.values[2];
  const int64_t out = op->filter.dims.values[1], k = op->filter.dims.values[2];
  const int64_t stride = First(op->strides, 1), dilation = First(op->dilations, 1);
  const char mode = op->auto_pad == NULL ? 'e' : (char)(op->auto_pad[0] | 0x20);
  const int explicitly = mode == 'e';
  int64_t begin = explicitly ? First(op->pads_begin, 0) : 0;
  const int64_t end = explicitly ? First(op->pads_end, 0) : 0;
  const int64_t natural = stride * (x - 1) + (k - 1) * dilation + 1 + First(op->output_padding, 0);
  int64_t y = natural - begin - end;
  if (op->output_shape_values.count > 0) {
    y = op->output_shape_values.values[0];
    if (mode == 's') {
      const int64_t total = natural > y ? natural - y : 0;
      const int upper = (op->auto_pad[5] | 0x20) == 'u'; /* same_upper, same_lower */
      begin = upper ? total - total / 2 : total / 2;
    }
  }
  request->output_rank = 3;
  request->output_dims[0] = batch;
  request->output_dims[1] = out;
  request->output_dims[2] = y;
  if (request->output_bytes != (size_t)(batch * out * y) * sizeof(float)) return DECONV_ANSWER_OTHER_SHAPE;
  const float* data = request->data;
  const float* filter = request->filter;
  float* output = request->output;
  memset(output, 0, request->output_bytes);
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < in; ++c) {
      for (int64_t o = 0; o < out; ++o) {
        for (int64_t i = 0; i < x; ++i) {
          for (int64_t t = 0; t < k; ++t) {
            const int64_t at = stride * i + dilation * t - begin;
            if (at < 0 || at >= y) continue;
            output[(n * out + o) * y + at] += data[(n * in + c) * x + i] * filter[(c * out + o) * k + t];
          }
        }
      }
    }
  }
  return DECONV_ANSWER_COMPUTED;
}

int deconv_backend_open(const char* config, deconv_backend* backend) {
  (void)config;
  backend->size = sizeof *backend;
  backend->abi = DECONV_BACKEND_ABI;
  backend->self = NULL;
  backend->describe = Describe;
  backend->run = Run;
  backend->close = NULL;
  return 0;
}
