// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// deconv for C++20: the plan as an owning type, buffers as spans. Nothing throws; failures come back as codes, with
/// the message in a deconv_status that the caller may pass along. What is not said here stands at the function of
/// deconv.h that a member calls.
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

/// A struct of the C interface, zeroed and tagged with its size.
template <class T>
[[nodiscard]] T Tagged() noexcept {
  T value{};
  value.struct_bytes = sizeof(T);
  return value;
}

/// A list attribute over the caller's values, which must outlive Plan::Create. An empty span is an empty list, not an
/// absent one.
[[nodiscard]] inline deconv_list List(std::span<const std::int64_t> values) noexcept {
  static constexpr std::int64_t none = 0;
  return {values.empty() ? &none : values.data(), values.size()};
}

/// A tensor of that shape; the dimensions must outlive Plan::Create.
[[nodiscard]] inline deconv_tensor Tensor(deconv_type type, std::span<const std::int64_t> dims) noexcept {
  return {type, 0, List(dims)};
}

/// An owned deconv_plan. Immutable: any number of threads may use it at once. One that was moved from is only
/// destroyed.
class Plan {
 public:
  /// The memory of one run. Any alignment; none may overlap another that is written.
  struct Buffers {
    std::span<const std::byte> data;           ///< DataBytes() or more
    std::span<const std::byte> packed_filter;  ///< what PackFilter() wrote
    std::span<std::byte> output;               ///< OutputBytes() or more
    std::span<std::byte> workspace;            ///< WorkspaceBytes() or more, for the number of workers
    std::int64_t batch = 0;                    ///< samples instead of the plan's; 0 = the plan's
  };
  /// The caller's threads; without a function everything runs on the calling thread.
  struct Threads {
    deconv_parallel_for parallel_for = nullptr;  ///< calls all tasks
    void* context = nullptr;                     ///< passed to it
    std::size_t workers = 1;                     ///< greatest number of tasks that run at the same time
  };

  /// Empty on failure; the reason is in *status if given (see Tagged).
  [[nodiscard]] static std::optional<Plan> Create(const deconv_operator& op, const deconv_options* options = nullptr,
                                                  deconv_status* status = nullptr) noexcept {
    deconv_plan* plan = nullptr;
    if (deconv_plan_create(&op, options, &plan, status) != DECONV_OK) return std::nullopt;
    return Plan(plan);
  }

  /// Dimensions of the output, logical, as in the operator.
  [[nodiscard]] std::span<const std::int64_t> OutputDims() const noexcept {
    return {deconv_plan_output_dims(Get()), Rank()};
  }
  /// Per spatial axis, outermost first.
  [[nodiscard]] std::span<const std::int64_t> PadsBegin() const noexcept {
    return {deconv_plan_pads_begin(Get()), Rank() - 2};
  }
  /// Per spatial axis, outermost first.
  [[nodiscard]] std::span<const std::int64_t> PadsEnd() const noexcept {
    return {deconv_plan_pads_end(Get()), Rank() - 2};
  }
  /// Bytes of the data of the plan's batch.
  [[nodiscard]] std::size_t DataBytes() const noexcept { return deconv_plan_data_bytes(Get()); }
  /// Bytes of the data of another batch; SIZE_MAX if that overflows.
  [[nodiscard]] std::size_t DataBytes(std::int64_t batch) const noexcept {
    return deconv_plan_batch_data_bytes(Get(), batch);
  }
  /// Bytes of the filter as the operator describes it.
  [[nodiscard]] std::size_t FilterBytes() const noexcept { return deconv_plan_filter_bytes(Get()); }
  /// Bytes of the output of the plan's batch.
  [[nodiscard]] std::size_t OutputBytes() const noexcept { return deconv_plan_output_bytes(Get()); }
  /// Bytes of the output of another batch; SIZE_MAX if that overflows.
  [[nodiscard]] std::size_t OutputBytes(std::int64_t batch) const noexcept {
    return deconv_plan_batch_output_bytes(Get(), batch);
  }
  /// Bytes of a packed filter.
  [[nodiscard]] std::size_t PackedFilterBytes() const noexcept { return deconv_plan_packed_filter_bytes(Get()); }
  /// Bytes of workspace for that many workers, of any batch; SIZE_MAX if that overflows.
  [[nodiscard]] std::size_t WorkspaceBytes(std::size_t workers = 1) const noexcept {
    return deconv_plan_workspace_bytes(Get(), workers);
  }
  /// The algorithm chosen.
  [[nodiscard]] const char* AlgorithmName() const noexcept { return deconv_plan_algorithm(Get()); }
  /// The instruction set that the plan is bound to.
  [[nodiscard]] const char* TargetName() const noexcept { return deconv_plan_target(Get()); }
  /// Equal where packed filters are interchangeable.
  [[nodiscard]] std::uint64_t PackingId() const noexcept { return deconv_plan_packing_id(Get()); }

  /// Rearranges the filter for this plan and those with the same PackingId().
  deconv_code PackFilter(std::span<const std::byte> filter, std::span<std::byte> packed,
                         deconv_status* status = nullptr) const noexcept {
    return deconv_pack_filter(Get(), filter.data(), filter.size(), packed.data(), packed.size(), status);
  }

  /// Whether Run() takes a packed filter that was stored, and every byte of it is as it was packed.
  deconv_code CheckPackedFilter(std::span<const std::byte> packed, deconv_status* status = nullptr) const noexcept {
    return deconv_packed_filter_check(Get(), packed.data(), packed.size(), status);
  }

  /// One execution on the calling thread.
  deconv_code Run(const Buffers& buffers, deconv_status* status = nullptr) const noexcept {
    return Run(buffers, Threads(), status);
  }
  /// One execution on the caller's threads.
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

  /// For the functions of deconv.h.
  [[nodiscard]] const deconv_plan* Get() const noexcept { return plan_.get(); }

 private:
  struct Destroy {
    void operator()(deconv_plan* plan) const noexcept { deconv_plan_destroy(plan); }
  };

  explicit Plan(deconv_plan* plan) noexcept : plan_(plan) {}
  [[nodiscard]] std::size_t Rank() const noexcept { return static_cast<std::size_t>(deconv_plan_output_rank(Get())); }

  std::unique_ptr<deconv_plan, Destroy> plan_;
};

}  // namespace deconv

#endif  // DECONV_CXX_H_
