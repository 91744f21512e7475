// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the buffers for a layer, and times single executions.
#include "kernel/bench/measure.h"

#include <cstring>
#include <new>
#include <random>
#include <vector>

#include "deconv/cxx.h"
#include "kernel/bench/limits.h"
#include "kernel/plan/plan.h"

namespace deconv::bench {
namespace {

constexpr double kLayerSeconds = 0.5;

// Buffers start at a cache line, as frameworks allocate their tensors.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>& /*other*/) {
  }  // NOLINT(google-explicit-constructor): as allocators are

  T* allocate(size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* pointer, size_t /*count*/) { ::operator delete(pointer, kAlignment); }
  bool operator==(const CacheLineAllocator&) const = default;
};
using Buffer = std::vector<std::byte, CacheLineAllocator<std::byte>>;

// Values of either sign, none beyond 2, in floating types (no subnormals, which would change the speed), any bits in
// integers.
void Fill(deconv_type type, Buffer& buffer) {
  std::mt19937_64 random(1);
  const auto put = [&](auto make) {
    for (size_t i = 0; i + sizeof(make()) <= buffer.size(); i += sizeof(make())) {
      const auto value = make();
      std::memcpy(buffer.data() + i, &value, sizeof(value));
    }
  };
  switch (type) {
    case DECONV_F64:
      return put([&] { return static_cast<double>(random() % 64) / 16.0 - 2.0; });
    case DECONV_F32:
      return put([&] { return static_cast<float>(random() % 64) / 16.0f - 2.0f; });
    case DECONV_F16:
      return put([&] { return static_cast<uint16_t>(0x3800 | (random() & 0x83ff)); });
    case DECONV_BF16:
      return put([&] { return static_cast<uint16_t>(0x3f00 | (random() & 0x807f)); });
    default:
      return put([&] { return static_cast<uint8_t>(random()); });
  }
}

bool MeasurePlan(const Plan& plan, const Choice& choice, Pool& pool, Measurement& measurement, std::string& error) {
  Buffer data(plan.DataBytes());
  Buffer filter(plan.FilterBytes());
  Buffer packed(plan.PackedFilterBytes());
  Buffer output(plan.OutputBytes());
  Buffer workspace(plan.WorkspaceBytes(pool.Workers()));
  Fill(choice.type, data);
  Fill(choice.type, filter);
  auto status = Tagged<deconv_status>();
  const Plan::Threads threads = {pool.Workers() > 1 ? &Pool::ParallelFor : nullptr, &pool, pool.Workers()};
  if (plan.PackFilter(filter, packed, &status) != DECONV_OK ||
      plan.Run({data, packed, output, workspace}, threads, &status) != DECONV_OK) {
    error = status.message;
    return false;
  }
  measurement.time = TimeRuns(kLayerSeconds, [&] { plan.Run({data, packed, output, workspace}, threads); });
  measurement.touch_ns = TouchNs({.data = data, .packed_filter = packed, .output = output}, choice.target_bit, pool);
  measurement.algorithm = plan.AlgorithmName();
  measurement.target = plan.TargetName();
  measurement.cpu = plan.CpuClassName();
  measurement.estimated_cycles = plan.Get()->algorithm->Cycles() * static_cast<double>(plan.Get()->geometry.batch);
  return true;
}

}  // namespace

bool Measure(const Layer& layer, const Choice& choice, Pool& pool, Measurement& measurement, std::string& error) {
  const std::optional<Plan> plan = MakePlan(layer, choice, error);
  if (!plan) return false;
  try {
    return MeasurePlan(*plan, choice, pool, measurement, error);
  } catch (const std::bad_alloc&) {
    error = "the layer's tensors do not fit into memory";
    return false;
  }
}

}  // namespace deconv::bench
