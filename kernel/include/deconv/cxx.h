// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// deconv for C++20: the plan as an owning type, buffers as spans. Nothing throws. A failure is returned as a code, and
/// its message is written to the deconv_status that the caller may pass. Each member calls one function of deconv.h,
/// which documents shapes, units and errors in full.
#ifndef DECONV_CXX_H_
#define DECONV_CXX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "deconv/deconv.h"

/// The C++ interface.
namespace deconv {

/// Returns a struct of the C interface, zeroed, with struct_bytes set.
template <class T>
[[nodiscard]] T Tagged() noexcept {
  T value{};
  value.struct_bytes = sizeof(T);
  return value;
}

/// Returns a list attribute over the caller's values, which must live until Plan::Create returns. An empty span is an
/// empty list, not an absent one.
[[nodiscard]] inline deconv_list List(std::span<const std::int64_t> values) noexcept {
  static constexpr std::int64_t none = 0;
  return {values.empty() ? &none : values.data(), values.size()};
}

/// Returns a tensor of that type and shape. The dimensions must live until Plan::Create returns.
[[nodiscard]] inline deconv_tensor Tensor(deconv_type type, std::span<const std::int64_t> dims) noexcept {
  return {type, 0, List(dims)};
}

/// An owned deconv_plan. It is immutable: any number of threads may use it at the same time. A plan that was moved from
/// can only be destroyed or assigned to.
class Plan {
 public:
  /// The memory of one run. Buffers may have any alignment; none may overlap the output or the workspace.
  struct Buffers {
    std::span<const std::byte> data;           ///< DataBytes() or more
    std::span<const std::byte> packed_filter;  ///< the output of PackFilter()
    std::span<std::byte> output;               ///< OutputBytes() or more
    std::span<std::byte> workspace;            ///< WorkspaceBytes() or more, for the number of workers
    std::int64_t batch = 0;                    ///< samples in data and output; 0: the batch of the plan
  };
  /// The caller's threads. Without a function, everything runs on the calling thread.
  struct Threads {
    deconv_parallel_for parallel_for = nullptr;  ///< calls all tasks
    void* context = nullptr;                     ///< passed to it
    std::size_t workers = 1;                     ///< greatest number of tasks that run at the same time
  };

  /// Creates a plan with deconv_plan_create. Empty on failure; then *status has the reason, if given (see Tagged).
  [[nodiscard]] static std::optional<Plan> Create(const deconv_operator& op, const deconv_options* options = nullptr,
                                                  deconv_status* status = nullptr) noexcept {
    deconv_plan* plan = nullptr;
    if (deconv_plan_create(&op, options, &plan, status) != DECONV_OK) return std::nullopt;
    return Plan(plan);
  }

  /// Dimensions of the output in elements, logical, as in the operator.
  [[nodiscard]] std::span<const std::int64_t> OutputDims() const noexcept {
    return {deconv_plan_output_dims(Get()), Rank()};
  }
  /// Resolved pads at the beginning: one value per spatial axis, outermost first.
  [[nodiscard]] std::span<const std::int64_t> PadsBegin() const noexcept {
    return {deconv_plan_pads_begin(Get()), Rank() - 2};
  }
  /// Resolved pads at the end: one value per spatial axis, outermost first.
  [[nodiscard]] std::span<const std::int64_t> PadsEnd() const noexcept {
    return {deconv_plan_pads_end(Get()), Rank() - 2};
  }
  /// Bytes of the data, for the batch of the plan.
  [[nodiscard]] std::size_t DataBytes() const noexcept { return deconv_plan_data_bytes(Get()); }
  /// Bytes of the data for `batch` samples; SIZE_MAX if that overflows or `batch` is negative.
  [[nodiscard]] std::size_t DataBytes(std::int64_t batch) const noexcept {
    return deconv_plan_batch_data_bytes(Get(), batch);
  }
  /// Bytes of the filter as the operator describes it, before packing.
  [[nodiscard]] std::size_t FilterBytes() const noexcept { return deconv_plan_filter_bytes(Get()); }
  /// Bytes of the output, for the batch of the plan.
  [[nodiscard]] std::size_t OutputBytes() const noexcept { return deconv_plan_output_bytes(Get()); }
  /// Bytes of the output for `batch` samples; SIZE_MAX if that overflows or `batch` is negative.
  [[nodiscard]] std::size_t OutputBytes(std::int64_t batch) const noexcept {
    return deconv_plan_batch_output_bytes(Get(), batch);
  }
  /// Bytes of a packed filter of this plan.
  [[nodiscard]] std::size_t PackedFilterBytes() const noexcept { return deconv_plan_packed_filter_bytes(Get()); }
  /// Bytes of workspace for that many workers and any batch; SIZE_MAX if that overflows.
  [[nodiscard]] std::size_t WorkspaceBytes(std::size_t workers = 1) const noexcept {
    return deconv_plan_workspace_bytes(Get(), workers);
  }
  /// Name of the chosen algorithm.
  [[nodiscard]] const char* AlgorithmName() const noexcept { return deconv_plan_algorithm(Get()); }
  /// Name of the instruction set of the plan.
  [[nodiscard]] const char* TargetName() const noexcept { return deconv_plan_target(Get()); }
  /// Name of the class of CPUs whose costs chose the algorithm.
  [[nodiscard]] const char* CpuClassName() const noexcept { return deconv_plan_cpu_class(Get()); }
  /// A hash that is equal for plans whose packed filters are interchangeable.
  [[nodiscard]] std::uint64_t PackingId() const noexcept { return deconv_plan_packing_id(Get()); }

  /// Rearranges the filter for this plan and for all plans with the same PackingId().
  deconv_code PackFilter(std::span<const std::byte> filter, std::span<std::byte> packed,
                         deconv_status* status = nullptr) const noexcept {
    return deconv_pack_filter(Get(), filter.data(), filter.size(), packed.data(), packed.size(), status);
  }

  /// Checks that Run() accepts a packed filter that was stored, and that every byte is as it was packed.
  deconv_code CheckPackedFilter(std::span<const std::byte> packed, deconv_status* status = nullptr) const noexcept {
    return deconv_packed_filter_check(Get(), packed.data(), packed.size(), status);
  }

  /// Computes the output of one batch on the calling thread.
  deconv_code Run(const Buffers& buffers, deconv_status* status = nullptr) const noexcept {
    return Run(buffers, Threads(), status);
  }
  /// Computes the output of one batch on the caller's threads.
  deconv_code Run(const Buffers& buffers, const Threads& threads, deconv_status* status = nullptr) const noexcept {
    auto args = Tagged<deconv_run_args>();
    args.data = buffers.data.data();
    args.data_bytes = buffers.data.size();
    args.packed_filter = buffers.packed_filter.data();
    args.packed_filter_bytes = buffers.packed_filter.size();
    args.output = buffers.output.data();
    args.output_bytes = buffers.output.size();
    args.workspace = buffers.workspace.data();
    args.workspace_bytes = buffers.workspace.size();
    args.parallel_for = threads.parallel_for;
    args.parallel_context = threads.context;
    args.workers = threads.workers;
    args.batch = buffers.batch;
    return deconv_run(Get(), &args, status);
  }

  /// The plan for the functions of deconv.h; null after a move.
  [[nodiscard]] const deconv_plan* Get() const noexcept { return plan_.get(); }

 private:
  struct Destroy {
    void operator()(deconv_plan* plan) const noexcept { deconv_plan_destroy(plan); }
  };

  explicit Plan(deconv_plan* plan) noexcept : plan_(plan) {}
  [[nodiscard]] std::size_t Rank() const noexcept { return static_cast<std::size_t>(deconv_plan_output_rank(Get())); }

  std::unique_ptr<deconv_plan, Destroy> plan_;
};

/// The memory that Measure() uses. Buffers may have any alignment. The output must not overlap data or filter.
struct MeasureBuffers {
  std::span<const std::byte> data;    ///< `batch` samples
  std::span<const std::byte> filter;  ///< as the operator describes it, not packed
  std::span<std::byte> output;        ///< `batch` samples; it is overwritten
  std::int64_t batch = 0;             ///< samples in data and output; 0: the batch of the operator
};

/// Times the algorithms that fit an operator with deconv_measure, `seconds` for each, or a tenth of a second for 0.
/// Empty on failure; then *status has the reason, if given. It allocates a plan, a packed filter and a workspace at a
/// time.
[[nodiscard]] inline std::optional<deconv_measurement> Measure(const deconv_operator& op, const deconv_options* options,
                                                               const MeasureBuffers& buffers,
                                                               const Plan::Threads& threads = {}, double seconds = 0,
                                                               deconv_status* status = nullptr) noexcept {
  auto args = Tagged<deconv_measure_args>();
  args.data = buffers.data.data();
  args.data_bytes = buffers.data.size();
  args.filter = buffers.filter.data();
  args.filter_bytes = buffers.filter.size();
  args.output = buffers.output.data();
  args.output_bytes = buffers.output.size();
  args.parallel_for = threads.parallel_for;
  args.parallel_context = threads.context;
  args.workers = threads.workers;
  args.batch = buffers.batch;
  args.seconds = seconds;
  auto measurement = Tagged<deconv_measurement>();
  if (deconv_measure(&op, options, &args, &measurement, status) != DECONV_OK) return std::nullopt;
  return measurement;
}

}  // namespace deconv

#endif  // DECONV_CXX_H_
