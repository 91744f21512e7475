/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Makes a backend library of one plain function, in C or C++. The suite resolves each operator and passes the geometry,
 * so the function needs no reader of attributes. The report then says that resolution was not judged.
 *
 * Write one file with your function and the macro below, and build it as a shared library:
 *
 *   #include "conformance/interface/deconv_backend_function.h"
 *   static int mine(const void* data, const void* filter, void* output, const deconv_resolved_geometry* g) { ... }
 *   DECONV_BACKEND_FUNCTION(mine, "mine", 1u << DECONV_ID_F32, 4, 4, DECONV_UNSUPPORTED_NXC | DECONV_UNSUPPORTED_XIO)
 *
 * A function with limits declares them. This one has sizes of type int, and cannot take empty tensors:
 *
 *   DECONV_BACKEND_FUNCTION_WITH(mine, "mine", 1u << DECONV_ID_F32, 4, 4,
 *                                DECONV_UNSUPPORTED_NXC | DECONV_UNSUPPORTED_XIO | DECONV_UNSUPPORTED_EMPTY_TENSORS,
 *                                INT32_MAX, 0, NULL)
 *
 * `deconv-cts doctor ./libmine.so` tries the limits and names those that are not declared.
 *
 * The macros declare arithmetic too: sums of f32, f16 and bf16 in f32, sums of f64 in f64, everything rounded to
 * nearest, subnormals kept, and integers that wrap. Outputs may differ in their bits from run to run. If your function
 * computes in another way, use deconv_backend.h.
 *
 * conformance/examples/function.c is a complete file. A backend that can say more of itself (accumulators, plans,
 * threads) fills in deconv_backend by hand: see conformance/examples/backend.c.
 */
#ifndef DECONV_BACKEND_FUNCTION_H_
#define DECONV_BACKEND_FUNCTION_H_

/* NOLINTBEGIN(modernize-*, readability-identifier-naming, bugprone-macro-parentheses): C has other idioms. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__has_include) && !__has_include("conformance/interface/deconv_backend.h")
#include "deconv_backend.h"
#else
#include "conformance/interface/deconv_backend.h"
#endif

/* Fills the whole output. The tensors are dense, in the types and layouts of the geometry, which deconv_backend.h
 * explains. Sizes and attributes are int64_t: they may be too large for the function's own types.
 *
 * Returns 0 if the output is written. Any other number fails the case, and reports show the number. Two numbers are
 * right answers to an operator that the specification leaves open, as most empty tensors are:
 *   DECONV_ANSWER_REFUSED      the function rejects the operator
 *   DECONV_ANSWER_UNSUPPORTED  the function cannot do the operator
 * Declare the limits of the function below. The suite does not call it beyond these limits. */
typedef int (*deconv_function)(const void* data, const void* filter, void* output,
                               const deconv_resolved_geometry* geometry);

/* Says before the call whether the function can do a geometry. Returns NULL if it can, or the reason why not, one line.
 * The same geometry must always get the same answer. */
typedef const char* (*deconv_reason_against)(const deconv_resolved_geometry* geometry);

/* Calls the function for a request of the suite. */
static inline deconv_answer deconv_run_function(deconv_function function, deconv_run_request* request) {
  const size_t needed = offsetof(deconv_run_request, resolved) + sizeof(request->resolved);
  int returned = 0;
  if (request->size < needed || request->resolved == NULL) {
    (void)snprintf(request->message, sizeof(request->message), "the suite is too old to pass resolved geometry");
    return DECONV_ANSWER_ERROR;
  }
  returned = function(request->data, request->filter, request->output, request->resolved);
  request->output_rank = 0; /* the dims are those of the geometry */
  if (returned == 0) return DECONV_ANSWER_COMPUTED;
  if (returned == DECONV_ANSWER_UNSUPPORTED) {
    (void)snprintf(
        request->message, sizeof(request->message),
        "the function returned DECONV_ANSWER_UNSUPPORTED (%d) for an operator that the description declares: "
        "declare the limit in `lacks`, `largest_attribute` or `against`",
        returned);
    return DECONV_ANSWER_UNSUPPORTED;
  }
  if (returned == DECONV_ANSWER_REFUSED) {
    (void)snprintf(request->message, sizeof(request->message), "the function returned DECONV_ANSWER_REFUSED (%d)",
                   returned);
    return DECONV_ANSWER_REFUSED;
  }
  (void)snprintf(request->message, sizeof(request->message), "the function returned %d", returned);
  return DECONV_ANSWER_ERROR;
}

/* Asks for the reason against a request of the suite. */
static inline int32_t deconv_supports_of(deconv_reason_against against, deconv_supports_request* request) {
  const char* const reason = request->resolved == NULL ? NULL : against(request->resolved);
  if (reason == NULL) return 1;
  (void)snprintf(request->message, sizeof(request->message), "%s", reason);
  return 0;
}

#ifdef __cplusplus
#define DECONV_BACKEND_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define DECONV_BACKEND_EXPORT __attribute__((visibility("default")))
#endif

/* Defines the exported function deconv_backend_open. Use one of the two macros once in a library, outside of any
 * function.
 *   function           a deconv_function
 *   called             the backend's name, a string
 *   types              element types, one bit each: (1u << DECONV_ID_F32) | (1u << DECONV_ID_F64)
 *   least, most        numbers of dims of the data, with the batch and the channels: 3 for one spatial axis, 4 for two,
 *                      5 for three; 3, 5 for all of these
 *   lacks              bits of deconv_unsupported_bit, or 0. Invalid operators, auto_pad and output shapes need no bit,
 *                      because the suite resolves them
 *   largest_attribute  the largest magnitude of an attribute, pad or size that the function takes: INT32_MAX if it
 *                      keeps them in an int; 0: no limit
 *   largest_tensor     the bytes of the largest tensor that the function takes; 0: no limit
 *   against            a deconv_reason_against, for limits that the others cannot say; or NULL */
#define DECONV_BACKEND_FUNCTION(function, called, types, least, most, lacks) \
  DECONV_BACKEND_FUNCTION_WITH(function, called, types, least, most, lacks, 0, 0, NULL)

#define DECONV_BACKEND_FUNCTION_WITH(function, called, types, least, most, lacks, largest_attribute, largest_tensor, \
                                     against)                                                                        \
  static const deconv_backend_description* deconv_function_describe(void* self) {                                    \
    static const char* const dialects[] = {                                                                          \
        "openvino-spec", "openvino-runtime", "onednn-spec", "onednn-runtime", "onnx-11",                             \
        "onnx-1",        "onnxruntime",      "onnx-22",     "tensorflow",     NULL};                                 \
    static deconv_backend_description description;                                                                   \
    (void)self;                                                                                                      \
    description.size = sizeof(description);                                                                          \
    description.name = called;                                                                                       \
    description.version = "1";                                                                                       \
    description.dialects = dialects;                                                                                 \
    description.operators = 0xf;                                                                                     \
    description.element_types = types;                                                                               \
    description.min_rank = least;                                                                                    \
    description.max_rank = most;                                                                                     \
    description.max_bytes = largest_tensor;                                                                          \
    description.unsupported = lacks;                                                                                 \
    description.max_attribute = largest_attribute;                                                                   \
    description.takes_resolved = 1;                                                                                  \
    return &description;                                                                                             \
  }                                                                                                                  \
  static deconv_answer deconv_function_run(void* self, deconv_run_request* request) {                                \
    (void)self;                                                                                                      \
    return deconv_run_function(function, request);                                                                   \
  }                                                                                                                  \
  static const deconv_reason_against deconv_function_against = against;                                              \
  static int32_t deconv_function_supports(void* self, deconv_supports_request* request) {                            \
    (void)self;                                                                                                      \
    return deconv_supports_of(deconv_function_against, request);                                                     \
  }                                                                                                                  \
  DECONV_BACKEND_EXPORT int deconv_backend_open(const char* config, deconv_backend* backend) {                       \
    const size_t size = deconv_function_against == NULL ? offsetof(deconv_backend, resolve) : sizeof(*backend);      \
    if (config[0] != '\0' || backend->size < size) return 1;                                                         \
    backend->size = size; /* the functions behind it are not offered */                                              \
    backend->abi = DECONV_BACKEND_ABI;                                                                               \
    backend->self = NULL;                                                                                            \
    backend->describe = deconv_function_describe;                                                                    \
    backend->run = deconv_function_run;                                                                              \
    backend->close = NULL;                                                                                           \
    if (deconv_function_against == NULL) return 0;                                                                   \
    backend->resolve = NULL; /* the suite resolves */                                                                \
    backend->plan = NULL;                                                                                            \
    backend->release = NULL;                                                                                         \
    backend->supports = deconv_function_supports;                                                                    \
    return 0;                                                                                                        \
  }

/* NOLINTEND(modernize-*, readability-identifier-naming, bugprone-macro-parentheses) */

#endif /* DECONV_BACKEND_FUNCTION_H_ */
