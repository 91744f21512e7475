/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shows how to use the kernel from C: enlarges a plane of 4x4 values to 8x8 by bilinear interpolation, which is a
 * transposed convolution of stride 2. The operator is described as ConvolutionBackpropData of OpenVINO.
 */
#include <deconv/deconv.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char* what, const deconv_status* status) {
  fprintf(stderr, "%s: %s\n", what, status->message);
  return 1;
}

/* Packs the filter, runs the plan once and prints the output. Returns 0 if all is well. */
static int run_and_print(const deconv_plan* plan, const float data[16], const float filter[16], deconv_status* status) {
  const size_t packed_bytes = deconv_plan_packed_filter_bytes(plan);
  const size_t workspace_bytes = deconv_plan_workspace_bytes(plan, 1);
  void* packed = malloc(packed_bytes);
  void* workspace = malloc(workspace_bytes > 0 ? workspace_bytes : 1);
  float* output = malloc(deconv_plan_output_bytes(plan));
  int result = packed == NULL || workspace == NULL || output == NULL;

  /* Pack once for a filter, then call deconv_run once for each image. */
  if (!result && deconv_pack_filter(plan, filter, 16 * sizeof(float), packed, packed_bytes, status) != DECONV_OK) {
    result = fail("pack", status);
  }
  deconv_run_args args = {0};
  args.struct_bytes = sizeof(args);
  args.data = data;
  args.data_bytes = 16 * sizeof(float);
  args.packed_filter = packed;
  args.packed_filter_bytes = packed_bytes;
  args.output = output;
  args.output_bytes = deconv_plan_output_bytes(plan);
  args.workspace = workspace;
  args.workspace_bytes = workspace_bytes;
  if (!result && deconv_run(plan, &args, status) != DECONV_OK) result = fail("run", status);

  if (!result) {
    const int64_t* dims = deconv_plan_output_dims(plan);
    printf("output %dx%d by %s\n", (int)dims[2], (int)dims[3], deconv_plan_algorithm(plan));
    for (int64_t y = 0; y < dims[2]; ++y) {
      for (int64_t x = 0; x < dims[3]; ++x) printf("%s%g", x == 0 ? "" : " ", (double)output[y * dims[3] + x]);
      printf("\n");
    }
  }
  free(packed);
  free(workspace);
  free(output);
  return result;
}

int main(void) {
  const float data[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  /* Weights of linear interpolation: each output takes 3/4 of its nearer neighbour and 1/4 of the other one. */
  const float tent[4] = {0.25f, 0.75f, 0.75f, 0.25f};
  float filter[16];
  for (int i = 0; i < 16; ++i) filter[i] = tent[i / 4] * tent[i % 4];

  /* The operator as its specification describes it. The plan resolves its attributes. */
  const int64_t data_dims[] = {1, 1, 4, 4}, filter_dims[] = {1, 1, 4, 4};
  const int64_t strides[] = {2, 2}, dilations[] = {1, 1}, pads[] = {1, 1};
  deconv_operator op = {0};
  op.struct_bytes = sizeof(op);
  op.kind = DECONV_CONVOLUTION_BACKPROP_DATA;
  op.dialect = DECONV_OPENVINO_SPEC;
  op.data.type = op.filter.type = DECONV_F32;
  op.data.dims.values = data_dims;
  op.filter.dims.values = filter_dims;
  op.data.dims.count = op.filter.dims.count = 4;
  op.strides.values = strides;
  op.dilations.values = dilations;
  op.pads_begin.values = op.pads_end.values = pads;
  op.strides.count = op.dilations.count = op.pads_begin.count = op.pads_end.count = 2;
  op.auto_pad = "explicit";

  deconv_status status = {0};
  status.struct_bytes = sizeof(status);
  deconv_plan* plan = NULL;
  if (deconv_plan_create(&op, NULL, &plan, &status) != DECONV_OK) return fail("plan", &status);

  const int result = run_and_print(plan, data, filter, &status);
  deconv_plan_destroy(plan);
  return result;
}
