// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the codec takes all bytes, that both directions agree, that it keeps its limits, and that its cases spread
// over everything that a case can be.

#include "fuzz/codec/codec.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "fuzz/codec/slots.h"
#include "gtest/gtest.h"
#include "oracle/resolve.h"
#include "rapidcheck.h"
#include "rapidcheck/gtest.h"

namespace conformance {
namespace {

using Bytes = std::vector<std::uint8_t>;

oracle::Resolution ResolutionOf(const Case& test_case) {
  return oracle::Resolve(test_case.op, test_case.EffectiveDialect());
}

Case CaseOfLine(const std::string& line) {
  const auto parsed = ParseCaseLine(line);
  EXPECT_TRUE(std::holds_alternative<Case>(parsed)) << line;
  return std::get<Case>(parsed);
}

// As long as everything that the bytes can say, and then overrides.
rc::Gen<Bytes> AnyBytes() {
  return rc::gen::oneOf(rc::gen::arbitrary<Bytes>(),
                        rc::gen::container<Bytes>(std::size_t{160}, rc::gen::arbitrary<std::uint8_t>()));
}

// Without `what is wrong` and without overrides.
Bytes PlainBytes(Bytes bytes) {
  if (bytes.size() > 16) bytes[16] = 0;
  if (bytes.size() > 19) bytes[19] = 0;
  return bytes;
}

TEST(ByteCodec, NoBytesAreThePlainestCase) {
  EXPECT_EQ(ToLine(DecodeCase({})),
            "ConvolutionBackpropData:data=1,1,1:filter=1,1,1:strides=1:dilations=1:pads_begin=0:pads_end=0:"
            "output_padding=0");
  EXPECT_EQ(EncodeCase(DecodeCase({})), Bytes());
}

RC_GTEST_PROP(ByteCodec, EncodingGivesTheDecodedCaseBack, ()) {
  const Case decoded = DecodeCase(*AnyBytes());
  const std::optional<Bytes> bytes = EncodeCase(decoded);
  RC_ASSERT(bytes.has_value());
  RC_ASSERT(DecodeCase(*bytes) == decoded);
}

RC_GTEST_PROP(ByteCodec, EncodedBytesAreAFixedPoint, ()) {
  const std::optional<Bytes> bytes = EncodeCase(DecodeCase(*AnyBytes()));
  RC_ASSERT(bytes.has_value());
  RC_ASSERT(EncodeCase(DecodeCase(*bytes)) == bytes);
}

RC_GTEST_PROP(ByteCodec, EveryDecodedCaseHasALine, ()) {
  const Case decoded = DecodeCase(*AnyBytes());
  const auto parsed = ParseCaseLine(ToLine(decoded));
  RC_ASSERT(std::holds_alternative<Case>(parsed));
  RC_ASSERT(std::get<Case>(parsed) == decoded);
}

RC_GTEST_PROP(ByteCodec, CasesAreValidByConstruction, ()) {
  const Case decoded = DecodeCase(PlainBytes(*AnyBytes()));
  const oracle::Resolution resolution = ResolutionOf(decoded);
  if (!resolution.ok()) RC_FAIL(ToLine(decoded) + ": " + resolution.refusal->message);
}

RC_GTEST_PROP(ByteCodec, ValidCasesAreWithinTheLimits, ()) {
  const CodecLimits limits{.outputs = *rc::gen::inRange(1, 3000), .products = *rc::gen::inRange(1, 30000)};
  Bytes bytes = *AnyBytes();
  const bool large = bytes.size() > codec::kAbsent && bytes[codec::kAbsent] >= codec::kFirstLarge;
  const CodecLimits most = large ? limits.Large() : limits;
  const Case decoded = DecodeCase(bytes, limits);
  const oracle::Resolution resolution = ResolutionOf(decoded);
  RC_PRE(resolution.ok());
  RC_ASSERT(resolution.geometry->OutputCount() <= most.outputs);
  RC_ASSERT(resolution.geometry->DataCount() <= most.products);
  RC_ASSERT(resolution.geometry->FilterCount() <= most.products);
}

RC_GTEST_PROP(ByteCodec, EveryLargeCaseCanBeEncoded, ()) {
  Bytes bytes = *AnyBytes();
  bytes.resize(std::max(bytes.size(), codec::kRecipeBytes));
  bytes[codec::kAbsent] |= codec::kFirstLarge;
  const Case decoded = DecodeCase(bytes);
  const auto encoded = EncodeCase(decoded);
  RC_ASSERT(encoded.has_value());
  RC_ASSERT(DecodeCase(*encoded) == decoded);
}

TEST(ByteCodec, LargeCasesHaveBytesToo) {
  const auto parsed = ParseCaseLine("ConvolutionBackpropData:data=1,1,65,65:filter=1,1,1,1:strides=1,1:dilations=1,1");
  ASSERT_TRUE(std::holds_alternative<Case>(parsed));
  const auto& test_case = std::get<Case>(parsed);
  const auto bytes = EncodeCase(test_case);
  ASSERT_TRUE(bytes);
  EXPECT_GE((*bytes)[codec::kAbsent], codec::kFirstLarge);
  EXPECT_EQ(DecodeCase(*bytes), test_case);
}

// oneDNN refuses an axis without data, so that it gets an element; 10 x 7 outputs would be more than were asked for.
TEST(ByteCodec, ElementsThatADialectAsksForAreWithinTheLimits) {
  Bytes bytes(40, 0);
  bytes[0] = 240;
  bytes[2] = 146;
  bytes[28] = 3;
  bytes[30] = 2;
  bytes[36] = 240;
  bytes[37] = 39;
  bytes[38] = 1;
  bytes[39] = 5;
  const Case decoded = DecodeCase(bytes, {.outputs = 56, .products = 72});
  EXPECT_EQ(decoded.EffectiveDialect(), oracle::Dialect::kOnednnRuntime) << ToLine(decoded);
  const oracle::Resolution resolution = ResolutionOf(decoded);
  ASSERT_TRUE(resolution.ok()) << ToLine(decoded);
  EXPECT_LE(resolution.geometry->OutputCount(), 56) << ToLine(decoded);
}

TEST(ByteCodec, EncodesWhatOnlyOverridesCanSay) {
  for (const char* line : {
           "ConvolutionBackpropData:data=1,1,19:filter=1,1,14:strides=21:seed=18446744073709551615",
           "ConvolutionBackpropData:data=:filter=",
           "ConvolutionBackpropData:data=1,1,4:filter=1,1,3:strides=-9223372036854775808",
           "GroupConvolutionBackpropData:data=1,2,4:filter=2,1,1,3:output_shape=9,9:output_shape_dims=:auto_pad=%FF",
           "ConvolutionBackwardData:data=1,1,4:filter=1,1,3:groups=1:kernel_shape=",
           "ConvTranspose:data=1,1,4:filter=1,1,3:type=string:filter_type=u8:output_shape=:auto_pad=",
           "ConvolutionBackpropData:data=1,1,1,1,1,1,1,1,1,1,1,1:filter=1,1,1,1,1,1,1,1,1,1,1,1:strides=1,1,1",
       }) {
    const Case wanted = CaseOfLine(line);
    const std::optional<Bytes> bytes = EncodeCase(wanted);
    ASSERT_TRUE(bytes.has_value()) << line;
    EXPECT_EQ(ToLine(DecodeCase(*bytes)), ToLine(wanted));
  }
}

TEST(ByteCodec, RefusesToEncodeWhatItCannotGiveBack) {
  Case from_file = DecodeCase({});
  from_file.filter_values = FileValues{.path = "net.bin", .offset = 0, .stored_as = std::nullopt};
  EXPECT_EQ(EncodeCase(from_file), std::nullopt);
  EXPECT_EQ(EncodeCase(CaseOfLine("ConvolutionBackpropData:data=1,20,224,224:filter=20,10,3,3:strides=2,2")),
            std::nullopt);
}

// What uniformly random bytes become.
class Distribution : public testing::Test {
 protected:
  static constexpr int kCases = 20000;

  void SetUp() override {
    std::mt19937_64 random(20);
    Bytes bytes(160);
    for (int i = 0; i < kCases; ++i) {
      std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::uint8_t>(random()); });
      Count(DecodeCase(bytes));
    }
    for (const auto& [what, count] : counts_) text_ += what + ": " + std::to_string(100.0 * count / kCases) + " %\n";
  }

  void Count(const Case& decoded) {
    const oracle::Resolution resolution = ResolutionOf(decoded);
    ++counts_[resolution.ok() ? "valid" : "invalid"];
    if (!resolution.ok()) {
      ++counts_["refused by " + std::string(resolution.refusal->clause)];
      return;
    }
    const oracle::Operator& op = decoded.op;
    const oracle::Geometry& geometry = *resolution.geometry;
    ++counts_[std::string(OperatorKindName(op.kind)) + " " + std::string(DialectName(decoded.EffectiveDialect()))];
    ++counts_["type " + std::string(ElementTypeName(geometry.type))];
    ++counts_["rank " + std::to_string(op.data.dims.size())];
    ++counts_["values " + std::string(DataSetName(decoded.values))];
    std::string mode = op.auto_pad.value_or("absent");
    std::ranges::transform(mode, mode.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    ++counts_["auto_pad " + mode];
    ++counts_[std::string("data ") + (geometry.layout == oracle::DataLayout::kNcx ? "NCX" : "NXC")];
    ++counts_[std::string("filter ") + (geometry.filter_layout == oracle::FilterLayout::kXoi ? "XIO" : "IOX")];
    if (geometry.groups > 1) ++counts_["groups above 1"];
    if (geometry.OutputCount() == 0) ++counts_["empty output"];
    if (geometry.DataCount() == 0) ++counts_["empty data"];
    if (geometry.OutputCount() > 65536) ++counts_["more outputs than 16 bits count"];
    if (op.output_shape) ++counts_["output shape as input"];
    if (op.dst_shape && !op.output_shape) ++counts_["output shape as attribute"];
    if (op.dst_shape && op.output_shape) ++counts_["output shape twice"];
    if (op.output_shape_attribute) ++counts_["output shape of ConvTranspose"];
    CountAxes(op, geometry);
  }

  void CountAxes(const oracle::Operator& op, const oracle::Geometry& geometry) {
    const bool shape = op.output_shape || op.dst_shape || op.output_shape_attribute;
    for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
      const oracle::Axis& axis = geometry.axes[j];
      const std::int64_t total = axis.pads_begin + axis.pads_end;
      if (shape && total < 0) ++counts_["axis: total negative"];
      if (shape && total > 0 && total % 2 != 0) ++counts_["axis: total odd"];
      if (shape && total > 0 && total % 2 == 0) ++counts_["axis: total even"];
      if (shape && total == 0) ++counts_["axis: total 0"];
      if (op.output_padding && (*op.output_padding)[j] >= axis.stride) ++counts_["axis: output_padding >= stride"];
      if (axis.stride > axis.kernel) ++counts_["axis: stride > kernel"];
      if (axis.stride > 1 && axis.dilation > 1 && std::gcd(axis.stride, axis.dilation) > 1) {
        ++counts_["axis: stride and dilation with common divisor"];
      }
      if (axis.pads_begin < 0) ++counts_["axis: data shifted"];
      if (axis.data > 2048) ++counts_["axis: data beyond f16"];
    }
  }

  // In percent of all cases.
  double Share(const std::string& what) const {
    const auto found = counts_.find(what);
    return found == counts_.end() ? 0 : 100.0 * found->second / kCases;
  }

  std::map<std::string, int> counts_;
  std::string text_;
};

TEST_F(Distribution, ReachesEverything) {
  SCOPED_TRACE(text_);
  EXPECT_GE(Share("valid"), 60);
  EXPECT_GE(Share("invalid"), 15);
  for (const char* meaning :
       {"ConvolutionBackpropData openvino-spec", "ConvolutionBackpropData openvino-runtime",
        "GroupConvolutionBackpropData openvino-spec", "GroupConvolutionBackpropData openvino-runtime",
        "ConvolutionBackwardData onednn-spec", "ConvolutionBackwardData onednn-runtime", "ConvTranspose onnx-1",
        "ConvTranspose onnx-11", "ConvTranspose onnxruntime"}) {
    EXPECT_GE(Share(meaning), 5) << meaning;
  }
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    EXPECT_GE(Share("type " + std::string(ElementTypeName(type))), 1) << ElementTypeName(type);
  }
  for (int rank = 3; rank <= 10; ++rank) EXPECT_GE(Share("rank " + std::to_string(rank)), 0.5) << rank;
  for (const DataSet set : kDataSets) {
    if (set == DataSet::kTaps || set == DataSet::kSwamping || set == DataSet::kBoundaries)
      continue;  // for tensors of other shapes than these
    EXPECT_GE(Share("values " + std::string(DataSetName(set))), 3);
  }
  for (const char* mode : {"absent", "explicit", "none", "notset", "same_upper", "same_lower", "valid"}) {
    EXPECT_GE(Share(std::string("auto_pad ") + mode), 1) << mode;
  }
  for (const char* what :
       {"data NCX", "data NXC", "filter XIO", "filter IOX", "groups above 1", "empty output", "empty data",
        "output shape as input", "output shape as attribute", "output shape twice", "output shape of ConvTranspose",
        "axis: total negative", "axis: total odd", "axis: total even", "axis: total 0",
        "axis: output_padding >= stride", "axis: stride > kernel", "axis: stride and dilation with common divisor",
        "axis: data shifted"}) {
    EXPECT_GE(Share(what), 0.5) << what;
  }
  for (const char* what : {"more outputs than 16 bits count", "axis: data beyond f16"}) {
    EXPECT_GT(Share(what), 0) << what;
  }
  // Every clause that refuses. D1 needs a dialect that the judge would never ask for.
  for (const char* clause :
       {"D3",  "T2",  "T3",  "T4",  "T5",  "T6",  "S1",  "S2",  "S3",  "S5",  "S6",  "S7",  "S9",  "S10",
        "S11", "S12", "S13", "S14", "A1",  "A2",  "A3",  "A4",  "A5",  "A9",  "A10", "A11", "A13", "A14",
        "A16", "P16", "O1",  "O2",  "A17", "A19", "P21", "P23", "P26", "S16", "S18", "S19"}) {
    EXPECT_GT(Share(std::string("refused by ") + clause), 0) << clause;
  }
  std::cout << text_;
}

}  // namespace
}  // namespace conformance
