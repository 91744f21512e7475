// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the conditions and the effects of special paths. A special path is code of a library for few operators. A
// planted fault makes one such path wrong on purpose, to test whether the suite has a case for it.

#include "conformance/mutants/hooked/special_path.h"

#include <algorithm>
#include <cmath>

#include "conformance/mutants/hooked/fault_hooks.h"

namespace conformance::faults {
namespace {

bool HasGroups(const FaultyGeometry& geometry, PathGroups groups) {
  const bool several = geometry.groups > 1;
  switch (groups) {
    case PathGroups::kAny:
      return true;
    case PathGroups::kOne:
      return !several;
    case PathGroups::kSeveral:
      return several && geometry.in_channels > 1;
    case PathGroups::kDepthwise:
      return several && geometry.in_channels == 1 && geometry.out_channels == 1;
    case PathGroups::kMultiplier:
      return several && geometry.in_channels == 1 && geometry.out_channels > 1;
  }
  return false;
}

bool HasLayout(const FaultyGeometry& geometry, PathLayout layout) {
  return layout == PathLayout::kAny || geometry.channels_last;
}

bool HasData(std::int64_t data, PathData wanted) {
  switch (wanted) {
    case PathData::kAny:
      return true;
    case PathData::kOdd:
      return data % 2 != 0;
    case PathData::kEven:
      return data % 2 == 0;
    case PathData::kSingle:
      return data == 1;
  }
  return false;
}

bool HasAxis(const FaultyAxis& axis, const SpecialPath& path) {
  const auto matches = [](std::int64_t wanted, std::int64_t found) { return wanted == 0 || wanted == found; };
  return matches(path.kernel, axis.kernel) && matches(path.stride, axis.stride) && HasData(axis.data, path.data);
}

// Rounds to `bits` significand bits, ties to even.
double RoundedTo(double operand, int bits) {
  if (operand == 0 || !std::isfinite(operand)) return operand;
  const int exponent = std::ilogb(operand);
  return std::scalbn(std::nearbyint(std::scalbn(operand, bits - 1 - exponent)), exponent - bits + 1);
}

}  // namespace

bool Applies(const FaultyGeometry& geometry, const SpecialPath& path) {
  return path.effect != PathEffect::kNone && (path.axes == 0 || path.axes == geometry.axes.size()) &&
         (path.types == 0 || (path.types >> geometry.type & 1) != 0) && geometry.batch >= path.batch_from &&
         (path.in_multiple == 0 || geometry.in_channels % path.in_multiple == 0) &&
         geometry.out_channels >= path.out_from && HasGroups(geometry, path.groups) &&
         HasLayout(geometry, path.layout) &&
         std::ranges::all_of(geometry.axes, [&](const FaultyAxis& axis) { return HasAxis(axis, path); });
}

void ApplyToProduct(const FaultyGeometry& geometry, PathEffect effect, Product& product) {
  const std::size_t last = geometry.axes.size() - 1;
  const FaultyAxis& axis = geometry.axes[last];
  switch (effect) {
    case PathEffect::kFirstSample:
      product.data.batch = 0;
      break;
    case PathEffect::kFirstGroup:
      product.data.group = 0;
      break;
    case PathEffect::kLastInChannel:
      if (product.data.channel == geometry.in_channels - 1) product.times = 0;
      break;
    case PathEffect::kLastTap:
      if (product.filter.tap[last] == axis.kernel - 1) product.times = 0;
      break;
    case PathEffect::kLastPhase:
      if (product.output.position[last] % axis.stride == axis.stride - 1) product.times = 0;
      break;
    case PathEffect::kBlockOfOutputs:
      product.filter.out_channel %= 8;  // the block has eight output channels
      break;
    case PathEffect::kReversedTaps:
      product.filter.tap[last] = axis.kernel - 1 - product.filter.tap[last];
      break;
    case PathEffect::kNone:
    case PathEffect::kTf32:
    case PathEffect::kBf16:
      break;
  }
}

double ApplyToOperand(PathEffect effect, double operand) {
  if (effect == PathEffect::kTf32) return RoundedTo(operand, 11);
  if (effect == PathEffect::kBf16) return RoundedTo(operand, 8);
  return operand;
}

}  // namespace conformance::faults
