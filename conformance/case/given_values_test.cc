// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests tensor values that a case line (the one-line text of a test) gives: their text keeps every bit. Files that were
// changed or cut short, or that have another type or shape, are refused with a sentence.

#include "conformance/case/given_values.h"

#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/npy_file.h"
#include "conformance/case/text/fnv.h"

namespace conformance {
namespace {

using oracle::ElementType;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(InlineValues, KeepEveryBit) {
  std::mt19937_64 random(1);
  for (const ElementType type : oracle::kNumericTypes) {
    const std::size_t bits = 8 * oracle::ElementBytes(type);
    const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    InlineValues values;
    values.bits = {0, all, std::uint64_t{1} << (bits - 1), 1};  // of floating types: 0, NaN, -0, the smallest number
    for (int i = 0; i < 2000; ++i) values.bits.push_back(random() & all);
    const std::string text = ToText(values, type);
    const auto parsed = ParseInline(text, type);
    ASSERT_TRUE(std::holds_alternative<InlineValues>(parsed)) << std::get<std::string>(parsed);
    EXPECT_EQ(std::get<InlineValues>(parsed), values) << oracle::ElementTypeName(type);
  }
}

TEST(InlineValues, AreDecimalUnlessThatIsInexactOrTooLong) {
  EXPECT_EQ(ToText(InlineValues{{0x3f800000, 0xc0200000, 0x7fc00000, 0x3dcccccd}}, ElementType::kF32),
            "1,-2.5,0x7fc00000,0.1");
  EXPECT_EQ(ToText(InlineValues{{0x3c00, 0x2e66}}, ElementType::kF16), "1,0.0999755859375");
  EXPECT_EQ(ToText(InlineValues{{0xff, 0x7f}}, ElementType::kI8), "-1,127");
  // 4096 subnormal numbers take 96 KiB in decimal, more than a line may have.
  const InlineValues small{std::vector<std::uint64_t>(4096, 1)};
  EXPECT_EQ(ToText(small, ElementType::kF16).substr(0, 8), "0x1,0x1,");
  EXPECT_EQ(ToText(InlineValues{{0xff, 0x7f}}, ElementType::kU8), "255,127");
}

TEST(ConvertFloat, RoundsToNearestEven) {
  EXPECT_EQ(ConvertFloat(0x3f808000, ElementType::kF32, ElementType::kBf16), 0x3f80U);  // a tie, to even
  EXPECT_EQ(ConvertFloat(0x3f818000, ElementType::kF32, ElementType::kBf16), 0x3f82U);
  EXPECT_EQ(ConvertFloat(0x3f808001, ElementType::kF32, ElementType::kBf16), 0x3f81U);
  EXPECT_EQ(ConvertFloat(0xc77fefff, ElementType::kF32, ElementType::kF16), 0xfbffU);  // -65519.996
  EXPECT_EQ(ConvertFloat(0xc77ff000, ElementType::kF32, ElementType::kF16), 0xfc00U);  // -65520
  EXPECT_EQ(ConvertFloat(0x0001, ElementType::kF16, ElementType::kF32), 0x33800000U);
  EXPECT_EQ(ConvertFloat(0xff800000, ElementType::kF32, ElementType::kF16), 0xfc00U);
  EXPECT_EQ(ConvertFloat(0x80000000, ElementType::kF32, ElementType::kF64), std::uint64_t{1} << 63);
}

TEST(InlineValues, OfAnotherFormAreRefused) {
  const auto complaint = [](const std::string& text, ElementType type) {
    const auto parsed = ParseInline(text, type);
    const auto* words = std::get_if<std::string>(&parsed);
    return words == nullptr ? std::string("none") : *words;
  };
  EXPECT_EQ(complaint("1,2", ElementType::kF32), "none");
  EXPECT_EQ(complaint("", ElementType::kF32), "none");
  EXPECT_THAT(complaint("0.1", ElementType::kF16), HasSubstr("found '0.1', expected a finite f16 that the type holds"));
  EXPECT_THAT(complaint("nan", ElementType::kF32), HasSubstr("expected a finite f32"));
  EXPECT_THAT(complaint("1e999", ElementType::kF64), HasSubstr("expected a finite f64"));
  EXPECT_THAT(complaint("128", ElementType::kI8), HasSubstr("expected a finite i8"));
  EXPECT_THAT(complaint("-1", ElementType::kU64), HasSubstr("expected a finite u64"));
  EXPECT_THAT(complaint("0x1ff", ElementType::kI8), HasSubstr("its bits as 0x and digits"));
  EXPECT_THAT(complaint("1,", ElementType::kF32), HasSubstr("after the last ','"));
  EXPECT_THAT(complaint("1", ElementType::kBoolean), HasSubstr("boolean has no values"));
  std::string many = "1";
  for (std::size_t i = 0; i < kMostInlineValues; ++i) many += ",1";
  EXPECT_THAT(complaint(many, ElementType::kF32), HasSubstr("more than 4096 values"));
}

/// The bytes of a .npy file of version 1.0: the magic, the header's length in two bytes, the header and the values.
std::string NpyFile(std::string header, const std::string& values) {
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  return file + header + values;
}

/// The bytes of 16-bit integers.
std::string BytesOf(const std::vector<std::int16_t>& values, bool big_endian) {
  std::string bytes;
  for (const std::int16_t value : values) {
    const auto low = static_cast<char>(value & 0xff);
    const auto high = static_cast<char>(value >> 8 & 0xff);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  }
  return bytes;
}

/// The 16-bit integers that ParseNpy reads from the bytes of a file.
std::vector<int> ValuesOf(const std::string& file) {
  const auto parsed = ParseNpy(file);
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    ADD_FAILURE() << *error;
    return {};
  }
  const auto& bytes = std::get<NpyTensor>(parsed).bytes;
  std::vector<int> values(bytes.size() / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int16_t value = 0;
    std::memcpy(&value, bytes.data() + 2 * i, 2);
    values[i] = value;
  }
  return values;
}

TEST(Npy, IsReadInAnyOrder) {
  const std::vector<std::int16_t> rows = {1, 2, 3, -4, 5, 600};
  EXPECT_THAT(ValuesOf(NpyFile("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", BytesOf(rows, false))),
              ElementsAre(1, 2, 3, -4, 5, 600));
  EXPECT_THAT(ValuesOf(NpyFile("{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }", BytesOf(rows, true))),
              ElementsAre(1, 2, 3, -4, 5, 600));
  // The file holds the array column by column.
  EXPECT_THAT(ValuesOf(NpyFile("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }",
                               BytesOf({1, -4, 2, 5, 3, 600}, false))),
              ElementsAre(1, 2, 3, -4, 5, 600));
  EXPECT_THAT(ValuesOf(NpyFile("{'descr': '>i2', 'fortran_order': True, 'shape': (3,)}", BytesOf({7, 8, 9}, true))),
              ElementsAre(7, 8, 9));
}

TEST(Npy, OfAnotherFormIsRefused) {
  const auto complaint = [](const std::string& file) {
    const auto parsed = ParseNpy(file);
    const auto* words = std::get_if<std::string>(&parsed);
    return words == nullptr ? std::string("none") : *words;
  };
  const std::string good = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }";
  const std::string values = BytesOf({1, 2}, false);
  EXPECT_EQ(complaint(NpyFile(good, values)), "none");
  EXPECT_EQ(complaint("PK\x03\x04 and more bytes"), "is no .npy file: it does not begin so");
  EXPECT_EQ(complaint(NpyFile(good, values.substr(1))), "has 3 bytes of values, but its shape and type need 4");
  EXPECT_EQ(complaint(NpyFile(good, values + "x")), "has 5 bytes of values, but its shape and type need 4");
  EXPECT_EQ(complaint(NpyFile(good, values).substr(0, 30)), "ends within its header");
  EXPECT_THAT(complaint(NpyFile("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", values)),
              HasSubstr("has elements of type '|O'"));
  EXPECT_THAT(complaint(NpyFile("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (2,)}", values)),
              HasSubstr("expected a simple type"));
  EXPECT_THAT(complaint(NpyFile("{'descr': '<i2', 'shape': (2,), }", values)), HasSubstr("lacks"));
  EXPECT_THAT(complaint(NpyFile("{'descr': '<i2', 'descr': '<i2', 'shape': (2,), }", values)), HasSubstr("once each"));
  EXPECT_THAT(complaint(NpyFile("{'descr': '<i2', 'fortran_order': False, 'shape': (-2,), }", values)),
              HasSubstr("a size of at least 0"));
  EXPECT_THAT(
      complaint(NpyFile(
          "{'descr': '<i2', 'fortran_order': True, 'shape': (4611686018427387904, 4611686018427387904), }", "")),
      HasSubstr("has 0 bytes of values"));
}

class GivenFile : public testing::Test {
 protected:
  std::string path_ = testing::TempDir() + "given_values_test.npy";

  /// Writes the file. Returns what a case line says of it: its path and its hash.
  NpyValues Write(const std::string& content) const {
    std::ofstream(path_, std::ios::binary) << content;
    Fnv1a hash;
    hash.Add(content);
    return {path_, hash.value()};
  }
  /// The error of reading the values, or "none".
  std::string Complaint(const GivenValues& values, ElementType type) const {
    const auto read = ReadGivenValues(values, type, 1 << 20);
    const auto* words = std::get_if<std::string>(&read);
    return words == nullptr ? std::string("none") : *words;
  }
};

TEST_F(GivenFile, MustBeTheOneThatTheLineNames) {
  const std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 1, 2), }";
  NpyValues npy = Write(NpyFile(header, BytesOf({1, 2}, false)));
  EXPECT_EQ(Complaint(npy, ElementType::kI16), "none");
  EXPECT_THAT(Complaint(npy, ElementType::kU16), HasSubstr("has elements of type 'i2', the case needs u16"));
  const NpyValues before = npy;
  npy.hash ^= 1;
  EXPECT_THAT(Complaint(npy, ElementType::kI16), HasSubstr("the file is another one, or changed"));
  Write(NpyFile(header, BytesOf({1, 3}, false)));
  EXPECT_THAT(Complaint(before, ElementType::kI16), HasSubstr("the file is another one, or changed"));
  EXPECT_THAT(Complaint(NpyValues{path_ + ".missing", 0}, ElementType::kI16), HasSubstr("is no file that can be read"));
}

TEST_F(GivenFile, FillsTheOperands) {
  const NpyValues npy =
      Write(NpyFile("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 1, 2), }", BytesOf({5, -6}, false)));
  const std::string place = ToText(npy, ElementType::kI16);
  const std::string line = fmt::format(
      "ConvolutionBackpropData:data=1,1,2:filter=1,1,1:type=i16:strides=1:pads_begin=0:pads_end=0:dilations=1:filter_"
      "values=7:data_values={}",
      place);
  const auto parsed = ParseCaseLine(line);
  ASSERT_TRUE(std::holds_alternative<Case>(parsed)) << std::get<ParseError>(parsed).message;
  const auto& test_case = std::get<Case>(parsed);
  const auto again = ParseCaseLine(ToLine(test_case));
  ASSERT_TRUE(std::holds_alternative<Case>(again)) << ToLine(test_case);
  EXPECT_EQ(std::get<Case>(again), test_case);
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
  ASSERT_TRUE(resolution.ok());
  std::vector<std::byte> data(4);
  std::vector<std::byte> filter(2);
  EXPECT_EQ(FillOperands(test_case, *resolution.geometry, data, filter), "");
  EXPECT_EQ(InlineOf(data, ElementType::kI16).bits, (std::vector<std::uint64_t>{5, 0xfffa}));
  EXPECT_EQ(InlineOf(filter, ElementType::kI16).bits, (std::vector<std::uint64_t>{7}));
  Case second_element_alone = test_case;
  second_element_alone.data_only = {1};
  EXPECT_EQ(FillOperands(second_element_alone, *resolution.geometry, data, filter), "");
  EXPECT_EQ(InlineOf(data, ElementType::kI16).bits, (std::vector<std::uint64_t>{0, 0xfffa}));
  Case too_many = test_case;
  too_many.given_filter = InlineValues{{1, 2}};
  EXPECT_THAT(FillOperands(too_many, *resolution.geometry, data, filter),
              HasSubstr("the filter values have 2 elements"));
  const NpyValues flat =
      Write(NpyFile("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", BytesOf({5, -6}, false)));
  Case other_shape = test_case;
  other_shape.given_data = flat;
  EXPECT_THAT(FillOperands(other_shape, *resolution.geometry, data, filter),
              HasSubstr("the tensor has the shape [1,1,2]"));
}

TEST(GivenLines, OfAnotherFormAreRefused) {
  const std::string plain = "ConvTranspose:data=1,1,2:filter=1,1,1";
  const auto complaint = [&](const std::string& fields) {
    const auto parsed = ParseCaseLine(plain + fields);
    const auto* error = std::get_if<ParseError>(&parsed);
    return error == nullptr ? std::string("none") : error->message;
  };
  EXPECT_EQ(complaint(":data_values=1,2:filter_values=3:recorded=3,6"), "none");
  EXPECT_EQ(complaint(":filter_values=weights.bin@16"), "none");
  EXPECT_THAT(complaint(":data_values=a.npy@16"), HasSubstr("values, or PATH@hHASH"));
  EXPECT_THAT(complaint(":recorded=a.npy@h123"), HasSubstr("16 hexadecimal digits"));
  EXPECT_THAT(complaint(":recorded=@h0123456789abcdef"), HasSubstr("a path before '@'"));
  EXPECT_THAT(complaint(":data_values=1,two"), HasSubstr("field 'data_values': found 'two'"));
  EXPECT_THAT(complaint(":filter_values=1:filter_stored_as=f16"), HasSubstr("PATH@OFFSET"));
  EXPECT_THAT(complaint(":law=linear-filter:recorded=1,2"), HasSubstr("no such field in a case with a law"));
}

}  // namespace
}  // namespace conformance
