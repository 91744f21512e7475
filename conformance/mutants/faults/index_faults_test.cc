// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case finds each planted fault of indices, groups, channels, tails, and of ConvolutionBackwardData's
// formats. A planted fault is a backend that is wrong on purpose in one way. Its killer is a small case on which it is
// wrong and a correct backend is right.

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

Killer Row(std::int64_t width) { return {.op = Plain({1, 1, width}, {1, 1, 1})}; }
Killer Channels(std::int64_t in, std::int64_t out) { return {.op = Plain({1, in, 1}, {in, out, 1})}; }
Killer Batch(std::int64_t samples) { return {.op = Plain({samples, 1, 1}, {1, 1, 1})}; }
// A killer without data_format and weights_format, so the defaults NXC and XIO apply.
Killer OnednnOf(Dims data, Dims filter, Dims dst_shape, const OperatorChange& change = nullptr) {
  return {.op = Onednn(std::move(data), std::move(filter), std::move(dst_shape), change),
          .dialect = Dialect::kOnednnSpec};
}

TEST(IndexFaultsTest, AreKilled) {
  const Killer plain = {Plain({1, 1, 3}, {1, 1, 3})};
  const Killer beyond = {Plain({1, 1, 2}, {1, 1, 1}, [](Operator& op) {
    op.strides = {2};
    op.output_padding = {1};
  })};
  const auto ncx = [](Operator& op) {
    op.data_format = "NCX";
    op.weights_format = "OIX";
  };
  ExpectKilled(faults::IndexFaults(),
               {{"filter_flipped", plain},
                {"last_tap_dropped", {Plain({1, 1, 1}, {1, 1, 3})}},
                {"first_batch_only", Batch(2)},
                {"gaps_unwritten", {Plain({1, 1, 2}, {1, 1, 1}, [](Operator& op) { op.strides = {3}; })}},
                {"pointwise_tail_unwritten", Row(2)},
                {"nxc_taken_for_ncx", OnednnOf({1, 3, 2}, {1, 1, 2}, {1, 3, 1})},
                {"xio_taken_for_oix", OnednnOf({1, 1, 2}, {1, 2, 2}, {1, 1, 2})},
                {"filter_flipped_on_last_axis", plain},
                {"filter_flipped_at_stride_one", plain},
                {"filter_flipped_if_depthwise", {Plain({1, 2, 1}, {2, 1, 1, 2})}},
                {"kernel_transposed", {Plain({1, 1, 1, 1}, {1, 1, 2, 3})}},
                {"seventh_tap_dropped", {Plain({1, 1, 1}, {1, 1, 7})}},
                {"forward_instead", plain},
                {"trailing_one_squeezed", {Plain({1, 1, 2, 1}, {1, 1, 1, 2})}},
                {"depth_of_one_squeezed", {Plain({1, 1, 1, 2, 2}, {1, 1, 2, 1, 1})}},
                {"index_in_f16", Row(2050)},
                {"coordinates_in_16_bits", Row(65537)},
                {"oix_taken_for_xio", OnednnOf({1, 2, 1}, {2, 3, 1}, {1, 3, 1}, ncx)},
                {"ncx_taken_for_nxc", OnednnOf({1, 2, 3}, {2, 1, 1}, {1, 1, 3}, ncx)},
                {"layout_guessed_by_size", OnednnOf({1, 2, 2}, {1, 1, 2}, {1, 2, 1})},
                {"last_row_unwritten", {Plain({1, 1, 2, 1}, {1, 1, 1, 1})}},
                {"tail_beyond_data_unwritten", beyond},
                {"output_padding_unwritten", beyond},
                {"last_of_large_unwritten", Row(4097)}});
}

TEST(ChannelFaultsTest, AreKilled) {
  const Killer grouped = {Plain({1, 4, 3}, {2, 2, 2, 1})};
  ExpectKilled(
      faults::ChannelFaults(),
      {{"filter_groups_reversed", grouped},
       {"filter_of_first_group", grouped},
       {"filter_group_offset_short", grouped},
       {"one_axis_groups_misplaced", grouped},
       {"data_of_first_group", grouped},
       {"data_channels_interleaved", grouped},
       {"output_channels_interleaved", grouped},
       {"multiplier_channels_interleaved", {Plain({1, 2, 1}, {2, 1, 2, 1})}},
       {"one_out_channel_of_group", grouped},
       {"one_in_channel_of_group", grouped},
       {"channels_last_groups_ignored", OnednnOf({1, 1, 2}, {1, 1, 2}, {1, 1, 2}, [](Operator& op) { op.groups = 2; })},
       {"filter_channels_exchanged", Channels(2, 3)},
       {"one_in_channel", Channels(2, 1)},
       {"one_in_channel_for_one_out", Channels(2, 1)},
       {"channel_in_8_bits", Channels(257, 1)}});
}

// A tail is the rest of a size behind full blocks. So the sizes are one more than a multiple of the block.
TEST(TailFaultsTest, AreKilled) {
  ExpectKilled(faults::TailFaults(), {{"channel_tail_dropped", Channels(5, 1)},
                                      {"in_channel_tail_of_8_twice", Channels(9, 1)},
                                      {"in_channel_tail_of_16_neighbour", Channels(17, 1)},
                                      {"in_channel_tail_of_32_dropped", Channels(33, 1)},
                                      {"in_channel_tail_of_64_twice", Channels(65, 1)},
                                      {"nxc_in_channel_tail_of_8_dropped", OnednnOf({1, 1, 9}, {1, 1, 9}, {1, 1, 1})},
                                      {"nxc_out_channel_tail_of_8_zero", OnednnOf({1, 1, 1}, {1, 9, 1}, {1, 1, 9})},
                                      {"group_tail_of_16_zero", {Plain({1, 17, 1}, {17, 1, 1, 1})}},
                                      {"out_channel_tail_of_4_zero", Channels(1, 5)},
                                      {"out_channel_tail_of_8_unwritten", Channels(1, 9)},
                                      {"out_channel_tail_of_16_twice", Channels(1, 17)},
                                      {"out_channel_tail_of_32_zero", Channels(1, 33)},
                                      {"depthwise_tail_of_8_zero", {Plain({1, 9, 1}, {9, 1, 1, 1})}},
                                      {"last_channel_unwritten", Channels(1, 2)},
                                      {"width_tail_of_4_zero", Row(5)},
                                      {"width_tail_of_8_unwritten", Row(9)},
                                      {"width_tail_of_16_twice", Row(17)},
                                      {"width_tail_of_32_zero", Row(33)},
                                      {"width_tail_of_8_neighbour", Row(9)},
                                      {"width_tail_of_4_shifted", Row(5)},
                                      {"width_tail_of_16_first_wrong", Row(17)},
                                      {"row_after_tail_of_4_overwritten", {Plain({1, 1, 2, 5}, {1, 1, 1, 1})}},
                                      {"data_tail_of_8_dropped", Row(9)},
                                      {"output_above_32_zero", Row(33)},
                                      {"short_rows_of_many_channels",
                                       {Plain({1, 17, 1}, {17, 1, 1}, [](Operator& op) { op.strides = {2}; })}},
                                      {"batch_of_16_tail_zero", Batch(16)},
                                      {"batch_tail_of_2_zero", Batch(3)},
                                      {"data_of_first_sample", Batch(2)},
                                      {"last_sample_unwritten", Batch(2)}});
}

// Sets data_format and weights_format; nullptr leaves one absent.
OperatorChange Formats(const char* data, const char* weights) {
  return [=](Operator& op) {
    if (data != nullptr) op.data_format = data;
    if (weights != nullptr) op.weights_format = weights;
  };
}

TEST(LayoutFaultsTest, AreKilled) {
  // Two channels and two positions: the shape is the same in every format.
  const Dims square = {1, 2, 2};
  const Dims pointwise_xio = {1, 2, 2};
  ExpectKilled(
      faults::LayoutFaults(),
      {{"data_format_default_ncx", OnednnOf(square, pointwise_xio, square)},
       {"weights_format_default_oix", OnednnOf(square, {2, 2, 2}, {1, 3, 2})},
       {"weights_format_default_of_data_format", OnednnOf(square, {2, 2, 2}, {1, 3, 2}, Formats("NXC", nullptr))},
       {"data_format_default_of_weights_format", OnednnOf(square, pointwise_xio, square, Formats(nullptr, "XIO"))},
       {"oix_beside_nxc_taken_for_xio", OnednnOf(square, {2, 2, 1}, square, Formats("NXC", "OIX"))},
       {"xio_beside_ncx_taken_for_oix", OnednnOf(square, {1, 2, 2}, square, Formats("NCX", "XIO"))},
       {"xio_groups_taken_for_oix", OnednnOf(square, {1, 2, 2}, {1, 2, 4}, [](Operator& op) { op.groups = 2; })},
       {"xio_axes_reversed_if_not_square", OnednnOf({1, 1, 1, 1}, {2, 3, 1, 1}, {1, 2, 3, 1})},
       {"nxc_depth_stride_of_height",
        OnednnOf({1, 2, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 3, 1, 1, 1}, [](Operator& op) { op.strides = {2, 1, 1}; })},
       {"nxc_dilation_ignored_with_stride", OnednnOf({1, 2, 1, 1}, {2, 1, 1, 1}, {1, 5, 1, 1}, [](Operator& op) {
          op.strides = {2, 1};
          op.dilations = {2, 1};
        })}});
}

}  // namespace
}  // namespace conformance
