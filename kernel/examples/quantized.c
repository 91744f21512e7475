/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shows how to run a layer of a quantized network: 8-bit integers with scales, a bias and an activation. The kernel has
 * none of these. Its sums in i8 wrap, so the program widens data and filter to i32. Then one pass over the sums does
 * the rest. The program prints the wrapped sums, the right sums, and the outputs.
 */
#include <deconv/deconv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { IN_CHANNELS = 2, OUT_CHANNELS = 2, DATA = 3, TAPS = 2, STRIDE = 2, OUTPUT = STRIDE * DATA };
enum { DATA_COUNT = IN_CHANNELS * DATA, FILTER_COUNT = IN_CHANNELS * OUT_CHANNELS * TAPS };
enum { OUTPUT_COUNT = OUT_CHANNELS * OUTPUT };

/* Computes an output once. Data, filter and output have elements of `type`. Real programs keep plan and packed filter
 * for further runs. Returns 0 if all is well. */
static int transposed_convolution(deconv_type type, const void* data, const void* filter, void* output) {
  const int64_t data_dims[] = {1, IN_CHANNELS, DATA}, filter_dims[] = {IN_CHANNELS, OUT_CHANNELS, TAPS};
  const int64_t strides[] = {STRIDE};
  deconv_operator op = {0};
  op.struct_bytes = sizeof(op);
  op.kind = DECONV_CONVOLUTION_BACKPROP_DATA; /* takes integers; ConvTranspose of ONNX does not */
  op.dialect = DECONV_OPENVINO_SPEC;
  op.data.type = op.filter.type = type;
  op.data.dims.values = data_dims;
  op.filter.dims.values = filter_dims;
  op.data.dims.count = op.filter.dims.count = 3;
  op.strides.values = strides;
  op.strides.count = 1;

  deconv_status status = {0};
  status.struct_bytes = sizeof(status);
  deconv_plan* plan = NULL;
  if (deconv_plan_create(&op, NULL, &plan, &status) != DECONV_OK) {
    fprintf(stderr, "plan: %s\n", status.message);
    return 1;
  }
  deconv_run_args args = {0};
  args.struct_bytes = sizeof(args);
  args.data = data;
  args.data_bytes = deconv_plan_data_bytes(plan);
  args.packed_filter_bytes = deconv_plan_packed_filter_bytes(plan);
  args.output = output;
  args.output_bytes = deconv_plan_output_bytes(plan);
  args.workspace_bytes = deconv_plan_workspace_bytes(plan, 1);
  args.workspace = malloc(args.workspace_bytes + 1); /* malloc(0) may return NULL */
  void* packed = malloc(args.packed_filter_bytes);
  args.packed_filter = packed;
  int failed = args.workspace == NULL || packed == NULL;
  if (!failed) {
    failed = deconv_pack_filter(plan, filter, deconv_plan_filter_bytes(plan), packed, args.packed_filter_bytes,
                                &status) != DECONV_OK ||
             deconv_run(plan, &args, &status) != DECONV_OK;
  }
  if (failed) fprintf(stderr, "pack or run: %s\n", status.message);
  free(args.workspace);
  free(packed);
  deconv_plan_destroy(plan);
  return failed;
}

/* Scales the sums, adds the bias, applies the activation (ReLU) and saturates, in one pass over a planar output. With
 * channels last, the innermost loop would run over channels. */
static void requantize(const int32_t sums[OUTPUT_COUNT], float scale, const float bias[OUT_CHANNELS],
                       int8_t outputs[OUTPUT_COUNT]) {
  for (int channel = 0; channel < OUT_CHANNELS; ++channel) {
    for (int i = channel * OUTPUT; i < (channel + 1) * OUTPUT; ++i) {
      float value = scale * (float)sums[i] + bias[channel];
      if (value < 0) value = 0;
      if (value > 127) value = 127;
      outputs[i] = (int8_t)lrintf(value);
    }
  }
}

int main(void) {
  const int8_t data[DATA_COUNT] = {100, -50, 25, 20, 40, -60};
  const int8_t filter[FILTER_COUNT] = {3, -2, 5, 1, 2, 4, -3, 6};
  const float bias[OUT_CHANNELS] = {1.25f, 20.1f};
  /* scale of data * scale of filter / scale of outputs */
  const float scale = 0.25f;
  int8_t outputs[OUTPUT_COUNT];
  if (transposed_convolution(DECONV_I8, data, filter, outputs)) return 1;
  printf("i8 ");
  for (int i = 0; i < OUTPUT_COUNT; ++i) printf(" %4d", outputs[i]);

  /* If the data had a zero point, the first loop would subtract it. */
  int32_t wide_data[DATA_COUNT], wide_filter[FILTER_COUNT], sums[OUTPUT_COUNT];
  for (int i = 0; i < DATA_COUNT; ++i) wide_data[i] = data[i];
  for (int i = 0; i < FILTER_COUNT; ++i) wide_filter[i] = filter[i];
  if (transposed_convolution(DECONV_I32, wide_data, wide_filter, sums)) return 1;
  requantize(sums, scale, bias, outputs);
  printf("\ni32");
  for (int i = 0; i < OUTPUT_COUNT; ++i) printf(" %4d", (int)sums[i]);
  printf("\nout");
  for (int i = 0; i < OUTPUT_COUNT; ++i) printf(" %4d", outputs[i]);
  printf("\n");
  return 0;
}
