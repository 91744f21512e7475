/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An example of a vendor's backend in C: all operators with groups, six types, one to three spatial axes and both
 * layouts. It takes resolved geometry, so it reads no attributes, and it says what it does not support. Copy it, and
 * call your library instead of the loops. Build it as a shared library, and judge it with:
 *
 *   deconv-cts run --backend ./libdeconv_example_backend.so
 *
 * A library with one function for one type and rank starts from function.c. backend.cc resolves attributes itself.
 */
#include <stdio.h>

#include "conformance/interface/deconv_backend.h"

static const char* const kDialects[] = {"openvino-spec", "openvino-runtime", "onednn-spec", "onednn-runtime",
                                        "onnx-11",       "onnx-1",           "onnxruntime", NULL};

/* Omitted fields are 0: sums in f32, rounding to nearest, no flushing, no choice of threads, no fast algorithm. */
static const deconv_backend_description kDescription = {.size = sizeof(kDescription),
                                                        .name = "example",
                                                        .version = "2.0",
                                                        .dialects = kDialects,
                                                        .operators = 0xf, /* all four */
                                                        .element_types = 1u << DECONV_ID_F64 | 1u << DECONV_ID_F32 |
                                                                         1u << DECONV_ID_I32 | 1u << DECONV_ID_U32 |
                                                                         1u << DECONV_ID_I64 | 1u << DECONV_ID_U64,
                                                        .min_rank = 3,
                                                        .max_rank = 5,
                                                        .deterministic = DECONV_SAME_BITS_EVERY_RUN,
                                                        .takes_resolved = 1};
static const deconv_backend_description* Describe(void* self) { return (void)self, &kDescription; }

/* The suite asks before each run whether the backend supports the operator. This function can look at anything in the
 * geometry. Here it says no to empty tensors, for which a bit of the description would do, too. */
static int32_t Supports(void* self, deconv_supports_request* request) {
  const deconv_resolved_geometry* g = request->resolved;
  int is_empty = g->batch == 0 || g->in_channels == 0 || g->out_channels == 0;
  (void)self;
  for (int a = 0; a < g->spatial_rank; ++a) is_empty |= g->data[a] == 0 || g->output[a] == 0;
  if (is_empty) (void)snprintf(request->message, sizeof(request->message), "no empty tensors");
  return !is_empty;
}

/* The distance in elements from one index to the next, in a tensor of batch, channels and three axes. Example: in data
 * [batch, channels, 1, 4, 5] a step along the second axis is 5 elements, and one to the next channel is 20. */
typedef struct Steps {
  int64_t batch, channel, axis[3];
} Steps;

/* The steps of a dense tensor with three axes of these sizes. */
static Steps StepsOf(int64_t channels, const int64_t* sizes, int channels_last) {
  Steps steps;
  int64_t step = channels_last ? channels : 1;
  for (int a = 2; a >= 0; --a) steps.axis[a] = step, step *= sizes[a];
  steps.channel = channels_last ? 1 : step;
  steps.batch = channels_last ? step : step * channels;
  return steps;
}

/* A geometry of exactly three axes; those that are missing come first, with sizes of 1. */
typedef struct Problem {
  int64_t data[3], kernel[3], strides[3], dilations[3], pads_begin[3], output[3];
  int64_t batch, groups, in, out; /* in and out: channels of one group */
  Steps x, w, y; /* of data, filter, output; w.batch steps over all input channels, w.channel over output channels */
} Problem;

/* The geometry of a request as a Problem. */
static Problem ProblemOf(const deconv_resolved_geometry* g) {
  Problem p;
  for (int a = 0; a < 3; ++a) {
    const int from = a - (3 - g->spatial_rank); /* the axis of the geometry; below 0: it is missing */
    p.data[a] = from < 0 ? 1 : g->data[from];
    p.kernel[a] = from < 0 ? 1 : g->kernel[from];
    p.strides[a] = from < 0 ? 1 : g->strides[from];
    p.dilations[a] = from < 0 ? 1 : g->dilations[from];
    p.pads_begin[a] = from < 0 ? 0 : g->pads_begin[from];
    p.output[a] = from < 0 ? 1 : g->output[from];
  }
  p.batch = g->batch, p.groups = g->groups, p.in = g->in_channels / g->groups, p.out = g->out_channels / g->groups;
  p.x = StepsOf(g->in_channels, p.data, g->channels_last);
  p.y = StepsOf(g->out_channels, p.output, g->channels_last);
  p.w = StepsOf(p.out, p.kernel, 0);           /* [in_channels, out, kernel...] */
  if (g->filter_layout == DECONV_FILTER_XIO) { /* [kernel..., out, in_channels] */
    p.w.batch = 1, p.w.channel = g->in_channels;
    for (int64_t a = 2, step = g->in_channels * p.out; a >= 0; step *= p.kernel[a--]) p.w.axis[a] = step;
  }
  return p;
}

/* The offset of output element stride * i + dilation * k - pads_begin, or -1 if it lies outside. i and k are flat
 * indices over all three axes, of a data element and a tap. Also returns their offsets in *x and *w. */
static int64_t OutputOffset(const Problem* p, int64_t i, int64_t k, int64_t* x, int64_t* w) {
  int64_t y = 0;
  *x = *w = 0;
  for (int a = 2; a >= 0; i /= p->data[a], k /= p->kernel[a], --a) {
    const int64_t at = p->strides[a] * (i % p->data[a]) + p->dilations[a] * (k % p->kernel[a]) - p->pads_begin[a];
    if (at < 0 || at >= p->output[a]) return -1;
    y += at * p->y.axis[a], *x += i % p->data[a] * p->x.axis[a], *w += k % p->kernel[a] * p->w.axis[a];
  }
  return y;
}

/* Loops over data elements and taps. Signed integers are computed as unsigned ones, because in C only those wrap. */
#define DEFINE_COMPUTE(Name, Element)                                                                        \
  static void Name(const Problem* p, const void* data, const void* filter, void* output) {                   \
    const Element *x = data, *w = filter;                                                                    \
    Element* y = output;                                                                                     \
    const int64_t inputs = p->data[0] * p->data[1] * p->data[2];                                             \
    const int64_t taps = p->kernel[0] * p->kernel[1] * p->kernel[2];                                         \
    for (int64_t i = 0; i < p->batch * p->y.batch; ++i) y[i] = 0;                                            \
    for (int64_t i = 0; i < inputs; ++i)                                                                     \
      for (int64_t k = 0; k < taps; ++k) {                                                                   \
        int64_t at_x, at_w;                                                                                  \
        const int64_t at_y = OutputOffset(p, i, k, &at_x, &at_w);                                            \
        if (at_y < 0) continue;                                                                              \
        for (int64_t n = 0; n < p->batch; ++n)                                                               \
          for (int64_t c = 0; c < p->groups * p->in; ++c)                                                    \
            for (int64_t o = 0; o < p->out; ++o)                                                             \
              y[n * p->y.batch + (c / p->in * p->out + o) * p->y.channel + at_y] +=                          \
                  x[n * p->x.batch + c * p->x.channel + at_x] * w[c * p->w.batch + o * p->w.channel + at_w]; \
      }                                                                                                      \
  }
DEFINE_COMPUTE(ComputeF64, double)
DEFINE_COMPUTE(ComputeF32, float)
DEFINE_COMPUTE(ComputeU32, uint32_t)
DEFINE_COMPUTE(ComputeU64, uint64_t)

static deconv_answer Run(void* self, deconv_run_request* request) {
  const Problem p = ProblemOf(request->resolved);
  (void)self;
  switch (request->resolved->element_type) {
    case DECONV_ID_F64:
      ComputeF64(&p, request->data, request->filter, request->output);
      break;
    case DECONV_ID_F32:
      ComputeF32(&p, request->data, request->filter, request->output);
      break;
    case DECONV_ID_I32:
    case DECONV_ID_U32:
      ComputeU32(&p, request->data, request->filter, request->output);
      break;
    default:
      ComputeU64(&p, request->data, request->filter, request->output);
  }
  return DECONV_ANSWER_COMPUTED; /* output_rank stays 0: the dims are those of the geometry */
}

int deconv_backend_open(const char* config, deconv_backend* backend) {
  if (config[0] != '\0' || backend->size < sizeof(*backend)) return 1;
  *backend = (deconv_backend){
      .size = sizeof(*backend), .abi = DECONV_BACKEND_ABI, .describe = Describe, .run = Run, .supports = Supports};
  return 0;
}
