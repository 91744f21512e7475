// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes distances of single outputs and keeps the largest ones.

#include "conformance/verdict/needed_tolerance.h"

#include <algorithm>
#include <cmath>

#include "oracle/float_bits.h"

namespace conformance {

double RtolBeside(oracle::ElementType type) { return std::ldexp(1.0, 2 - oracle::FormatOf(type).precision); }

double UlpsBetween(std::uint64_t a, std::uint64_t b, oracle::ElementType type) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * oracle::ElementBytes(type) - 1);
  const std::uint64_t magnitude_a = a & ~sign;
  const std::uint64_t magnitude_b = b & ~sign;
  const bool same_side = (a & sign) == (b & sign);
  return static_cast<double>(same_side ? std::max(magnitude_a, magnitude_b) - std::min(magnitude_a, magnitude_b)
                                       : magnitude_a + magnitude_b);
}

void MeetOutput(const oracle::FloatSum& sum, std::uint64_t bits, NeededTolerance& needed) {
  const double got = oracle::FloatValue(bits, needed.type);
  const bool finite = sum.special == oracle::Special::kNone && std::isfinite(got) &&
                      std::isfinite(oracle::FloatValue(sum.bits, needed.type)) && std::isfinite(sum.sum);
  if (!finite) return;
  ++needed.outputs;
  const double error = std::abs((got - sum.sum) - sum.sum_rest);
  const double exact = std::abs(sum.sum);
  needed.atol = std::max(needed.atol, error);
  needed.atol_beside = std::max(needed.atol_beside, error - RtolBeside(needed.type) * exact);
  const double smallest_normal = std::ldexp(1.0, oracle::FormatOf(needed.type).min_exponent);
  const bool cancels = sum.taps != 0 && (exact < smallest_normal || exact < sum.magnitude / 2);
  if (cancels) {
    ++needed.cancelling;
    return;
  }
  if (exact != 0) needed.rtol = std::max(needed.rtol, error / exact);
  needed.ulps = std::max(needed.ulps, UlpsBetween(bits, sum.bits, needed.type));
}

}  // namespace conformance
