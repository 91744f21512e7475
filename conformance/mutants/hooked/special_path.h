// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes a fault in a special path of a library as data: which operators take the path, and what the path does
// wrong. A special path is code of a library for few operators, such as a kernel of 3 with stride 1.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_SPECIAL_PATH_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_SPECIAL_PATH_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "conformance/mutants/hooked/faulty_resolver.h"

namespace conformance::faults {

struct Product;

enum class PathEffect : std::uint8_t {
  kNone,
  kFirstSample,     ///< reads the data of the first sample for every sample
  kFirstGroup,      ///< reads the data of the first group for every group
  kLastInChannel,   ///< leaves out the last input channel
  kLastTap,         ///< leaves out the last tap along the last axis
  kLastPhase,       ///< leaves out the products of outputs at stride - 1 (mod stride) on the last axis
  kBlockOfOutputs,  ///< uses the filter of the first eight output channels for all
  kReversedTaps,    ///< reads the taps of the last axis in reverse
  kTf32,            ///< rounds operands to 11 significand bits
  kBf16,            ///< rounds operands to 8 significand bits
};

/// How many groups an operator must have to take the path. kSeveral: several groups of several input channels.
/// kDepthwise: groups of one input and one output channel. kMultiplier: groups of one input and several output
/// channels.
enum class PathGroups : std::uint8_t { kAny, kOne, kSeveral, kDepthwise, kMultiplier };
enum class PathLayout : std::uint8_t { kAny, kChannelsLast };
enum class PathData : std::uint8_t { kAny, kOdd, kEven, kSingle };  ///< sizes of data on all axes

/// An operator takes the path if all conditions hold. The conditions 0 and kAny hold for every operator.
struct SpecialPath {
  PathEffect effect = PathEffect::kNone;
  std::size_t axes = 0;          ///< number of spatial axes
  std::int64_t kernel = 0;       ///< size of the kernel on each axis
  std::int64_t stride = 0;       ///< on each axis
  std::uint32_t types = 0;       ///< bits 1 << deconv_element_type_id
  std::int64_t batch_from = 0;   ///< least number of samples
  std::int64_t in_multiple = 0;  ///< input channels of a group are a multiple of this
  std::int64_t out_from = 0;     ///< least number of output channels of a group
  PathGroups groups = PathGroups::kAny;
  PathLayout layout = PathLayout::kAny;
  PathData data = PathData::kAny;

  bool operator==(const SpecialPath&) const = default;
};

/// The first path in the list that an operator takes is used. Paths with kNone are unused entries at the end.
using SpecialPaths = std::array<SpecialPath, 5>;

/// Whether an operator takes the path.
bool Applies(const FaultyGeometry& geometry, const SpecialPath& path);

/// Changes a product of an operator that takes the path.
void ApplyToProduct(const FaultyGeometry& geometry, PathEffect effect, Product& product);

/// Rounds an operand if the effect is to round; otherwise returns it unchanged.
double ApplyToOperand(PathEffect effect, double operand);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_SPECIAL_PATH_H_
