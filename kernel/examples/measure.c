/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shows how to let the machine choose: deconv_measure times the algorithms that fit an operator, and the plan takes the
 * fastest. A program would store the name and pass it at each start. Then it shows what packing the filter costs. Here
 * an image of 16 channels becomes twice as large.
 */
#include <deconv/deconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CHANNELS = 16, SIZE = 32, TAPS = 4, TIMED_RUNS = 100 };

static int fail(const char* what, const deconv_status* status) {
  fprintf(stderr, "%s: %s\n", what, status->message);
  return 1;
}

/* Times packing and running, and prints how many runs packing takes. Returns 0 if all is well. */
static int compare_packing(const deconv_plan* plan, const deconv_measure_args* measured, deconv_status* status) {
  deconv_run_args args = {0};
  args.struct_bytes = sizeof(args);
  args.data = measured->data;
  args.data_bytes = measured->data_bytes;
  args.output = measured->output;
  args.output_bytes = measured->output_bytes;
  args.packed_filter_bytes = deconv_plan_packed_filter_bytes(plan);
  args.workspace_bytes = deconv_plan_workspace_bytes(plan, 1);
  args.workspace = malloc(args.workspace_bytes + 1); /* malloc(0) may return NULL */
  void* packed = malloc(args.packed_filter_bytes);
  args.packed_filter = packed;
  int failed = args.workspace == NULL || packed == NULL;
  clock_t start = clock();
  for (int i = 0; i < TIMED_RUNS && !failed; ++i) {
    failed = deconv_pack_filter(plan, measured->filter, measured->filter_bytes, packed, args.packed_filter_bytes,
                                status) != DECONV_OK;
  }
  const double packing = (double)(clock() - start);
  start = clock();
  for (int i = 0; i < TIMED_RUNS && !failed; ++i) failed = deconv_run(plan, &args, status) != DECONV_OK;
  const double running = (double)(clock() - start);
  if (!failed) printf("packing the filter takes as long as %.2f runs\n", packing / (running > 0 ? running : 1));
  free(args.workspace);
  free(packed);
  return failed ? fail("pack or run", status) : 0;
}

/* Measures the algorithms, and creates a plan with the fastest one. Returns 0 if all is well. */
static int measure_and_plan(const deconv_operator* op, const deconv_measure_args* args, deconv_status* status) {
  deconv_measurement measurement = {0};
  measurement.struct_bytes = sizeof(measurement);
  if (deconv_measure(op, NULL, args, &measurement, status) != DECONV_OK) return fail("measure", status);
  printf("fastest %s, estimated %s\n", measurement.algorithm, measurement.estimated);

  deconv_options options = {0};
  options.struct_bytes = sizeof(options);
  options.algorithm = measurement.algorithm;
  deconv_plan* plan = NULL;
  if (deconv_plan_create(op, &options, &plan, status) != DECONV_OK) return fail("plan", status);
  printf("plan by %s on %s, costs of %s\n", deconv_plan_algorithm(plan), deconv_plan_target(plan),
         deconv_plan_cpu_class(plan));
  const int result = compare_packing(plan, args, status);
  deconv_plan_destroy(plan);
  return result;
}

int main(void) {
  const int64_t data_dims[] = {1, CHANNELS, SIZE, SIZE}, filter_dims[] = {CHANNELS, CHANNELS, TAPS, TAPS};
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

  /* Buffers like those of later runs. The values here are zeros, which take as long as other values. */
  deconv_measure_args args = {0};
  args.struct_bytes = sizeof(args);
  args.data_bytes = sizeof(float) * CHANNELS * SIZE * SIZE;
  args.filter_bytes = sizeof(float) * CHANNELS * CHANNELS * TAPS * TAPS;
  args.output_bytes = sizeof(float) * CHANNELS * 2 * SIZE * 2 * SIZE;
  args.seconds = 0.01;
  void* data = calloc(1, args.data_bytes);
  void* filter = calloc(1, args.filter_bytes);
  args.data = data;
  args.filter = filter;
  args.output = malloc(args.output_bytes);

  deconv_status status = {0};
  status.struct_bytes = sizeof(status);
  const int result = data == NULL || filter == NULL || args.output == NULL ? 1 : measure_and_plan(&op, &args, &status);
  free(data);
  free(filter);
  free(args.output);
  return result;
}
