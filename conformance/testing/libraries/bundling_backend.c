/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a backend that contains other libraries. It opens only if each symbol means the function of its own copy.
 * If the symbol meant the suite's copy, a function of another version would be called, which might crash.
 */
#include <stddef.h>
#include <stdio.h>

#define deconv_backend_open OpenFunction
#include "conformance/examples/function.c"
#undef deconv_backend_open

/* The function behind all names. It is only compared by its address and never called, because a function of another
 * library would get wrong arguments. */
static void OwnCopy(void) {}

/* One symbol of each library that this program links or has linked, which all versions export. */
#define BUNDLED(name, symbol) void name(void) __asm__(symbol) __attribute__((visibility("default"), alias("OwnCopy")))
BUNDLED(Onednn, "dnnl_engine_create");
BUNDLED(Onnx, "_ZN4onnx10ModelProto5ClearEv");
BUNDLED(Protobuf, "_ZN6google8protobuf11MessageLite14ParseFromArrayEPKvi");
BUNDLED(Pugixml, "_ZN4pugi12xml_documentC1Ev");
BUNDLED(Tomlplusplus, "_ZN4toml2v34nodeC2Ev");

static const struct {
  const char* library;
  void (*means)(void);
} kBundled[] = {
    {"oneDNN", Onednn}, {"ONNX", Onnx}, {"protobuf", Protobuf}, {"pugixml", Pugixml}, {"toml++", Tomlplusplus}};

DECONV_BACKEND_EXPORT int deconv_backend_open(const char* config, deconv_backend* backend) {
  for (size_t i = 0; i < sizeof(kBundled) / sizeof(*kBundled); ++i) {
    if (kBundled[i].means == OwnCopy) continue;
    fprintf(stderr, "a symbol of %s is not the one that this backend brings\n", kBundled[i].library);
    return 9;
  }
  return OpenFunction(config, backend);
}
