// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Each refusal beside its nearest valid neighbour: the clause that refuses, what its message names, and the acceptance
// once the one offending value is mended.

#include <fstream>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/clause.h"
#include "oracle/resolve.h"
#include "oracle/testing/refusal_pairs.h"

namespace oracle {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::vector<Pair> DocumentPairs() {
  return {
      {"D1",
       {"operator", "ConvTranspose", "openvino-spec"},
       Backprop(),
       [](Operator& op) { op.kind = OperatorKind::kConvTranspose; }},
      {"D1",
       {"ConvolutionBackpropData", "onnx-11"},
       Onnx(),
       [](Operator& op) { op.kind = OperatorKind::kConvolutionBackpropData; }},
      {"D3", {"3", "2"}, Onnx(), [](Operator& op) { op.output_shape = ShapeOf({8, 6}); }},

      {"T2",
       {"data", "boolean"},
       Backprop(),
       [](Operator& op) { op.data.type = op.filter.type = ElementType::kBoolean; }},
      {"T2", {"data", "string"}, Onednn(), [](Operator& op) { op.data.type = op.filter.type = ElementType::kString; }},
      {"T2", {"filter", "boolean"}, Group(), [](Operator& op) { op.filter.type = ElementType::kBoolean; }},
      {"T3", {"filter", "f16", "f32"}, Backprop(), [](Operator& op) { op.filter.type = ElementType::kF16; }},
      {"T3", {"filter", "bf16", "f32"}, Onnx(), [](Operator& op) { op.filter.type = ElementType::kBf16; }},
      {"T4", {"f64", "f32"}, Onednn(), [](Operator& op) { op.data.type = op.filter.type = ElementType::kF64; }},
      {"T4", {"i8"}, Onednn(), [](Operator& op) { op.data.type = op.filter.type = ElementType::kI8; }},
      {"T5", {"bf16"}, Onnx(), [](Operator& op) { op.data.type = op.filter.type = ElementType::kBf16; }},
      {"T6",
       {"output_shape", "f32", "integer"},
       Shaped({8, 6}),
       [](Operator& op) { op.output_shape->type = ElementType::kF32; }},
      {"T6",
       {"output_shape", "boolean"},
       Shaped({8, 6}),
       [](Operator& op) { op.output_shape->type = ElementType::kBoolean; }},

      {"S1", {"data", "rank 2"}, Line(3, 3, 2), [](Operator& op) { op.data.dims = {1, 3}; }},
      {"S1", {"data", "rank 11", "3 to 10"}, Line(3, 3, 2), [](Operator& op) { op.data.dims.resize(11, 1); }},
      {"S2", {"filter", "rank 5", "4"}, Backprop(), [](Operator& op) { op.filter.dims.push_back(1); }},
      {"S2", {"filter", "rank 4", "5"}, Group(), [](Operator& op) { op.filter.dims.pop_back(); }},
      {"S3", {"data", "-1"}, Backprop(), [](Operator& op) { op.data.dims[2] = -1; }},
      {"S3", {"filter", "-3"}, Group(), [](Operator& op) { op.filter.dims[3] = -3; }},
      {"S5", {"filter", "7", "6"}, Backprop(), [](Operator& op) { op.filter.dims[0] = 7; }},
      {"S5", {"filter", "2 groups of 4", "6"}, Group(), [](Operator& op) { op.filter.dims[1] = 4; }},
      {"S5", {"filter", "3", "6"}, Onnx(), [](Operator& op) { op.filter.dims[0] = 3; }},
      {"S6", {"groups 0"}, Group(), [](Operator& op) { op.filter.dims[0] = 0; }},
      {"S6", {"groups", "0"}, Onednn(), [](Operator& op) { op.groups = 0; }},
      {"S6", {"groups", "-1"}, Onnx(), [](Operator& op) { op.groups = -1; }},
      {"S6", {"groups", "4", "divisor", "6"}, Onednn(), [](Operator& op) { op.groups = 4; }},
      {"S7", {"filter", "axis 1", "0"}, Backprop(), [](Operator& op) { op.filter.dims[3] = 0; }},
      {"S7", {"filter", "axis 0"}, Group(), [](Operator& op) { op.filter.dims[3] = 0; }},
      {"S9", {"output_shape", "rank 2"}, Shaped({8, 6}), [](Operator& op) { op.output_shape->dims = {1, 2}; }},
      {"S9", {"output_shape", "rank 0"}, Shaped({8, 6}), [](Operator& op) { op.output_shape->dims = {}; }},
      {"S10",
       {"output_shape", "4", "2"},
       Shaped({8, 6}),
       [](Operator& op) { op.output_shape = ShapeOf({2, 4, 8, 6}); }},
      {"S10", {"output_shape", "1 values", "2"}, Shaped({8, 6}), [](Operator& op) { op.output_shape->values = {8}; }},
      {"S10", {"dst_shape", "[8, 6]", "4"}, Onednn(), [](Operator& op) { op.dst_shape = Dims{8, 6}; }},
      {"S10", {"output_shape", "[8]", "2"}, Onnx(), [](Operator& op) { op.output_shape_attribute = Dims{8}; }},
      {"S11", {"output_shape", "0", "axis 1"}, Shaped({8, 1}), [](Operator& op) { op.output_shape->values[1] = 0; }},
      {"S11", {"output_shape", "-1"}, Shaped({8, 6}), [](Operator& op) { op.output_shape->values[0] = -1; }},
      {"S11", {"dst_shape", "0"}, Onednn(), [](Operator& op) { (*op.dst_shape)[2] = 0; }},
      {"S12", {"dst_shape", "batch 3", "2"}, Onednn(), [](Operator& op) { (*op.dst_shape)[0] = 3; }},
      {"S12", {"dst_shape", "9 channels", "8"}, Onednn(), [](Operator& op) { (*op.dst_shape)[1] = 9; }},
      {"S13", {"kernel_shape", "4", "3"}, Onnx(), [](Operator& op) { op.kernel_shape = Dims{4, 2}; }},
      {"S14", {"dst_shape", "neither"}, Onednn(), [](Operator& op) { op.dst_shape = std::nullopt; }},

      {"A1", {"strides", "[2]", "2 values"}, Backprop(), [](Operator& op) { op.strides = Dims{2}; }},
      {"A1", {"dilations"}, Group(), [](Operator& op) { op.dilations = Dims{1, 2, 1}; }},
      {"A1", {"pads_begin"}, Onednn(), [](Operator& op) { op.pads_begin = Dims{}; }},
      {"A1", {"pads_end"}, Backprop(), [](Operator& op) { op.pads_end = Dims{0}; }},
      {"A1", {"output_padding"}, Onnx(), [](Operator& op) { op.output_padding = Dims{1}; }},
      {"A1", {"kernel_shape"}, Onnx(), [](Operator& op) { op.kernel_shape = Dims{3}; }},
      {"A2", {"strides", "0", "axis 0", "at least 1"}, Backprop(), [](Operator& op) { op.strides = Dims{0, 1}; }},
      {"A2", {"strides", "-2"}, Onednn(), [](Operator& op) { op.strides = Dims{-2, 1}; }},
      {"A3", {"dilations", "0", "axis 1"}, Onnx(), [](Operator& op) { op.dilations = Dims{1, 0}; }},
      {"A4", {"pads_begin", "-1"}, Backprop(), [](Operator& op) { op.pads_begin = Dims{-1, 0}; }},
      {"A4", {"pads_end", "-1", "axis 1"}, Onednn(), [](Operator& op) { op.pads_end = Dims{0, -1}; }},
      {"A5", {"output_padding", "-1"}, Backprop(), [](Operator& op) { op.output_padding = Dims{0, -1}; }},
      {"A9", {"auto_pad", "none", "explicit"}, Backprop(), [](Operator& op) { op.auto_pad = "none"; }},
      {"A9", {"auto_pad", "notset"}, Group(), [](Operator& op) { op.auto_pad = "notset"; }},
      {"A9", {"auto_pad", "\"\""}, Group(), [](Operator& op) { op.auto_pad = ""; }},
      {"A10",
       {"auto_pad", "explicit", "none"},
       Onednn(),
       [](Operator& op) { op.auto_pad = "explicit"; },
       {Dialect::kOnednnSpec}},
      {"A11",
       {"auto_pad", "same_upper", "SAME_UPPER"},
       OnnxAuto("SAME_UPPER"),
       [](Operator& op) { op.auto_pad = "same_upper"; },
       {Dialect::kOnnx11, Dialect::kOnnxruntime}},
      {"A13", {"strides", "absent"}, Onednn(), [](Operator& op) { op.strides = std::nullopt; }},
      {"A13", {"dilations", "absent"}, Onednn(), [](Operator& op) { op.dilations = std::nullopt; }},
      {"A13", {"pads_begin", "absent"}, Onednn(), [](Operator& op) { op.pads_begin = std::nullopt; }},
      {"A13", {"pads_end", "absent"}, Onednn(), [](Operator& op) { op.pads_end = std::nullopt; }},
      {"A14", {"pads", "VALID"}, OnnxAuto("VALID"), [](Operator& op) { op.pads_end = Dims{0, 0}; }},
      {"A16", {"data_format", "NHWC", "NXC"}, Onednn(), [](Operator& op) { op.data_format = "NHWC"; }},
      {"A16", {"weights_format", "IOX", "OIX"}, Onednn(), [](Operator& op) { op.weights_format = "IOX"; }},
      // A15: what is ignored is still held to its range.
      {"A4",
       {"pads_begin", "-1"},
       [] {
         Operator op = Backprop();
         op.auto_pad = "same_upper";
         return op;
       }(),
       [](Operator& op) { op.pads_begin = Dims{-1, 0}; }},
      {"S11",
       {"dst_shape", "-6", "attribute"},
       [] {
         Operator op = Onednn();
         op.output_shape = ShapeOf(*op.dst_shape);
         return op;
       }(),
       [](Operator& op) { (*op.dst_shape)[3] = -6; }},

      {"P16",
       {"output", "= 0", "axis 0"},
       [] {
         Operator op = Line(3, 3, 1);
         op.pads_begin = Dims{2};
         op.pads_end = Dims{2};
         return op;
       }(),
       [](Operator& op) { op.pads_end = Dims{3}; }},
      {"P16", {"output", "-1"}, Line(1, 1, 1), [](Operator& op) { op.pads_begin = Dims{2}; }},
      {"P16",
       {"output", "0 * 2"},
       [] {
         Operator op = AsConvTranspose(Line(1, 3, 2));
         op.pads_begin = op.pads_end = std::nullopt;
         op.auto_pad = "SAME_LOWER";
         return op;
       }(),
       [](Operator& op) { op.data.dims[2] = 0; },
       {Dialect::kOnnx11, Dialect::kOnnxruntime}},

      {"O1",
       {"output", "bytes"},
       Huge(),
       [](Operator& op) { op.output_shape = ShapeOf({std::int64_t{1} << 61}); },
       {Dialect::kOpenvinoRuntime}},
      {"O1",
       {"data", "bytes"},
       [] {
         Operator op = Huge();
         op.data.dims[0] = 0;
         return op;
       }(),
       [](Operator& op) { op.data.dims[2] = std::int64_t{1} << 62; }},
      {"O1",
       {"output", "channels"},
       [] {
         Operator op = Group();
         op.filter.dims = {2, 3, 1, 3, 2};
         return op;
       }(),
       [](Operator& op) { op.filter.dims[2] = std::int64_t{1} << 62; }},
      // Batch and channels fit as they are multiplied in the shape, groups beside empty channels do not.
      {"O1",
       {"data", "groups"},
       [] {
         Operator op = AsConvTranspose(Line(5, 3, 1));
         op.data.dims = {1, 0, 5};
         op.filter.dims = {0, 0, 3};
         return op;
       }(),
       [](Operator& op) {
         op.data.dims[0] = std::int64_t{1} << 40;
         op.groups = std::int64_t{1} << 50;
       },
       {Dialect::kOnnx11}},
      {"O2", {"natural"}, Huge(), [](Operator& op) { op.strides = Dims{kMax}; }},
      {"O2", {"natural"}, Huge(), [](Operator& op) { op.dilations = Dims{kMax}; }},
      {"O2", {"natural", "output_padding"}, Huge(), [](Operator& op) { op.output_padding = Dims{kMax}; }},
      {"O2", {"output"}, Huge(), [](Operator& op) { op.pads_begin = op.pads_end = Dims{kMax}; }},
      {"O2",
       {"total"},
       [] {
         Operator op = Line(0, 2, 1);
         op.auto_pad = "same_upper";
         op.output_shape = ShapeOf({2});
         return op;
       }(),
       [](Operator& op) {
         op.strides = Dims{kMax};
         op.output_shape->values[0] = kMax;
       }},
      {"O2",
       {"pads_begin", "coordinates"},
       [] {
         Operator op = Line(3, 3, 1);
         op.output_shape = ShapeOf({3});
         return op;
       }(),
       [](Operator& op) { op.pads_begin = Dims{kMax}; },
       {Dialect::kOpenvinoRuntime}},
      {"O2",
       {"pads_begin", "coordinates"},
       AsBackwardData(Line(3, 3, 1), {1, 1, 3}),
       [](Operator& op) { op.pads_begin = Dims{kMax}; },
       {Dialect::kOnednnSpec}},
      {"O2",
       {"output"},
       [] {
         Operator op = AsConvTranspose(Line(2, 2, 1));
         op.pads_begin = op.pads_end = std::nullopt;
         op.auto_pad = "SAME_UPPER";
         return op;
       }(),
       [](Operator& op) { op.strides = Dims{kMax}; },
       {Dialect::kOnnx11, Dialect::kOnnxruntime}},
  };
}

const std::vector<Pair>& Pairs() {
  static const auto* pairs = [] {
    auto* all = new std::vector<Pair>(DocumentPairs());
    for (Pair& pair : LibraryPairs()) all->push_back(std::move(pair));
    return all;
  }();
  return *pairs;
}

TEST(Refusals, CiteTheClauseAndTheirNeighbourIsAccepted) {
  for (const Pair& pair : Pairs()) {
    const auto speakers = DialectsOf(pair.valid.kind);
    const std::vector<Dialect> dialects =
        pair.dialects.empty() ? std::vector(speakers.begin(), speakers.end()) : pair.dialects;
    for (const Dialect dialect : dialects) {
      EXPECT_EQ(Outcome(Resolve(pair.valid, dialect)), "accepted") << "neighbour of " << pair.clause;
      Operator spoiled = pair.valid;
      pair.spoil(spoiled);
      ASSERT_NE(spoiled, pair.valid);
      const Resolution resolution = Resolve(spoiled, dialect);
      ASSERT_TRUE(resolution.refusal.has_value()) << pair.clause;
      EXPECT_FALSE(resolution.geometry.has_value());
      EXPECT_EQ(resolution.refusal->clause, pair.clause) << resolution.refusal->message;
      EXPECT_THAT(resolution.refusal->message, HasSubstr("expected"));
      if (dialect != dialects.front()) continue;  // messages name the dialect at times
      for (const std::string& word : pair.words) EXPECT_THAT(resolution.refusal->message, HasSubstr(word));
    }
  }
}

TEST(Refusals, EveryRefusingClauseIsShown) {
  // Clauses that reach Refuse through an argument; all others stand in its call.
  std::set<std::string> refusing = {"T4", "T5", "A2", "A3", "A4", "A5"};
  const std::regex call("(?:Refuse|TakeAutoPad)\\(\\s*\"([A-Z][0-9]+)\"");
  for (const char* name :
       {"resolve.cc", "resolver.cc", "resolve_openvino.cc", "resolve_onednn.cc", "resolve_onnx.cc"}) {
    std::ifstream file(std::string(DECONV_ORACLE_DIR) + "/" + name);
    std::stringstream source;
    source << file.rdbuf();
    const std::string text = source.str();
    ASSERT_FALSE(text.empty()) << name;
    for (std::sregex_iterator it(text.begin(), text.end(), call); it != std::sregex_iterator(); ++it) {
      refusing.insert((*it)[1]);
    }
  }
  std::set<std::string> shown;
  for (const Pair& pair : Pairs()) shown.insert(pair.clause);
  EXPECT_EQ(shown, refusing);
}

TEST(Refusals, OnlyWhatASourceLeavesOpenIsUndefined) {
  for (const Pair& pair : Pairs()) {
    Operator spoiled = pair.valid;
    pair.spoil(spoiled);
    for (const Dialect dialect : DialectsOf(pair.valid.kind)) {
      const Resolution resolution = Resolve(spoiled, dialect);
      if (resolution.ok()) continue;
      EXPECT_EQ(resolution.refusal->undefined, resolution.refusal->clause == "P23") << Outcome(resolution);
    }
  }
  for (const char* auto_pad : {"SAME_UPPER", "SAME_LOWER"}) {
    Operator op = OnnxAuto(auto_pad);
    const Resolution resolution = Resolve(op, Dialect::kOnnx1);
    ASSERT_FALSE(resolution.ok());
    EXPECT_EQ(resolution.refusal->clause, "P23");
    EXPECT_TRUE(resolution.refusal->undefined);
    EXPECT_THAT(resolution.refusal->message, HasSubstr(auto_pad));
    EXPECT_THAT(resolution.refusal->message, HasSubstr("expected"));
    op.output_shape_attribute = Dims{8, 6};
    EXPECT_EQ(Outcome(Resolve(op, Dialect::kOnnx1)), "accepted");
    op.strides = Dims{0, 1};  // what is forbidden is no less so
    EXPECT_FALSE(Resolve(op, Dialect::kOnnx1).refusal->undefined);
    op.output_shape_attribute = std::nullopt;
    EXPECT_EQ(Resolve(op, Dialect::kOnnx1).refusal->clause, "A2");
  }
}

TEST(Acceptance, WhatTheSpecificationDoesNotForbid) {
  Operator op = Backprop();
  op.output_padding = Dims{5, 3};  // not below the stride (A5)
  for (const Dialect dialect : DialectsOf(op.kind)) EXPECT_EQ(Outcome(Resolve(op, dialect)), "accepted");
  Operator onnx = Onnx();
  onnx.output_padding = Dims{5, 3};
  EXPECT_EQ(Outcome(Resolve(onnx, Dialect::kOnnx11)), "accepted");

  op = Backprop();  // attributes of other operators (D2)
  op.groups = 0;
  op.data_format = "NHWC";
  op.dst_shape = Dims{};
  op.kernel_shape = Dims{9};
  EXPECT_EQ(Outcome(Resolve(op, Dialect::kOpenvinoSpec)), "accepted");

  for (const ElementType type : kNumericTypes) {
    Operator typed = Group();
    typed.data.type = typed.filter.type = type;
    EXPECT_EQ(Outcome(Resolve(typed, Dialect::kOpenvinoSpec)), "accepted");
  }
}

TEST(Acceptance, ZeroSizes) {  // S8
  for (const std::size_t dim : {0U, 1U, 2U}) {
    Operator op = Line(3, 3, 2);
    op.data.dims[dim] = 0;
    if (dim == 1) op.filter.dims[0] = 0;
    const Resolution resolution = Resolve(op, Dialect::kOpenvinoSpec);
    ASSERT_TRUE(resolution.ok()) << Outcome(resolution);
    EXPECT_EQ(resolution.geometry->DataCount(), 0);
    EXPECT_EQ(resolution.geometry->axes[0].output, dim == 2 ? 1 : 7);
  }
  Operator op = Line(3, 3, 2);
  op.filter.dims[1] = 0;
  EXPECT_EQ(Resolve(op, Dialect::kOpenvinoSpec).geometry->OutputCount(), 0);
}

TEST(Acceptance, Ranks) {
  for (std::size_t rank = 3; rank <= 10; ++rank) {
    Operator op;
    op.data.dims = op.filter.dims = Dims(rank, 1);
    op.data.dims.back() = 4;
    const Resolution resolution = Resolve(op, Dialect::kOpenvinoSpec);
    ASSERT_TRUE(resolution.ok()) << Outcome(resolution);
    EXPECT_EQ(resolution.geometry->OutputDims(), op.data.dims);
  }
}

}  // namespace
}  // namespace oracle
