// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the limits of this machine for every target (instruction set). One kind of loop has only multiply-adds, the
// other has only loads and stores. Highway compiles the first part of this file once for each target: a vector has as
// many lanes (elements) as the target's registers hold.
#include "kernel/bench/limits.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernel/bench/measure.h"

// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/bench/limits.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// An addition to a sum must wait four cycles for the one before it, and CPUs have two units. So at least 8 sums are
// needed. 12 sums leave registers for the operands, also with 16 registers.
constexpr size_t kSums = 12;
// 4096 rounds take some microseconds. That is longer than the resolution of the clock. It is also so short that most
// runs end before an interrupt or another program disturbs them.
constexpr int64_t kRounds = 4096;

// In each round, replaces each sum by `add(value, sum)`, which adds a product. `value` is `load(round, number of the
// sum)`. The sums are vectors: number 0 is `first`, and the numbers kSum are `rest`. They are parameters, because C++
// has no arrays of vectors of unknown size. Returns how many lanes got a product, counted in all rounds. Stores a lane
// of the total in `sink`, so that the compiler leaves out no product.
template <class Load, class Add, size_t... kSum, class V, class... Rest>
HWY_INLINE int64_t RoundsOf(const Load& load, const Add& add, void* sink, std::index_sequence<0, kSum...> /*sums*/,
                            V first, Rest... rest) {
  const hn::DFromV<V> d;
  for (int64_t round = 0; round < kRounds; ++round) {
    first = add(load(round, 0), first);
    ((rest = add(load(round, kSum), rest)), ...);
  }
  ((first = hn::Add(first, rest)), ...);
  const auto lane = hn::GetLane(first);
  std::memcpy(sink, &lane, sizeof(lane));
  return kRounds * static_cast<int64_t>((sizeof...(rest) + 1) * hn::Lanes(d));
}

// Runs RoundsOf with kSums sums that begin as `start(d, number of the sum)`.
template <class D, class Start, class Load, class Add, size_t... kSum>
HWY_INLINE int64_t RoundsFrom(D d, const Start& start, const Load& load, const Add& add, void* sink,
                              std::index_sequence<kSum...> sums) {
  return RoundsOf(load, add, sink, sums, start(d, kSum)...);
}

// Runs one multiply-add a lane: sum = sum * factor + term. The term is 1; the factor is 0.5 for floating types. There
// the values converge to 2, so that none is subnormal. Sum number n begins as n + 3: equal sums would be computed once,
// and a sum that began as 2 would stay 2, so that the compiler would leave out its products. The compiler does not know
// the factor of integers, because it would multiply by 3 with a shift and an addition.
template <class Lane>
HWY_NOINLINE int64_t FusedRounds(void* sink) {
  const hn::ScalableTag<Lane> d;
  const Lane known = hwy::IsFloat<Lane>() ? static_cast<Lane>(0.5) : Lane{3};
  const Lane* opaque = &known;
  hwy::PreventElision(opaque);
  const auto factor = hn::Set(d, *opaque);
  const auto term = hn::Set(d, Lane{1});
  return RoundsFrom(
      d, [](auto tag, size_t number) HWY_ATTR { return hn::Set(tag, static_cast<Lane>(number + 3)); },
      [&](int64_t /*round*/, size_t /*number*/) HWY_ATTR { return factor; },
      [&](auto value, auto sum) HWY_ATTR {
        if constexpr (hwy::IsFloat<Lane>()) {
          return hn::MulAdd(sum, value, term);
        } else {
          return hn::Add(hn::Mul(sum, value), term);
        }
      },
      sink, std::make_index_sequence<kSums>());
}

#if !HWY_HAVE_FLOAT64
// Runs FusedRounds for f64 where vectors have no f64.
HWY_NOINLINE int64_t ScalarRounds(void* sink) {
  double sums[kSums];
  for (size_t i = 0; i < kSums; ++i) sums[i] = static_cast<double>(i + 3);
  const double half = 0.5;
  const double* opaque = &half;
  hwy::PreventElision(opaque);
  const double factor = *opaque;
  for (int64_t round = 0; round < kRounds; ++round) {
    for (double& sum : sums) sum = sum * factor + 1;
  }
  for (size_t i = 1; i < kSums; ++i) sums[0] += sums[i];
  std::memcpy(sink, &sums[0], sizeof(double));
  return kRounds * static_cast<int64_t>(kSums);
}
#endif

// Runs instructions that multiply elements of type Narrow, which have fewer bits than a lane of the sums. Such an
// instruction, `add(value, sum)`, adds `products` products to each lane of the sum. Returns the number of all products.
// Each product has an operand of its own from memory, which changes with the round. Otherwise the compiler would
// compute a product once for all sums or all rounds.
template <class Narrow, class D, class Add>
HWY_INLINE int64_t NarrowRounds(D d, int64_t products, void* sink, const Add& add) {
  const hn::Repartition<Narrow, D> dn;
  alignas(64) Narrow values[2 * kSums * hn::MaxLanes(dn)] = {};  // for even and odd rounds
  const Narrow* operands = values;
  hwy::PreventElision(operands);
  const size_t lanes = hn::Lanes(dn);
  return products * RoundsFrom(
                        d, [](auto tag, size_t /*number*/) HWY_ATTR { return hn::Zero(tag); },
                        [&](int64_t round, size_t number) HWY_ATTR {
                          const size_t parity = static_cast<size_t>(round) % 2;
                          return hn::LoadU(dn, operands + (parity * kSums + number) * lanes);
                        },
                        add, sink, std::make_index_sequence<kSums>());
}

// Adds two products of bf16 a lane; 0x3f80 is 1 in bf16. With a dot-product instruction for bf16, both go to `sum`. On
// other targets Highway adds one of them to `other`, which needs more instructions.
HWY_NOINLINE int64_t Bf16Rounds(void* sink) {
  const hn::ScalableTag<float> d;
  const hn::Repartition<hwy::bfloat16_t, decltype(d)> dn;
  const auto ones = hn::BitCast(dn, hn::Set(hn::RebindToUnsigned<decltype(dn)>(), uint16_t{0x3f80}));
  auto other = hn::Zero(d);
  const int64_t products = NarrowRounds<hwy::bfloat16_t>(d, 2, sink, [&](auto value, auto sum) HWY_ATTR {
    return hn::ReorderWidenMulAccumulate(d, ones, value, sum, other);
  });
  const float first = hn::GetLane(other);
  std::memcpy(static_cast<char*>(sink) + sizeof(first), &first, sizeof(first));
  return products;
}

// Adds four products of bytes a lane. Arm has products of two bytes with a sign, x86 and POWER those of a byte without
// a sign and one with a sign.
HWY_NOINLINE int64_t QuadRounds(void* sink) {
  const hn::ScalableTag<int32_t> d;
  using Factor = std::conditional_t<HWY_ARCH_ARM, int8_t, uint8_t>;
  const auto threes = hn::Set(hn::Repartition<Factor, decltype(d)>(), Factor{3});
  return NarrowRounds<int8_t>(
      d, 4, sink, [&](auto value, auto sum) HWY_ATTR { return hn::SumOfMulQuadAccumulate(d, threes, value, sum); });
}

// Adds two products of 16 bits a lane.
HWY_NOINLINE int64_t PairRounds(void* sink) {
  const hn::ScalableTag<int32_t> d;
  const auto threes = hn::Set(hn::Repartition<int16_t, decltype(d)>(), int16_t{3});
  return NarrowRounds<int16_t>(d, 2, sink, [&](auto value, auto sum) HWY_ATTR {
    return hn::Add(sum, hn::WidenMulPairwiseAdd(d, threes, value));
  });
}

// Elements of a type can be multiplied by up to kPeakWays kinds of instructions. Runs kind number `way`, and returns
// the number of its multiply-adds. A type with fewer kinds repeats one of them.
int64_t PeakRounds(deconv_type type, size_t way, void* sink) {
  switch (type) {
    case DECONV_F64:
#if HWY_HAVE_FLOAT64
      return FusedRounds<double>(sink);
#else
      return ScalarRounds(sink);
#endif
    case DECONV_BF16:
      return way == 1 ? Bf16Rounds(sink) : FusedRounds<float>(sink);
    case DECONV_F32:
    case DECONV_F16:
      return FusedRounds<float>(sink);
    case DECONV_I8:
    case DECONV_U8:
      return way == 2 ? QuadRounds(sink) : way == 1 ? PairRounds(sink) : FusedRounds<float>(sink);
    case DECONV_I16:
    case DECONV_U16:
      return way == 1 ? PairRounds(sink) : FusedRounds<uint32_t>(sink);
    case DECONV_I64:
    case DECONV_U64:
      return FusedRounds<uint64_t>(sink);
    default:
      return FusedRounds<uint32_t>(sink);
  }
}

// Reads memory. Returns the sum of all words, so that the compiler leaves out no load. Two sums make the additions of
// neighbouring vectors independent. Bytes behind the last pair of vectors are not read.
uint64_t ReadAll(const std::byte* from, size_t bytes) {
  const hn::ScalableTag<uint64_t> d;
  const size_t step = hn::Lanes(d) * sizeof(uint64_t);
  auto even_sum = hn::Zero(d);
  auto odd_sum = hn::Zero(d);
  for (size_t at = 0; at + 2 * step <= bytes; at += 2 * step) {
    even_sum = hn::Add(even_sum, hn::LoadU(d, reinterpret_cast<const uint64_t*>(from + at)));
    odd_sum = hn::Add(odd_sum, hn::LoadU(d, reinterpret_cast<const uint64_t*>(from + at + step)));
  }
  return hn::ReduceSum(d, hn::Add(even_sum, odd_sum));
}

// Fills the memory with bytes of value 1. Bytes behind the last vector are not written.
void WriteAll(std::byte* to, size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  for (size_t at = 0; at + hn::Lanes(d) <= bytes; at += hn::Lanes(d)) {
    hn::StoreU(hn::Set(d, uint8_t{1}), d, reinterpret_cast<uint8_t*>(to + at));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv::bench {

HWY_EXPORT(PeakRounds);
HWY_EXPORT(ReadAll);
HWY_EXPORT(WriteAll);

namespace {

// The time of one measurement. A guess: as long as deconv_measure (deconv.h) takes for an algorithm by default.
constexpr double kLimitSeconds = 0.1;
// The most kinds of instructions for a type. Integers of 8 bits have three: products in f32, in pairs and in fours.
constexpr size_t kPeakWays = 3;

// Where a worker stores a result that nobody needs, so that the compiler computes it. It has two cache lines of its
// own, which x86 CPUs fetch together, so that no store of one worker disturbs another.
struct alignas(128) Sink {
  uint64_t value = 0;
};

// Calls `part(index)` once for each worker, with the indices from 0.
template <class Part>
void OnAllWorkers(Pool& pool, const Part& part) {
  // The loop has as many indices as workers; which worker takes which index does not matter.
  Pool::ParallelFor(
      &pool, pool.Workers(),
      [](void* argument, size_t index, size_t /*worker*/) { (*static_cast<const Part*>(argument))(index); },
      const_cast<Part*>(&part));
}

// Returns the bytes of part number `index`, of as many equal parts as there are workers. The last part has the rest.
template <class Byte>
std::span<Byte> PartOfWorker(std::span<Byte> all, size_t index, size_t workers) {
  const size_t begin = all.size() / workers * index;
  const size_t end = index + 1 == workers ? all.size() : all.size() / workers * (index + 1);
  return all.subspan(begin, end - begin);
}

}  // namespace

double PeakMultiplyAdds(deconv_type type, int64_t target, Pool& pool) {
  double best = 0;
  for (size_t way = 0; way < kPeakWays; ++way) {
    std::vector<Sink> sinks(pool.Workers());
    std::vector<int64_t> counts(pool.Workers());
    const auto multiply = [&](size_t index) {
      counts[index] = DECONV_DISPATCH(PeakRounds, target)(type, way, &sinks[index].value);
    };
    const double ns = TimeRuns(kLimitSeconds, [&] { OnAllWorkers(pool, multiply); }).ns;
    best = std::max(best, static_cast<double>(counts[0]) * static_cast<double>(pool.Workers()) / ns);
  }
  return best;
}

double MemoryTrafficNs(const MemoryTraffic& memory, int64_t target, Pool& pool) {
  std::vector<Sink> sinks(pool.Workers());
  const auto read_and_write = [&](size_t index) {
    for (const std::span<const std::byte> read : {memory.data, memory.packed_filter}) {
      const auto bytes = PartOfWorker(read, index, pool.Workers());
      sinks[index].value += DECONV_DISPATCH(ReadAll, target)(bytes.data(), bytes.size());
    }
    const auto bytes = PartOfWorker(memory.output, index, pool.Workers());
    DECONV_DISPATCH(WriteAll, target)(bytes.data(), bytes.size());
  };
  return TimeRuns(kLimitSeconds, [&] { OnAllWorkers(pool, read_and_write); }).ns;
}

}  // namespace deconv::bench
#endif
