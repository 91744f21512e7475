/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C interface of a backend. Through this header the suite asks an implementation to run transposed convolutions.
 * The suite's own kernel uses the same interface. A backend is a shared library that exports the function
 * `deconv_backend_open`. The interface is plain C: no type and no exception of C++ crosses it.
 *
 * Every struct starts with its own size in bytes, so that later versions can append fields. Read or write a field only
 * if it lies within `size`. Pointers are valid only during the call. The suite calls a backend from one thread at a
 * time. A call must leave the state of this thread and of the process as it was: the floating-point environment
 * (rounding, flush to zero, exception masks, x87 registers), the signal mask and the locale. It may raise exception
 * flags.
 *
 * A library that has a plain function, and no reader of attributes, needs deconv_backend_function.h instead. Complete
 * backends: conformance/examples/function.c, backend.c and backend.cc. Test yours with
 * `deconv-cts doctor ./libyours.so`.
 *
 * The rules of each dialect are numbered in oracle/clauses.md; `deconv-cts explain CASE` applies them to one operator.
 * A backend that reads the attributes itself needs these rules, which nobody can guess from the documents:
 *   - Spellings of auto_pad. OpenVINO: explicit, same_upper, same_lower, valid (A9). oneDNN: none, same_upper,
 *     same_lower, valid (A10); onednn-runtime: None, SAME_UPPER, SAME_LOWER, VALID, exactly so (A17). ONNX: NOTSET,
 *     SAME_UPPER, SAME_LOWER, VALID, exactly so (A11). An absent auto_pad is explicit (A12). Other words are invalid;
 *     other letter cases are open in OpenVINO and oneDNN.
 *   - An attribute that is ignored is checked all the same: pads beside an auto_pad or an output shape must have one
 *     value for each axis (A15). ONNX refuses pads beside an auto_pad that is not NOTSET (A14).
 *   - Empty tensors may be refused (S8). A backend that computes them writes +0.0 to outputs without products (V3).
 *     The count of an empty tensor is 0 even if its other sizes multiply to more than 63 bits: do not overflow (O1).
 *   - With an output shape OpenVINO, oneDNN and ONNX place the data in three ways (P4 to P15, P18 to P26).
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

/* The largest number of dimensions of a tensor. A group filter has one dimension more than its data. */
#define DECONV_BACKEND_MAX_RANK 16

/* Enumerators are part of the binary interface. Their values never change. */
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
  DECONV_ID_BOOLEAN = 12, /* never valid: the suite sends it to see the backend refuse it */
  DECONV_ID_STRING = 13   /* never valid: the suite sends it to see the backend refuse it */
} deconv_element_type_id;

typedef enum deconv_operator_id {
  DECONV_ID_CONVOLUTION_BACKPROP_DATA = 0,       /* OpenVINO opset1 */
  DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA = 1, /* OpenVINO opset1 */
  DECONV_ID_CONVOLUTION_BACKWARD_DATA = 2,       /* oneDNN Graph */
  DECONV_ID_CONV_TRANSPOSE = 3                   /* ONNX, without bias */
} deconv_operator_id;

/* A list of integers. If the attribute is absent, `values` is NULL. In an empty list, `values` is not NULL. */
typedef struct deconv_id_list {
  const int64_t* values;
  int64_t count;
} deconv_id_list;

typedef struct deconv_tensor_description {
  int32_t element_type; /* deconv_element_type_id */
  deconv_id_list dims;
} deconv_tensor_description;

/* The operator with its attributes as the model has them. The attributes are not resolved and not checked, and they may
 * be invalid. */
typedef struct deconv_operator_description {
  size_t size;
  int32_t kind;                           /* deconv_operator_id */
  const char* dialect;                    /* "openvino-spec", ...: the dialect that judges the answer. Always one */
                                          /* that the backend declares and that has the operator, valid or not */
  deconv_tensor_description data;         /* first input */
  deconv_tensor_description filter;       /* second input */
  deconv_tensor_description output_shape; /* third input: type and dims of the shape tensor ... */
  /* ... and its values; NULL in both lists: no third input. Each value fits element_type. If that is DECONV_ID_U64,
   * convert each value to uint64_t: 2^63 and more arrive as negative numbers with the same 64 bits. */
  deconv_id_list output_shape_values;
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
  DECONV_ANSWER_UNSUPPORTED = 2, /* it may be valid, but the backend cannot do it; `message` says why */
  DECONV_ANSWER_OTHER_SHAPE = 3, /* output_rank and output_dims are written, and do not fit output_bytes */
  DECONV_ANSWER_ERROR = 4        /* the backend failed; `message` says how */
} deconv_answer;

/* The order of the filter's dims in memory. I are the channels of the data, O those of the output. */
typedef enum deconv_filter_layout_id {
  DECONV_FILTER_GIOX =
      0, /* [groups, I/groups, O/groups, spatial...], whose memory is that of [I, O/groups, spatial...] */
  DECONV_FILTER_OIX = 1, /* never sent: the memory of weights_format "OIX" is that of GIOX, so the suite writes GIOX */
  DECONV_FILTER_XIO = 2  /* [spatial..., O/groups, I]: weights_format "XIO" of ConvolutionBackwardData */
} deconv_filter_layout_id;

/* A valid operator with everything resolved by the suite, in the dialect that judges the answer. The first
 * `spatial_rank` entries of each array are used, the outermost axis first. Channels are those of all groups together.
 * For each axis:
 *   output[s*i + d*k - pads_begin] += data[i] * filter[k], for all results in 0 <= ... < output
 *   output = s*(data-1) + d*(kernel-1) + 1 + output_padding - pads_begin - pads_end
 * Pads may be negative, and may be larger than the kernel. `output_padding` only adds room at the end: a backend that
 * uses `output` and `pads_begin` needs neither `pads_end` nor `output_padding`. */
typedef struct deconv_resolved_geometry {
  size_t size;
  int32_t element_type;  /* deconv_element_type_id, of all tensors */
  int32_t spatial_rank;  /* rank of the data without batch and channels */
  int32_t channels_last; /* 0: data and output are [batch, channels, spatial...]; 1: [batch, spatial..., channels] */
  int32_t filter_layout; /* deconv_filter_layout_id */
  int64_t batch;
  int64_t groups;
  int64_t in_channels;
  int64_t out_channels;
  int64_t data[DECONV_BACKEND_MAX_RANK];
  int64_t kernel[DECONV_BACKEND_MAX_RANK];
  int64_t strides[DECONV_BACKEND_MAX_RANK];
  int64_t dilations[DECONV_BACKEND_MAX_RANK];
  int64_t pads_begin[DECONV_BACKEND_MAX_RANK];
  int64_t pads_end[DECONV_BACKEND_MAX_RANK];
  int64_t output_padding[DECONV_BACKEND_MAX_RANK];
  int64_t output[DECONV_BACKEND_MAX_RANK];
} deconv_resolved_geometry;

/* One run of an operator on values.
 *
 * `data` and `filter` are dense, in the operator's own layout. Elements have the byte order of the machine. Buffers are
 * aligned to the element's size, and possibly not to more. The backend must not change data and filter. `output`
 * contains garbage. Its size is that of the output dims that the dialect gives. The backend must not touch a byte
 * outside of the three buffers.
 *
 * `output` is NULL if and only if the operator is invalid or undefined in the dialect. Then output_bytes is 0. Data and
 * filter are as large as their dims say, and NULL if their dims give no size from 1 byte to 1 MiB. A tensor of a valid
 * operator that has no elements has a pointer that is not NULL and that must not be read. */
typedef struct deconv_run_request {
  size_t size;
  const deconv_operator_description* operation;
  const void* data;
  size_t data_bytes;
  const void* filter;
  size_t filter_bytes;
  void* output;
  size_t output_bytes;
  /* Written by the backend. */
  int32_t output_rank;
  int64_t output_dims[DECONV_BACKEND_MAX_RANK];
  char message[512]; /* NUL-terminated; one line */
  /* Appended later: read or write them only if they lie within `size`. */
  int32_t threads;         /* number of threads to run with, 1 to the declared max_threads; 0: the backend chooses */
  char implementation[64]; /* written by the backend: the name of the code that ran, for reports ("phases AVX3"); */
                           /* NUL-terminated; one line, or empty */
  void* plan;              /* the plan to run with, made by this backend's plan(); or NULL */
  const deconv_resolved_geometry* resolved; /* not NULL if the backend declares takes_resolved. Such a backend may */
                                            /* leave output_rank 0: its output then has the dims of `resolved` */
} deconv_run_request;

/* Asks whether the backend supports an operator. The suite asks before it runs a valid or an open operator, in the same
 * process. Before it sends an invalid operator, it asks for the valid operator that the invalid one was made from. What
 * a backend does not support is not run and not held against it; reports show it with the reason. */
typedef struct deconv_supports_request {
  size_t size;
  const deconv_operator_description* operation;
  const deconv_resolved_geometry* resolved; /* as in deconv_run_request */
  /* Written by the backend. */
  char message[512]; /* the reason of a no: NUL-terminated; one line. Reports group cases by this text */
} deconv_supports_request;

/* Asks for a plan. A plan is everything that a backend can prepare for an operator before it has values, to run the
 * operator many times. A run with the plan may have other sizes than the operator of the plan and than earlier runs:
 *   - another batch,
 *   - other spatial dims of the data,
 *   - other values of output_shape, of dst_shape or of output_shape_attribute.
 * These sizes may be larger or smaller, and may return to earlier ones. Output dims follow from them, and so do pads
 * that auto_pad or an output shape decides, because the total padding may differ too. Everything else is the same.
 * A plan may keep values that follow from sizes only if it computes them anew for a run of other sizes. The values of
 * data and filter differ in every run. */
typedef struct deconv_plan_request {
  size_t size;
  const deconv_operator_description* operation;
  /* Written by the backend. */
  void* plan;        /* not NULL */
  char message[512]; /* NUL-terminated; one line */
  /* Appended later: read it only if it lies within `size`. */
  const deconv_resolved_geometry* resolved; /* of `operation`, as in deconv_run_request; a run may have other sizes */
} deconv_plan_request;

/* Asks for the output dims and offsets of an operator, without values. The suite `exhaustive` asks this millions of
 * times. */
typedef struct deconv_resolve_request {
  size_t size;
  const deconv_operator_description* operation;
  /* Written by the backend. */
  int32_t output_rank;
  int64_t output_dims[DECONV_BACKEND_MAX_RANK];
  int32_t tells_pads_begin;                    /* 1: pads_begin is written; 0: the backend cannot tell */
  int64_t pads_begin[DECONV_BACKEND_MAX_RANK]; /* of output[s*i + d*k - pads_begin] += ..., for each axis */
  char message[512];                           /* NUL-terminated; one line */
} deconv_resolve_request;

typedef enum deconv_accumulator_id {
  DECONV_ACCUMULATOR_F32 = 0, /* for f32, f16 and bf16; sums of f64 are in f64, but for `types_in_f32` */
  DECONV_ACCUMULATOR_F64 = 1,
  DECONV_ACCUMULATOR_STORAGE = 2,        /* the element type itself */
  DECONV_ACCUMULATOR_F64_THROUGH_F32 = 3 /* F64, and a sum may be rounded to f32 before it is rounded to f16 or bf16 */
} deconv_accumulator_id;

/* How operations round. "Faithfully" means: to either neighbour of the exact result. */
typedef enum deconv_rounding_id {
  DECONV_ROUNDING_NEAREST = 0,
  DECONV_ROUNDING_FAITHFUL = 1,      /* sums and the conversion to the element type round faithfully */
  DECONV_ROUNDING_FAITHFUL_SUMS = 2, /* sums round faithfully; the conversion to the element type to nearest */
  DECONV_ROUNDING_FUSED_SUMS = 3 /* an adder aligns several operands and cuts off what is below its last place, as */
                                 /* matrix units do; the conversion to the element type to nearest */
} deconv_rounding_id;

typedef enum deconv_subnormals_id {
  DECONV_SUBNORMALS_KEPT = 0,
  DECONV_SUBNORMALS_FLUSHED = 1,        /* operands, products and sums may become zero */
  DECONV_SUBNORMALS_FLUSHED_IN_BF16 = 2 /* flushed in bf16, whose dot product instructions do it; kept in other types */
} deconv_subnormals_id;

typedef enum deconv_overflow_id {
  DECONV_OVERFLOW_WRAPS = 0, /* integers, modulo 2^bits */
  DECONV_OVERFLOW_SATURATES = 1
} deconv_overflow_id;

/* The runs that give the same bits for the same operands, wherever the buffers lie. The suite checks this promise. */
typedef enum deconv_deterministic_bit {
  DECONV_SAME_BITS_EVERY_RUN = 1,  /* with the same number of threads */
  DECONV_SAME_BITS_ANY_THREADS = 2 /* with any number of threads, in every run */
} deconv_deterministic_bit;

/* How the backend computes floating-point sums. */
typedef enum deconv_algorithm_id {
  DECONV_ALGORITHM_DIRECT = 0, /* each output is a sum of its own products, in any order */
  DECONV_ALGORITHM_FAST = 1    /* by transforms (FFT), whose errors, NaN and infinities reach other outputs; the */
                               /* suite judges by the norms of all mixed operands, which proves less */
} deconv_algorithm_id;

/* How a backend computes with one floating type. The other types follow the fields of deconv_backend_description. */
typedef struct deconv_type_arithmetic {
  size_t size;          /* of each row of the list: the distance from row to row */
  int32_t element_type; /* deconv_element_type_id: f64, f32, f16 or bf16; at most one row for each */
  int32_t accumulator;  /* deconv_accumulator_id */
  int32_t rounding;     /* deconv_rounding_id */
  int32_t subnormals;   /* DECONV_SUBNORMALS_KEPT or DECONV_SUBNORMALS_FLUSHED */
} deconv_type_arithmetic;

/* Differences from the specification that a backend knows of. The suite excuses what they explain, counts it, and
 * judges everything else. */
typedef enum deconv_deviation_bit {
  /* Zeros are inserted between and around the data, or between the taps of the filter, and are multiplied. So an output
   * may be NaN because such a zero meets NaN or an infinity. */
  DECONV_DEVIATION_STRUCTURAL_NAN = 1,
  /* Infinities are clamped: the largest finite number of the same sign stands where an output should be infinite, or
   * where an operand is. */
  DECONV_DEVIATION_CLAMPED_INFINITY = 2
} deconv_deviation_bit;

/* What a backend does not support: bits of `unsupported` below. The suite does not run such operators. Pads are those
 * of the resolved operator, for each axis: pads_end = s*(data-1) + d*(kernel-1) + 1 + output_padding - pads_begin -
 * output. */
typedef enum deconv_unsupported_bit {
  DECONV_UNSUPPORTED_DILATIONS = 1,        /* a dilation above 1 */
  DECONV_UNSUPPORTED_GROUPS = 2,           /* more than one group */
  DECONV_UNSUPPORTED_ASYMMETRIC_PADS = 4,  /* pads_begin differs from pads_end on some axis */
  DECONV_UNSUPPORTED_NEGATIVE_PADS = 8,    /* a negative pads_begin or pads_end */
  DECONV_UNSUPPORTED_OUTPUT_PADDING = 16,  /* an output_padding that is not 0 */
  DECONV_UNSUPPORTED_EMPTY_TENSORS = 32,   /* data, filter or output without elements */
  DECONV_UNSUPPORTED_SHAPE_ATTRIBUTE = 64, /* dst_shape or output_shape_attribute */
  DECONV_UNSUPPORTED_SHAPE_INPUT = 128,    /* output_shape as a tensor */
  DECONV_UNSUPPORTED_AUTO_PAD = 256,       /* same_upper, same_lower or valid, in any spelling */
  DECONV_UNSUPPORTED_STRIDES = 512,        /* a stride above 1 */
  DECONV_UNSUPPORTED_NCX = 1024,           /* data as [batch, channels, spatial...]: all but ConvolutionBackwardData */
  DECONV_UNSUPPORTED_NXC = 2048,           /* data as [batch, spatial..., channels] */
  DECONV_UNSUPPORTED_OIX = 4096,           /* ConvolutionBackwardData: weights_format */
  DECONV_UNSUPPORTED_XIO = 8192
} deconv_unsupported_bit;

/* The abilities of a backend. If the backend refuses something that it declares, that is a failure. */
typedef struct deconv_backend_description {
  size_t size;
  const char* name;
  const char* version;
  const char* const* dialects; /* NULL-terminated. The dialect of the case judges the answer if it is in this list; */
                               /* else the first dialect in the list that defines the operator judges it */
  uint32_t operators;          /* bit i: deconv_operator_id i */
  uint32_t element_types;      /* bit i: deconv_element_type_id i */
  int32_t min_rank;            /* of data */
  int32_t max_rank;
  uint64_t max_bytes;        /* largest tensor, 0: no limit */
  int32_t accumulator;       /* deconv_accumulator_id */
  int32_t faithful_rounding; /* 0: every operation rounds to nearest; 1: to either neighbour */
  int32_t subnormals;        /* deconv_subnormals_id */
  int32_t overflow;          /* deconv_overflow_id */
  /* Appended later: a description may end here. Then the suite reads zeros for the rest. */
  uint32_t deterministic;                   /* any bits of deconv_deterministic_bit; 0: no promise */
  int32_t max_threads;                      /* the largest `threads` of a run; 0: the backend ignores `threads` */
  int32_t algorithm;                        /* deconv_algorithm_id, for floating types */
  const deconv_type_arithmetic* arithmetic; /* types that differ from the fields above; NULL: none */
  size_t arithmetic_count;                  /* number of rows, at most 4 */
  uint32_t known_deviations;                /* any bits of deconv_deviation_bit; 0: none */
  uint32_t unsupported;                     /* any bits of deconv_unsupported_bit; 0: none */
  int64_t max_attribute;                    /* the largest magnitude of a stride, a dilation, a pad, an */
                                            /* output_padding, or a size in a shape; 0: no limit */
  int32_t takes_resolved;                   /* 1: requests carry `resolved`. Invalid operators are not sent, and */
                                            /* resolve() is not asked: resolution is the suite's */
  uint64_t saturating_types; /* bit i: integers of deconv_element_type_id i saturate, even if `overflow` is WRAPS */
  uint64_t
      types_in_f32; /* bit i: operands of deconv_element_type_id i, f64 or integers, are rounded to f32, and their */
                    /* products and sums are in f32 */
} deconv_backend_description;

typedef struct deconv_backend {
  size_t size;
  uint32_t abi; /* DECONV_BACKEND_ABI */
  void* self;   /* passed to each function */
  const deconv_backend_description* (*describe)(void* self);
  deconv_answer (*run)(void* self, deconv_run_request* request);
  void (*close)(void* self); /* may be NULL */
  /* Answers COMPUTED (the request is filled in), REFUSED, UNSUPPORTED or ERROR, for the same operators as run(). May be
   * NULL or lie outside `size`. Then the suite does not ask for anything that needs it. */
  deconv_answer (*resolve)(void* self, deconv_resolve_request* request);
  /* plan() answers COMPUTED (`plan` is written), UNSUPPORTED (this operator runs without a plan) or ERROR. Set both
   * functions, or leave both NULL or outside `size`. If a backend offers plans, every second run of an operator uses a
   * plan that has run before, also with other sizes. Plans of several operators may live at the same time. */
  deconv_answer (*plan)(void* self, deconv_plan_request* request);
  void (*release)(void* self, void* plan);
  /* Returns 1 if run() computes or refuses the operator, 0 if it does not support it; then `message` says why. Any
   * other number breaks the contract. The answer must be the same whenever the suite asks. May be NULL or lie outside
   * `size`: then every declared operator is supported. If supports() says yes and run() answers UNSUPPORTED, that is a
   * failure. */
  int32_t (*supports)(void* self, deconv_supports_request* request);
} deconv_backend;

/* The function that a backend library exports. It fills `backend`; the caller has set `backend->size`. `config` is the
 * text after the path on the command line, or "". Returns 0, or another number if the backend is not available. */
typedef int (*deconv_backend_open_fn)(const char* config, deconv_backend* backend);

#define DECONV_BACKEND_OPEN_SYMBOL "deconv_backend_open"

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*, readability-identifier-naming) */

#endif /* DECONV_BACKEND_H_ */
