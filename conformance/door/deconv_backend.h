/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The door for backends: the one C interface through which the suite asks any implementation, its own kernel included,
 * to run a transposed convolution. A shared library exports `deconv_backend_open`; nothing of C++ crosses the boundary.
 *
 * Every struct starts with its own size in bytes, so that later versions can append fields: read a field only if it
 * lies within `size`. Pointers are valid during the call only. The suite calls a backend from one thread at a time.
 */
#ifndef DECONV_BACKEND_H_
#define DECONV_BACKEND_H_

/* NOLINTBEGIN(modernize-*, readability-identifier-naming): C has other idioms than the C++ around it. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DECONV_BACKEND_ABI 1u

/* Tensors have at most this many dimensions (a group filter has one more than its data). */
#define DECONV_BACKEND_MAX_RANK 16

/* Enumerators are part of the binary interface: they never change their values. */
typedef enum deconv_element_type_id {
  DECONV_ID_F64 = 0,
  DECONV_ID_F32 = 1,
  DECONV_ID_F16 = 2,
  DECONV_ID_BF16 = 3,
  DECONV_ID_I8 = 4,
  DECONV_ID_I16 = 5,
  DECONV_ID_I32 = 6,
  DECONV_ID_I64 = 7,
  DECONV_ID_U8 = 8,
  DECONV_ID_U16 = 9,
  DECONV_ID_U32 = 10,
  DECONV_ID_U64 = 11,
  DECONV_ID_BOOLEAN = 12, /* never valid; sent to see it refused */
  DECONV_ID_STRING = 13   /* never valid; sent to see it refused */
} deconv_element_type_id;

typedef enum deconv_operator_id {
  DECONV_ID_CONVOLUTION_BACKPROP_DATA = 0,       /* OpenVINO opset1 */
  DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA = 1, /* OpenVINO opset1 */
  DECONV_ID_CONVOLUTION_BACKWARD_DATA = 2,       /* oneDNN Graph */
  DECONV_ID_CONV_TRANSPOSE = 3                   /* ONNX, without bias */
} deconv_operator_id;

/* A list of integers; `values` is NULL if the attribute is absent, which an empty list is not. */
typedef struct deconv_id_list {
  const int64_t* values;
  int64_t count;
} deconv_id_list;

typedef struct deconv_tensor_description {
  int32_t element_type; /* deconv_element_type_id */
  deconv_id_list dims;
} deconv_tensor_description;

/* The operator with its attributes as the model has them: unresolved, unchecked, possibly invalid. */
typedef struct deconv_operator_description {
  size_t size;
  int32_t kind;                           /* deconv_operator_id */
  const char* dialect;                    /* "openvino-spec", ...: the reading that the answer is judged by */
  deconv_tensor_description data;         /* first input */
  deconv_tensor_description filter;       /* second input */
  deconv_tensor_description output_shape; /* third input: the shape tensor's own type and dims ... */
  deconv_id_list output_shape_values;     /* ... and its values; both lists are NULL if there is no third input */
  deconv_id_list strides;
  deconv_id_list dilations;
  deconv_id_list pads_begin;
  deconv_id_list pads_end;
  deconv_id_list output_padding;
  const char* auto_pad;        /* as spelled in the model, or NULL */
  const char* data_format;     /* ConvolutionBackwardData: "NCX", "NXC" or NULL */
  const char* weights_format;  /* ConvolutionBackwardData: "OIX", "XIO" or NULL */
  deconv_id_list dst_shape;    /* ConvolutionBackwardData: the attribute */
  deconv_id_list groups;       /* ConvolutionBackwardData `groups`, ConvTranspose `group`: NULL or one value */
  deconv_id_list kernel_shape; /* ConvTranspose */
  deconv_id_list output_shape_attribute; /* ConvTranspose `output_shape` */
} deconv_operator_description;

typedef enum deconv_answer {
  DECONV_ANSWER_COMPUTED = 0,    /* output_rank, output_dims and the output are written */
  DECONV_ANSWER_REFUSED = 1,     /* the operator is invalid; `message` says why */
  DECONV_ANSWER_UNSUPPORTED = 2, /* valid perhaps, but the backend cannot do it; `message` says why */
  DECONV_ANSWER_OTHER_SHAPE = 3, /* output_rank and output_dims are written; they do not fit output_bytes */
  DECONV_ANSWER_ERROR = 4        /* the backend failed; `message` says how */
} deconv_answer;

typedef struct deconv_run_request {
  size_t size;
  const deconv_operator_description* operation;
  const void* data; /* dense, in the operator's own layout; no alignment beyond the element's size is promised, ... */
  size_t data_bytes;
  const void* filter; /* ... and not one byte outside the three buffers may be touched, nor the inputs changed. */
  size_t filter_bytes;
  void* output; /* holds garbage. Sized for the output dims that the dialect gives; NULL for an invalid operator, of */
                /* which data and filter are sized by their own dims, and NULL where these are no sizes up to 1 MiB */
  size_t output_bytes;
  /* Written by the backend. */
  int32_t output_rank;
  int64_t output_dims[DECONV_BACKEND_MAX_RANK];
  char message[512]; /* NUL-terminated; one line */
  /* Appended later: read or write them only if they lie within `size`. */
  int32_t threads; /* to run with, from 1 to the declared max_threads; 0: the backend's choice */
  char
      implementation[64]; /* written by the backend: which code ran, for reports ("phases AVX3"); NUL-terminated, one */
                          /* line, or empty */
  void* plan;             /* to run with, of this backend's plan(); or NULL */
} deconv_run_request;

/* For a plan: what a backend can prepare of an operator before it has values, to run it many times. The operators that
 * it is then run with differ from this one in sizes alone: the data's batch and spatial dims, and with them the
 * output's and what an output shape or dst_shape asks for. Data and filter differ in every run. */
typedef struct deconv_plan_request {
  size_t size;
  const deconv_operator_description* operation;
  /* Written by the backend. */
  void* plan;        /* not NULL */
  char message[512]; /* NUL-terminated; one line */
} deconv_plan_request;

/* What an operator resolves to, without its values: asked millions of times by the suite `exhaustive`. */
typedef struct deconv_resolve_request {
  size_t size;
  const deconv_operator_description* operation;
  /* Written by the backend. */
  int32_t output_rank;
  int64_t output_dims[DECONV_BACKEND_MAX_RANK];
  int32_t tells_pads_begin;                    /* 1 if it wrote pads_begin, 0 if it cannot tell */
  int64_t pads_begin[DECONV_BACKEND_MAX_RANK]; /* per spatial axis, of output[s*i + d*k - pads_begin] += ... */
  char message[512];                           /* NUL-terminated; one line */
} deconv_resolve_request;

typedef enum deconv_accumulator_id {
  DECONV_ACCUMULATOR_F32 = 0, /* of f32, f16 and bf16; f64 sums are always f64 */
  DECONV_ACCUMULATOR_F64 = 1,
  DECONV_ACCUMULATOR_STORAGE = 2 /* the element type itself */
} deconv_accumulator_id;

typedef enum deconv_subnormals_id {
  DECONV_SUBNORMALS_KEPT = 0,
  DECONV_SUBNORMALS_FLUSHED = 1,        /* operands, products and sums may be flushed to zero */
  DECONV_SUBNORMALS_FLUSHED_IN_BF16 = 2 /* so by the dot product instructions of bf16, and kept in all other types */
} deconv_subnormals_id;

typedef enum deconv_overflow_id {
  DECONV_OVERFLOW_WRAPS = 0, /* integers, modulo 2^bits */
  DECONV_OVERFLOW_SATURATES = 1
} deconv_overflow_id;

/* Which runs on the same operands give the same bits, wherever the buffers lie. Declared, it is checked. */
typedef enum deconv_deterministic_bit {
  DECONV_SAME_BITS_EVERY_RUN = 1,  /* with the same number of threads */
  DECONV_SAME_BITS_ANY_THREADS = 2 /* with any number of threads, in every run */
} deconv_deterministic_bit;

/* How floating-point sums come about. */
typedef enum deconv_algorithm_id {
  DECONV_ALGORITHM_DIRECT = 0, /* each output is a sum of its own products, in any order */
  DECONV_ALGORITHM_FAST = 1    /* by transforms (FFT), whose errors and specials reach other outputs: judged */
                               /* by the norms of all that is mixed, which proves less */
} deconv_algorithm_id;

/* What a backend says of itself. A refusal within what it declares is a failure. */
typedef struct deconv_backend_description {
  size_t size;
  const char* name;
  const char* version;
  const char* const* dialects; /* NULL-terminated; it is judged by the first that speaks the operator, */
                               /* or by the case's own if that is among them */
  uint32_t operators;          /* bit i: deconv_operator_id i */
  uint32_t element_types;      /* bit i: deconv_element_type_id i */
  int32_t min_rank;            /* of data */
  int32_t max_rank;
  uint64_t max_bytes;        /* largest tensor, 0: no limit */
  int32_t accumulator;       /* deconv_accumulator_id */
  int32_t faithful_rounding; /* 0: every operation rounds to nearest; 1: to one of the two neighbours */
  int32_t subnormals;        /* deconv_subnormals_id */
  int32_t overflow;          /* deconv_overflow_id */
  /* Appended later: a description may end here, and then has zeros for the rest. */
  uint32_t deterministic; /* deconv_deterministic_bit, any of them; 0: nothing is promised */
  int32_t max_threads;    /* that a run can be asked to use; 0: it cannot be asked, `threads` is ignored */
  int32_t algorithm;      /* deconv_algorithm_id; of floating types */
} deconv_backend_description;

typedef struct deconv_backend {
  size_t size;
  uint32_t abi; /* DECONV_BACKEND_ABI */
  void* self;   /* handed back to each function */
  const deconv_backend_description* (*describe)(void* self);
  deconv_answer (*run)(void* self, deconv_run_request* request);
  void (*close)(void* self); /* may be NULL */
  /* COMPUTED (the request is filled in), REFUSED, UNSUPPORTED or ERROR, for the same operators as run(). May be NULL,
   * or lie outside `size`: then nothing that needs it is asked. */
  deconv_answer (*resolve)(void* self, deconv_resolve_request* request);
  /* Both, or NULL, or outside `size`. COMPUTED (`plan` is written), UNSUPPORTED (this operator is run without one) or
   * ERROR. Of a backend that offers plans every other run of an operator goes through one, made for other sizes. */
  deconv_answer (*plan)(void* self, deconv_plan_request* request);
  void (*release)(void* self, void* plan);
} deconv_backend;

/* What a backend library exports. Fills `backend`, whose `size` is set by the caller; `config` is what followed the
 * path on the command line, or "". Returns 0, or another number if the backend cannot be had. */
typedef int (*deconv_backend_open_fn)(const char* config, deconv_backend* backend);

#define DECONV_BACKEND_OPEN_SYMBOL "deconv_backend_open"

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*, readability-identifier-naming) */

#endif /* DECONV_BACKEND_H_ */
