// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the phases of an axis: the sets of outputs with the same remainder modulo the stride. Let g be gcd(stride,
// dilation). Modulo the stride, dilation*k repeats after stride/g taps. So each of the first stride/g taps begins
// another phase. The phase also takes every (stride/g)-th tap that follows; each of them reads the data dilation/g
// elements further back. phases.h has examples.
#include "kernel/base/phases.h"

#include <algorithm>
#include <numeric>

#include "kernel/base/checked.h"

namespace deconv {
namespace {

// With at most 512 phases, the table of phases has 24 KiB and stays in the first-level cache. The limit of taps is a
// guess. The algorithm "direct" computes larger operators.
constexpr int64_t kMaxPhases = 512;
constexpr int64_t kMaxTaps = 4096;
// The sums of sizes in this file cannot overflow 64 bits if no size is above this limit.
constexpr int64_t kMaxMagnitude = int64_t{1} << 40;

// The most products of bytes that f32 sums exactly: 2^24 / 2^14. f32 holds all integers up to 2^24, and a product of
// two i8 is at most 2^14. u8 is summed as i8, because the low 8 bits of the sum are the same (convert.h).
constexpr double kMostProductsOfBytes = 1024;

}  // namespace

bool FloatSumsAreExact(const Geometry& geometry) {
  switch (geometry.type) {
    case DECONV_F32:
    case DECONV_F16:
    case DECONV_BF16:
      return true;
    case DECONV_I8:
    case DECONV_U8:
      break;
    default:
      return false;
  }
  auto products = static_cast<double>(geometry.in_channels);  // products of an output, at most
  for (int a = 0; a < geometry.axis_count; ++a) {
    const Axis& axis = geometry.axes[static_cast<size_t>(a)];
    const int64_t phases = axis.stride / std::gcd(axis.stride, axis.dilation);
    products *= static_cast<double>(DivideUp(axis.kernel, phases));
  }
  return products <= kMostProductsOfBytes;
}

bool MakePhases(const Axis& axis, AxisPhases& result) {
  if (axis.kernel > kMaxTaps || axis.stride > kMaxMagnitude || axis.dilation > kMaxMagnitude ||
      axis.output > kMaxMagnitude || axis.data > kMaxMagnitude || axis.pads_begin > kMaxMagnitude ||
      axis.pads_begin < -kMaxMagnitude) {
    return false;
  }
  const int64_t phase_count = std::min(axis.stride, axis.output);
  if (phase_count > kMaxPhases) return false;
  const int64_t divisor = std::gcd(axis.stride, axis.dilation);
  const int64_t tap_step = axis.stride / divisor;
  result.phases.assign(static_cast<size_t>(phase_count), Phase());
  result.cells = (axis.output + axis.stride - 1) / axis.stride;
  bool has_taps = false;
  for (int64_t tap = 0; tap < std::min(axis.kernel, tap_step); ++tap) {
    const int64_t t = FloorMod(axis.dilation * tap - axis.pads_begin, axis.stride);
    if (t >= phase_count) continue;
    Phase& phase = result.phases[static_cast<size_t>(t)];
    phase.taps = (axis.kernel - tap + tap_step - 1) / tap_step;
    phase.first_tap = tap;
    phase.tap_step = tap_step;
    phase.first_shift = (axis.dilation * tap - t - axis.pads_begin) / axis.stride;
    phase.shift_step = axis.dilation / divisor;
    const int64_t last_shift = phase.first_shift + (phase.taps - 1) * phase.shift_step;
    result.least_shift = has_taps ? std::min(result.least_shift, phase.first_shift) : phase.first_shift;
    result.greatest_shift = has_taps ? std::max(result.greatest_shift, last_shift) : last_shift;
    has_taps = true;
  }
  int64_t before = 0;
  for (Phase& phase : result.phases) {
    phase.taps_before = before;
    before += phase.taps;
  }
  return true;
}

}  // namespace deconv
