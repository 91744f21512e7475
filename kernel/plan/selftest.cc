// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements deconv_selftest, which runs small cases of every type with every algorithm on every target (instruction
// set). Values are small integers, so every sum is exact in every type, and each output has only one right value. The
// plans are created and run by the C interface alone.
#include "kernel/plan/selftest.h"

#include <array>
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "kernel/base/convert.h"
#include "kernel/base/fp_environment.h"
#include "kernel/base/status.h"
#include "kernel/include/deconv/deconv.h"
#include "kernel/plan/registry.h"
#include "kernel/plan/selftest_case.h"

namespace deconv {
namespace {

const char* NameOf(deconv_type type) {
  static constexpr const char* names[] = {"",    "f64", "f32", "f16", "bf16", "i8", "i16",
                                          "i32", "i64", "u8",  "u16", "u32",  "u64"};
  return names[type];
}

// Converts a value to an element: a number that the type holds exactly (integers modulo 2^n), Inf or NaN. It does not
// use convert.h, because the kernel under test does.
template <class T>
T Encode(double value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<int64_t>(value));
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return {static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16)};
  } else if constexpr (std::is_same_v<T, Float16>) {
    const uint32_t sign = std::signbit(value) ? 0x8000u : 0;
    if (std::isnan(value)) return {0x7e00};
    if (std::isinf(value)) return {static_cast<uint16_t>(sign | 0x7c00u)};
    const auto magnitude = static_cast<uint32_t>(std::fabs(value));
    if (magnitude == 0) return {static_cast<uint16_t>(sign)};
    const auto exponent = static_cast<uint32_t>(std::bit_width(magnitude)) - 1;
    return {static_cast<uint16_t>(sign | (exponent + 15) << 10 | (magnitude << (10 - exponent) & 0x3ffu))};
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
uint64_t Bits(const T& value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
bool IsNan(const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return (value.bits & 0x7fffu) > 0x7f80u;
  } else if constexpr (std::is_same_v<T, Float16>) {
    return (value.bits & 0x7fffu) > 0x7c00u;
  } else {
    return std::isnan(value);
  }
}

// A buffer at an odd address between two fences of known bytes. A changed fence shows a write outside of the buffer.
class Fenced {
 public:
  explicit Fenced(size_t bytes) : bytes_(bytes), memory_(bytes + 2 * kFence, kPattern) {}

  char* data() { return memory_.data() + kFence; }
  size_t size() const { return bytes_; }
  bool FencesHold() const {
    for (size_t i = 0; i < kFence; ++i) {
      if (memory_[i] != kPattern || memory_[kFence + bytes_ + i] != kPattern) return false;
    }
    return true;
  }

 private:
  // One byte more than a vector of 64 bytes: a vector that is stored past an end is seen, and the buffer begins at an
  // odd address.
  static constexpr size_t kFence = 65;
  static constexpr char kPattern = '\x5a';

  size_t bytes_;
  std::vector<char> memory_;
};

// Returns the values as elements of T in a fenced buffer.
template <class T>
Fenced Encoded(const std::vector<double>& values) {
  Fenced memory(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    StoreElement<T>(memory.data(), static_cast<int64_t>(i), Encode<T>(values[i]));
  }
  return memory;
}

// A parallel_for that runs the tasks of two workers in turn on one thread, from the last task to the first.
void Alternately(void* /*context*/, size_t count, deconv_task task, void* argument) {
  for (size_t i = count; i-- > 0;) task(argument, i, i % 2);
}

struct PlanDeleter {
  void operator()(deconv_plan* plan) const { deconv_plan_destroy(plan); }
};
using PlanPointer = std::unique_ptr<deconv_plan, PlanDeleter>;

// Creates a plan. Returns null with the reason in `status` if the algorithm does not fit.
PlanPointer CreatePlan(const SelftestCase& c, deconv_type type, const char* algorithm, const char* target,
                       deconv_status& status) {
  std::array<int64_t, kSelftestAxes + 3> data = {c.batch, c.groups * c.in_channels};
  std::array<int64_t, kSelftestAxes + 3> filter = {c.groups, c.in_channels, c.out_channels};
  for (size_t a = 0; a < c.axes; ++a) {
    data[2 + a] = c.data[a];
    filter[3 + a] = c.kernel[a];
  }
  deconv_operator op = {};
  op.struct_bytes = sizeof(op);
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.dialect = DECONV_OPENVINO_SPEC;
  op.data = {type, 0, {data.data(), c.axes + 2}};
  op.filter = {type, 0, {filter.data(), c.axes + 3}};
  op.strides = {c.strides.data(), c.axes};
  op.dilations = {c.dilations.data(), c.axes};
  op.pads_begin = {c.pads_begin.data(), c.axes};
  op.pads_end = {c.pads_end.data(), c.axes};
  op.output_padding = {c.output_padding.data(), c.axes};
  deconv_options options = {};
  options.struct_bytes = sizeof(options);
  options.layout = c.layout;
  options.algorithm = algorithm;
  options.target = target;
  deconv_plan* plan = nullptr;
  deconv_plan_create(&op, &options, &plan, &status);
  return PlanPointer(plan);
}

// Tests one plan of one case. It runs serially with the batch of the case, then with two workers and one sample more.
template <class T>
class Trial {
 public:
  Trial(const SelftestCalls& calls, const SelftestCase& c, deconv_type type, const deconv_plan& plan,
        const SelftestTensors& tensors)
      : calls_(calls), case_(c), type_(type), plan_(plan), tensors_(tensors) {}

  Status Run() {
    Fenced filter = Encoded<T>(tensors_.filter);
    Fenced packed(deconv_plan_packed_filter_bytes(&plan_));
    deconv_status status = {};
    status.struct_bytes = sizeof(status);
    if (calls_.pack_filter(&plan_, filter.data(), filter.size(), packed.data(), packed.size(), &status) != DECONV_OK ||
        deconv_packed_filter_check(&plan_, packed.data(), packed.size(), &status) != DECONV_OK) {
      return Failed(status.message);
    }
    if (!packed.FencesHold()) return Failed("packing wrote outside of the packed filter");
    if (Status s = RunBatch(packed, case_.batch, 1); !s.Ok()) return s;
    return RunBatch(packed, case_.batch + 1, 2);
  }

 private:
  Status Failed(const char* what) const {
    return Fail(DECONV_SELFTEST_FAILED, "selftest: case \"%s\", %s by %s on %s: %.256s", case_.name, NameOf(type_),
                deconv_plan_algorithm(&plan_), deconv_plan_target(&plan_), what);
  }

  Status RunBatch(Fenced& packed, int64_t batch, size_t workers) {
    Fenced data = Encoded<T>(tensors_.data);
    Fenced output(deconv_plan_batch_output_bytes(&plan_, batch));
    Fenced workspace(deconv_plan_workspace_bytes(&plan_, workers));
    deconv_run_args args = {};
    args.struct_bytes = sizeof(args);
    args.data = data.data();
    args.data_bytes = deconv_plan_batch_data_bytes(&plan_, batch);
    args.packed_filter = packed.data();
    args.packed_filter_bytes = packed.size();
    args.output = output.data();
    args.output_bytes = output.size();
    args.workspace = workspace.data();
    args.workspace_bytes = workspace.size();
    args.parallel_for = workers > 1 ? Alternately : nullptr;
    args.workers = workers;
    args.batch = batch;
    deconv_status status = {};
    status.struct_bytes = sizeof(status);
    if (args.data_bytes > data.size()) return Failed("the plan wants more data than the case has");
    if (calls_.run(&plan_, &args, &status) != DECONV_OK) return Failed(status.message);
    if (!output.FencesHold() || !workspace.FencesHold()) return Failed("wrote outside of output or workspace");
    return Compare(output, workers);
  }

  Status Compare(Fenced& output, size_t workers) const {
    const size_t count = output.size() / sizeof(T);
    for (size_t i = 0; i < count; ++i) {
      const T found = LoadElement<T>(output.data(), static_cast<int64_t>(i));
      const T expected = Encode<T>(tensors_.output[i]);
      const T negative = Encode<T>(-tensors_.output[i]);
      // If products sum to zero, the sign of the output 0 may be either.
      const bool zero = tensors_.output[i] == 0 && tensors_.reached[i] && Bits(found) == Bits(negative);
      if (Bits(found) == Bits(expected) || zero || (IsNan(found) && IsNan(expected))) continue;
      return Fail(DECONV_SELFTEST_FAILED,
                  "selftest: case \"%s\", %s by %s on %s, %zu worker(s): output %zu of %zu has the bits %#" PRIx64
                  ", expected %#" PRIx64,
                  case_.name, NameOf(type_), deconv_plan_algorithm(&plan_), deconv_plan_target(&plan_), workers, i,
                  count, Bits(found), Bits(expected));
    }
    return {};
  }

  const SelftestCalls& calls_;
  const SelftestCase& case_;
  deconv_type type_;
  const deconv_plan& plan_;
  const SelftestTensors& tensors_;
};

// Tests each algorithm that fits a case. An algorithm that is compiled only once for all targets is tested with the
// best target.
Status TryOnTarget(const SelftestCalls& calls, const SelftestCase& c, deconv_type type, const SelftestTensors& tensors,
                   size_t target) {
  deconv_status status = {};
  status.struct_bytes = sizeof(status);
  bool any = false;
  for (const AlgorithmEntry& entry : Algorithms()) {
    const PlanPointer plan = CreatePlan(c, type, entry.name, deconv_target(target), status);
    if (plan == nullptr) continue;
    any = true;
    if (target > 0 && std::strcmp(deconv_plan_target(plan.get()), deconv_target(target)) != 0) continue;
    const Status s = VisitType(type, [&]<class T>() { return Trial<T>(calls, c, type, *plan, tensors).Run(); });
    if (!s.Ok()) return s;
  }
  if (any) return {};
  return Fail(DECONV_SELFTEST_FAILED, "selftest: case \"%s\", %s on %s: %.256s", c.name, NameOf(type),
              deconv_target(target), status.message);
}

}  // namespace

Status Selftest(const SelftestCalls& calls) {
  const FloatEnvironment environment;  // the reference multiplies 0 by Inf, and the caller may have enabled traps
  for (const SelftestCase& c : SelftestCases()) {
    const SelftestTensors tensors = ScatterReference(c, c.batch + 1);
    for (deconv_type type = DECONV_F64; type <= DECONV_U64; ++type) {
      if (c.infinite && type >= DECONV_I8) continue;
      for (size_t target = 0; deconv_target(target) != nullptr; ++target) {
        if (Status s = TryOnTarget(calls, c, type, tensors, target); !s.Ok()) return s;
      }
    }
  }
  return {};
}

}  // namespace deconv

extern "C" {

deconv_code deconv_selftest(deconv_status* status) {
  try {
    return deconv::Selftest({}).Report(status);
  } catch (const std::bad_alloc&) {
    return deconv::Fail(DECONV_OUT_OF_MEMORY, "selftest: could not allocate its tensors: out of memory").Report(status);
  }
}

}  // extern "C"
