// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the planted faults (backends that are wrong on purpose) of special paths. A special path is code of a library
// for one kernel and stride. Each fault must be wrong on an operator that takes the path, and right on an operator with
// another kernel.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

using faults::PathData;
using faults::PathEffect;
using faults::PathGroups;
using faults::SpecialPath;

// The ids of types in the C interface. A path's set of types has one bit for each id.
constexpr std::array<std::pair<std::uint32_t, ElementType>, 12> kTypes = {{{DECONV_ID_F32, ElementType::kF32},
                                                                           {DECONV_ID_F64, ElementType::kF64},
                                                                           {DECONV_ID_F16, ElementType::kF16},
                                                                           {DECONV_ID_BF16, ElementType::kBf16},
                                                                           {DECONV_ID_I8, ElementType::kI8},
                                                                           {DECONV_ID_I16, ElementType::kI16},
                                                                           {DECONV_ID_I32, ElementType::kI32},
                                                                           {DECONV_ID_I64, ElementType::kI64},
                                                                           {DECONV_ID_U8, ElementType::kU8},
                                                                           {DECONV_ID_U16, ElementType::kU16},
                                                                           {DECONV_ID_U32, ElementType::kU32},
                                                                           {DECONV_ID_U64, ElementType::kU64}}};

/// The first type that takes the path.
ElementType TypeOf(const SpecialPath& path) {
  for (const auto& [id, type] : kTypes) {
    if (path.types == 0 || (path.types >> id & 1) != 0) return type;
  }
  return ElementType::kF32;
}

/// A killer, that is a small case for one fault. It takes the path if `added` is 0. A larger `added` makes the kernel
/// larger, so that the operator does not take the path.
Killer OperatorOf(const SpecialPath& path, std::int64_t added) {
  const std::int64_t batch = std::max<std::int64_t>(path.batch_from, 1);
  const std::int64_t groups = path.groups == PathGroups::kAny || path.groups == PathGroups::kOne ? 1 : 3;
  const bool depthwise = path.groups == PathGroups::kDepthwise;
  const std::int64_t in =
      depthwise || path.groups == PathGroups::kMultiplier ? 1 : std::max<std::int64_t>(path.in_multiple, 2);
  const std::int64_t out = depthwise ? 1 : std::max<std::int64_t>(path.out_from, 2);
  const std::int64_t size = path.data == PathData::kSingle ? 1 : path.data == PathData::kOdd ? 3 : 2;
  const std::int64_t kernel = path.kernel + added;
  const auto strided = [&](Operator& op) { op.strides = Dims(path.axes, path.stride); };
  const auto dims = [&path](Dims before, std::int64_t spatial, const Dims& behind) {
    before.insert(before.end(), path.axes, spatial);
    before.insert(before.end(), behind.begin(), behind.end());
    return before;
  };
  if (path.layout == faults::PathLayout::kChannelsLast) {
    const std::int64_t output = path.stride * (size - 1) + kernel;
    return {.op = Onednn(dims({batch}, size, {in}), dims({}, kernel, {out, in}), dims({batch}, output, {out}), strided),
            .dialect = Dialect::kOnednnSpec};
  }
  Killer killer{.op = Plain(dims({batch, groups * in}, size, {}), dims({groups, in, out}, kernel, {}), strided)};
  killer.op.data.type = killer.op.filter.type = TypeOf(path);
  return killer;
}

/// The same case with values. If the effect is to round operands to 11 or 8 bits, the data need 13 bits to be exact.
Killer KillerOf(const SpecialPath& path, std::int64_t added) {
  Killer killer = OperatorOf(path, added);
  const oracle::Geometry geometry = *oracle::Resolve(killer.op, killer.dialect).geometry;
  const bool rounds = path.effect == PathEffect::kTf32 || path.effect == PathEffect::kBf16;
  for (std::int64_t i = 0; i < geometry.DataCount(); ++i) {
    killer.data.push_back(static_cast<double>(rounds ? 4097 + 2 * (i % 8) : 1 + i % 5));
  }
  for (std::int64_t i = 0; i < geometry.FilterCount(); ++i) {
    killer.filter.push_back(static_cast<double>(rounds ? 1 : 1 + i % 13));
  }
  return killer;
}

TEST(PathFaultsTest, AreWrongOnTheirPathAlone) {
  ASSERT_GE(faults::PathFaults().size(), 120U);
  for (const faults::Fault& fault : faults::PathFaults()) {
    const SpecialPath& path = fault.hooks.paths.front();
    const std::string name = "fault:" + std::string(fault.name);
    EXPECT_NE(MistakeOn(name, KillerOf(path, 0)), "") << name;
    EXPECT_EQ(MistakeOn(name, KillerOf(path, 1)), "") << name;
  }
}

// SpecialPaths has room for five paths, so one backend can have five of these faults.
TEST(PathFaultsTest, SeveralCanBePlantedAtOnce) {
  const auto table = faults::PathFaults();
  std::string names;
  for (std::size_t i = 0; i < 5; ++i) names += (i == 0 ? "" : "+") + std::string(table[i * 7].name);
  const faults::Fault* combined = faults::FindFault(names);
  ASSERT_NE(combined, nullptr) << names;
  EXPECT_EQ(combined->hooks.paths.back(), table[28].hooks.paths.front());
  EXPECT_EQ(faults::FindFault(names + "+" + std::string(table[1].name)), nullptr) << "there is no room for six";
}

}  // namespace
}  // namespace conformance
