// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements deconv_plan_create, which resolves an operator and chooses its algorithm, and the functions that ask a
// plan for shapes, sizes and names.
#include "kernel/plan/plan.h"

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "kernel/base/checked.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/fp_environment.h"
#include "kernel/base/status.h"
#include "kernel/base/tagged_struct.h"
#include "kernel/include/deconv/deconv.h"
#include "kernel/plan/cpu_names.h"
#include "kernel/plan/packed_filter.h"
#include "kernel/plan/registry.h"
#include "kernel/plan/targets.h"
#include "kernel/resolve/resolve.h"

namespace deconv {
namespace {

// The hash FNV-1a of 64 bits, with its published prime and first value. It is short, and the same on every machine.
class FnvHash {
 public:
  void Add(int64_t value) {
    for (int byte = 0; byte < 8; ++byte) AddByte(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * byte)));
  }
  void Add(const char* text) {
    for (; *text != '\0'; ++text) AddByte(static_cast<uint8_t>(*text));
    AddByte(0);  // so that "ab" and then "c" differs from "a" and then "bc"
  }
  uint64_t Hash() const { return hash_; }

 private:
  void AddByte(uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }

  uint64_t hash_ = 0xcbf29ce484222325u;
};

// Returns the failure for the algorithm `name` of the caller, which is unknown or does not fit the operator. (Without a
// name, an algorithm always fits.)
Status FailOfNamedAlgorithm(const char* name) {
  std::string names;
  for (const AlgorithmEntry& entry : Algorithms()) {
    if (std::strcmp(entry.name, name) == 0) {
      return Fail(DECONV_INVALID_ARGUMENT,
                  "algorithm: \"%s\" does not fit this operator; pass NULL, and the plan chooses one that does", name);
    }
    names += names.empty() ? entry.name : std::string(", ") + entry.name;
  }
  return Fail(DECONV_INVALID_ARGUMENT, "algorithm: is \"%.64s\", expected NULL or one of: %s", name, names.c_str());
}

// Sets plan.many_workers_algorithm, if the algorithm can be created with more tasks and then reads the same packed
// filter. `machine` is a copy, because it is changed.
void AddAlgorithmForManyWorkers(const AlgorithmEntry& entry, Machine machine, deconv_plan& plan) {
  const int64_t tasks = plan.algorithm->TaskCount(1);
  if (!entry.has_smaller_tasks || tasks >= kEnoughTasks) return;
  machine.many_workers = true;
  std::unique_ptr<Algorithm> finer = entry.create(plan.geometry, machine);
  if (finer == nullptr || finer->TaskCount(1) <= tasks) return;
  const bool reads_same_filter = PackingId(plan.geometry, entry.name, *finer) == plan.packing_id &&
                                 finer->PackedBytes() == plan.algorithm->PackedBytes();
  if (reads_same_filter) plan.many_workers_algorithm = std::move(finer);
}

// Refuses reserved members that are set, and a keep_subnormals other than 0 and 1.
Status CheckOptions(const deconv_options& options) {
  if (options.reserved != 0 || options.reserved_end != 0) {
    return Fail(DECONV_INVALID_ARGUMENT, "options: reserved is %" PRId32 " and reserved_end is %" PRId32 ", expected 0",
                options.reserved, options.reserved_end);
  }
  if (options.keep_subnormals != 0 && options.keep_subnormals != 1) {
    return Fail(DECONV_INVALID_ARGUMENT, "keep_subnormals: is %" PRId32 ", expected 0 or 1", options.keep_subnormals);
  }
  return {};
}

// Creates the plan of an operator in `created`. `caller_options` may be null. May throw std::bad_alloc.
Status Create(const deconv_operator& op, const deconv_options* caller_options, deconv_plan** created) {
  const FloatEnvironment environment;  // estimates of cycles are doubles
  deconv_options options = {};
  if (caller_options != nullptr) {
    if (Status s = ReadTagged("options", caller_options, offsetof(deconv_options, target), options); !s.Ok()) return s;
  }
  int64_t target = 0;
  if (Status s = FindTarget(options.target, target); !s.Ok()) return s;
  if (Status s = CheckOptions(options); !s.Ok()) return s;
  auto plan = std::make_unique<deconv_plan>();
  if (Status s = FindCpu(options.cpu, plan->cpu); !s.Ok()) return s;
  Geometry& geometry = plan->geometry;
  if (Status s = Resolve(op, options.layout, geometry); !s.Ok()) return s;
  for (int a = 0; a < geometry.axis_count; ++a) {
    plan->pads_begin[a] = geometry.axes[a].pads_begin;
    plan->pads_end[a] = geometry.axes[a].pads_end;
  }
  const Machine machine = {target, plan->cpu, options.keep_subnormals == 1};
  const AlgorithmEntry* entry = ChooseAlgorithm(geometry, options.algorithm, machine, plan->algorithm);
  if (entry == nullptr) {
    return FailOfNamedAlgorithm(options.algorithm);
  }
  plan->algorithm_name = entry->name;
  plan->packing_id = PackingId(geometry, entry->name, *plan->algorithm);
  plan->packed_bytes = kPackedHeaderBytes + plan->algorithm->PackedBytes();
  AddAlgorithmForManyWorkers(*entry, machine, *plan);
  *created = plan.release();
  return {};
}

// Returns the bytes of a tensor of `batch` samples; SIZE_MAX if `batch` is negative or the size is too large.
size_t BatchBytes(const Geometry& geometry, int64_t sample_elements, int64_t batch) {
  const Checked bytes = Checked(batch) * sample_elements * static_cast<int64_t>(ElementBytes(geometry.type));
  return batch < 0 || !bytes.Valid() || bytes.Value() > PTRDIFF_MAX ? SIZE_MAX : static_cast<size_t>(bytes.Value());
}

}  // namespace

uint64_t PackingId(const Geometry& geometry, const char* name, const Algorithm& algorithm) {
  FnvHash fnv;
  fnv.Add(name);
  fnv.Add(algorithm.Target());
  for (const int64_t value :
       {static_cast<int64_t>(algorithm.PackingVariant()), int64_t{geometry.type}, geometry.groups, geometry.in_channels,
        geometry.out_channels, int64_t{geometry.axis_count}, geometry.filter_strides.in_channel,
        geometry.filter_strides.out_channel, geometry.filter_strides.tap}) {
    fnv.Add(value);
  }
  for (int a = 0; a < geometry.axis_count; ++a) {
    const Axis& axis = geometry.axes[a];
    for (const int64_t value : {axis.kernel, axis.stride, axis.dilation, axis.pads_begin, axis.output}) fnv.Add(value);
  }
  return fnv.Hash();
}

}  // namespace deconv

extern "C" {

deconv_code deconv_plan_create(const deconv_operator* op, const deconv_options* options, deconv_plan** plan,
                               deconv_status* status) {
  using deconv::Fail;
  if (plan == nullptr)
    return Fail(DECONV_INVALID_ARGUMENT, "plan: is a null pointer, expected where to store the plan").Report(status);
  *plan = nullptr;
  if (op == nullptr)
    return Fail(DECONV_INVALID_ARGUMENT, "operator: is a null pointer, expected a deconv_operator").Report(status);
  try {
    return deconv::Create(*op, options, plan).Report(status);
  } catch (const std::bad_alloc&) {
    return Fail(DECONV_OUT_OF_MEMORY, "plan: could not be allocated: out of memory").Report(status);
  }
}

void deconv_plan_destroy(deconv_plan* plan) { delete plan; }

int32_t deconv_plan_output_rank(const deconv_plan* plan) { return plan->geometry.axis_count + 2; }
const int64_t* deconv_plan_output_dims(const deconv_plan* plan) { return plan->geometry.output_dims.data(); }
const int64_t* deconv_plan_pads_begin(const deconv_plan* plan) { return plan->pads_begin.data(); }
const int64_t* deconv_plan_pads_end(const deconv_plan* plan) { return plan->pads_end.data(); }
size_t deconv_plan_data_bytes(const deconv_plan* plan) { return plan->geometry.data_bytes; }
size_t deconv_plan_filter_bytes(const deconv_plan* plan) { return plan->geometry.filter_bytes; }
size_t deconv_plan_output_bytes(const deconv_plan* plan) { return plan->geometry.output_bytes; }
size_t deconv_plan_batch_data_bytes(const deconv_plan* plan, int64_t batch) {
  return deconv::BatchBytes(plan->geometry, plan->geometry.data_strides.batch, batch);
}
size_t deconv_plan_batch_output_bytes(const deconv_plan* plan, int64_t batch) {
  return deconv::BatchBytes(plan->geometry, plan->geometry.output_strides.batch, batch);
}
size_t deconv_plan_packed_filter_bytes(const deconv_plan* plan) { return plan->packed_bytes; }

size_t deconv_plan_workspace_bytes(const deconv_plan* plan, size_t workers) {
  // The greater size of both algorithms, so that a workspace for many workers is also large enough for few.
  const size_t worker_bytes =
      std::max(plan->algorithm->ScratchBytes(),
               plan->many_workers_algorithm == nullptr ? 0 : plan->many_workers_algorithm->ScratchBytes());
  if (worker_bytes == 0) return 0;
  size_t bytes = 0;
  // kScratchAlignment - 1 bytes more are needed to align the caller's pointer.
  if (__builtin_mul_overflow(worker_bytes, workers == 0 ? 1 : workers, &bytes) ||
      __builtin_add_overflow(bytes, deconv::kScratchAlignment - 1, &bytes)) {
    return SIZE_MAX;
  }
  return bytes;
}

const char* deconv_plan_algorithm(const deconv_plan* plan) { return plan->algorithm_name; }
const char* deconv_plan_target(const deconv_plan* plan) { return plan->algorithm->Target(); }
const char* deconv_plan_cpu_class(const deconv_plan* plan) { return plan->cpu->name; }
uint64_t deconv_plan_packing_id(const deconv_plan* plan) { return plan->packing_id; }

#define DECONV_STRINGIFY_(x) #x
#define DECONV_STRINGIFY(x) DECONV_STRINGIFY_(x)
const char* deconv_version(void) {
  return DECONV_STRINGIFY(DECONV_VERSION_MAJOR) "." DECONV_STRINGIFY(DECONV_VERSION_MINOR) "." DECONV_STRINGIFY(
      DECONV_VERSION_PATCH);
}

}  // extern "C"
