/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file
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
 * pack the filter once; run as often as wanted. Only deconv_plan_create and deconv_selftest allocate. A plan is
 * immutable, so any number of threads may pack and run with it at once (each run with a workspace of its own). Nothing
 * throws, aborts or prints.
 *
 * Structs begin with their size and grow at their end alone. A shorter one, of a caller that was compiled with an older
 * header, is understood, the fields that it lacks being zero; a longer one if what is not known here is zero.
 */
#ifndef DECONV_DECONV_H_
#define DECONV_DECONV_H_

/* NOLINTBEGIN(modernize-*, readability-identifier-naming): C has other idioms than the C++ around it. */
#include <stddef.h>
#include <stdint.h>

/** What the shared library exports; all else in it is hidden. */
#if defined(__GNUC__)
#define DECONV_API __attribute__((visibility("default")))
#else
#define DECONV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define DECONV_VERSION_MAJOR 0 /**< Of this header; deconv_version() is of the library that runs. */
#define DECONV_VERSION_MINOR 1 /**< Until version 1.0 another minor version may be another binary interface. */
#define DECONV_VERSION_PATCH 0 /**< Another patch has the same binary interface. */

/** Ranks of data that plans accept: 3 (one spatial axis) to 10. */
#define DECONV_MAX_RANK 10

/** What a call came to. All enumerations are int32_t in the binary interface; values never change their meaning. */
typedef int32_t deconv_code;
/** Values of deconv_code. */
enum {
  DECONV_OK = 0,               /**< Done. */
  DECONV_INVALID_ARGUMENT = 1, /**< The call itself: a null pointer, a struct size, a value or a name unknown here. */
  DECONV_INVALID_OPERATOR = 2, /**< The operator breaks a rule of its specification; the message cites it. */
  DECONV_UNSUPPORTED = 3,      /**< Legal, but not by this version: this one returns it for nothing. */
  DECONV_OVERFLOW = 4,         /**< A size does not fit signed 64-bit arithmetic or this machine's address space. */
  DECONV_BUFFER_TOO_SMALL = 5, /**< A buffer has fewer bytes than its tensor, packed filter or workspace needs. */
  DECONV_OUT_OF_MEMORY = 6,    /**< deconv_plan_create or deconv_selftest could not allocate. */
  DECONV_SELFTEST_FAILED = 7   /**< deconv_selftest found a wrong output. */
};

/** Why a call failed. Every function takes NULL where the caller does not care. */
typedef struct deconv_status {
  size_t struct_bytes; /**< sizeof(deconv_status), set before the call. */
  deconv_code code;    /**< What the call returned. */
  char message[512];   /**< Cut to fit, always ends with a zero byte; empty on success. */
} deconv_status;

/** Which operator. */
typedef int32_t deconv_kind;
/** Values of deconv_kind, with the shape of the filter. */
enum {
  DECONV_CONVOLUTION_BACKPROP_DATA = 1,       /**< ConvolutionBackpropData-1: [C_IN, C_OUT, spatial] */
  DECONV_GROUP_CONVOLUTION_BACKPROP_DATA = 2, /**< GroupConvolutionBackpropData-1: [GROUPS, C_IN, C_OUT, spatial] */
  DECONV_CONVOLUTION_BACKWARD_DATA = 3,       /**< ConvolutionBackwardData of oneDNN Graph: OIX or XIO */
  DECONV_CONV_TRANSPOSE = 4                   /**< ConvTranspose of ONNX (no bias): [C, M/group, spatial] */
};

/** How attributes become pads and sizes. openvino-* go with the first two kinds, onednn-* with the third, onnx* with
 * the fourth. */
typedef int32_t deconv_dialect;
/** Values of deconv_dialect. */
enum {
  DECONV_OPENVINO_SPEC = 1,    /**< the formulas of the documents */
  DECONV_OPENVINO_RUNTIME = 2, /**< what OpenVINO's code does */
  DECONV_ONEDNN_SPEC = 3,      /**< the formulas of the document */
  DECONV_ONEDNN_RUNTIME = 4,   /**< what oneDNN does: pads of auto_pad from the output's size, output_padding unused */
  DECONV_ONNX_1 = 5,           /**< the text of operator sets 1 to 10; SAME_* without output_shape is refused */
  DECONV_ONNX_11 = 6,          /**< the text from operator set 11 on */
  DECONV_ONNXRUNTIME = 7       /**< what ONNX Runtime does: as the text, without negative pads */
};

/** Element type of a tensor. */
typedef int32_t deconv_type;
/** Values of deconv_type. */
enum {
  DECONV_UNDEFINED = 0, /**< none */
  DECONV_F64 = 1,       /**< IEEE binary64 */
  DECONV_F32 = 2,       /**< IEEE binary32 */
  DECONV_F16 = 3,       /**< IEEE binary16 */
  DECONV_BF16 = 4,      /**< the upper half of a binary32 */
  DECONV_I8 = 5,        /**< signed, 8 bits */
  DECONV_I16 = 6,       /**< signed, 16 bits */
  DECONV_I32 = 7,       /**< signed, 32 bits */
  DECONV_I64 = 8,       /**< signed, 64 bits */
  DECONV_U8 = 9,        /**< unsigned, 8 bits */
  DECONV_U16 = 10,      /**< unsigned, 16 bits */
  DECONV_U32 = 11,      /**< unsigned, 32 bits */
  DECONV_U64 = 12,      /**< unsigned, 64 bits */
  DECONV_BOOLEAN = 13,  /**< not numeric: here so that an operator with it can be described, and refused */
  DECONV_STRING = 14    /**< likewise */
};

/** Order of the axes of data and output in memory. */
typedef int32_t deconv_layout;
/** Values of deconv_layout. */
enum {
  DECONV_NCX = 0, /**< [N, C, spatial], the last axis contiguous */
  DECONV_NXC = 1  /**< [N, spatial, C], the channels contiguous */
};

/** A list attribute or the dimensions of a tensor. Lists are only read during deconv_plan_create. */
typedef struct deconv_list {
  const int64_t* values; /**< NULL means absent; an empty list that is present has a pointer and count 0. */
  size_t count;          /**< Number of values. */
} deconv_list;

/** Element type and shape; the rank is dims.count, and dims.values may be NULL where the rank is 0. */
typedef struct deconv_tensor {
  deconv_type type; /**< Of the elements. */
  int32_t reserved; /**< 0 */
  deconv_list dims; /**< Outermost first. */
} deconv_tensor;

/** An operator as its specification describes it. Zero-initialise, set struct_bytes, fill in what the operator has.
 * Attributes that the kind does not know must be absent. Lists have one value per spatial axis, outermost first, where
 * nothing else is said. */
typedef struct deconv_operator {
  size_t struct_bytes;    /**< sizeof(deconv_operator) */
  deconv_kind kind;       /**< Which operator. */
  deconv_dialect dialect; /**< Which reading of its attributes. */

  /** Logical shape. OpenVINO and ONNX: [N, C, spatial] whatever the memory layout is. oneDNN: as data_format orders it.
   */
  deconv_tensor data;
  /** Logical shape as deconv_kind says; oneDNN: as weights_format orders it. */
  deconv_tensor filter;

  int32_t has_output_shape; /**< 0 or 1: whether the optional third input is there. */
  int32_t has_groups;       /**< 0 or 1: whether `groups` is. */
  /** The optional third input (output_shape of OpenVINO; dst_shape of oneDNN): its own element type and dims. */
  deconv_tensor output_shape;
  /** Its values. OpenVINO: spatial axes only; oneDNN: the full shape in data_format order. */
  deconv_list output_shape_values;

  deconv_list strides;        /**< 1 or more each. */
  deconv_list dilations;      /**< 1 or more each; 1 = adjacent taps. */
  deconv_list pads_begin;     /**< Outputs cropped at the beginning. */
  deconv_list pads_end;       /**< Outputs cropped at the end. */
  deconv_list output_padding; /**< Outputs added at the end. */

  const char* auto_pad; /**< As spelled by the source; NULL = absent. */

  int64_t groups;                     /**< oneDNN groups, ONNX group; read if has_groups. */
  const char* data_format;            /**< oneDNN: "NCX" or "NXC"; NULL = NXC. */
  const char* weights_format;         /**< oneDNN: "OIX" or "XIO"; NULL = XIO. */
  deconv_list dst_shape;              /**< oneDNN attribute: full shape in data_format order. */
  deconv_list kernel_shape;           /**< ONNX attribute. */
  deconv_list output_shape_attribute; /**< ONNX attribute output_shape. */
} deconv_operator;

/** Choices that are the caller's and not the operator's. Zero-initialise, set struct_bytes. */
typedef struct deconv_options {
  size_t struct_bytes; /**< sizeof(deconv_options) */
  /** Memory layout of data and output for OpenVINO and ONNX operators; oneDNN's data_format decides there. */
  deconv_layout layout;
  int32_t reserved; /**< 0 */
  /** Name of an algorithm to force (for tests and benchmarks), NULL = the plan chooses. One that does not exist or does
   * not fit the operator is refused with DECONV_INVALID_ARGUMENT. */
  const char* algorithm;
  /** Name of an instruction set to bind the plan to (one of deconv_target), NULL = this machine's best. One that this
   * machine does not run is refused with DECONV_INVALID_ARGUMENT. An algorithm that is compiled once for all, whose
   * target is "portable", takes any. */
  const char* target;
} deconv_options;

/** The instruction sets that this library was compiled for and this machine runs, best first: the name of each index
 * from 0, NULL behind the last. Names live as long as the library. */
DECONV_API const char* deconv_target(size_t index);

/** An operator with everything resolved that does not depend on values. */
typedef struct deconv_plan deconv_plan;

/** Resolves and checks the operator and prepares everything that does not depend on values.
 * options may be NULL. On success *plan is to be freed with deconv_plan_destroy; on failure it is NULL. */
DECONV_API deconv_code deconv_plan_create(const deconv_operator* op, const deconv_options* options, deconv_plan** plan,
                                          deconv_status* status);
/** Frees a plan that nothing runs with any more. NULL is fine. */
DECONV_API void deconv_plan_destroy(deconv_plan* plan);

/** Number of dimensions of the output, which is that of the data. */
DECONV_API int32_t deconv_plan_output_rank(const deconv_plan* plan);
/** Dimensions of the output as the plan resolved them; they live as long as the plan. Logical, as in the operator:
 * OpenVINO and ONNX [N, C, spatial]; oneDNN in data_format order. */
DECONV_API const int64_t* deconv_plan_output_dims(const deconv_plan* plan);
/** Per spatial axis, outermost first (rank - 2 values): the crop at the beginning that the values depend on; negative =
 * shift. Lives as long as the plan. */
DECONV_API const int64_t* deconv_plan_pads_begin(const deconv_plan* plan);
/** Likewise at the end: stride*(X-1) + dilation*(K-1) + 1 + (output padding that counts) - pads_begin - pads_end =
 * output. */
DECONV_API const int64_t* deconv_plan_pads_end(const deconv_plan* plan);

/** Bytes of the data of the plan's batch. Tensors are dense. */
DECONV_API size_t deconv_plan_data_bytes(const deconv_plan* plan);
/** Bytes of the filter as the operator describes it. */
DECONV_API size_t deconv_plan_filter_bytes(const deconv_plan* plan);
/** Bytes of the output of the plan's batch. */
DECONV_API size_t deconv_plan_output_bytes(const deconv_plan* plan);
/** Bytes of the data of another batch (deconv_run_args.batch). SIZE_MAX if that overflows or batch is negative. */
DECONV_API size_t deconv_plan_batch_data_bytes(const deconv_plan* plan, int64_t batch);
/** Bytes of the output of another batch, likewise. */
DECONV_API size_t deconv_plan_batch_output_bytes(const deconv_plan* plan, int64_t batch);
/** Bytes of a packed filter. */
DECONV_API size_t deconv_plan_packed_filter_bytes(const deconv_plan* plan);
/** Bytes of workspace of a run with that many workers (0 counts as 1), of any batch. SIZE_MAX if that overflows. */
DECONV_API size_t deconv_plan_workspace_bytes(const deconv_plan* plan, size_t workers);

/** Name of the algorithm chosen, for reports. */
DECONV_API const char* deconv_plan_algorithm(const deconv_plan* plan);
/** Name of the instruction set that the plan is bound to, for reports; "portable" for code that is compiled once. */
DECONV_API const char* deconv_plan_target(const deconv_plan* plan);
/** The same for plans whose packed filters are interchangeable: a hash of what decides the packing (element type, shape
 * and layout of the filter, groups, strides, dilations, pads and output, algorithm, target; never the batch, and the
 * data's layout or size only where an algorithm packs for it). With deconv_version() the key under which a packed
 * filter can be stored. */
DECONV_API uint64_t deconv_plan_packing_id(const deconv_plan* plan);

/** Rearranges the filter for the plan. filter_bytes >= deconv_plan_filter_bytes, packed_bytes >=
 * deconv_plan_packed_filter_bytes; any alignment will do. The packed filter is bytes without pointers: plans, threads
 * and processes may share it, it may be moved, stored, and read again. It belongs to plans of one
 * deconv_plan_packing_id, by the same version of the library; deconv_run refuses others. */
DECONV_API deconv_code deconv_pack_filter(const deconv_plan* plan, const void* filter, size_t filter_bytes,
                                          void* packed, size_t packed_bytes, deconv_status* status);

/** What a packed filter says of itself. Set struct_bytes to sizeof(deconv_packed_filter_info) before the call. */
typedef struct deconv_packed_filter_info {
  size_t struct_bytes; /**< sizeof(deconv_packed_filter_info) */
  uint64_t packing_id; /**< deconv_plan_packing_id of the plan that packed it. */
  uint64_t bytes;      /**< Its whole size. */
  char version[16];    /**< deconv_version() of the library that packed it. */
  char algorithm[24];  /**< deconv_plan_algorithm of that plan. */
  char target[24];     /**< deconv_plan_target of that plan. */
} deconv_packed_filter_info;

/** Reads what stands at the beginning of a packed filter, without a plan; packed_bytes may be those of the beginning
 * alone. DECONV_INVALID_ARGUMENT if it is none, DECONV_BUFFER_TOO_SMALL if it is cut before it says so. */
DECONV_API deconv_code deconv_packed_filter_read(const void* packed, size_t packed_bytes,
                                                 deconv_packed_filter_info* info, deconv_status* status);
/** Whether deconv_run with this plan takes the packed filter, and every byte of it is as deconv_pack_filter wrote it
 * (by a hash, which finds accidents and no malice). For packed filters that were stored: deconv_run itself looks only
 * at the beginning. Otherwise as deconv_run refuses it, or DECONV_INVALID_ARGUMENT. */
DECONV_API deconv_code deconv_packed_filter_check(const deconv_plan* plan, const void* packed, size_t packed_bytes,
                                                  deconv_status* status);

/** task(argument, index, worker) does part `index`; worker < workers tells apart what runs at the same time. */
typedef void (*deconv_task)(void* argument, size_t index, size_t worker);
/** Calls task once for every index in [0, count), in any order and on any threads, and returns when all are done. */
typedef void (*deconv_parallel_for)(void* context, size_t count, deconv_task task, void* argument);

/** One execution. Zero-initialise, set struct_bytes. Buffers may have any alignment and must not overlap, except data
 * and packed_filter, which are only read. No byte outside of [pointer, pointer + bytes needed) is touched. */
typedef struct deconv_run_args {
  size_t struct_bytes;        /**< sizeof(deconv_run_args) */
  const void* data;           /**< Dense, in the plan's layout. */
  size_t data_bytes;          /**< At least those of the batch. */
  const void* packed_filter;  /**< What deconv_pack_filter wrote. */
  size_t packed_filter_bytes; /**< At least deconv_plan_packed_filter_bytes. */
  void* output;               /**< Dense, in the plan's layout; every byte of the batch is written. */
  size_t output_bytes;        /**< At least those of the batch. */
  void* workspace;            /**< May be NULL if deconv_plan_workspace_bytes is 0. What is in it does not matter. */
  size_t workspace_bytes;     /**< At least deconv_plan_workspace_bytes for these workers. */
  deconv_parallel_for parallel_for; /**< NULL = all on the calling thread; the result is the same to the bit. */
  void* parallel_context;           /**< Passed to parallel_for. */
  size_t
      workers; /**< Greatest number of tasks that run at the same time; 0 counts as 1; ignored without parallel_for. */
  /** Samples in data and output, instead of the plan's; 0 = the plan's. Sizes: deconv_plan_batch_data_bytes and
   * deconv_plan_batch_output_bytes. A sample's output is the same to the bit in every batch. */
  int64_t batch;
} deconv_run_args;

/** One execution. Never allocates. On failure by arguments the output is untouched. */
DECONV_API deconv_code deconv_run(const deconv_plan* plan, const deconv_run_args* args, deconv_status* status);

/** Runs small built-in cases of every element type on every target of this machine (deconv_target) and compares them
 * with plain loops: whether this build of the library works here, for a program that wants to know before it starts. On
 * the calling thread; takes less than a second. DECONV_SELFTEST_FAILED comes with a message that names case, target and
 * output of the first fault. What no case meets it cannot find: the conformance suite is the thorough test. */
DECONV_API deconv_code deconv_selftest(deconv_status* status);

/** "0.1.0"; of the library that runs, where DECONV_VERSION_* are of the header that was compiled. */
DECONV_API const char* deconv_version(void);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*, readability-identifier-naming) */

#endif /* DECONV_DECONV_H_ */
