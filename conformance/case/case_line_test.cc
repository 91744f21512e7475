// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the case line, which is the one-line text of a test case. Any case that is printed and parsed again is equal to
// the first one. The parser refuses any other text, with a message that names the fault.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "conformance/case/case.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using testing::HasSubstr;

// Small numbers, any numbers, and the two ends of the range.
rc::Gen<std::int64_t> AnyNumber() {
  return rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(-3, 300), rc::gen::arbitrary<std::int64_t>(),
      rc::gen::element(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}

Dims AnyList() { return *rc::gen::resize(8, rc::gen::container<Dims>(AnyNumber())); }

template <typename Make>
auto Maybe(Make make) -> std::optional<decltype(make())> {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return make();
}

ElementType AnyType() {
  constexpr int kTypes = static_cast<int>(ElementType::kString) + 1;
  return *rc::gen::map(rc::gen::inRange(0, kTypes), [](int i) { return static_cast<ElementType>(i); });
}

std::string AnyText() {
  return *rc::gen::oneOf(rc::gen::element<std::string>("explicit", "same_upper", "SAME_LOWER", "", "a b:c=%41,@\n"),
                         rc::gen::arbitrary<std::string>());
}

Case AnyCase() {
  Case c;
  c.op.kind = *rc::gen::elementOf(oracle::kOperatorKinds);
  c.op.data = {AnyType(), AnyList()};
  c.op.filter = {AnyType(), AnyList()};
  c.op.output_shape = Maybe([] {
    oracle::ShapeInput shape{AnyType(), AnyList(), AnyList()};
    for (std::int64_t& value : shape.values) value = oracle::LowBits(shape.type, value);
    return shape;
  });
  c.op.strides = Maybe(AnyList);
  c.op.dilations = Maybe(AnyList);
  c.op.pads_begin = Maybe(AnyList);
  c.op.pads_end = Maybe(AnyList);
  c.op.output_padding = Maybe(AnyList);
  c.op.auto_pad = Maybe(AnyText);
  c.op.data_format = Maybe(AnyText);
  c.op.weights_format = Maybe(AnyText);
  c.op.dst_shape = Maybe(AnyList);
  c.op.groups = Maybe([] { return *AnyNumber(); });
  c.op.kernel_shape = Maybe(AnyList);
  c.op.output_shape_attribute = Maybe(AnyList);
  c.dialect = Maybe([&] {
    const auto dialects = oracle::DialectsOf(c.op.kind);
    return *rc::gen::map(rc::gen::inRange<std::size_t>(0, dialects.size()),
                         [dialects](std::size_t i) { return dialects[i]; });
  });
  // A case line leaves out the default dialect, so that parsing returns no dialect.
  if (c.dialect && *c.dialect == oracle::DialectsOf(c.op.kind).front()) c.dialect = std::nullopt;
  c.values = kDataSets[*rc::gen::inRange<std::size_t>(0, kDataSets.size())];
  if (!IsDefinedFor(c.values, c.op.data.type)) c.values = DataSet::kIntegers;
  c.seed = *rc::gen::arbitrary<std::uint64_t>();
  c.filter_values = Maybe([] {
    return FileValues{.path = AnyText(), .offset = *rc::gen::arbitrary<std::uint64_t>(), .stored_as = Maybe(AnyType)};
  });
  c.data_only = Maybe([] {
    const auto indices = *rc::gen::container<std::set<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 1 << 20));
    return std::vector<std::int64_t>(indices.begin(), indices.end());
  });
  // Only a case with data set `integers` may name a law.
  if (c.values == DataSet::kIntegers && !c.filter_values && !c.data_only) {
    c.law = Maybe([] { return kLaws[*rc::gen::inRange<std::size_t>(0, kLaws.size())].value; });
    if (!c.law) {
      c.repeats = Maybe([] { return kRepetitions[*rc::gen::inRange<std::size_t>(0, kRepetitions.size())].value; });
    }
  }
  return c;
}

RC_GTEST_PROP(CaseLine, EveryCaseParsesBackToItself, ()) {
  const Case original = AnyCase();
  const std::string line = ToLine(original);
  const auto parsed = ParseCaseLine(line);
  RC_ASSERT(std::holds_alternative<Case>(parsed));
  RC_ASSERT(std::get<Case>(parsed) == original);
  RC_ASSERT(ToLine(std::get<Case>(parsed)) == line);
}

RC_GTEST_PROP(CaseLine, HasNothingThatAShellWouldTouch, ()) {
  const std::string line = ToLine(AnyCase());
  RC_ASSERT(std::all_of(line.begin(), line.end(), [](char c) {
    return std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789,._:=/@%+-").find(c) !=
           std::string_view::npos;
  }));
}

RC_GTEST_PROP(CaseLine, AnyTextIsACaseOrOneLineOfError, ()) {
  // Up to four random bytes of a correct line are replaced, so that the text is nearly a case line.
  std::string text = ToLine(AnyCase());
  const auto edits = *rc::gen::resize(4, rc::gen::arbitrary<std::vector<std::pair<std::size_t, char>>>());
  for (const auto& [at, byte] : edits) text[at % text.size()] = byte;
  const auto parsed = ParseCaseLine(text);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    RC_ASSERT(error->message.starts_with("case line: "));
    RC_ASSERT(error->message.find('\n') == std::string::npos);
  } else {
    RC_ASSERT(std::get<Case>(ParseCaseLine(ToLine(std::get<Case>(parsed)))) == std::get<Case>(parsed));
  }
}

TEST(CaseLine, LeavesOutDefaultValues) {
  Case c;
  c.op.data.dims = {1, 20, 224, 224};
  c.op.filter.dims = {20, 10, 3, 3};
  c.op.strides = Dims{2, 2};
  c.op.pads_begin = c.op.pads_end = Dims{1, 1};
  c.dialect = oracle::Dialect::kOpenvinoSpec;
  EXPECT_EQ(ToLine(c),
            "ConvolutionBackpropData:data=1,20,224,224:filter=20,10,3,3:strides=2,2:pads_begin=1,1:pads_end=1,1");
}

TEST(CaseLine, TellsAnAbsentListFromAnEmptyOne) {
  const auto absent = std::get<Case>(ParseCaseLine("ConvTranspose:data=1,2,3:filter=2,1,3"));
  const auto empty = std::get<Case>(ParseCaseLine("ConvTranspose:data=1,2,3:filter=2,1,3:strides="));
  EXPECT_EQ(absent.op.strides, std::nullopt);
  EXPECT_EQ(empty.op.strides, Dims{});
}

TEST(CaseLine, TakesFieldsInAnyOrder) {
  EXPECT_EQ(std::get<Case>(ParseCaseLine("ConvTranspose:seed=5:filter=2,1,3:type=f16:data=1,2,3")),
            std::get<Case>(ParseCaseLine("ConvTranspose:data=1,2,3:filter=2,1,3:type=f16:seed=5")));
}

TEST(CaseLine, TheLastAtSignEndsThePath) {
  const auto c = std::get<Case>(ParseCaseLine("ConvTranspose:data=1,2,3:filter=2,1,3:filter_values=a%40b/c@d.bin@64"));
  EXPECT_EQ(c.filter_values->path, "a@b/c@d.bin");
  EXPECT_EQ(c.filter_values->offset, 64U);
}

struct WrongLine {
  std::string line;
  std::string message;  ///< a part of the error message
};

TEST(CaseLine, ErrorsNameFieldFoundAndExpected) {
  const std::string base = "ConvTranspose:data=1,2,3:filter=2,1,3";
  const std::vector<WrongLine> wrong_lines = {
      {"", "operator: found '', expected one of ConvolutionBackpropData"},
      {"ConvolutionBackpropdata2:data=1", "(did you mean ConvolutionBackpropData?)"},
      {"ConvTranspose", "field 'data' is missing"},
      {"ConvTranspose:data=1,2,3", "field 'filter' is missing"},
      {base + ":", "found '', expected NAME=VALUE"},
      {base + ":strides", "found 'strides', expected NAME=VALUE"},
      {base + ":stride=1", "unknown field: found 'stride'"},
      {base + ":stride=1", "(did you mean strides?)"},
      {base + ":strides=1:strides=2", "field 'strides': found 'strides=2', expected the field only once"},
      {base + ":strides=1,", "field 'strides': found '', expected an integer after the last ','"},
      {base + ":strides=1,,2", "field 'strides': found '', expected an integer between -9223372036854775808 and "},
      {base + ":strides=1.5", "field 'strides': found '1.5'"},
      {base + ":strides=+1", "field 'strides': found '+1'"},
      {base + ":strides=9223372036854775808", "and 9223372036854775807"},
      {base + ":seed=-1", "field 'seed': found '-1', expected an integer between 0 and 18446744073709551615"},
      {base + ":groups=", "field 'groups': found ''"},
      {base + ":type=f33", "field 'type': found 'f33', expected one of f64, f32"},
      {base + ":output_shape_type=i32", "expected the field 'output_shape' as well"},
      {base + ":output_shape=300:output_shape_type=i8",
       "field 'output_shape': found '300', expected a value of type i8, an integer between -128 and 127"},
      {base + ":output_shape=4,-129:output_shape_type=i8", "field 'output_shape': found '-129', expected a value of"},
      {base + ":output_shape=256:output_shape_type=u8", "type u8, an integer between 0 and 255"},
      {base + ":output_shape=-1:output_shape_type=u32", "type u32, an integer between 0 and 4294967295"},
      {base + ":output_shape=32768:output_shape_type=i16", "type i16, an integer between -32768 and 32767"},
      {base + ":output_shape=2147483648:output_shape_type=i32", "between -2147483648 and 2147483647"},
      {base + ":output_shape=-1:output_shape_type=u64",
       "found '-1', expected an integer between 0 and 1844674407370955"},
      {base + ":output_shape=18446744073709551616:output_shape_type=u64", "found '18446744073709551616'"},
      {base + ":output_shape=9223372036854775808", "and 9223372036854775807"},
      {base + ":data_only=3,1", "field 'data_only': found '3,1', expected ascending indices, each at least 0"},
      {base + ":data_only=-1", "field 'data_only': found '-1', expected ascending indices, each at least 0"},
      {base + ":law=crop:data_only=1", "field 'data_only': found '1', expected no such field"},
      {base + ":filter_stored_as=f16", "expected the field 'filter_values' with PATH@OFFSET as well"},
      {base + ":filter_values=a.bin",
       "field 'filter_values': found 'a.bin', expected a finite f32 that the type holds, or its bits as 0x and digits"},
      {base + ":auto_pad=%4", "field 'auto_pad': found '%4', expected two hexadecimal digits after '%'"},
      {base + ":auto_pad=%-1", "expected two hexadecimal digits after '%'"},
      {base + ":dialect=onnx_11", "(did you mean onnx-11?)"},
      {base + ":values=real", "(did you mean reals?)"},
      {base + ":type=i8:values=reals",
       "field 'values': found 'reals', expected a data set of type i8: integers, wide, extremes, taps"},
      {base + ":law=crops", "field 'law': found 'crops', expected one of adjoint"},
      {base + ":law=crops", "(did you mean crop?)"},
      {base + ":law=crop:values=reals", "field 'values': found 'reals', expected 'integers' in a case with a law"},
      {base + ":law=crop:filter_values=a.bin@0", "field 'filter_values': found 'a.bin@0', expected no such field"},
      {base + ":auto_pad=a b", "found byte 0x20"},
      {base + ":auto_pad=" + std::string(70000, 'a'), "found 70047 bytes, expected at most 65536"},
  };
  for (const WrongLine& wrong : wrong_lines) {
    const auto parsed = ParseCaseLine(wrong.line);
    ASSERT_TRUE(std::holds_alternative<ParseError>(parsed)) << wrong.line;
    EXPECT_THAT(std::get<ParseError>(parsed).message, HasSubstr(wrong.message));
    EXPECT_LT(std::get<ParseError>(parsed).message.size(), 500U);
  }
}

TEST(CaseLine, TakesAtMost64NumbersInAList) {
  std::string list = "1";
  for (int i = 1; i < 64; ++i) list += ",1";
  const std::string base = "ConvTranspose:data=1,2,3:filter=2,1,3:strides=";
  EXPECT_EQ(std::get<Case>(ParseCaseLine(base + list)).op.strides->size(), 64U);
  EXPECT_THAT(std::get<ParseError>(ParseCaseLine(base + list + ",1")).message, HasSubstr("more than 64 numbers"));
}

TEST(CaseLine, AShapeOfU64HasValuesBeyond63Bits) {
  const std::string line =
      "ConvolutionBackpropData:data=1,1,4:filter=1,1,2:output_shape=9223372036854775808,18446744073709551615:"
      "output_shape_type=u64";
  const auto parsed = ParseCaseLine(line);
  ASSERT_TRUE(std::holds_alternative<Case>(parsed)) << std::get<ParseError>(parsed).message;
  EXPECT_EQ(std::get<Case>(parsed).op.output_shape->values, (Dims{std::numeric_limits<std::int64_t>::min(), -1}));
  EXPECT_EQ(ToLine(std::get<Case>(parsed)), line);
}

TEST(CaseLine, EachTypeTakesItsOwnRange) {
  const std::string base = "ConvolutionBackpropData:data=1,1,4:filter=1,1,2:output_shape=";
  for (const auto& [type, least, most] : {std::tuple{"i8", "-128", "127"},
                                          {"u8", "0", "255"},
                                          {"i16", "-32768", "32767"},
                                          {"u16", "0", "65535"},
                                          {"i32", "-2147483648", "2147483647"},
                                          {"u32", "0", "4294967295"},
                                          {"i64", "-9223372036854775808", "9223372036854775807"},
                                          {"u64", "0", "18446744073709551615"}}) {
    const std::string line = base + least + "," + most + ":output_shape_type=" + type;
    const auto parsed = ParseCaseLine(line);
    EXPECT_TRUE(std::holds_alternative<Case>(parsed)) << std::get<ParseError>(parsed).message;
  }
  // Every operator refuses an output shape of type boolean, so that the parser need not check the range of its values.
  EXPECT_TRUE(std::holds_alternative<Case>(ParseCaseLine(base + "300:output_shape_type=boolean")));
}

TEST(CaseLine, DataOnlyClearsTheOtherElements) {
  const std::string line = "ConvolutionBackpropData:data=1,1,4:filter=1,1,2:type=i8:strides=1:dilations=1";
  const auto data_of = [](const std::string& text) {
    const auto parsed = std::get<Case>(ParseCaseLine(text));
    const oracle::Resolution resolution = oracle::Resolve(parsed.op, parsed.EffectiveDialect());
    std::vector<std::byte> bytes(4);
    FillData(parsed, *resolution.geometry, bytes);
    return bytes;
  };
  const std::vector<std::byte> all = data_of(line);
  const std::vector<std::byte> none(4);
  EXPECT_EQ(data_of(line + ":data_only=1,3"), (std::vector{none[0], all[1], none[2], all[3]}));
  EXPECT_EQ(data_of(line + ":data_only="), none);
  EXPECT_EQ(data_of(line + ":data_only=0,1,2,3,99"), all);
  for (const std::byte element : all) EXPECT_NE(element, std::byte{0});
}

}  // namespace
}  // namespace conformance
