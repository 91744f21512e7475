/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a right backend that declares little and resolves attributes itself. It computes ConvolutionBackpropData
 * on f32 with two spatial axes, in plain loops.
 */
#include <stdio.h>
#include <strings.h>

#include "conformance/door/deconv_backend.h"

static const char* const kDialects[] = {"openvino-runtime", NULL};
static const char* const kAutoPad[] = {"explicit", "valid", "same_lower", "same_upper"};

/* Omitted fields are 0: sums in f32, rounding to nearest, no flushing, no choice of threads, no fast algorithm. */
static const deconv_backend_description kDescription = {.size = sizeof(kDescription),
                                                        .name = "example",
                                                        .version = "1.0",
                                                        .dialects = kDialects,
                                                        .operators = 1u << DECONV_ID_CONVOLUTION_BACKPROP_DATA,
                                                        .element_types = 1u << DECONV_ID_F32,
                                                        .min_rank = 4,
                                                        .max_rank = 4,
                                                        .deterministic = DECONV_SAME_BITS_EVERY_RUN};
static const deconv_backend_description* Describe(void* self) { return (void)self, &kDescription; }
static int64_t At(deconv_id_list list, int axis, int64_t absent) { return list.values ? list.values[axis] : absent; }
/* Returns 1 if the list is present and has another length than `count`, or a value below `least`. */
static int IsBad(deconv_id_list list, int64_t count, int64_t least) {
  for (int64_t i = 0; i < list.count; ++i)
    if (list.values[i] < least) return 1;
  return list.values != NULL && list.count != count;
}

/* Returns a * b + c of numbers that are at least 0. Returns -1 if the result is 2^63 or more, or if c is -1. */
static int64_t Sum(int64_t a, int64_t b, int64_t c) {
  return c < 0 || (b > 0 && a > (INT64_MAX - c) / b) ? -1 : a * b + c;
}
static int Fits(const int64_t* dims) {
  int64_t bytes = sizeof(float);
  for (int a = 0; a < 4 && bytes > 0; ++a) bytes = dims[a] > 0 ? Sum(bytes, dims[a], 0) : bytes;
  return bytes > 0;
}

/* Writes the output's dims to y, and the crop at the beginning of each axis. Returns NULL, or why it is invalid. */
static const char* Resolve(const deconv_operator_description* op, int64_t* y, int64_t* crop) {
  const int64_t *x = op->data.dims.values, *w = op->filter.dims.values;
  const deconv_id_list shape = op->output_shape.dims;
  int mode = 0;
  if (op->filter.element_type != DECONV_ID_F32 || IsBad(op->data.dims, 4, 0) || IsBad(op->filter.dims, 4, 0) ||
      x[1] != w[0] || w[2] < 1 || w[3] < 1)
    return "filter: expected f32 [C_IN, C_OUT, Y, X] with the data's channels and a kernel of at least 1x1";
  if (IsBad(op->strides, 2, 1) || IsBad(op->dilations, 2, 1) || IsBad(op->pads_begin, 2, 0) ||
      IsBad(op->pads_end, 2, 0) || IsBad(op->output_padding, 2, 0))
    return "expected 2 values a list, strides and dilations from 1, pads and output_padding from 0";
  while (op->auto_pad != NULL && mode < 4 && strcasecmp(op->auto_pad, kAutoPad[mode]) != 0) ++mode;
  if (mode == 4) return "auto_pad: expected explicit, valid, same_lower or same_upper";
  if (shape.values && (shape.count != 1 || shape.values[0] != 2 || IsBad(op->output_shape_values, 2, 1) ||
                       op->output_shape.element_type < DECONV_ID_I8 || op->output_shape.element_type > DECONV_ID_U64))
    return "output_shape: expected 2 integers from 1";
  y[0] = x[0], y[1] = w[1];
  for (int a = 0; a < 2; ++a) {
    const int64_t s = At(op->strides, a, 1), d = At(op->dilations, a, 1), more = At(op->output_padding, a, 0);
    const int64_t begin = mode == 0 ? At(op->pads_begin, a, 0) : 0, end = mode == 0 ? At(op->pads_end, a, 0) : 0;
    const int64_t far = Sum(d, w[a + 2] - 1, Sum(1, more, 1));
    const int64_t natural = x[a + 2] > 0 ? Sum(s, x[a + 2] - 1, far) : far - s;
    if (far < 0 || (x[a + 2] > 0 && natural < 0)) return "coordinates do not fit 63 bits";
    const int64_t* given = op->output_shape_values.values;
    if (given == NULL && (begin > natural || end > natural - begin)) return "output: a size below 0";
    y[a + 2] = given != NULL ? given[a] : natural - begin - end;
    if (y[a + 2] < 1) return "output: a size below 1";
    crop[a] = mode >= 2 && natural > y[a + 2] ? (natural - y[a + 2] + (mode == 3)) / 2 : begin;
    if (Sum(1, crop[a], y[a + 2]) < 0) return "coordinates do not fit 63 bits";
  }
  return Fits(x) && Fits(w) && Fits(y) ? NULL : "bytes of a tensor do not fit 63 bits";
}

static deconv_answer Run(void* self, deconv_run_request* request) {
  const deconv_operator_description* op = request->operation;
  const int64_t *x = op->data.dims.values, *w = op->filter.dims.values;
  const float *data = request->data, *filter = request->filter;
  float* output = request->output;
  int64_t crop[2], *y = request->output_dims;
  const int declared = op->kind == DECONV_ID_CONVOLUTION_BACKPROP_DATA && op->data.element_type == DECONV_ID_F32;
  const char* why = declared ? Resolve(op, y, crop) : "only ConvolutionBackpropData on f32";
  (void)self, request->output_rank = 4;
  (void)snprintf(request->message, sizeof(request->message), "%s", why != NULL ? why : "");
  if (why != NULL) return declared ? DECONV_ANSWER_REFUSED : DECONV_ANSWER_UNSUPPORTED;
  if (request->output_bytes != (size_t)(y[0] * y[1] * y[2] * y[3]) * sizeof(float)) return DECONV_ANSWER_OTHER_SHAPE;
  for (int64_t i = 0; i < y[0] * y[1] * y[2] * y[3]; ++i) output[i] = 0;
  for (int64_t p = 0; p < x[0] * x[1] * w[1]; ++p) /* for each plane of data and each output channel */
    for (int64_t i = 0; i < x[2] * x[3]; ++i)
      for (int64_t k = 0; k < w[2] * w[3]; ++k) {
        const int64_t plane = p / w[1], co = p % w[1]; /* plane = n * C_IN + ci */
        const int64_t v = At(op->strides, 0, 1) * (i / x[3]) + At(op->dilations, 0, 1) * (k / w[3]) - crop[0];
        const int64_t u = At(op->strides, 1, 1) * (i % x[3]) + At(op->dilations, 1, 1) * (k % w[3]) - crop[1];
        if (v >= 0 && v < y[2] && u >= 0 && u < y[3])
          output[((plane / x[1] * y[1] + co) * y[2] + v) * y[3] + u] +=
              data[plane * x[2] * x[3] + i] * filter[(plane % x[1] * w[1] + co) * w[2] * w[3] + k];
      }
  return DECONV_ANSWER_COMPUTED;
}

int deconv_backend_open(const char* config, deconv_backend* backend) {
  if (config[0] != '\0' || backend->size < sizeof(*backend)) return 1;
  *backend = (deconv_backend){.size = sizeof(*backend), .abi = DECONV_BACKEND_ABI, .describe = Describe, .run = Run};
  return 0;
}
