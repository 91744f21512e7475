/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a backend whose door or description is broken in the way that its configuration names; "" is whole.
 */
#include <string.h>

#include "conformance/door/deconv_backend.h"

static const char* dialects[64];
static char endless[256];
static deconv_backend_description description;
static deconv_type_arithmetic rows[2];
static int has_description = 1;

static const deconv_backend_description* Describe(void* self) {
  (void)self;
  return has_description ? &description : NULL;
}

static deconv_answer Run(void* self, deconv_run_request* request) {
  (void)self;
  (void)strcpy(request->message, "this backend does nothing");
  return DECONV_ANSWER_UNSUPPORTED;
}

int deconv_backend_open(const char* config, deconv_backend* backend);

int deconv_backend_open(const char* config, deconv_backend* backend) {
  if (strcmp(config, "open fails") == 0) return 7;
  backend->abi = strcmp(config, "abi") == 0 ? DECONV_BACKEND_ABI + 1 : DECONV_BACKEND_ABI;
  backend->describe = strcmp(config, "no describe") == 0 ? NULL : Describe;
  backend->run = strcmp(config, "no run") == 0 ? NULL : Run;
  if (strcmp(config, "door size") == 0) backend->size = 8;
  has_description = strcmp(config, "no description") != 0;

  memset(dialects, 0, sizeof(dialects));
  dialects[0] = "openvino-spec";
  memset(endless, 'x', sizeof(endless));
  memset(&description, 0, sizeof(description));
  description.size = strcmp(config, "description size") == 0 ? 16 : sizeof(description);
  description.name = strcmp(config, "no name") == 0 ? NULL : strcmp(config, "endless name") == 0 ? endless : "broken";
  description.version = strcmp(config, "lines") == 0 ? "1\n2" : "1";
  description.dialects = strcmp(config, "no dialects") == 0 ? NULL : dialects;
  if (strcmp(config, "unknown dialect") == 0) dialects[0] = "openvino-spek";
  if (strcmp(config, "two dialects") == 0) dialects[1] = "onnxruntime";
  if (strcmp(config, "empty dialects") == 0) dialects[0] = NULL;
  if (strcmp(config, "endless dialects") == 0) {
    for (int i = 0; i < 64; ++i) dialects[i] = "openvino-spec";
  }
  description.operators = strcmp(config, "operators") == 0 ? 0x100 : 1;
  description.element_types = strcmp(config, "types") == 0 ? 0 : 1u << DECONV_ID_F32;
  description.min_rank = strcmp(config, "ranks") == 0 ? 5 : 3;
  description.max_rank = strcmp(config, "ranks") == 0 ? 4 : strcmp(config, "max rank") == 0 ? 1000 : 5;
  description.accumulator = strcmp(config, "accumulator") == 0 ? -1 : DECONV_ACCUMULATOR_F32;
  description.faithful_rounding = strcmp(config, "rounding") == 0 ? 2 : 0;
  description.subnormals = strcmp(config, "subnormals") == 0 ? 9 : DECONV_SUBNORMALS_KEPT;
  description.overflow = strcmp(config, "overflow") == 0 ? 9 : DECONV_OVERFLOW_WRAPS;
  description.known_deviations = strcmp(config, "deviations") == 0 ? 2 : 0;
  rows[0] = (deconv_type_arithmetic){sizeof(rows[0]), DECONV_ID_BF16, DECONV_ACCUMULATOR_F64, DECONV_ROUNDING_FAITHFUL,
                                     DECONV_SUBNORMALS_FLUSHED};
  rows[1] = rows[0];
  rows[1].element_type = DECONV_ID_F16;
  description.arithmetic = strncmp(config, "row", 3) == 0 ? rows : NULL;
  description.arithmetic_count = strcmp(config, "rows count") == 0 ? 5 : 2;
  if (strcmp(config, "row size") == 0) rows[0].size = 8;
  if (strcmp(config, "row sizes") == 0) rows[1].size = 8;
  if (strcmp(config, "row type") == 0) rows[1].element_type = DECONV_ID_I8;
  if (strcmp(config, "row accumulator") == 0) rows[1].accumulator = 4;
  if (strcmp(config, "row rounding") == 0) rows[1].rounding = 4;
  if (strcmp(config, "row subnormals") == 0) rows[1].subnormals = DECONV_SUBNORMALS_FLUSHED_IN_BF16;
  if (strcmp(config, "row twice") == 0) rows[1].element_type = DECONV_ID_BF16;
  return 0;
}
