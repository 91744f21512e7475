/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shows how to run a plan on threads of the program: a parallel_for on POSIX threads, with the calling thread as one of
 * the workers. The library itself starts no threads. A program that runs often keeps its threads between runs.
 */
#include <deconv/deconv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 64, SIZE = 96, TAPS = 4, WORKERS = 4 };
/* The buffers of this program: one output for the run without threads, one for the run with them. */
enum { DATA, FILTER, PACKED_FILTER, WORKSPACE, SERIAL_OUTPUT, THREADED_OUTPUT, BUFFERS };

/* The tasks of one run. Threads take them by index. */
struct task_list {
  pthread_mutex_t mutex;
  size_t next; /* the smallest index that no thread has taken */
  size_t count;
  deconv_task task;
  void* argument;
};

struct worker {
  struct task_list* list;
  size_t number; /* below WORKERS, and another one in each thread */
};

/* Runs tasks of the list until none is left. `argument` is the struct worker. */
static void* run_tasks(void* argument) {
  const struct worker* worker = argument;
  struct task_list* list = worker->list;
  for (;;) {
    pthread_mutex_lock(&list->mutex);
    const size_t index = list->next;
    if (index < list->count) ++list->next;
    pthread_mutex_unlock(&list->mutex);
    if (index >= list->count) return NULL;
    list->task(list->argument, index, worker->number);
  }
}

/* A deconv_parallel_for. It returns when every task has returned. `context` is the caller's: here it counts tasks. */
static void parallel_for(void* context, size_t count, deconv_task task, void* argument) {
  struct task_list list = {PTHREAD_MUTEX_INITIALIZER, 0, count, task, argument};
  struct worker workers[WORKERS];
  pthread_t threads[WORKERS];
  size_t started = 1; /* worker 0 is this thread */
  for (size_t i = 0; i < WORKERS; ++i) {
    workers[i].list = &list;
    workers[i].number = i;
  }
  /* If the system starts fewer threads, these do all tasks. */
  while (started < WORKERS && started < count &&
         pthread_create(&threads[started], NULL, run_tasks, &workers[started]) == 0) {
    ++started;
  }
  run_tasks(&workers[0]);
  for (size_t i = 1; i < started; ++i) pthread_join(threads[i], NULL);
  *(size_t*)context += count;
}

static int fail(const char* what, const deconv_status* status) {
  fprintf(stderr, "%s: %s\n", what, status->message);
  return 1;
}

/* Runs the plan without threads and with them, and compares the outputs. Returns 0 if they are equal. */
static int run_both(const deconv_plan* plan, void* const buffers[BUFFERS], deconv_status* status) {
  const size_t filter_bytes = deconv_plan_filter_bytes(plan), packed_bytes = deconv_plan_packed_filter_bytes(plan);
  if (deconv_pack_filter(plan, buffers[FILTER], filter_bytes, buffers[PACKED_FILTER], packed_bytes, status) !=
      DECONV_OK) {
    return fail("pack", status);
  }
  size_t tasks = 0;
  deconv_run_args args = {0};
  args.struct_bytes = sizeof(args);
  args.data = buffers[DATA];
  args.data_bytes = deconv_plan_data_bytes(plan);
  args.packed_filter = buffers[PACKED_FILTER];
  args.packed_filter_bytes = packed_bytes;
  args.workspace = buffers[WORKSPACE];
  args.workspace_bytes = deconv_plan_workspace_bytes(plan, WORKERS);
  args.output = buffers[SERIAL_OUTPUT];
  args.output_bytes = deconv_plan_output_bytes(plan);
  if (deconv_run(plan, &args, status) != DECONV_OK) return fail("run", status);

  args.output = buffers[THREADED_OUTPUT];
  args.parallel_for = parallel_for;
  args.parallel_context = &tasks;
  args.workers = WORKERS;
  if (deconv_run(plan, &args, status) != DECONV_OK) return fail("run on threads", status);
  const int same = memcmp(buffers[SERIAL_OUTPUT], buffers[THREADED_OUTPUT], args.output_bytes) == 0;
  printf("%d workers, %zu tasks by %s\n", WORKERS, tasks, deconv_plan_algorithm(plan));
  printf("output of %zu bytes, %s\n", args.output_bytes, same ? "the same bits as without threads" : "other bits");
  return !same;
}

int main(void) {
  const int64_t data_dims[] = {1, CHANNELS, SIZE, SIZE}, filter_dims[] = {CHANNELS, CHANNELS, TAPS, TAPS};
  const int64_t strides[] = {2, 2}, pads[] = {1, 1};
  deconv_operator op = {0};
  op.struct_bytes = sizeof(op);
  op.kind = DECONV_CONV_TRANSPOSE;
  op.dialect = DECONV_ONNX_11;
  op.data.type = op.filter.type = DECONV_F32;
  op.data.dims.values = data_dims;
  op.filter.dims.values = filter_dims;
  op.data.dims.count = op.filter.dims.count = 4;
  op.strides.values = strides;
  op.pads_begin.values = op.pads_end.values = pads;
  op.strides.count = op.pads_begin.count = op.pads_end.count = 2;

  deconv_status status = {0};
  status.struct_bytes = sizeof(status);
  deconv_plan* plan = NULL;
  if (deconv_plan_create(&op, NULL, &plan, &status) != DECONV_OK) return fail("plan", &status);
  const size_t bytes[BUFFERS] = {deconv_plan_data_bytes(plan),          deconv_plan_filter_bytes(plan),
                                 deconv_plan_packed_filter_bytes(plan), deconv_plan_workspace_bytes(plan, WORKERS),
                                 deconv_plan_output_bytes(plan),        deconv_plan_output_bytes(plan)};
  void* buffers[BUFFERS];
  int result = 0;
  for (int i = 0; i < BUFFERS; ++i) {
    buffers[i] = malloc(bytes[i] > 0 ? bytes[i] : 1);
    result |= buffers[i] == NULL;
  }
  /* Fill data and filter. Any values would do. */
  for (int b = DATA; b <= FILTER && !result; ++b) {
    float* values = buffers[b];
    for (size_t i = 0; i < bytes[b] / sizeof(float); ++i) values[i] = 1.0f / (float)(3 + i % 101);
  }
  if (!result) result = run_both(plan, buffers, &status);
  for (int i = 0; i < BUFFERS; ++i) free(buffers[i]);
  deconv_plan_destroy(plan);
  return result;
}
