// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements deconv_run: checks that every buffer is large enough and that none overlaps the output or the workspace.
// Then it cuts the run into tasks. The caller's function parallel_for runs them on the caller's threads, the workers.
// Without parallel_for, the calling thread runs them in turn. Nothing here allocates.
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstddef>
#include <cstdint>

#include "kernel/base/fp_environment.h"
#include "kernel/base/status.h"
#include "kernel/base/tagged_struct.h"
#include "kernel/include/deconv/deconv.h"
#include "kernel/plan/packed_filter.h"
#include "kernel/plan/plan.h"

namespace deconv {
namespace {

// Fails if the output or the workspace overlaps another buffer. Each buffer has passed CheckBuffer. The sizes are the
// bytes that the run reads or writes; the caller's buffers may be larger.
Status CheckOverlaps(const deconv_run_args& args, size_t data_bytes, size_t packed_bytes, size_t output_bytes,
                     size_t workspace_bytes) {
  const AccessedBuffer data = {"data", args.data, data_bytes};
  const AccessedBuffer packed = {"packed_filter", args.packed_filter, packed_bytes};
  const AccessedBuffer output = {"output", args.output, output_bytes};
  const AccessedBuffer workspace = {"workspace", args.workspace, workspace_bytes};
  for (const AccessedBuffer& other : {data, packed, workspace}) {
    if (Status s = CheckNoOverlap(output, other); !s.Ok()) return s;
  }
  for (const AccessedBuffer& other : {data, packed}) {
    if (Status s = CheckNoOverlap(workspace, other); !s.Ok()) return s;
  }
  return {};
}

// The values that the tasks of one run share.
struct Execution {
  const Algorithm* algorithm = nullptr;
  RunBuffers buffers;
  char* workspace = nullptr;                    // the scratch of worker 0, then that of worker 1, and so on
  size_t workers = 1;                           // numbers of workers are below it
  std::atomic<bool> call_out_of_range = false;  // parallel_for passed an index or a worker that does not exist
  std::atomic<size_t> calls = 0;                // tasks that parallel_for has called
};

// Runs task number `index` with the scratch (memory for copies and sums) of `worker`. `argument` is the Execution. If
// the index or the worker is out of range, records that and runs nothing.
void RunTask(void* argument, size_t index, size_t worker) {
  Execution& execution = *static_cast<Execution*>(argument);
  const Algorithm& algorithm = *execution.algorithm;
  if (worker >= execution.workers || index >= static_cast<size_t>(execution.buffers.tasks)) {
    execution.call_out_of_range.store(true, std::memory_order_relaxed);
    return;
  }
  // A workspace may be null if no scratch is needed. To add an offset to a null pointer would be undefined behaviour.
  const size_t scratch_bytes = algorithm.ScratchBytes();
  char* scratch = scratch_bytes == 0 ? nullptr : execution.workspace + worker * scratch_bytes;
  algorithm.Run(execution.buffers, static_cast<int64_t>(index), scratch);
}

// Runs one task for parallel_for, and counts the call, to notice a parallel_for that skips tasks. It sets the
// floating-point environment for each task, because threads of parallel_for may have other modes than the caller.
void RunCountedTask(void* argument, size_t index, size_t worker) {
  const FloatEnvironment environment;
  static_cast<Execution*>(argument)->calls.fetch_add(1, std::memory_order_relaxed);
  RunTask(argument, index, worker);
}

// Returns the first address from `pointer` on that is a multiple of kScratchAlignment.
char* AlignUp(void* pointer) {
  const size_t rest = reinterpret_cast<uintptr_t>(pointer) % kScratchAlignment;
  return static_cast<char*>(pointer) + (rest == 0 ? 0 : kScratchAlignment - rest);
}

// Runs all tasks, in turn or by the caller's parallel_for. Fails if parallel_for did not call each task once.
Status RunTasks(const deconv_run_args& args, Execution& execution) {
  const auto count = static_cast<size_t>(execution.buffers.tasks);
  if (args.parallel_for == nullptr) {
    const FloatEnvironment environment;
    for (size_t i = 0; i < count; ++i) RunTask(&execution, i, 0);
    return {};
  }
  args.parallel_for(args.parallel_context, count, RunCountedTask, &execution);
  if (execution.call_out_of_range.load(std::memory_order_relaxed)) {
    return Fail(DECONV_INVALID_ARGUMENT,
                "parallel_for: called the task with an index or a worker out of range, expected index < %zu and worker "
                "< %zu (args.workers, 0 counts as 1); the output is incomplete",
                count, execution.workers);
  }
  const size_t calls = execution.calls.load(std::memory_order_relaxed);
  if (calls != count) {
    return Fail(DECONV_INVALID_ARGUMENT,
                "parallel_for: called %zu tasks, expected each of the %zu tasks once; the output is incomplete", calls,
                count);
  }
  return {};
}

// Checks the arguments, then runs the plan.
Status Run(const deconv_plan& plan, const deconv_run_args& caller_args) {
  deconv_run_args args;
  if (Status s = ReadTagged("args", &caller_args, offsetof(deconv_run_args, batch), args); !s.Ok()) return s;
  const int64_t batch = args.batch == 0 ? plan.geometry.batch : args.batch;
  const size_t data_bytes = deconv_plan_batch_data_bytes(&plan, batch);
  const size_t output_bytes = deconv_plan_batch_output_bytes(&plan, batch);
  if (data_bytes == SIZE_MAX || output_bytes == SIZE_MAX) {
    return Fail(batch < 0 ? DECONV_INVALID_ARGUMENT : DECONV_OVERFLOW,
                "batch: is %" PRId64 ", expected 0 or more, and no more samples than can be addressed", args.batch);
  }
  const size_t workers = args.parallel_for == nullptr || args.workers == 0 ? 1 : args.workers;
  const size_t workspace_bytes = deconv_plan_workspace_bytes(&plan, workers);
  if (workspace_bytes == SIZE_MAX) return FailOfTooManyWorkers(workers);
  if (Status s = CheckBuffer("data", args.data, args.data_bytes, data_bytes); !s.Ok()) return s;
  PackedHeader header;
  if (Status s = ReadPackedFilter(plan, args.packed_filter, args.packed_filter_bytes, header); !s.Ok()) return s;
  if (Status s = CheckBuffer("output", args.output, args.output_bytes, output_bytes); !s.Ok()) return s;
  if (Status s = CheckBuffer("workspace", args.workspace, args.workspace_bytes, workspace_bytes); !s.Ok()) return s;
  if (Status s = CheckOverlaps(args, data_bytes, plan.packed_bytes, output_bytes, workspace_bytes); !s.Ok()) return s;
  if (output_bytes == 0) return {};

  Execution execution;
  execution.algorithm = &plan.AlgorithmOf(workers, batch);
  execution.buffers.data = static_cast<const char*>(args.data);
  execution.buffers.filter = static_cast<const char*>(args.packed_filter) + kPackedHeaderBytes;
  execution.buffers.filter_is_finite = header.finite != 0;
  execution.buffers.output = static_cast<char*>(args.output);
  execution.workspace = workspace_bytes == 0 ? nullptr : AlignUp(args.workspace);
  execution.workers = workers;
  const int64_t tasks = execution.algorithm->TaskCount(batch);
  execution.buffers.tasks = tasks;
  // If three workers take tasks in turn, the worker of task 0 most likely runs task 3 next, and can prefetch its data.
  execution.buffers.tasks_until_next = static_cast<int64_t>(std::min(workers, static_cast<size_t>(tasks)));
  return RunTasks(args, execution);
}

}  // namespace
}  // namespace deconv

extern "C" {

deconv_code deconv_run(const deconv_plan* plan, const deconv_run_args* args, deconv_status* status) {
  using deconv::Fail;
  if (plan == nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "plan: is a null pointer, expected a plan of deconv_plan_create")
        .Report(status);
  }
  if (args == nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "args: is a null pointer, expected a deconv_run_args").Report(status);
  }
  return deconv::Run(*plan, *args).Report(status);
}

}  // extern "C"
