// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case finds each planted fault of shape inputs, absent pads and spellings of auto_pad. A planted fault is
// a backend that is wrong on purpose in one way. Its killer is a small case on which it is wrong and a correct backend
// is right.

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

// A killer with three data elements and three taps. Without a change the output has the size 5.
Killer Three(const OperatorChange& change) { return {.op = Plain({1, 1, 3}, {1, 1, 3}, change)}; }

// A killer with an output shape of this type.
Killer ShapedBy(ElementType type, std::int64_t size) {
  return Three([=](Operator& op) { op.output_shape = {type, {1}, {size}}; });
}

// A killer without pads.
Killer Unpadded(const OperatorChange& change) {
  return Three([&](Operator& op) {
    op.pads_begin = op.pads_end = std::nullopt;
    change(op);
  });
}

// A killer of oneDNN: the input dst_shape has these values, and the attribute dst_shape is 1, 4, 1.
Killer WithDstShape(Dims shape, const OperatorChange& change) {
  return {.op = Onednn({1, 3, 1}, {3, 1, 1}, {1, 4, 1},
                       [&](Operator& op) {
                         op.output_shape = {ElementType::kI32, {3}, shape};
                         change(op);
                       }),
          .dialect = Dialect::kOnednnSpec};
}

TEST(ShapeFaultsTest, AreKilled) {
  ExpectKilled(faults::ShapeFaults(),
               {{"u8_shape_sign_extended", ShapedBy(ElementType::kU8, 200)},
                {"u16_shape_in_8_bits", ShapedBy(ElementType::kU16, 300)},
                {"i16_shape_in_8_bits", ShapedBy(ElementType::kI16, 300)},
                {"u32_shape_in_8_bits", ShapedBy(ElementType::kU32, 300)},
                {"u64_shape_in_32_bits", ShapedBy(ElementType::kU64, std::int64_t{1} << 62 | 5)},
                {"narrow_shape_refused", ShapedBy(ElementType::kI16, 5)},
                {"s32_dst_shape_read_as_s64", WithDstShape({1, 5, 1}, [](Operator& op) { op.dst_shape.reset(); })},
                {"s32_dst_shape_attribute_preferred",
                 WithDstShape({1, 5, 1}, [](Operator& op) { op.pads_begin = op.pads_end = {0}; })},
                {"missing_pads_refused", Unpadded([](Operator& op) { op.output_shape = Shape({5}); })},
                {"missing_pads_taken_for_zero", Unpadded([](Operator& op) { op.output_shape = Shape({3}); })},
                {"missing_pads_grow_same", Unpadded([](Operator& op) { op.auto_pad = "same_lower"; })},
                {"missing_pads_end_taken_for_begin", Unpadded([](Operator& op) { op.pads_begin = {1}; })},
                {"lower_case_auto_pad_ignored", WithDstShape({1, 3, 1},
                                                             [](Operator& op) {
                                                               op.dst_shape.reset();
                                                               op.auto_pad = "same_upper";
                                                             })},
                {"upper_case_auto_pad_ignored", Three([](Operator& op) {
                   op.auto_pad = "SAME_UPPER";
                   op.pads_begin = op.pads_end = {1};
                 })}});
}

}  // namespace
}  // namespace conformance
