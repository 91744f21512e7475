// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case finds each planted fault of operators that their documents leave open. The killer of a fault is a
// small case on which the faulty backend is wrong, and each correct variant refuses it or computes it correctly.

#include <csignal>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/testing/fault_trial.h"

namespace conformance {
namespace {

Killer Three(const OperatorChange& change) { return {.op = Plain({1, 1, 3}, {1, 1, 3}, change)}; }

Killer OnednnOf(Dims dst_shape, const OperatorChange& change = nullptr) {
  return {.op = Onednn({1, 3, 1}, {3, 1, 1}, std::move(dst_shape), change), .dialect = Dialect::kOnednnSpec};
}

Killer OnnxOf(const OperatorChange& change) {
  return {.op = Onnx({1, 1, 3}, {1, 1, 3}, change), .dialect = Dialect::kOnnx11};
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

TEST(OpenFaultsDeathTest, Crash) {
  EXPECT_EXIT(MistakeOn("fault:crashes_on_empty_output", kEmptyOutput), testing::KilledBySignal(SIGFPE), "");
  EXPECT_EXIT(MistakeOn("fault:crashes_on_no_channels", kNoChannels), testing::KilledBySignal(SIGFPE), "");
}

}  // namespace
}  // namespace conformance
