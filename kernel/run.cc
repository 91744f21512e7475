// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// deconv_pack_filter and deconv_run: check every buffer, then hand the tasks out. Nothing here allocates.
#include <atomic>
#include <cstdint>
#include <cstring>

#include "kernel/include/deconv/deconv.h"
#include "kernel/plan.h"
#include "kernel/status.h"

namespace deconv {
namespace {

Status CheckBuffer(const char* name, const void* pointer, size_t bytes, size_t needed) {
  if (pointer == nullptr && needed > 0) return Fail(DECONV_INVALID_ARGUMENT, "%s: is a null pointer", name);
  if (bytes < needed) {
    return Fail(DECONV_BUFFER_TOO_SMALL, "%s: has %zu bytes, expected at least %zu", name, bytes, needed);
  }
  return {};
}

Status ReadHeader(const deconv_plan& plan, const void* packed, PackedHeader& header) {
  std::memcpy(&header, packed, sizeof(header));
  const PackedHeader expected;
  if (header.magic != expected.magic || header.version != expected.version) {
    return Fail(DECONV_INVALID_ARGUMENT, "packed_filter: is not a packed filter of version %u", expected.version);
  }
  if (header.plan != plan.packing_id || header.payload_bytes != plan.algorithm->PackedBytes()) {
    return Fail(DECONV_INVALID_ARGUMENT,
                "packed_filter: was packed for another plan or target, expected one for this plan (%s on %s)",
                plan.algorithm_name, plan.algorithm->Target());
  }
  return {};
}

// What the tasks of one run share.
struct Execution {
  const deconv_plan* plan = nullptr;
  RunBuffers buffers;
  char* workspace = nullptr;
  size_t workers = 1;
  std::atomic<bool> bad_worker = false;
};

void RunTask(void* argument, size_t index, size_t worker) {
  Execution& execution = *static_cast<Execution*>(argument);
  const Algorithm& algorithm = *execution.plan->algorithm;
  if (worker >= execution.workers || index >= static_cast<size_t>(algorithm.TaskCount())) {
    execution.bad_worker.store(true, std::memory_order_relaxed);
    return;
  }
  // No arithmetic on a null workspace, which is legal where nothing is needed.
  const size_t each = algorithm.ScratchBytes();
  char* scratch = each == 0 ? nullptr : execution.workspace + worker * each;
  algorithm.Run(execution.buffers, static_cast<int64_t>(index), scratch);
}

char* AlignUp(void* pointer) {
  const size_t rest = reinterpret_cast<uintptr_t>(pointer) % kScratchAlignment;
  return static_cast<char*>(pointer) + (rest == 0 ? 0 : kScratchAlignment - rest);
}

Status Run(const deconv_plan& plan, const deconv_run_args& args) {
  if (args.struct_bytes < sizeof(deconv_run_args)) {
    return Fail(DECONV_INVALID_ARGUMENT, "args: struct_bytes is %zu, expected at least %zu", args.struct_bytes,
                sizeof(deconv_run_args));
  }
  const size_t workers = args.parallel_for == nullptr || args.workers == 0 ? 1 : args.workers;
  const size_t workspace_bytes = deconv_plan_workspace_bytes(&plan, workers);
  if (Status s = CheckBuffer("data", args.data, args.data_bytes, plan.geometry.data_bytes); !s.Ok()) return s;
  if (Status s = CheckBuffer("packed_filter", args.packed_filter, args.packed_filter_bytes, plan.packed_bytes);
      !s.Ok()) {
    return s;
  }
  if (Status s = CheckBuffer("output", args.output, args.output_bytes, plan.geometry.output_bytes); !s.Ok()) return s;
  if (Status s = CheckBuffer("workspace", args.workspace, args.workspace_bytes, workspace_bytes); !s.Ok()) return s;
  PackedHeader header;
  if (Status s = ReadHeader(plan, args.packed_filter, header); !s.Ok()) return s;
  if (plan.geometry.output_bytes == 0) return {};

  Execution execution;
  execution.plan = &plan;
  execution.buffers.data = static_cast<const char*>(args.data);
  execution.buffers.filter = static_cast<const char*>(args.packed_filter) + kPackedHeaderBytes;
  execution.buffers.filter_is_finite = header.finite != 0;
  execution.buffers.output = static_cast<char*>(args.output);
  execution.workspace = workspace_bytes == 0 ? nullptr : AlignUp(args.workspace);
  execution.workers = workers;
  const auto count = static_cast<size_t>(plan.algorithm->TaskCount());
  if (args.parallel_for == nullptr) {
    for (size_t i = 0; i < count; ++i) RunTask(&execution, i, 0);
  } else {
    args.parallel_for(args.parallel_context, count, RunTask, &execution);
  }
  if (execution.bad_worker.load(std::memory_order_relaxed)) {
    return Fail(DECONV_INVALID_ARGUMENT,
                "parallel_for: called the task with an index or a worker out of range, expected index < %zu and worker "
                "< %zu; the output is incomplete",
                count, workers);
  }
  return {};
}

}  // namespace
}  // namespace deconv

extern "C" {

deconv_code deconv_pack_filter(const deconv_plan* plan, const void* filter, size_t filter_bytes, void* packed,
                               size_t packed_bytes, deconv_status* status) {
  using namespace deconv;  // NOLINT(google-build-using-namespace): the definitions of one C function
  if (plan == nullptr) return Fail(DECONV_INVALID_ARGUMENT, "plan: is a null pointer").Report(status);
  if (const Status s = CheckBuffer("filter", filter, filter_bytes, plan->geometry.filter_bytes); !s.Ok()) {
    return s.Report(status);
  }
  if (const Status s = CheckBuffer("packed", packed, packed_bytes, plan->packed_bytes); !s.Ok())
    return s.Report(status);
  char* out = static_cast<char*>(packed);
  std::memset(out, 0, kPackedHeaderBytes);
  PackedHeader header;
  header.plan = plan->packing_id;
  header.payload_bytes = plan->algorithm->PackedBytes();
  if (header.payload_bytes > 0) {
    header.finite = plan->algorithm->Pack(static_cast<const char*>(filter), out + kPackedHeaderBytes) ? 1 : 0;
  }
  std::memcpy(out, &header, sizeof(header));
  return Status().Report(status);
}

deconv_code deconv_run(const deconv_plan* plan, const deconv_run_args* args, deconv_status* status) {
  using deconv::Fail;
  if (plan == nullptr) return Fail(DECONV_INVALID_ARGUMENT, "plan: is a null pointer").Report(status);
  if (args == nullptr) return Fail(DECONV_INVALID_ARGUMENT, "args: is a null pointer").Report(status);
  return deconv::Run(*plan, *args).Report(status);
}

}  // extern "C"
