// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the tolerance that a simple test would have needed to accept the outputs. Computes the distance of each
// output from its exact sum, stores the largest distances, and combines the distances of several cases.

#include "conformance/verdict/needed_tolerance.h"

#include <algorithm>
#include <cmath>

#include "oracle/float_bits.h"

namespace conformance {

void NeededTolerance::Include(const NeededTolerance& other) {
  rtol = std::max(rtol, other.rtol);
  atol = std::max(atol, other.atol);
  atol_beside = std::max(atol_beside, other.atol_beside);
  ulps = std::max(ulps, other.ulps);
  outputs += other.outputs;
  cancelling += other.cancelling;
}

double RtolBeside(oracle::ElementType type) { return oracle::PowerOfTwo(2 - oracle::FormatOf(type).precision); }

// Without the sign bit, the bits of finite numbers count upwards from 0 with the numbers. In f16, 1.0 is 0x3C00 and the
// next larger number is 0x3C01. From -1 step to +2 steps are 1 + 2 = 3 steps, because both zeros are one number.
double UlpsBetween(std::uint64_t a, std::uint64_t b, oracle::ElementType type) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * oracle::ElementBytes(type) - 1);
  const std::uint64_t magnitude_a = a & ~sign;
  const std::uint64_t magnitude_b = b & ~sign;
  const bool same_side = (a & sign) == (b & sign);
  return static_cast<double>(same_side ? std::max(magnitude_a, magnitude_b) - std::min(magnitude_a, magnitude_b)
                                       : magnitude_a + magnitude_b);
}

void NeededMeter::Observe(const oracle::FloatSum& sum, std::uint64_t bits) {
  const oracle::ElementType type = needed_.type;
  const double got = oracle::FloatValue(bits, type);
  const bool finite = sum.special == oracle::Special::kNone && std::isfinite(oracle::FloatValue(sum.bits, type)) &&
                      std::isfinite(sum.sum);
  if (!finite) return;
  const double exact = std::abs(sum.sum);
  largest_sum_ = std::max(largest_sum_, exact);
  if (!std::isfinite(got)) return;
  ++needed_.outputs;
  const double error = std::abs((got - sum.sum) - sum.sum_rest);
  needed_.atol = std::max(needed_.atol, error);
  needed_.atol_beside = std::max(needed_.atol_beside, error - RtolBeside(type) * exact);
  // If terms cancel or the sum is subnormal, a small error is large beside the sum: neither rtol nor ulps say much.
  const double smallest_normal = oracle::PowerOfTwo(oracle::FormatOf(type).min_exponent);
  const bool cancels = sum.magnitude != 0 && (exact < smallest_normal || exact < sum.magnitude / 2);
  if (cancels) {
    ++needed_.cancelling;
    return;
  }
  if (exact != 0) needed_.rtol = std::max(needed_.rtol, error / exact);
  needed_.ulps = std::max(needed_.ulps, UlpsBetween(bits, sum.bits, type));
}

NeededTolerance NeededMeter::Finish() const {
  NeededTolerance needed = needed_;
  const auto beside_largest_sum = [&](double error) { return error == 0 ? 0 : error / largest_sum_; };
  needed.atol = beside_largest_sum(needed.atol);
  needed.atol_beside = beside_largest_sum(needed.atol_beside);
  return needed;
}

}  // namespace conformance
