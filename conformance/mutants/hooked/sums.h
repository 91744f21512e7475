// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines the ways in which the hooked implementation, a plain loop in which faults are planted, sums products. Each
// way is a class, so that the loop of a way without hooks does not test for hooks. A class has the number type Real,
// the functions Load() and Store() for elements, and Start(), which returns an empty Sum. Sum::Add() adds one product,
// of the data element x and the filter element w.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_SUMS_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_SUMS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "conformance/mutants/hooked/fault_hooks.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {

template <typename Real>
Real LoadReal(std::int32_t type, const unsigned char* at) {
  if constexpr (std::same_as<Real, float>) {
    return LoadFloat(type, at);
  } else {
    return LoadDouble(type, at);
  }
}

template <typename Real>
void StoreReal(std::int32_t type, Real value, unsigned char* at) {
  if constexpr (std::same_as<Real, float>) {
    StoreFloat(type, value, at);
  } else {
    StoreDouble(type, value, at);
  }
}

/// Adds the products in the order of the calls.
template <typename R>
struct PlainSum {
  R value = 0;
  void Add(R x, R w) { value += x * w; }
};

/// Adds in the order of vector code with four lanes: product n goes to lane n mod 4, the lanes are added last.
template <typename R>
struct ReorderedSum {
  R value = 0;
  std::array<R, 4> lanes{};
  std::size_t next = 0;
  void Add(R x, R w) {
    lanes[next] += x * w;
    next = (next + 1) % lanes.size();
    value = (lanes[3] + lanes[1]) + (lanes[2] + lanes[0]);
  }
};

/// Fused multiply-adds: each product is added without a rounding of its own.
template <typename R>
struct FusedSum {
  R value = 0;
  void Add(R x, R w) { value = std::fma(x, w, value); }
};

/// Kahan's compensated sum. Once the sum is infinite or NaN, it has no rounding error to carry.
template <typename R>
struct KahanSum {
  R value = 0;
  R error = 0;
  void Add(R x, R w) {
    const R product = x * w;
    const R term = product - error;
    const R next = value + term;
    if (std::isfinite(next)) {
      error = (next - value) - term;
      value = next;
    } else {
      value += product;
      error = 0;
    }
  }
};

/// Floating types without hooks.
template <typename R, template <typename> typename SumOf>
struct Reals {
  using Real = R;
  using Sum = SumOf<R>;
  std::int32_t type;

  Reals(const Numbers& /*numbers*/, std::int32_t element_type) : type(element_type) {}
  Real Load(const unsigned char* at) const { return LoadReal<Real>(type, at); }
  Sum Start() const { return {}; }
  void Store(const Sum& sum, unsigned char* at) const { StoreReal(type, sum.value, at); }
};

/// Floating types with every hook of Numbers.
template <typename R>
struct HookedReals {
  using Real = R;
  struct Sum {
    const Numbers* numbers;
    std::int32_t type;
    std::int64_t products = 0;
    Real value = 0;

    void Add(Real x, Real w) {
      const Real product = numbers->multiplies == nullptr ? x * w : static_cast<Real>(numbers->multiplies(x, w));
      ++products;
      value =
          numbers->adds == nullptr ? value + product : static_cast<Real>(numbers->adds(type, value, product, products));
    }
  };
  const Numbers* numbers;
  std::int32_t type;

  HookedReals(const Numbers& hooks, std::int32_t element_type) : numbers(&hooks), type(element_type) {}
  Real Load(const unsigned char* at) const {
    const Real value = LoadReal<Real>(type, at);
    return numbers->loads == nullptr ? value : static_cast<Real>(numbers->loads(type, value));
  }
  Sum Start() const { return {.numbers = numbers, .type = type}; }
  void Store(const Sum& sum, unsigned char* at) const {
    const Real value =
        numbers->stores == nullptr ? sum.value : static_cast<Real>(numbers->stores(type, sum.value, sum.products));
    StoreReal(type, value, at);
  }
};

/// Integers modulo 2^64.
struct PlainIntegers {
  using Real = std::uint64_t;
  using Sum = PlainSum<std::uint64_t>;
  std::int32_t type;

  PlainIntegers(const Numbers& /*numbers*/, std::int32_t element_type) : type(element_type) {}
  Real Load(const unsigned char* at) const { return LoadInteger(type, at); }
  Sum Start() const { return {}; }
  void Store(const Sum& sum, unsigned char* at) const { StoreInteger(type, sum.value, at); }
};

/// Integers with every hook of Numbers.
struct HookedIntegers {
  using Real = std::uint64_t;
  struct Sum {
    const Numbers* numbers;
    std::int32_t type;
    std::uint64_t value = 0;
    void Add(Real x, Real w) {
      value = numbers->adds_integer == nullptr ? value + x * w : numbers->adds_integer(type, value, x * w);
    }
  };
  const Numbers* numbers;
  std::int32_t type;

  HookedIntegers(const Numbers& hooks, std::int32_t element_type) : numbers(&hooks), type(element_type) {}
  Real Load(const unsigned char* at) const {
    const Real value = LoadInteger(type, at);
    return numbers->loads_integer == nullptr ? value : numbers->loads_integer(type, value);
  }
  Sum Start() const { return {.numbers = numbers, .type = type}; }
  void Store(const Sum& sum, unsigned char* at) const {
    StoreInteger(type, numbers->stores_integer == nullptr ? sum.value : numbers->stores_integer(type, sum.value), at);
  }
};

/// Integers whose products and sums are computed in floating point, as by a library without integer arithmetic.
template <typename R>
struct IntegersInReals {
  using Real = R;
  using Sum = PlainSum<R>;
  std::int32_t type;

  IntegersInReals(const Numbers& /*numbers*/, std::int32_t element_type) : type(element_type) {}
  Real Load(const unsigned char* at) const {
    const std::uint64_t value = LoadInteger(type, at);
    return IsSignedInteger(type) ? static_cast<Real>(static_cast<std::int64_t>(value)) : static_cast<Real>(value);
  }
  Sum Start() const { return {}; }
  void Store(const Sum& sum, unsigned char* at) const {
    // fmod is exact, and its result fits the conversion to 64 bits.
    const Real rest = std::isfinite(sum.value) ? std::fmod(sum.value, Real{0x1p64}) : Real{0};
    const auto magnitude = static_cast<std::uint64_t>(std::abs(rest));
    StoreInteger(type, rest < 0 ? 0 - magnitude : magnitude, at);
  }
};

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_SUMS_H_
