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
 * Here s is the stride, d the dilation, i runs over the data, k over the taps of the filter. The filter is not flipped.
 * A position that no product reaches is +0.0. Padding and gaps of stride and dilation make no products. So a NaN or Inf
 * of the data or the filter appears only in outputs that have a product with it.
 *
 * Sums are f32 for f32, f16 and bf16, and f64 for f64. They are rounded once, to nearest even, into f16 and bf16. A
 * target may flush subnormals in bf16 dot products, unless deconv_options.keep_subnormals is 1. Vectors of 32-bit ARM
 * flush subnormals of f32. Integers wrap modulo 2^n. The rounding mode of the caller's threads, their flushing of
 * subnormals and their trapping of exceptions have no effect, and are kept. Flags of exceptions may be raised.
 *
 * How to use it:
 *   1. Describe the operator as its specification does (deconv_operator). Attributes stay unresolved.
 *   2. Create a plan (deconv_plan_create) and ask it for shapes and sizes (deconv_plan_...).
 *   3. Pack the filter once (deconv_pack_filter).
 *   4. Run as often as wanted (deconv_run).
 *
 * Only deconv_plan_create, deconv_measure and deconv_selftest allocate. A plan is immutable: any number of threads may
 * pack and run with it at the same time, each run with a workspace of its own. No function throws, aborts or prints.
 *
 * Errors: functions that can fail return a deconv_code and write a message to the deconv_status that the caller may
 * pass. Functions that take a plan and return no deconv_code cannot fail; the plan must not be NULL.
 *
 * Structs begin with their size and grow only at their end. The fields that the shorter struct of an older caller lacks
 * count as zero. A longer struct is accepted if the bytes that this library does not know are zero.
 */
#ifndef DECONV_DECONV_H_
#define DECONV_DECONV_H_

/* NOLINTBEGIN(modernize-*, readability-identifier-naming): C has other idioms than the C++ around it. */
#include <stddef.h>
#include <stdint.h>

/** Marks what the shared library exports. Everything else in it is hidden. */
#if defined(__GNUC__)
#define DECONV_API __attribute__((visibility("default")))
#else
#define DECONV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define DECONV_VERSION_MAJOR 0 /**< Version of this header. deconv_version() tells that of the library that runs. */
#define DECONV_VERSION_MINOR 1 /**< Until version 1.0, a new minor version may change the binary interface. */
#define DECONV_VERSION_PATCH 0 /**< A new patch keeps the binary interface. */

/** Ranks of data that plans accept: 3 (one spatial axis) to 10. */
#define DECONV_MAX_RANK 10

/** Result of a call. All enumerations are int32_t in the binary interface, and values never change their meaning. */
typedef int32_t deconv_code;
/** Values of deconv_code. */
enum {
  DECONV_OK = 0,               /**< Success. */
  DECONV_INVALID_ARGUMENT = 1, /**< The call is wrong: a null pointer, a struct size, an unknown value or name. */
  DECONV_INVALID_OPERATOR = 2, /**< The operator breaks a rule of its specification; the message cites it. */
  DECONV_UNSUPPORTED = 3,      /**< Legal, but not implemented. This version never returns it. */
  DECONV_OVERFLOW = 4,         /**< A size does not fit signed 64-bit arithmetic or the address space. */
  DECONV_BUFFER_TOO_SMALL = 5, /**< A buffer is smaller than its tensor, packed filter or workspace. */
  DECONV_OUT_OF_MEMORY = 6,    /**< deconv_plan_create, deconv_measure or deconv_selftest could not allocate. */
  DECONV_SELFTEST_FAILED = 7   /**< deconv_selftest found a wrong output. */
};

/** Why a call failed. Every function accepts NULL instead. */
typedef struct deconv_status {
  size_t struct_bytes; /**< sizeof(deconv_status), set before the call. Fields behind these bytes are not written. */
  deconv_code code;    /**< What the call returned. */
  char message[512]; /**< What was found and what was expected; cut to fit, ends with a zero byte. Empty on success. */
} deconv_status;

/** Which operator. */
typedef int32_t deconv_kind;
/** Values of deconv_kind, each with the shape of its filter. */
enum {
  DECONV_CONVOLUTION_BACKPROP_DATA = 1,       /**< ConvolutionBackpropData-1: [C_IN, C_OUT, spatial] */
  DECONV_GROUP_CONVOLUTION_BACKPROP_DATA = 2, /**< GroupConvolutionBackpropData-1: [GROUPS, C_IN, C_OUT, spatial] */
  DECONV_CONVOLUTION_BACKWARD_DATA = 3,       /**< ConvolutionBackwardData of oneDNN Graph: OIX or XIO */
  DECONV_CONV_TRANSPOSE = 4                   /**< ConvTranspose of ONNX (no bias): [C, M/group, spatial] */
};

/** The rules that turn attributes into pads and sizes. DECONV_OPENVINO_* belong to the first two kinds, DECONV_ONEDNN_*
 * to the third, and the others to the fourth. Any other pair is refused with DECONV_INVALID_ARGUMENT. */
typedef int32_t deconv_dialect;
/** Values of deconv_dialect. */
enum {
  DECONV_OPENVINO_SPEC = 1,    /**< the formulas of the documents */
  DECONV_OPENVINO_RUNTIME = 2, /**< what OpenVINO does */
  DECONV_ONEDNN_SPEC = 3,      /**< the formulas of the document */
  DECONV_ONEDNN_RUNTIME = 4,   /**< what oneDNN does: the size of the output gives auto_pad's pads; no output_padding */
  DECONV_ONNX_1 = 5,           /**< the text of operator sets 1 to 10; SAME_* without output_shape is refused */
  DECONV_ONNX_11 = 6,          /**< the text from operator set 11 on */
  DECONV_ONNXRUNTIME = 7,      /**< what ONNX Runtime does: as in the text, but pads are never negative */
  DECONV_ONNX_22 = 8,          /**< the text from operator set 22 on: that of set 11, and bf16 */
  DECONV_TENSORFLOW = 9        /**< conv2d_transpose of TensorFlow: SAME is SAME_UPPER; output_shape is required */
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
  DECONV_BOOLEAN = 13,  /**< not numeric: an operator with it can be described, and is refused */
  DECONV_STRING = 14    /**< not numeric, likewise */
};

/** Order of the axes of data and output in memory. */
typedef int32_t deconv_layout;
/** Values of deconv_layout. */
enum {
  DECONV_NCX = 0, /**< [N, C, spatial], the last axis contiguous */
  DECONV_NXC = 1  /**< [N, spatial, C], the channels contiguous */
};

/** A list attribute, or the dimensions of a tensor. No list or string is read after the call has returned. */
typedef struct deconv_list {
  const int64_t* values; /**< NULL: absent; the count must be 0. An empty list that is present has a pointer. */
  size_t count;          /**< Number of values. */
} deconv_list;

/** Element type and shape. The rank is dims.count; dims.values may be NULL if the rank is 0. */
typedef struct deconv_tensor {
  deconv_type type; /**< Element type. */
  int32_t reserved; /**< 0 */
  deconv_list dims; /**< Dimensions in elements, outermost first. */
} deconv_tensor;

/** An operator as its specification describes it. Zero-initialise it, set struct_bytes, and fill in what the operator
 * has. Attributes that the kind does not know must be absent. Unless stated otherwise, a list has one value per spatial
 * axis, outermost first, in elements. */
typedef struct deconv_operator {
  size_t struct_bytes;    /**< sizeof(deconv_operator) */
  deconv_kind kind;       /**< Which operator. */
  deconv_dialect dialect; /**< Which reading of its attributes. */

  /** Logical shape. OpenVINO and ONNX: [N, C, spatial], whatever the memory layout is. oneDNN: in the order of
   * data_format. */
  deconv_tensor data;
  /** Logical shape as deconv_kind says. oneDNN: in the order of weights_format. */
  deconv_tensor filter;

  int32_t has_output_shape; /**< 0 or 1: whether the operator has the optional third input. */
  int32_t has_groups;       /**< 0 or 1: whether the operator has the attribute `groups`. */
  /** Element type and dimensions of the optional third input: output_shape of OpenVINO, dst_shape of oneDNN. */
  deconv_tensor output_shape;
  /** Values of the third input. OpenVINO: spatial axes only. oneDNN: the full shape in the order of data_format. For
   * DECONV_U64 each holds the 64 bits of the value; 2^63 or more, negative here, is DECONV_OVERFLOW. */
  deconv_list output_shape_values;

  deconv_list strides;        /**< Each 1 or more. Absent: 1; oneDNN requires it. */
  deconv_list dilations;      /**< Each 1 or more; 1 means adjacent taps. Absent: 1; oneDNN requires it. */
  deconv_list pads_begin;     /**< Outputs cropped at the beginning, 0 or more. Absent: 0; oneDNN requires it. */
  deconv_list pads_end;       /**< Outputs cropped at the end, 0 or more. Absent: 0; oneDNN requires it. */
  deconv_list output_padding; /**< Outputs added at the end, 0 or more. Absent: 0. */

  /** NULL: absent. OpenVINO: explicit, same_upper, same_lower or valid, in any case. oneDNN: None, SAME_UPPER,
   * SAME_LOWER or VALID; DECONV_ONEDNN_SPEC takes none, NONE and lower case, too. ONNX: NOTSET, SAME_UPPER, SAME_LOWER
   * or VALID. */
  const char* auto_pad;

  int64_t groups;          /**< groups of oneDNN, group of ONNX; read if has_groups is 1. */
  const char* data_format; /**< oneDNN: "NCX" or "NXC"; NULL: NXC. */
  /** oneDNN: "OIX" or "XIO"; NULL: XIO. O: all channels of data. I: the channels of output in one group. */
  const char* weights_format;
  deconv_list dst_shape;              /**< oneDNN attribute: the full shape in the order of data_format. */
  deconv_list kernel_shape;           /**< ONNX attribute: taps per spatial axis, as the filter has them. */
  deconv_list output_shape_attribute; /**< ONNX attribute output_shape: spatial axes only. */
} deconv_operator;

/** Choices of the caller, which are not part of the operator. Zero-initialise it and set struct_bytes. */
typedef struct deconv_options {
  size_t struct_bytes; /**< sizeof(deconv_options) */
  /** Memory layout of data and output, for operators of OpenVINO and ONNX. For oneDNN data_format decides. */
  deconv_layout layout;
  int32_t reserved; /**< 0 */
  /** Name of an algorithm to force: channels, phased, rows, col2im or direct; NULL: the plan chooses. A name that does
   * not exist, or that does not fit the operator, is refused with DECONV_INVALID_ARGUMENT. */
  const char* algorithm;
  /** Name of an instruction set for the plan, one of deconv_target; NULL: the best of this machine. A name that this
   * machine does not run is refused with DECONV_INVALID_ARGUMENT. An algorithm whose target is "portable" is compiled
   * once and ignores the choice. */
  const char* target;
  /** Name of a class of CPUs, one of deconv_cpu_class, whose costs choose the algorithm and the tasks; NULL: the class
   * of this machine. Any class may be named on any machine, so that a choice can be repeated elsewhere. Any plan runs
   * on any CPU that has its target. Another algorithm rounds sums in another order, so the last bits of floating
   * results may differ between classes, each within the same bound. The class also decides whether bf16 is summed by
   * dot products (see keep_subnormals). An unknown name is refused with DECONV_INVALID_ARGUMENT. */
  const char* cpu;
  /** 0 or 1: whether sums of bf16 must keep subnormals. 1 widens bf16 to f32 instead of using dot products, which flush
   * subnormal operands and sums to zero on some targets. Other types ignore it. */
  int32_t keep_subnormals;
  int32_t reserved_end; /**< 0 */
} deconv_options;

/** Name of an instruction set that this library was compiled for and this machine runs. Index 0 is the best one. NULL
 * if index is their number or more. Names are Highway's, such as AVX3 for AVX-512, and live as long as the library. */
DECONV_API const char* deconv_target(size_t index);

/** Name of a class of CPUs for which this library knows costs, such as "zen4". Index 0 is the class of this
 * machine, or "default". NULL if index is their number or more. Names live as long as the library. */
DECONV_API const char* deconv_cpu_class(size_t index);

/** An operator with everything resolved that does not depend on the values of tensors. */
typedef struct deconv_plan deconv_plan;

/** Resolves and checks the operator, chooses the algorithm, and prepares everything that does not depend on values.
 * `options` and `status` may be NULL. On success, free *plan with deconv_plan_destroy. On failure, *plan is NULL.
 * Errors: DECONV_INVALID_ARGUMENT, DECONV_INVALID_OPERATOR, DECONV_OVERFLOW, DECONV_OUT_OF_MEMORY. */
DECONV_API deconv_code deconv_plan_create(const deconv_operator* op, const deconv_options* options, deconv_plan** plan,
                                          deconv_status* status);
/** Frees a plan. No call may use it any more. NULL is allowed. */
DECONV_API void deconv_plan_destroy(deconv_plan* plan);

/** Number of dimensions of the output: the rank of the data, 3 to DECONV_MAX_RANK. */
DECONV_API int32_t deconv_plan_output_rank(const deconv_plan* plan);
/** Dimensions of the output in elements, deconv_plan_output_rank of them, which live as long as the plan. Logical, as
 * in the operator: [N, C, spatial] for OpenVINO and ONNX, in the order of data_format for oneDNN. */
DECONV_API const int64_t* deconv_plan_output_dims(const deconv_plan* plan);
/** Resolved pads at the beginning in elements: rank - 2 values, one per spatial axis, outermost first, which live as
 * long as the plan. They decide the values of the output. A negative value shifts the data towards higher positions. */
DECONV_API const int64_t* deconv_plan_pads_begin(const deconv_plan* plan);
/** Resolved pads at the end, likewise. They satisfy, with X elements of data and K taps along the axis:
 * stride*(X-1) + dilation*(K-1) + 1 + (output_padding, if the dialect counts it) - pads_begin - pads_end = output. */
DECONV_API const int64_t* deconv_plan_pads_end(const deconv_plan* plan);

/** Bytes of the data, for the batch of the plan. Tensors are dense. */
DECONV_API size_t deconv_plan_data_bytes(const deconv_plan* plan);
/** Bytes of the filter as the operator describes it, before packing. */
DECONV_API size_t deconv_plan_filter_bytes(const deconv_plan* plan);
/** Bytes of the output, for the batch of the plan. */
DECONV_API size_t deconv_plan_output_bytes(const deconv_plan* plan);
/** Bytes of the data for `batch` samples (deconv_run_args.batch). SIZE_MAX if that overflows or batch is negative. */
DECONV_API size_t deconv_plan_batch_data_bytes(const deconv_plan* plan, int64_t batch);
/** Bytes of the output for `batch` samples. SIZE_MAX if that overflows or batch is negative. */
DECONV_API size_t deconv_plan_batch_output_bytes(const deconv_plan* plan, int64_t batch);
/** Bytes of a packed filter of this plan. */
DECONV_API size_t deconv_plan_packed_filter_bytes(const deconv_plan* plan);
/** Bytes of workspace for a run with that many workers (0 counts as 1) and any batch. SIZE_MAX if that overflows. */
DECONV_API size_t deconv_plan_workspace_bytes(const deconv_plan* plan, size_t workers);

/** Name of the chosen algorithm, for reports. Lives as long as the library. */
DECONV_API const char* deconv_plan_algorithm(const deconv_plan* plan);
/** Name of the instruction set of the plan, for reports. Lives as long as the library. "portable" for code that is
 * compiled once; deconv_options.target does not take that name. */
DECONV_API const char* deconv_plan_target(const deconv_plan* plan);
/** Name of the class of CPUs whose costs chose the algorithm. Lives as long as the library. */
DECONV_API const char* deconv_plan_cpu_class(const deconv_plan* plan);
/** A hash that is equal for plans whose packed filters are interchangeable. It covers what decides the packing: element
 * type, shape and layout of the filter, groups, strides, dilations, pads, sizes of the output, algorithm and target. It
 * never covers the batch. Only if the algorithm packs for them, it covers the layout of the data, their size, and the
 * costs of the class of CPUs. Together with deconv_version() it is a key under which a packed filter can be stored. */
DECONV_API uint64_t deconv_plan_packing_id(const deconv_plan* plan);

/** Rearranges the filter for the plan. `filter` is dense, in the order of deconv_operator.filter, the last axis
 * contiguous, whatever deconv_options.layout is. It has at least deconv_plan_filter_bytes bytes, `packed` at least
 * deconv_plan_packed_filter_bytes; both may have any alignment. A packed filter is bytes without pointers: it may be
 * moved, stored and read again, and plans, threads and processes may share it. It fits plans with the same
 * deconv_plan_packing_id in the same version of the library; deconv_run refuses it for other plans.
 * Errors: DECONV_INVALID_ARGUMENT for a null pointer or buffers that overlap, DECONV_BUFFER_TOO_SMALL. */
DECONV_API deconv_code deconv_pack_filter(const deconv_plan* plan, const void* filter, size_t filter_bytes,
                                          void* packed, size_t packed_bytes, deconv_status* status);

/** What a packed filter says about itself. Set struct_bytes to sizeof(deconv_packed_filter_info) before the call. */
typedef struct deconv_packed_filter_info {
  size_t struct_bytes; /**< sizeof(deconv_packed_filter_info) */
  uint64_t packing_id; /**< deconv_plan_packing_id of the plan that packed it. */
  uint64_t bytes;      /**< Bytes of the whole packed filter. */
  char version[16];    /**< deconv_version() of the library that packed it. */
  char algorithm[24];  /**< deconv_plan_algorithm of that plan. */
  char target[24];     /**< deconv_plan_target of that plan. */
} deconv_packed_filter_info;

/** Reads the beginning of a packed filter, without a plan. packed_bytes may cover the beginning alone.
 * Errors: DECONV_INVALID_ARGUMENT if the bytes are no packed filter, DECONV_BUFFER_TOO_SMALL if there are too few of
 * them. */
DECONV_API deconv_code deconv_packed_filter_read(const void* packed, size_t packed_bytes,
                                                 deconv_packed_filter_info* info, deconv_status* status);
/** Checks that deconv_run with this plan accepts the packed filter, and that every byte is as deconv_pack_filter wrote
 * it. Use it for packed filters that were stored: deconv_run itself reads only the beginning. A hash finds accidental
 * damage, but no attack. Errors: those of deconv_run for the packed filter, and DECONV_INVALID_ARGUMENT for damage. */
DECONV_API deconv_code deconv_packed_filter_check(const deconv_plan* plan, const void* packed, size_t packed_bytes,
                                                  deconv_status* status);

/** task(argument, index, worker) does part `index` of a run. Parts that run at the same time need different values of
 * `worker`, each less than deconv_run_args.workers. */
typedef void (*deconv_task)(void* argument, size_t index, size_t worker);
/** The caller's threads. Calls task(argument, index, worker) once for every index in [0, count), in any order and on
 * any threads, and returns when all calls have returned. It must not throw; a task never throws, and calls no
 * parallel_for. Runs are fastest if each thread takes the smallest index that is left: the data of the part that
 * follows next are prefetched. */
typedef void (*deconv_parallel_for)(void* context, size_t count, deconv_task task, void* argument);

/** The buffers of one execution. Zero-initialise it and set struct_bytes. Buffers may have any alignment. No byte
 * outside of [pointer, pointer + bytes needed) is touched. These ranges must not overlap, except those of data and
 * packed_filter, which are only read. */
typedef struct deconv_run_args {
  size_t struct_bytes;        /**< sizeof(deconv_run_args) */
  const void* data;           /**< Dense, in the layout of the plan. */
  size_t data_bytes;          /**< At least deconv_plan_batch_data_bytes of the batch. */
  const void* packed_filter;  /**< What deconv_pack_filter wrote. */
  size_t packed_filter_bytes; /**< At least deconv_plan_packed_filter_bytes. */
  void* output;               /**< Dense, in the layout of the plan. Every byte of the batch is written. */
  size_t output_bytes;        /**< At least deconv_plan_batch_output_bytes of the batch. */
  void* workspace;            /**< May be NULL if deconv_plan_workspace_bytes is 0. Its content does not matter. */
  size_t workspace_bytes;     /**< At least deconv_plan_workspace_bytes for these workers. */
  deconv_parallel_for parallel_for; /**< NULL: all on the calling thread. The result is bit for bit the same. */
  void* parallel_context;           /**< Passed to parallel_for. */
  size_t workers; /**< Most tasks that run at the same time; 0 counts as 1. Ignored without parallel_for. */
  /** Samples in data and output; 0: the batch of the plan. Sizes: deconv_plan_batch_data_bytes and
   * deconv_plan_batch_output_bytes. The output of a sample is bit for bit the same in every batch. */
  int64_t batch;
} deconv_run_args;

/** Computes the output of one batch. Never allocates. If an argument is refused, the output is untouched.
 * Errors: DECONV_INVALID_ARGUMENT for a null pointer, buffers that overlap, a negative batch, a packed filter of
 * another plan or version, or a parallel_for that calls another number of tasks, or an index or worker out of range
 * (then the output is incomplete); DECONV_OVERFLOW for a batch that is too large; DECONV_BUFFER_TOO_SMALL. */
DECONV_API deconv_code deconv_run(const deconv_plan* plan, const deconv_run_args* args, deconv_status* status);

/** The arguments of deconv_measure. Zero-initialise the struct and set struct_bytes. Buffers may have any alignment.
 * The output must not overlap data or filter. Subnormal values change the times: pass data like those of later runs. */
typedef struct deconv_measure_args {
  size_t struct_bytes;              /**< sizeof(deconv_measure_args) */
  const void* data;                 /**< Dense, in the layout of the options. */
  size_t data_bytes;                /**< At least deconv_plan_batch_data_bytes of the batch. */
  const void* filter;               /**< As the operator describes it, not packed. */
  size_t filter_bytes;              /**< At least deconv_plan_filter_bytes. */
  void* output;                     /**< Dense; it is overwritten. */
  size_t output_bytes;              /**< At least deconv_plan_batch_output_bytes of the batch. */
  deconv_parallel_for parallel_for; /**< NULL: the calling thread alone, as in deconv_run_args. */
  void* parallel_context;           /**< Passed to parallel_for. */
  size_t workers; /**< As in deconv_run_args. Pass those of later runs: the fastest algorithm may depend on them. */
  int64_t batch;  /**< Samples in data and output; 0: the batch of the operator. */
  double seconds; /**< Time for each algorithm, 0 or more; 0: a tenth of a second. At least three runs are timed. */
} deconv_measure_args;

/** What deconv_measure found. Set struct_bytes to sizeof(deconv_measurement) before the call. */
typedef struct deconv_measurement {
  size_t struct_bytes;   /**< sizeof(deconv_measurement) */
  const char* algorithm; /**< Name of the fastest algorithm. Lives as long as the library. */
  const char* estimated; /**< Name of the algorithm that deconv_plan_create chooses by itself. Likewise. */
  double ns;             /**< Nanoseconds of one run of `algorithm`. */
  double estimated_ns;   /**< Nanoseconds of one run of `estimated`. */
} deconv_measurement;

/** Times the algorithms that fit an operator, with the caller's buffers and threads, and tells the fastest. Store the
 * name, and pass it in deconv_options.algorithm. Then the plan is the same each time, although times vary. This holds
 * for the same operator, the same values of all other options and the same version of the library. If no algorithm is
 * faster than the estimated one by 2 % or more, the estimated one is the answer. "direct" is timed only if nothing else
 * fits. Use it on an idle machine.
 *
 * `options` may be NULL; its algorithm must be NULL. The output holds the result of some algorithm afterwards. An
 * output without elements is not timed: the times are 0.
 *
 * For each algorithm in turn it allocates the plan, deconv_plan_packed_filter_bytes and deconv_plan_workspace_bytes for
 * the workers, and frees them before the next one. An algorithm whose single run takes more than four times as long as
 * the fastest so far is not run again.
 *
 * Errors: those of deconv_plan_create and deconv_run. Then *measurement is untouched; the output may be written. */
DECONV_API deconv_code deconv_measure(const deconv_operator* op, const deconv_options* options,
                                      const deconv_measure_args* args, deconv_measurement* measurement,
                                      deconv_status* status);

/** Checks that this build of the library works on this machine: runs small built-in cases of every element type on
 * every target (deconv_target) and compares them with plain loops. Runs on the calling thread in less than a second. It
 * finds only faults that these cases meet; the conformance suite is the thorough test. Errors: DECONV_SELFTEST_FAILED,
 * with case, target and output of the first fault in the message; DECONV_OUT_OF_MEMORY. */
DECONV_API deconv_code deconv_selftest(deconv_status* status);

/** Version of the library that runs, such as "0.1.0". DECONV_VERSION_* are those of the header that was compiled. */
DECONV_API const char* deconv_version(void);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*, readability-identifier-naming) */

#endif /* DECONV_DECONV_H_ */
