// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case finds each planted fault of refusals and checks, and of operators that their documents leave open.
// A planted fault is a backend that is wrong on purpose in one way. Its killer is a small case: a valid operator that
// the backend refuses, an invalid one that it accepts, or an open one, which each correct variant refuses or computes
// correctly.

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

// A killer with three data elements and three taps. Without a change the output has the size 5.
Killer Three(const OperatorChange& change) { return {.op = Plain({1, 1, 3}, {1, 1, 3}, change)}; }
Killer OnednnOf(const OperatorChange& change) {
  return {.op = Onednn({1, 3, 1}, {1, 1, 1}, {1, 3, 1}, change), .dialect = Dialect::kOnednnSpec};
}
Killer OnnxOf(const OperatorChange& change) {
  return {.op = Onnx({1, 1, 3}, {1, 1, 3}, change), .dialect = Dialect::kOnnx11};
}
Killer ShapedBy(const oracle::ShapeInput& shape) {
  return Three([&](Operator& op) { op.output_shape = shape; });
}

TEST(RefusalFaultsTest, AreKilled) {
  ExpectKilled(faults::RefusalFaults(),
               {{"refuses_everything", Three(nullptr)},
                {"refuses_large_output_padding", Three([](Operator& op) { op.output_padding = {1}; })},
                {"groups_unsupported", {Plain({1, 4, 3}, {2, 2, 2, 1})}},
                {"refuses_output_padding_of_stride", Three([](Operator& op) {
                   op.dilations = {2};
                   op.output_padding = {1};
                 })},
                {"refuses_kernel_above_data", {Plain({1, 1, 1}, {1, 1, 2})}},
                {"refuses_pads_of_kernel", {Plain({1, 1, 3}, {1, 1, 1}, [](Operator& op) { op.pads_begin = {1}; })}},
                {"refuses_asymmetric_pads", Three([](Operator& op) { op.pads_begin = {1}; })},
                {"refuses_dilation_with_stride", Three([](Operator& op) { op.dilations = op.strides = {2}; })},
                {"refuses_dilation", Three([](Operator& op) { op.dilations = {2}; })},
                {"refuses_stride_above_kernel", Three([](Operator& op) { op.strides = {4}; })},
                {"refuses_output_shape", ShapedBy(Shape({4}))},
                {"refuses_shape_beyond_natural", ShapedBy(Shape({6}))},
                {"refuses_other_channel_count", {Plain({1, 2, 1}, {2, 1, 2, 1})}},
                {"refuses_depthwise", {Plain({1, 2, 1}, {2, 1, 1, 1})}},
                {"refuses_rank_above_5", {Plain({1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1})}},
                {"refuses_one_axis", Three(nullptr)},
                {"refuses_large", {Plain({1, 1, 65537}, {1, 1, 1})}},
                {"f64_unsupported", {Typed(ElementType::kF64, {1, 1, 1}, {1, 1, 1})}},
                {"bf16_unsupported", {Typed(ElementType::kBf16, {1, 1, 1}, {1, 1, 1})}},
                {"u64_unsupported", {Typed(ElementType::kU64, {1, 1, 1}, {1, 1, 1})}}});
}

// An invalid operator for each fault of a check.
Killers InvalidOperators() {
  return {
      {"accepts_negative_pads", Three([](Operator& op) { op.pads_begin = {-1}; })},
      {"accepts_zero_dilation", Three([](Operator& op) { op.dilations = {0}; })},
      {"accepts_zero_stride", Three([](Operator& op) { op.strides = {0}; })},
      {"accepts_negative_output_padding", Three([](Operator& op) { op.output_padding = {-1}; })},
      {"accepts_wrong_lengths", Three([](Operator& op) { op.strides = {1, 1}; })},
      {"accepts_wrong_length_of_strides", Three([](Operator& op) { op.strides = {1, 1}; })},
      {"accepts_wrong_length_of_dilations", Three([](Operator& op) { op.dilations = {1, 1}; })},
      {"accepts_wrong_length_of_pads", Three([](Operator& op) { op.pads_end = {0, 0}; })},
      {"accepts_wrong_length_of_output_padding", Three([](Operator& op) { op.output_padding = {0, 0}; })},
      {"accepts_other_channels", {Plain({1, 1, 3}, {2, 1, 3})}},
      {"accepts_mixed_types", Three([](Operator& op) { op.filter.type = ElementType::kF16; })},
      {"accepts_any_type", OnednnOf([](Operator& op) { op.data.type = op.filter.type = ElementType::kI32; })},
      {"accepts_boolean", {Typed(ElementType::kBoolean, {1, 1, 3}, {1, 1, 3})}},
      {"accepts_any_auto_pad", Three([](Operator& op) { op.auto_pad = "same"; })},
      {"accepts_pads_with_auto_pad", OnnxOf([](Operator& op) {
         op.auto_pad = "VALID";
         op.pads_begin = op.pads_end = {0};
       })},
      {"accepts_any_rank", {Plain({1, 1}, {1, 1})}},
      {"accepts_other_filter_rank", {Plain({1, 1, 3}, {1, 1})}},
      {"accepts_negative_dims", {Plain({1, 1, -1}, {1, 1, 3})}},
      {"accepts_zero_kernel", {Plain({1, 1, 3}, {1, 1, 0})}},
      {"accepts_other_kernel_shape", OnnxOf([](Operator& op) { op.kernel_shape = {2}; })},
      {"accepts_zero_groups", {Plain({1, 0, 3}, {0, 1, 1, 3})}},
      {"accepts_uneven_groups", {Onnx({1, 3, 3}, {3, 1, 3}, [](Operator& op) { op.groups = 2; }), Dialect::kOnnx11}},
      {"accepts_negative_size", {Plain({1, 1, 1}, {1, 1, 1}, [](Operator& op) { op.pads_begin = {2}; })}},
      {"accepts_negative_shape", ShapedBy(Shape({-1}))},
      {"accepts_other_shape_length", ShapedBy(Shape({5, 5}))},
      {"accepts_shape_of_any_rank", ShapedBy({ElementType::kI64, {1, 1}, {5}})},
      {"accepts_floating_shape", ShapedBy({ElementType::kF32, {1}, {5}})},
      {"accepts_missing_attributes",
       {Onednn({1, 3, 1}, {1, 1, 1}, {1, 3, 1}, [](Operator& op) { op.strides.reset(); }), Dialect::kOnednnRuntime}},
      {"accepts_missing_dst_shape", OnednnOf([](Operator& op) { op.dst_shape.reset(); })},
      {"accepts_other_dst_channels", OnednnOf([](Operator& op) { op.dst_shape = {1, 3, 2}; })},
      {"accepts_inconsistent_shape",
       {Onnx({1, 1, 3}, {1, 1, 3}, [](Operator& op) { op.output_shape_attribute = {9}; }), Dialect::kOnnxruntime}},
      {"accepts_output_padding_of_stride",
       {Onnx({1, 1, 3}, {1, 1, 3}, [](Operator& op) { op.output_padding = {1}; }), Dialect::kOnnxruntime}},
      {"accepts_third_input", OnnxOf([](Operator& op) { op.output_shape = Shape({5}); })},
      {"accepts_shape_of_no_data",
       {Onnx({1, 1, 0}, {1, 1, 3}, [](Operator& op) { op.output_shape_attribute = {2}; }), Dialect::kOnnxruntime}},
      {"accepts_same_lower_of_tensorflow",
       {Onnx({1, 1, 3}, {1, 1, 3},
             [](Operator& op) {
               op.pads_begin = op.pads_end = std::nullopt;
               op.auto_pad = "SAME_LOWER";
               op.output_shape_attribute = {3};
             }),
        Dialect::kTensorflow}},
      {"accepts_missing_output_shape", {Onnx({1, 1, 3}, {1, 1, 3}), Dialect::kTensorflow}},
      {"accepts_output_padding_of_tensorflow",
       {Onnx({1, 1, 3}, {1, 1, 3},
             [](Operator& op) {
               op.output_padding = {1};
               op.output_shape_attribute = {5};
             }),
        Dialect::kTensorflow}},
      {"accepts_other_size_of_tensorflow",
       {Onnx({1, 1, 3}, {1, 1, 3}, [](Operator& op) { op.output_shape_attribute = {6}; }), Dialect::kTensorflow}},
      {"accepts_any_data_format", OnednnOf([](Operator& op) { op.data_format = "NHWC"; })},
      {"accepts_any_weights_format", OnednnOf([](Operator& op) { op.weights_format = "HWIO"; })},
      {"accepts_overflow", Three([](Operator& op) { op.strides = {std::int64_t{1} << 62}; })},
  };
}

TEST(AcceptanceFaultsTest, AreKilled) {
  ExpectKilled(faults::AcceptanceFaults(), InvalidOperators(),
               {"divides_by_zero_groups", "divides_by_zero_kernel", "divides_by_zero_size"});
}

TEST(AcceptanceFaultsDeathTest, DivideByZero) {
  const Killers invalid = InvalidOperators();
  EXPECT_DEATH(MistakeOn("fault:divides_by_zero_groups", invalid.at("accepts_zero_groups")), "");
  EXPECT_DEATH(MistakeOn("fault:divides_by_zero_kernel", invalid.at("accepts_zero_kernel")), "");
  EXPECT_DEATH(MistakeOn("fault:divides_by_zero_size", invalid.at("accepts_negative_size")), "");
}

Killer OnednnOf(Dims dst_shape, const OperatorChange& change = nullptr) {
  return {.op = Onednn({1, 3, 1}, {3, 1, 1}, std::move(dst_shape), change), .dialect = Dialect::kOnednnSpec};
}

const Killer kNoBatch = {.op = Plain({0, 1, 3}, {1, 1, 3})};
const Killer kNoChannels = {.op = Plain({1, 0, 3}, {0, 1, 3})};
const Killer kEmptyOutput = {.op = Plain({1, 1, 1}, {1, 1, 1}, [](Operator& op) { op.pads_begin = {1}; })};

TEST(OpenFaultsTest, AreKilled) {
  ExpectKilled(faults::OpenFaults(),
               {{"empty_batch_counted_as_one", kNoBatch},
                {"empty_channels_counted_as_one", {Plain({1, 1, 3}, {1, 0, 3})}},
                {"empty_output_computed_as_one", kEmptyOutput},
                {"absent_strides_taken_for_two", Three([](Operator& op) { op.strides.reset(); })},
                {"absent_dilations_taken_for_two", Three([](Operator& op) { op.dilations.reset(); })},
                {"open_operator_refused_in_turn", kNoBatch},
                {"contradicting_dst_shape_ignored", OnednnOf({1, 4, 1})},
                {"contradicting_dst_shape_split", OnednnOf({1, 3, 1})},
                {"outputs_of_no_data_unwritten", kNoChannels},
                {"auto_pad_none_taken_for_same_upper", Three([](Operator& op) {
                   op.auto_pad = "none";
                   op.output_shape = Shape({4});
                 })},
                {"negative_ignored_pads_used", Three([](Operator& op) {
                   op.auto_pad = "same_upper";
                   op.pads_begin = {-1};
                   op.pads_end = {0};
                 })},
                {"output_padding_cut_below_stride", OnnxOf([](Operator& op) { op.output_padding = {1}; })}},
               {"crashes_on_empty_output", "crashes_on_no_channels"});
}

TEST(OpenFaultsDeathTest, CrashOnEmptyTensors) {
  EXPECT_EXIT(MistakeOn("fault:crashes_on_empty_output", kEmptyOutput), testing::KilledBySignal(SIGFPE), "");
  EXPECT_EXIT(MistakeOn("fault:crashes_on_no_channels", kNoChannels), testing::KilledBySignal(SIGFPE), "");
}

}  // namespace
}  // namespace conformance
