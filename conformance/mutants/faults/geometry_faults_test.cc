// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case finds each planted fault of pads, sizes, axes and phases. A planted fault is a backend that is
// wrong on purpose in one way. Its killer is a small case on which it is wrong and a correct backend is right.

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

// A killer with data 1, 2, 3 and filter 1, 2, 3. With stride 2, its size without pads is 7.
Killer Three(const OperatorChange& change, Dialect dialect = Dialect::kOpenvinoSpec) {
  return {.op = Plain({1, 1, 3}, {1, 1, 3}, change), .dialect = dialect};
}

// A killer with stride 2 and an output shape.
Killer Shaped(std::string auto_pad, std::int64_t size, const OperatorChange& change = nullptr,
              Dialect dialect = Dialect::kOpenvinoSpec) {
  return Three(
      [&](Operator& op) {
        op.strides = {2};
        if (!auto_pad.empty()) op.auto_pad = std::move(auto_pad);
        op.output_shape = Shape({size});
        if (change) change(op);
      },
      dialect);
}

// A killer with 2 x 2 data and a 2 x 2 filter.
Killer Planar(const OperatorChange& change) { return {.op = Plain({1, 1, 2, 2}, {1, 1, 2, 2}, change)}; }

// A killer with one axis and one channel.
Killer Strided(std::int64_t data, std::int64_t kernel, std::int64_t stride, std::int64_t dilation = 1,
               std::int64_t pads_begin = 0) {
  return {.op = Plain({1, 1, data}, {1, 1, kernel}, [&](Operator& op) {
            op.strides = {stride};
            op.dilations = {dilation};
            op.pads_begin = {pads_begin};
          })};
}

const OperatorChange kPadOfOne = [](Operator& op) { op.pads_begin = op.pads_end = {1}; };

TEST(PadFaultsTest, AreKilled) {
  constexpr Dialect kRuntime = Dialect::kOpenvinoRuntime;
  ExpectKilled(
      faults::PadFaults(),
      {{"same_upper_odd_at_other_side", Shaped("same_upper", 6)},
       {"same_lower_odd_at_other_side", Shaped("same_lower", 6)},
       {"explicit_odd_at_other_side", Shaped("", 6)},
       {"valid_odd_at_other_side", Shaped("valid", 6)},
       {"explicit_shape_keeps_pads", Shaped("explicit", 6, kPadOfOne)},
       {"explicit_shape_splits_total", Shaped("explicit", 6, kPadOfOne, kRuntime)},
       {"valid_shape_without_pads", Shaped("valid", 5)},
       {"valid_shape_splits_total", Shaped("valid", 5, nullptr, kRuntime)},
       {"negative_total_not_clamped", Shaped("same_lower", 9, nullptr, kRuntime)},
       {"total_without_output_padding", Shaped("same_lower", 5, [](Operator& op) { op.output_padding = {2}; })},
       {"shape_grown_by_output_padding", Shaped("", 5, [](Operator& op) { op.output_padding = {1}; })},
       {"total_without_dilation", Three([](Operator& op) {
          op.dilations = {2};
          op.output_shape = Shape({5});
        })},
       {"total_of_forward_operator", Shaped("same_upper", 6)},
       {"same_gives_stride_multiple", Three([](Operator& op) {
          op.strides = {2};
          op.auto_pad = "same_upper";
        })},
       {"same_gives_natural_size",
        {Onnx({1, 1, 3}, {1, 1, 3},
              [](Operator& op) {
                op.strides = {2};
                op.auto_pad = "SAME_UPPER";
              }),
         Dialect::kOnnx11}},
       {"valid_keeps_pads", Three([](Operator& op) {
          op.auto_pad = "valid";
          kPadOfOne(op);
        })},
       {"same_keeps_pads", Three([](Operator& op) {
          op.auto_pad = "same_lower";
          kPadOfOne(op);
        })},
       {"pads_begin_ignored", Three([](Operator& op) { op.pads_begin = {1}; })},
       {"pads_end_ignored", Three([](Operator& op) { op.pads_end = {1}; })},
       {"pads_symmetric", Three([](Operator& op) {
          op.pads_begin = {1};
          op.pads_end = {0};
        })},
       {"pads_around_data", Three(kPadOfOne)},
       {"pads_cut_to_kernel", Strided(5, 2, 1, 1, 3)},
       {"pads_of_first_axis_only", Planar([](Operator& op) { op.pads_begin = {0, 1}; })},
       {"pads_of_pointwise_ignored",
        Killer{{Plain({1, 1, 3}, {1, 1, 1}, [](Operator& op) { op.pads_begin = op.output_padding = {1}; })}}},
       {"output_shape_reversed", Planar([](Operator& op) { op.output_shape = Shape({3, 2}); })},
       {"output_shape_of_first_axis_only", Planar([](Operator& op) { op.output_shape = Shape({3, 2}); })},
       {"dst_shape_attribute_preferred",
        {Onednn({1, 3, 1}, {3, 1, 1}, {1, 4, 1}, [](Operator& op) { op.output_shape = Shape({1, 5, 1}); }),
         Dialect::kOnednnSpec}}});
}

TEST(GeometryFaultsTest, AreKilled) {
  const Killer negative_total = {Plain({1, 1, 2}, {1, 1, 1}, [](Operator& op) {
    op.strides = {2};
    op.output_shape = Shape({4});
  })};
  const Killer output_padding = Three([](Operator& op) {
    op.strides = {2};
    op.output_padding = {1};
    op.pads_end = {1};
  });
  const Killer dilated = Strided(3, 2, 1, 2);
  ExpectKilled(faults::GeometryFaults(),
               {{"same_upper_lower_exchanged", Shaped("same_upper", 6)},
                {"pads_exchanged", Three([](Operator& op) { op.pads_begin = {1}; })},
                {"auto_pad_ignored", Three([](Operator& op) {
                   op.auto_pad = "same_lower";
                   kPadOfOne(op);
                 })},
                {"negative_total_truncated", negative_total},
                {"negative_pad_clamped", negative_total},
                {"output_shape_ignored", Three([](Operator& op) { op.output_shape = Shape({4}); })},
                {"output_size_off_by_one", Strided(3, 3, 2)},
                {"output_padding_ignored", output_padding},
                {"output_padding_zero", output_padding},
                {"output_padding_times_stride", output_padding},
                {"output_padding_at_begin", output_padding},
                {"dilation_ignored", dilated},
                {"dilation_ignored_in_values", dilated},
                {"stride_of_first_axis", Planar([](Operator& op) { op.strides = {1, 2}; })},
                {"pads_of_other_axis", Planar([](Operator& op) { op.pads_begin = {1, 0}; })},
                {"depth_pad_of_height",
                 {Plain({1, 1, 2, 2, 2}, {1, 1, 2, 2, 2}, [](Operator& op) { op.pads_begin = {0, 1, 0}; })}},
                {"stride_of_last_axis", Planar([](Operator& op) { op.strides = {1, 2}; })},
                {"strides_reversed", Planar([](Operator& op) { op.strides = {1, 2}; })},
                {"dilations_reversed", Planar([](Operator& op) { op.dilations = {1, 2}; })},
                {"dilation_of_first_axis", Planar([](Operator& op) { op.dilations = {1, 2}; })},
                {"dilation_counted_from_zero", Three([](Operator& op) { op.dilations = {1}; })},
                {"dilation_of_depth_ignored",
                 {Plain({1, 1, 2, 1, 1}, {1, 1, 2, 1, 1}, [](Operator& op) { op.dilations = {2, 1, 1}; })}},
                {"dilation_ignored_with_stride", Strided(3, 2, 2, 2)},
                {"output_padding_reversed", Planar([](Operator& op) { op.output_padding = {0, 1}; })},
                {"output_padding_of_last_axis_only", Planar([](Operator& op) { op.output_padding = {1, 0}; })},
                {"output_padding_equal_to_pad_ignored", Three([](Operator& op) {
                   op.strides = {2};
                   op.pads_begin = op.pads_end = op.output_padding = {1};
                 })},
                {"dilated_extent_one_too_many", dilated},
                {"size_of_forward_operator", Three(nullptr)},
                {"stride_cut_to_kernel", Strided(2, 1, 2)},
                {"pads_of_one_axis_ignored", Strided(3, 3, 1, 1, 1)},
                {"stride_of_fourth_axis_ignored",
                 {Plain({1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1}, [](Operator& op) { op.strides = {1, 1, 1, 2}; })}},
                {"dims_with_input_channels", {Plain({1, 1, 1}, {1, 2, 1})}},
                {"dims_reversed", {Plain({1, 1, 1, 2}, {1, 1, 1, 1})}},
                {"dims_one_too_large", Strided(2, 1, 2)},
                {"dims_channels_first", {Onednn({1, 3, 1}, {1, 2, 1}, {1, 3, 2}), Dialect::kOnednnSpec}}});
}

// The natural sizes (without pads) are 7 by 7, so that the output shape leaves a total of 7 - rows and 7 - columns.
TEST(AxesMixingFaultsTest, AreKilled) {
  const auto shaped = [](const char* auto_pad, std::int64_t rows, std::int64_t columns,
                         Dialect dialect = Dialect::kOpenvinoSpec) {
    return Killer{.op = Plain({1, 1, 3, 3}, {1, 1, 3, 3},
                              [=](Operator& op) {
                                op.strides = {2, 2};
                                op.auto_pad = auto_pad;
                                op.output_shape = Shape({rows, columns});
                              }),
                  .dialect = dialect};
  };
  ExpectKilled(faults::AxesMixingFaults(),
               {{"total_parity_of_first_axis", shaped("same_upper", 5, 6)},
                {"same_lower_beyond_first_axis", shaped("same_upper", 6, 6)},
                {"same_upper_beyond_first_axis", shaped("same_lower", 6, 6)},
                {"negative_total_clamped_together", shaped("same_upper", 6, 9, Dialect::kOpenvinoRuntime)},
                {"negative_total_clamped_beside_positive", shaped("same_upper", 6, 9)},
                {"output_padding_of_first_axis", Planar([](Operator& op) { op.output_padding = {1, 0}; })},
                {"pads_in_pairs", Planar([](Operator& op) {
                   op.pads_begin = {1, 0};
                   op.pads_end = {1, 0};
                 })},
                {"pad_dropped_beside_dense_axis", Planar([](Operator& op) {
                   op.strides = {1, 2};
                   op.pads_begin = {0, 1};
                 })},
                {"shape_ignored_if_first_axis_fits", shaped("same_upper", 7, 5)},
                {"common_divisor_of_first_axis", {Plain({1, 1, 2, 3}, {1, 1, 1, 3}, [](Operator& op) {
                   op.strides = {1, 2};
                   op.dilations = {1, 2};
                 })}}});
}

// A phase is the set of output positions that are equal modulo the stride.
TEST(PhaseFaultsTest, AreKilled) {
  ExpectKilled(faults::PhaseFaults(), {{"phase_of_output", Strided(3, 3, 2, 1, 1)},
                                       {"phase_without_dilation", Strided(3, 3, 2, 2)},
                                       {"phase_taps_rounded_down", Strided(3, 3, 2)},
                                       {"last_phase_dropped", Strided(3, 3, 2)},
                                       {"empty_phase_filled", Strided(2, 1, 2)},
                                       {"phase_step_of_stride", Strided(3, 3, 2, 2)},
                                       {"unreached_phase_filled", Strided(2, 2, 2, 2)},
                                       {"phase_starts_late", Strided(2, 2, 2)},
                                       {"phase_ends_early", Strided(2, 2, 2)},
                                       {"stride_three_tap_dropped", Strided(2, 4, 3)},
                                       {"stride_above_data", Strided(2, 1, 3)},
                                       {"no_work_below_dilation", Strided(1, 2, 1, 2)},
                                       {"last_coordinate_dropped", Strided(2, 1, 2)},
                                       {"cropped_border_tap_dropped", Strided(2, 2, 1, 1, 1)},
                                       {"phase_edge_tap_twice", Strided(2, 3, 2)},
                                       {"phases_stored_reversed", Strided(2, 2, 2)}});
}

}  // namespace
}  // namespace conformance
