/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * deconv: transposed convolution on a CPU. The public C interface (C99 and C++).
 *
 * The operation, for every spatial axis at once and for every group by itself:
 *
 *     output[n, co, s*i + d*k - pads_begin] += data[n, ci, i] * filter[ci, co, k]
 *
 * with s = stride, d = dilation, i over the data, k over the taps of the filter. The filter is not flipped, a position
 * that no product reaches is +0.0, and structural zeros (padding, gaps of stride and dilation) never multiply, so that
 * NaN and Inf appear exactly where a contributing product puts them. Sums are f32 for f32, f16 and bf16 (rounded once,
 * to nearest even, into the latter two; a target may flush subnormals in bf16 dot products), f64 for f64; integers wrap
 * modulo 2^n.
 *
 * The flow: describe the operator as its specification does, attributes unresolved; create a plan; ask it for sizes;
 * pack the filter once; run as often as wanted. Only deconv_plan_create allocates. A plan is immutable, so any number
 * of threads may pack and run with it at once (each run with a workspace of its own). Nothing throws, aborts or prints.
 */
#ifndef DECONV_DECONV_H_
#define DECONV_DECONV_H_

/* NOLINTBEGIN(modernize-*, readability-identifier-naming): C has other idioms than the C++ around it. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DECONV_VERSION_MAJOR 0
#define DECONV_VERSION_MINOR 1
#define DECONV_VERSION_PATCH 0

/* Ranks of data that plans accept: 3 (one spatial axis) to 10. */
#define DECONV_MAX_RANK 10

/* All enumerations are int32_t in the binary interface; values never change their meaning. */
typedef int32_t deconv_code;
enum {
  DECONV_OK = 0,
  DECONV_INVALID_ARGUMENT = 1, /* the call itself: a null pointer, a struct size or an enumeration value unknown here */
  DECONV_INVALID_OPERATOR = 2, /* the operator breaks a rule of its specification; the message cites it */
  DECONV_UNSUPPORTED = 3,      /* legal, but not by this version: this one returns it for nothing */
  DECONV_OVERFLOW = 4,         /* a size does not fit signed 64-bit arithmetic or this machine's address space */
  DECONV_BUFFER_TOO_SMALL = 5, /* a buffer has fewer bytes than its tensor, packed filter or workspace needs */
  DECONV_OUT_OF_MEMORY = 6     /* deconv_plan_create could not allocate */
};

/* Why a call failed. Set struct_bytes to sizeof(deconv_status) before the call; the message is cut to fit and always
 * ends with a zero byte; it is empty on success. Every function takes NULL where the caller does not care. */
typedef struct deconv_status {
  size_t struct_bytes;
  deconv_code code;
  char message[512];
} deconv_status;

typedef int32_t deconv_kind;
enum {
  DECONV_CONVOLUTION_BACKPROP_DATA = 1,       /* ConvolutionBackpropData-1: filter [C_IN, C_OUT, spatial] */
  DECONV_GROUP_CONVOLUTION_BACKPROP_DATA = 2, /* GroupConvolutionBackpropData-1: [GROUPS, C_IN, C_OUT, spatial] */
  DECONV_CONVOLUTION_BACKWARD_DATA = 3,       /* ConvolutionBackwardData of oneDNN Graph: OIX or XIO */
  DECONV_CONV_TRANSPOSE = 4                   /* ConvTranspose of ONNX (no bias): [C, M/group, spatial] */
};

/* How attributes become pads and sizes. openvino-* go with the first two kinds, onednn-* with the third, onnx* with the
 * fourth. */
typedef int32_t deconv_dialect;
enum {
  DECONV_OPENVINO_SPEC = 1,    /* the formulas of the documents */
  DECONV_OPENVINO_RUNTIME = 2, /* what OpenVINO's code does */
  DECONV_ONEDNN_SPEC = 3,      /* the formulas of the document */
  DECONV_ONEDNN_RUNTIME = 4,   /* what oneDNN does: pads of auto_pad from the output's size, output_padding unused */
  DECONV_ONNX_1 = 5,           /* the text of operator sets 1 to 10; SAME_* without output_shape is refused */
  DECONV_ONNX_11 = 6,          /* the text from operator set 11 on */
  DECONV_ONNXRUNTIME = 7       /* what ONNX Runtime does: as the text, without negative pads */
};

typedef int32_t deconv_type;
enum {
  DECONV_UNDEFINED = 0,
  DECONV_F64 = 1,
  DECONV_F32 = 2,
  DECONV_F16 = 3, /* IEEE binary16 */
  DECONV_BF16 = 4,
  DECONV_I8 = 5,
  DECONV_I16 = 6,
  DECONV_I32 = 7,
  DECONV_I64 = 8,
  DECONV_U8 = 9,
  DECONV_U16 = 10,
  DECONV_U32 = 11,
  DECONV_U64 = 12,
  DECONV_BOOLEAN = 13, /* not numeric: here so that an operator with it can be described, and refused */
  DECONV_STRING = 14   /* likewise */
};

typedef int32_t deconv_layout;
enum {
  DECONV_NCX = 0, /* [N, C, spatial], the last axis contiguous */
  DECONV_NXC = 1  /* [N, spatial, C], the channels contiguous */
};

/* A list attribute or the dimensions of a tensor. values == NULL means absent; an empty list that is present has a
 * pointer and count 0. The lists are only read during deconv_plan_create. */
typedef struct deconv_list {
  const int64_t* values;
  size_t count;
} deconv_list;

/* Element type and shape; the rank is dims.count, and dims.values may be NULL where the rank is 0. */
typedef struct deconv_tensor {
  deconv_type type;
  int32_t reserved; /* 0 */
  deconv_list dims;
} deconv_tensor;

/* An operator as its specification describes it. Zero-initialise, set struct_bytes to sizeof(deconv_operator), fill in
 * what the operator has. Attributes that the kind does not know must be absent. */
typedef struct deconv_operator {
  size_t struct_bytes;
  deconv_kind kind;
  deconv_dialect dialect;

  /* Logical shapes. OpenVINO and ONNX: data [N, C, spatial] whatever the memory layout is. oneDNN: as data_format and
   * weights_format order them. */
  deconv_tensor data;
  deconv_tensor filter;

  /* The optional third input (output_shape of OpenVINO: spatial axes only; dst_shape of oneDNN: the full shape in
   * data_format order): its own element type and dims, and its values. */
  int32_t has_output_shape; /* 0 or 1 */
  int32_t has_groups;       /* 0 or 1 */
  deconv_tensor output_shape;
  deconv_list output_shape_values;

  /* One value per spatial axis, outermost first. */
  deconv_list strides;
  deconv_list dilations;
  deconv_list pads_begin;
  deconv_list pads_end;
  deconv_list output_padding;

  const char* auto_pad; /* as spelled by the source; NULL = absent */

  int64_t groups;                     /* oneDNN groups, ONNX group; read if has_groups */
  const char* data_format;            /* oneDNN: "NCX" or "NXC"; NULL = NXC */
  const char* weights_format;         /* oneDNN: "OIX" or "XIO"; NULL = XIO */
  deconv_list dst_shape;              /* oneDNN attribute: full shape in data_format order */
  deconv_list kernel_shape;           /* ONNX attribute */
  deconv_list output_shape_attribute; /* ONNX attribute output_shape: spatial axes only */
} deconv_operator;

/* Choices that are the caller's and not the operator's. Zero-initialise, set struct_bytes. */
typedef struct deconv_options {
  size_t struct_bytes;
  /* Memory layout of data and output for OpenVINO and ONNX operators; oneDNN's data_format decides there. */
  deconv_layout layout;
  int32_t reserved; /* 0 */
  /* Name of an algorithm to force (for tests and benchmarks), NULL = the plan chooses. One that does not exist or does
   * not fit the operator is refused with DECONV_INVALID_ARGUMENT. */
  const char* algorithm;
} deconv_options;

typedef struct deconv_plan deconv_plan;

/* Resolves and checks the operator and prepares everything that does not depend on values.
 * options may be NULL. On success *plan is to be freed with deconv_plan_destroy; on failure it is NULL. */
deconv_code deconv_plan_create(const deconv_operator* op, const deconv_options* options, deconv_plan** plan,
                               deconv_status* status);
void deconv_plan_destroy(deconv_plan* plan); /* NULL is fine */

/* What the plan resolved. Pointers stay valid while the plan lives. Dimensions are logical, as in the operator:
 * OpenVINO and ONNX [N, C, spatial]; oneDNN in data_format order. */
int32_t deconv_plan_output_rank(const deconv_plan* plan);
const int64_t* deconv_plan_output_dims(const deconv_plan* plan);
/* Per spatial axis, outermost first (rank - 2 values): the crop at the beginning that the values depend on; negative =
 * shift.
 */
const int64_t* deconv_plan_pads_begin(const deconv_plan* plan);
/* Likewise at the end: stride*(X-1) + dilation*(K-1) + 1 + (output padding that counts) - pads_begin - pads_end =
 * output. */
const int64_t* deconv_plan_pads_end(const deconv_plan* plan);

/* Sizes in bytes. Tensors are dense. */
size_t deconv_plan_data_bytes(const deconv_plan* plan);
size_t deconv_plan_filter_bytes(const deconv_plan* plan);
size_t deconv_plan_output_bytes(const deconv_plan* plan);
size_t deconv_plan_packed_filter_bytes(const deconv_plan* plan);
/* For a run with that many workers (0 counts as 1). SIZE_MAX if the size overflows. */
size_t deconv_plan_workspace_bytes(const deconv_plan* plan, size_t workers);

/* Names for reports: the algorithm chosen, and the instruction set that the plan is bound to. */
const char* deconv_plan_algorithm(const deconv_plan* plan);
const char* deconv_plan_target(const deconv_plan* plan);

/* Rearranges the filter for the plan. filter_bytes >= deconv_plan_filter_bytes, packed_bytes >=
 * deconv_plan_packed_filter_bytes. The packed filter belongs to this plan and to equal plans on the same target;
 * deconv_run refuses others. Any alignment will do. */
deconv_code deconv_pack_filter(const deconv_plan* plan, const void* filter, size_t filter_bytes, void* packed,
                               size_t packed_bytes, deconv_status* status);

/* task(argument, index, worker) does part `index`; worker < workers tells apart what runs at the same time. */
typedef void (*deconv_task)(void* argument, size_t index, size_t worker);
/* Calls task once for every index in [0, count), in any order and on any threads, and returns when all are done. */
typedef void (*deconv_parallel_for)(void* context, size_t count, deconv_task task, void* argument);

/* One execution. Zero-initialise, set struct_bytes. Buffers may have any alignment and must not overlap, except data
 * and packed_filter, which are only read. No byte outside of [pointer, pointer + bytes needed) is touched. */
typedef struct deconv_run_args {
  size_t struct_bytes;
  const void* data;
  size_t data_bytes;
  const void* packed_filter;
  size_t packed_filter_bytes;
  void* output;
  size_t output_bytes;
  void* workspace; /* may be NULL if deconv_plan_workspace_bytes is 0 */
  size_t workspace_bytes;
  deconv_parallel_for parallel_for; /* NULL = all on the calling thread; the result is the same to the bit */
  void* parallel_context;
  size_t workers; /* greatest number of tasks that run at the same time; 0 counts as 1; ignored without parallel_for */
} deconv_run_args;

/* Never allocates. On failure by arguments the output is untouched. */
deconv_code deconv_run(const deconv_plan* plan, const deconv_run_args* args, deconv_status* status);

/* "0.1.0"; of the library that runs, where DECONV_VERSION_* are of the header that was compiled. */
const char* deconv_version(void);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*, readability-identifier-naming) */

#endif /* DECONV_DECONV_H_ */
