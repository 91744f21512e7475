// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case finds each planted fault of single sizes, and that the faults are right at other sizes. A planted
// fault is a backend that is wrong on purpose in one way. Its killer is a small case on which it is wrong and a correct
// backend is right.

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

Killer Row(std::int64_t width) { return {.op = Plain({1, 1, width}, {1, 1, 1})}; }

Killer Axis(std::int64_t kernel, std::int64_t stride, std::int64_t dilation = 1) {
  return {.op = Plain({1, 1, 2}, {1, 1, kernel}, [&](Operator& op) {
            op.strides = {stride};
            op.dilations = {dilation};
          })};
}

// A killer with 2 x 2 data and a square kernel.
Killer Planar(std::int64_t kernel, std::int64_t stride) {
  return {.op = Plain({1, 1, 2, 2}, {1, 1, kernel, kernel}, [&](Operator& op) { op.strides = {stride, stride}; })};
}

Killer Groups(std::int64_t groups) { return {.op = Plain({1, groups, 1}, {groups, 1, 1, 1})}; }

// A channels-last killer with 2 x 2 data and a 3 x 3 kernel.
Killer NxcSquare(std::int64_t stride) {
  const std::int64_t size = stride + 3;
  return {.op = Onednn({1, 2, 2, 1}, {3, 3, 1, 1}, {1, size, size, 1},
                       [&](Operator& op) { op.strides = {stride, stride}; }),
          .dialect = Dialect::kOnednnSpec};
}

TEST(SizeFaultsTest, AreKilled) {
  ExpectKilled(faults::SizeFaults(),
               {{"square_kernel_of_5_corner_dropped", Planar(5, 2)},
                {"nxc_kernel_3_stride_3_corner_dropped", NxcSquare(3)},
                {"kernel_7_stride_5_tap_dropped", Axis(7, 5)},
                {"kernel_11_stride_8_tap_dropped", Axis(11, 8)},
                {"kernel_11_dilation_4_tap_dropped", Axis(11, 1, 4)},
                {"width_of_127_last_zero", Row(255)},
                {"width_above_4096_zero", Row(4097)},
                {"width_remainder_of_one_unwritten", Row(81)},
                {"out_channel_in_8_bits", {Plain({1, 1, 1}, {1, 257, 1})}},
                {"groups_above_64_share_data", Groups(65)},
                {"last_of_odd_groups_wrong", Groups(3)},
                {"one_axis_dilation_ignored_in_groups",
                 {Plain({1, 2, 1}, {2, 1, 1, 2}, [](Operator& op) { op.dilations = {2}; })}},
                {"height_stride_of_depth_if_mixed",
                 {Plain({1, 1, 2, 2, 2}, {1, 1, 1, 1, 1}, [](Operator& op) { op.strides = {3, 2, 1}; })}},
                {"refuses_rich",
                 {Plain({1, 2, 2}, {2, 1, 1, 2},
                        [](Operator& op) {
                          op.strides = op.dilations = {2};
                          op.pads_begin = op.output_padding = {1};
                        })}}},
               {"row_index_in_f32", "plane_index_in_f32"});
}

// The next larger or smaller sizes are computed correctly, so a case of such a size would miss the fault.
TEST(SizeFaultsTest, AreRightAtOtherSizes) {
  EXPECT_EQ(MistakeOn("fault:square_kernel_of_5_corner_dropped", Planar(4, 2)), "");
  EXPECT_EQ(MistakeOn("fault:square_kernel_of_5_corner_dropped", Planar(5, 1)), "");
  EXPECT_EQ(MistakeOn("fault:nxc_kernel_3_stride_3_corner_dropped", NxcSquare(2)), "");
  EXPECT_EQ(MistakeOn("fault:nxc_kernel_3_stride_3_corner_dropped", Planar(3, 3)), "");
  EXPECT_EQ(MistakeOn("fault:kernel_7_stride_5_tap_dropped", Axis(7, 4)), "");
  EXPECT_EQ(MistakeOn("fault:kernel_11_stride_8_tap_dropped", Axis(11, 7)), "");
  EXPECT_EQ(MistakeOn("fault:kernel_11_dilation_4_tap_dropped", Axis(11, 1, 3)), "");
  EXPECT_EQ(MistakeOn("fault:width_of_127_last_zero", Row(128)), "");
  EXPECT_EQ(MistakeOn("fault:width_above_4096_zero", Row(4096)), "");
  EXPECT_EQ(MistakeOn("fault:width_remainder_of_one_unwritten", Row(82)), "");
  EXPECT_EQ(MistakeOn("fault:out_channel_in_8_bits", {Plain({1, 1, 1}, {1, 256, 1})}), "");
  EXPECT_EQ(MistakeOn("fault:groups_above_64_share_data", Groups(64)), "");
  EXPECT_EQ(MistakeOn("fault:last_of_odd_groups_wrong", Groups(4)), "");
}

// More than 2^24 rows or planes need too much memory for a unit test, so the test calls the hook itself.
TEST(SizeFaultsTest, IndicesInFloatSkipOddOnesAbove2To24) {
  constexpr std::int64_t kLastExact = std::int64_t{1} << 24;
  for (const auto& [name, axis] : {std::pair{"row_index_in_f32", 1U}, std::pair{"plane_index_in_f32", 0U}}) {
    faults::FaultyGeometry geometry;
    geometry.axes.resize(3);
    const auto hook = faults::FindFault(name)->hooks.sum_of;
    faults::TensorIndex output;
    output.position[axis] = kLastExact;
    hook(geometry, output);
    EXPECT_EQ(output.position[axis], kLastExact) << name;
    output.position[axis] = kLastExact + 1;
    hook(geometry, output);
    EXPECT_EQ(output.position[axis], kLastExact) << name;
  }
}

}  // namespace
}  // namespace conformance
