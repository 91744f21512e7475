/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Makes a backend library of one plain function, in C or C++. The suite resolves each operator and passes the geometry,
 * so the function needs no reader of attributes. The report then says that resolution was not judged.
 *
 * Write one file with your function and the macro below, and build it as a shared library:
 *
 *   #include "conformance/door/deconv_backend_function.h"
 *   static int mine(const void* data, const void* filter, void* output, const deconv_resolved_geometry* g) { ... }
 *   DECONV_BACKEND_FUNCTION(mine, "mine", 1u << DECONV_ID_F32, 4, 4, DECONV_UNSUPPORTED_NXC | DECONV_UNSUPPORTED_XIO)
 *
 * conformance/examples/function.c is a complete file. A backend that can say more of itself (supports(), accumulators,
 * plans, threads) fills in deconv_backend by hand: see conformance/examples/backend.c.
 */
#ifndef DECONV_BACKEND_FUNCTION_H_
#define DECONV_BACKEND_FUNCTION_H_

/* NOLINTBEGIN(modernize-*, readability-identifier-naming, bugprone-macro-parentheses): C has other idioms. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__has_include) && !__has_include("conformance/door/deconv_backend.h")
#include "deconv_backend.h"
#else
#include "conformance/door/deconv_backend.h"
#endif

/* Fills the whole output. The tensors are dense, in the types and layouts of the geometry, which deconv_backend.h
 * explains. Returns 0 if the output is written, DECONV_ANSWER_UNSUPPORTED if the function cannot do the geometry, or
 * any other number for an error, which reports show. */
typedef int (*deconv_function)(const void* data, const void* filter, void* output,
                               const deconv_resolved_geometry* geometry);

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
  (void)snprintf(request->message, sizeof(request->message), "the function returned %d", returned);
  return returned == DECONV_ANSWER_UNSUPPORTED ? DECONV_ANSWER_UNSUPPORTED : DECONV_ANSWER_ERROR;
}

#ifdef __cplusplus
#define DECONV_BACKEND_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define DECONV_BACKEND_EXPORT __attribute__((visibility("default")))
#endif

/* Defines the exported function deconv_backend_open. Use it once in a library, outside of any function.
 *   function        a deconv_function
 *   called          the backend's name, a string
 *   types           element types: 1u << DECONV_ID_F32 | ...
 *   least, most     ranks of the data, batch and channels included: 4, 4 are two spatial axes
 *   lacks           bits of deconv_unsupported_bit, or 0. Invalid operators, auto_pad and output shapes need no bit,
 *                   because the suite resolves them */
#define DECONV_BACKEND_FUNCTION(function, called, types, least, most, lacks)                                     \
  static const deconv_backend_description* deconv_function_describe(void* self) {                                \
    static const char* const dialects[] = {"openvino-spec", "openvino-runtime", "onednn-spec", "onednn-runtime", \
                                           "onnx-11",       "onnx-1",           "onnxruntime", NULL};            \
    static deconv_backend_description description;                                                               \
    (void)self;                                                                                                  \
    description.size = sizeof(description);                                                                      \
    description.name = called;                                                                                   \
    description.version = "1";                                                                                   \
    description.dialects = dialects;                                                                             \
    description.operators = 0xf;                                                                                 \
    description.element_types = types;                                                                           \
    description.min_rank = least;                                                                                \
    description.max_rank = most;                                                                                 \
    description.unsupported = lacks;                                                                             \
    description.takes_resolved = 1;                                                                              \
    return &description;                                                                                         \
  }                                                                                                              \
  static deconv_answer deconv_function_run(void* self, deconv_run_request* request) {                            \
    (void)self;                                                                                                  \
    return deconv_run_function(function, request);                                                               \
  }                                                                                                              \
  DECONV_BACKEND_EXPORT int deconv_backend_open(const char* config, deconv_backend* backend) {                   \
    if (config[0] != '\0' || backend->size < offsetof(deconv_backend, resolve)) return 1;                        \
    backend->size = offsetof(deconv_backend, resolve); /* the functions behind it are not offered */             \
    backend->abi = DECONV_BACKEND_ABI;                                                                           \
    backend->self = NULL;                                                                                        \
    backend->describe = deconv_function_describe;                                                                \
    backend->run = deconv_function_run;                                                                          \
    backend->close = NULL;                                                                                       \
    return 0;                                                                                                    \
  }

/* NOLINTEND(modernize-*, readability-identifier-naming, bugprone-macro-parentheses) */

#endif /* DECONV_BACKEND_FUNCTION_H_ */
