// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements deconv_selftest, which tells users whether the installed library computes right outputs on their machine.
// It runs small operators (selftest_case.h) of every type with every algorithm on every target (instruction set).
// Values are small integers, so every sum is exact in every type, and each output has only one right value. The plans
// are created and run by the C interface alone.
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

// Returns the name of a numeric type, for messages.
const char* NameOf(deconv_type type) {
  static constexpr const char* names[] = {"",    "f64", "f32", "f16", "bf16", "i8", "i16",
                                          "i32", "i64", "u8",  "u16", "u32",  "u64"};
  return names[type];
}

// Converts a value to an element: a small integer (for integer types modulo 2^n), Inf or NaN. It does not use the
// conversions of convert.h, because the kernel under test does. A bf16 is the upper half of an f32. An f16 has a sign
// bit, 5 bits of exponent with a bias of 15, and 10 bits of mantissa. Example: 6 = 1.1 * 2^2 in binary has the exponent
// 2 + 15 = 17 and the mantissa 1000000000: 6 << 8, without the leading one.
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

// Returns the bytes of an element as an integer, for comparisons and messages.
template <class T>
uint64_t Bits(const T& value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

// A NaN has all bits of the exponent set, and a mantissa that is not 0: without its sign it is larger than Inf.
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
  bool FencesAreIntact() const {
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
Fenced FencedElements(const std::vector<double>& values) {
  Fenced memory(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    StoreElement<T>(memory.data(), static_cast<int64_t>(i), Encode<T>(values[i]));
  }
  return memory;
}

// A deconv_parallel_for that runs the tasks on one thread, from the last one to the first, as worker 0 and 1 in turn.
void RunInReverseByTwoWorkers(void* /*context*/, size_t count, deconv_task task, void* argument) {
  for (size_t i = count; i-- > 0;) task(argument, i, i % 2);
}

struct PlanDeleter {
  void operator()(deconv_plan* plan) const { deconv_plan_destroy(plan); }
};
using SelftestPlan = std::unique_ptr<deconv_plan, PlanDeleter>;

// Creates the plan of a case. Returns null with the reason in `status` if the algorithm does not fit.
SelftestPlan CreatePlan(const SelftestCase& test_case, deconv_type type, const char* algorithm, const char* target,
                        deconv_status& status) {
  std::array<int64_t, kMaxSelftestAxes + 3> data = {test_case.batch, test_case.groups * test_case.in_channels};
  std::array<int64_t, kMaxSelftestAxes + 3> filter = {test_case.groups, test_case.in_channels, test_case.out_channels};
  for (size_t a = 0; a < test_case.axes; ++a) {
    data[2 + a] = test_case.data[a];
    filter[3 + a] = test_case.kernel[a];
  }
  deconv_operator op = {};
  op.struct_bytes = sizeof(op);
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.dialect = DECONV_OPENVINO_SPEC;
  op.data = {type, 0, {data.data(), test_case.axes + 2}};
  op.filter = {type, 0, {filter.data(), test_case.axes + 3}};
  op.strides = {test_case.strides.data(), test_case.axes};
  op.dilations = {test_case.dilations.data(), test_case.axes};
  op.pads_begin = {test_case.pads_begin.data(), test_case.axes};
  op.pads_end = {test_case.pads_end.data(), test_case.axes};
  op.output_padding = {test_case.output_padding.data(), test_case.axes};
  deconv_options options = {};
  options.struct_bytes = sizeof(options);
  options.layout = test_case.layout;
  options.algorithm = algorithm;
  options.target = target;
  deconv_plan* plan = nullptr;
  deconv_plan_create(&op, &options, &plan, &status);
  return SelftestPlan(plan);
}

// Tests one plan of one case: runs it serially with the batch of the case, then by two workers with one sample more.
template <class T>
class Trial {
 public:
  Trial(const SelftestCalls& calls, const SelftestCase& test_case, deconv_type type, const deconv_plan& plan,
        const SelftestTensors& tensors)
      : calls_(calls), case_(test_case), type_(type), plan_(plan), tensors_(tensors) {}

  Status Run() {
    Fenced filter = FencedElements<T>(tensors_.filter);
    Fenced packed(deconv_plan_packed_filter_bytes(&plan_));
    deconv_status status = {};
    status.struct_bytes = sizeof(status);
    if (calls_.pack_filter(&plan_, filter.data(), filter.size(), packed.data(), packed.size(), &status) != DECONV_OK ||
        deconv_packed_filter_check(&plan_, packed.data(), packed.size(), &status) != DECONV_OK) {
      return Failed(status.message);
    }
    if (!packed.FencesAreIntact()) return Failed("packing wrote outside of the packed filter");
    if (Status s = RunBatch(packed, case_.batch, 1); !s.Ok()) return s;
    return RunBatch(packed, case_.batch + 1, 2);
  }

 private:
  Status Failed(const char* what) const {
    return Fail(DECONV_SELFTEST_FAILED, "selftest: case \"%s\", %s by %s on %s: %.256s", case_.name, NameOf(type_),
                deconv_plan_algorithm(&plan_), deconv_plan_target(&plan_), what);
  }

  // Runs the plan with `batch` samples and checks the outputs and the fences.
  Status RunBatch(Fenced& packed, int64_t batch, size_t workers) {
    Fenced data = FencedElements<T>(tensors_.data);
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
    args.parallel_for = workers > 1 ? RunInReverseByTwoWorkers : nullptr;
    args.workers = workers;
    args.batch = batch;
    deconv_status status = {};
    status.struct_bytes = sizeof(status);
    if (args.data_bytes > data.size()) return Failed("the plan wants more data than the case has");
    if (calls_.run(&plan_, &args, &status) != DECONV_OK) return Failed(status.message);
    if (!output.FencesAreIntact() || !workspace.FencesAreIntact())
      return Failed("wrote outside of output or workspace");
    return Compare(output, workers);
  }

  Status Compare(Fenced& output, size_t workers) const {
    const size_t count = output.size() / sizeof(T);
    for (size_t i = 0; i < count; ++i) {
      const T found = LoadElement<T>(output.data(), static_cast<int64_t>(i));
      const T expected = Encode<T>(tensors_.output[i]);
      const T negative = Encode<T>(-tensors_.output[i]);
      // A sum of products that is zero may be -0.0. An output without products must be +0.0.
      const bool is_negative_zero = tensors_.output[i] == 0 && tensors_.has_product[i] && Bits(found) == Bits(negative);
      if (Bits(found) == Bits(expected) || is_negative_zero || (IsNan(found) && IsNan(expected))) continue;
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

// Tests each algorithm that fits a case on target number `target`. An algorithm that is compiled only once for all
// targets is tested with the best target (number 0).
Status TryOnTarget(const SelftestCalls& calls, const SelftestCase& test_case, deconv_type type,
                   const SelftestTensors& tensors, size_t target) {
  deconv_status status = {};
  status.struct_bytes = sizeof(status);
  bool any_fits = false;
  for (const AlgorithmEntry& entry : Algorithms()) {
    const SelftestPlan plan = CreatePlan(test_case, type, entry.name, deconv_target(target), status);
    if (plan == nullptr) continue;
    any_fits = true;
    if (target > 0 && std::strcmp(deconv_plan_target(plan.get()), deconv_target(target)) != 0) continue;
    const Status s = VisitType(type, [&]<class T>() { return Trial<T>(calls, test_case, type, *plan, tensors).Run(); });
    if (!s.Ok()) return s;
  }
  if (any_fits) return {};
  return Fail(DECONV_SELFTEST_FAILED, "selftest: case \"%s\", %s on %s: %.256s", test_case.name, NameOf(type),
              deconv_target(target), status.message);
}

}  // namespace

Status Selftest(const SelftestCalls& calls) {
  const FloatEnvironment environment;  // the reference multiplies 0 by Inf, and the caller may have enabled traps
  for (const SelftestCase& test_case : SelftestCases()) {
    const SelftestTensors tensors = ScatterReference(test_case, test_case.batch + 1);
    for (deconv_type type = DECONV_F64; type <= DECONV_U64; ++type) {
      if (test_case.has_infinite_weight && type >= DECONV_I8) continue;  // integer types have no Inf
      for (size_t target = 0; deconv_target(target) != nullptr; ++target) {
        if (Status s = TryOnTarget(calls, test_case, type, tensors, target); !s.Ok()) return s;
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
