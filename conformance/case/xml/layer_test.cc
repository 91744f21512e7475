// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the reader and the writer of OpenVINO's XML models: files of OpenVINO are read, our own files are read back,
// and no bytes crash the reader. broken_files_test.cc tests the messages.

#include "conformance/case/xml/layer.h"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using testing::EndsWith;
using testing::HasSubstr;
namespace fs = std::filesystem;

// Each test has its own folder.
class LayerXml : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("layer_xml_test_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path Write(const std::string& name, const std::string& bytes) const {
    const fs::path file = folder_ / name;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  // The first layer that is read from a text without an error.
  LayerCase ReadOne(const std::string& xml) const {
    const auto read = ReadLayerXml(Write("net.xml", xml));
    const auto* error = std::get_if<ReadError>(&read);
    EXPECT_EQ(error, nullptr) << error->message;
    return error == nullptr ? std::get<std::vector<LayerCase>>(read).front() : LayerCase{};
  }
  std::string ErrorOf(const std::string& xml) const {
    const auto read = ReadLayerXml(Write("net.xml", xml));
    const auto* error = std::get_if<ReadError>(&read);
    return error == nullptr ? "no error" : error->message;
  }

  fs::path folder_;
};

// The text with the first `from` replaced.
std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string LittleEndian(std::int64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

const std::string kLayer = R"(<layer id="5" name="up" type="ConvolutionBackpropData">
  <data strides="2" dilations="1" pads_begin="1" pads_end="0"/>
  <input>
    <port id="0"><dim>1</dim><dim>2</dim><dim>4</dim></port>
    <port id="1"><dim>2</dim><dim>3</dim><dim>3</dim></port>
  </input>
  <output><port id="0" precision="FP16"><dim>1</dim><dim>3</dim><dim>8</dim></port></output>
</layer>)";

// A net as OpenVINO writes it: f16 weights with a Convert, and output_shape as a Const in the same .bin. The .bin has
// 44 bytes: output_shape from byte 0 (one value of `width` bytes), and 36 bytes of weights from byte 8.
std::string CompressedNet(const std::string& shape_type, const std::string& precision, int width) {
  return R"(<?xml version="1.0"?>
<net name="case" version="11">
  <layers>
    <layer id="0" name="in" type="Parameter" version="opset1">
      <data shape="1,2,4" element_type="f32"/>
      <output><port id="0" precision="FP32" names="in"><dim>1</dim><dim>2</dim><dim>4</dim></port></output>
    </layer>
    <layer id="7" name="weights" type="Const" version="opset1">
      <data element_type="f16" shape="2, 3, 3" offset="8" size="36"/>
      <output><port id="0" precision="FP16"><dim>2</dim><dim>3</dim><dim>3</dim></port></output>
    </layer>
    <layer id="8" name="weights/convert" type="Convert" version="opset1">
      <data destination_type="f32"/>
      <rt_info><attribute name="decompression" version="0"/></rt_info>
      <input><port id="0" precision="FP16"><dim>2</dim><dim>3</dim><dim>3</dim></port></input>
      <output><port id="1" precision="FP32"><dim>2</dim><dim>3</dim><dim>3</dim></port></output>
    </layer>
    <layer id="2" name="shape" type="Const" version="opset1">
      <data element_type=")" +
         shape_type + R"(" shape="1" offset="0" size=")" + std::to_string(width) + R"("/>
      <output><port id="0" precision=")" +
         precision + R"("><dim>1</dim></port></output>
    </layer>
    <layer id="3" name="deconv" type="ConvolutionBackpropData" version="opset1">
      <data strides="2" dilations="1" pads_begin="0" pads_end="0" auto_pad="same_upper" output_padding="0"/>
      <input>
        <port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port>
        <port id="1" precision="FP32"><dim>2</dim><dim>3</dim><dim>3</dim></port>
        <port id="2"><dim>1</dim></port>
      </input>
      <output><port id="3" precision="FP32" names="y"><dim>1</dim><dim>3</dim><dim>8</dim></port></output>
    </layer>
    <layer id="4" name="relu" type="ReLU" version="opset1">
      <input><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>8</dim></port></input>
      <output><port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>8</dim></port></output>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
    <edge from-layer="7" from-port="0" to-layer="8" to-port="0"/>
    <edge from-layer="8" from-port="1" to-layer="3" to-port="1"/>
    <edge from-layer="2" from-port="0" to-layer="3" to-port="2"/>
    <edge from-layer="3" from-port="3" to-layer="4" to-port="0"/>
  </edges>
  <rt_info><unknown_key value="1"/></rt_info>
</net>)";
}

TEST_F(LayerXml, ABareLayerHasItsOutputsPrecision) {
  const LayerCase layer = ReadOne(kLayer);
  EXPECT_EQ(layer.name, "up");
  EXPECT_EQ(ToLine(layer.test_case),
            "ConvolutionBackpropData:data=1,2,4:filter=2,3,3:type=f16:strides=2:dilations=1:pads_begin=1:pads_end=0");
  EXPECT_EQ(layer.declared_output, (Dims{1, 3, 8}));
}

TEST_F(LayerXml, SpacesInListsLineEndsAndByteOrderMarksDoNotMatter) {
  const Case plain = ReadOne(kLayer).test_case;
  EXPECT_EQ(ReadOne(Replaced(kLayer, "strides=\"2\"", "strides=\" 2 \"")).test_case, plain);
  EXPECT_EQ(ReadOne("\xEF\xBB\xBF<?xml version=\"1.0\"?>\r\n" + kLayer).test_case, plain);
  const std::string two =
      Replaced(Replaced(kLayer, "strides=\"2\"", "strides=\"1 ,\t-2\""), "pads_end=\"0\"", "pads_end=\"\"");
  EXPECT_EQ(ReadOne(two).test_case.op.strides, (Dims{1, -2}));
  EXPECT_EQ(ReadOne(two).test_case.op.pads_end, Dims{});
}

TEST_F(LayerXml, ErrorsAfterAByteOrderMarkAndCarriageReturnsCountLinesRight) {
  EXPECT_THAT(
      ErrorOf("\xEF\xBB\xBF<?xml version=\"1.0\"?>\r\n\r\n" + Replaced(kLayer, "up\" type=\"Conv", "up\" type=\"X")),
      HasSubstr("net.xml:3:1: layer type: found 'XolutionBackpropData'"));
}

TEST_F(LayerXml, AttributesThatOpenvinoIgnoresAreIgnored) {
  const std::string old =
      Replaced(kLayer, "<data ", "<data group=\"1\" kernel=\"3\" output=\"3\" auto_broadcast=\"numpy\" ");
  EXPECT_EQ(ReadOne(old).test_case, ReadOne(kLayer).test_case);
}

TEST_F(LayerXml, EverySpellingOfAutoPadIsKept) {
  for (const char* spelling : {"Same_Upper", "none", "", "x&lt;y"}) {
    const LayerCase layer = ReadOne(Replaced(kLayer, "<data ", std::string("<data auto_pad=\"") + spelling + "\" "));
    EXPECT_EQ(layer.test_case.op.auto_pad, std::string(spelling) == "x&lt;y" ? "x<y" : spelling);
  }
}

TEST_F(LayerXml, OutputShapeOfEachIntegerTypeIsReadFromTheBin) {
  struct Row {
    const char *type, *precision;
    int width;
    std::int64_t value;
  };
  for (const Row& row :
       {Row{"i64", "I64", 8, 8}, Row{"i32", "I32", 4, 8}, Row{"i16", "I16", 2, 300}, Row{"i8", "I8", 1, 8},
        Row{"u8", "U8", 1, 200}, Row{"u16", "U16", 2, 40000}, Row{"u32", "U32", 4, 8}, Row{"u64", "U64", 8, 8},
        Row{"i8", "I8", 1, -1}, Row{"i32", "I32", 4, -2},
        // 2^64 - 1, stored as the int64_t with the same bits.
        Row{"u64", "U64", 8, -1}}) {
    std::string bin = LittleEndian(row.value, row.width);
    bin.resize(44);
    Write("net.bin", bin);
    const LayerCase layer = ReadOne(CompressedNet(row.type, row.precision, row.width));
    ASSERT_TRUE(layer.test_case.op.output_shape) << row.type;
    EXPECT_EQ(ElementTypeName(layer.test_case.op.output_shape->type), row.type);
    EXPECT_EQ(layer.test_case.op.output_shape->dims, Dims{1});
    EXPECT_EQ(layer.test_case.op.output_shape->values, Dims{row.value});
  }
}

TEST_F(LayerXml, WeightsStoredAsF16AreFoundThroughTheirConvert) {
  Write("net.bin", LittleEndian(8, 8) + std::string(36, 'w'));
  const LayerCase layer = ReadOne(CompressedNet("i64", "I64", 8));
  ASSERT_TRUE(layer.test_case.filter_values);
  EXPECT_EQ(layer.test_case.filter_values->path, (folder_ / "net.bin").string());
  EXPECT_EQ(layer.test_case.filter_values->offset, 8U);
  EXPECT_EQ(layer.test_case.filter_values->stored_as, ElementType::kF16);
  EXPECT_EQ(layer.test_case.op.filter.type, ElementType::kF32);
  EXPECT_EQ(layer.name, "deconv");
}

TEST_F(LayerXml, AFilterOfAnotherShapeInFrontOfAReshapeIsTheSameBytes) {
  Write("net.bin", LittleEndian(8, 8) + std::string(36, 'w'));
  std::string net = Replaced(CompressedNet("i64", "I64", 8), "type=\"Convert\"", "type=\"Reshape\"");
  net = Replaced(net, "shape=\"2, 3, 3\"", "shape=\"18\"");
  net = Replaced(net, "<port id=\"0\" precision=\"FP16\"><dim>2</dim><dim>3</dim><dim>3</dim></port>",
                 "<port id=\"0\" precision=\"FP16\"><dim>18</dim></port>");
  net = Replaced(net, "<port id=\"0\" precision=\"FP16\"><dim>2</dim><dim>3</dim><dim>3</dim></port>",
                 "<port id=\"0\" precision=\"FP16\"><dim>18</dim></port>");
  EXPECT_EQ(ReadOne(net).test_case.filter_values->offset, 8U);
  EXPECT_THAT(
      ErrorOf(Replaced(Replaced(Replaced(Replaced(net, "shape=\"18\"", "shape=\"17\""), "size=\"36\"", "size=\"34\""),
                                "<dim>18</dim>", "<dim>17</dim>"),
                       "<dim>18</dim>", "<dim>17</dim>")),
      HasSubstr("layer 'weights': found shape [17] of f16, expected the elements of filter [2,3,3]"));
}

TEST_F(LayerXml, AFilterThatIsComputedHasNoValues) {
  Write("net.bin", LittleEndian(8, 8) + std::string(36, 'w'));
  const LayerCase layer = ReadOne(Replaced(CompressedNet("i64", "I64", 8), "type=\"Convert\"", "type=\"Multiply\""));
  EXPECT_FALSE(layer.test_case.filter_values);
  EXPECT_THAT(layer.filter_note, HasSubstr("of type Multiply computes it"));
  std::string integers = Replaced(CompressedNet("i64", "I64", 8), "element_type=\"f16\"", "element_type=\"i16\"");
  while (integers.find("\"FP16\"") != std::string::npos) integers = Replaced(integers, "\"FP16\"", "\"I16\"");
  EXPECT_EQ(ReadOne(integers).filter_note, "it is stored as i16 and converted to f32");
}

TEST_F(LayerXml, TwoLayersMayShareOneConstant) {
  Write("net.bin", LittleEndian(8, 8) + std::string(36, 'w'));
  std::string net = CompressedNet("i64", "I64", 8);
  const std::size_t begin = net.find("    <layer id=\"3\"");
  const std::string deconv = net.substr(begin, net.find("    <layer id=\"4\"") - begin);
  net.insert(begin, Replaced(Replaced(deconv, "id=\"3\"", "id=\"30\""), "\"deconv\"", "\"second\""));
  net = Replaced(net, "  <edges>", R"(  <edges>
    <edge from-layer="0" from-port="0" to-layer="30" to-port="0"/>
    <edge from-layer="8" from-port="1" to-layer="30" to-port="1"/>
    <edge from-layer="2" from-port="0" to-layer="30" to-port="2"/>)");
  const auto read = ReadLayerXml(Write("net.xml", net));
  const auto& layers = std::get<std::vector<LayerCase>>(read);
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].name, "second");
  EXPECT_EQ(layers[0].test_case, layers[1].test_case);
}

TEST_F(LayerXml, ABinThatIsTooShortIsNamedWithItsLength) {
  Write("net.bin", LittleEndian(8, 8) + std::string(35, 'w'));
  EXPECT_THAT(ErrorOf(CompressedNet("i64", "I64", 8)), HasSubstr("net.xml:9:7: bytes 8 to 44 of "));
  EXPECT_THAT(ErrorOf(CompressedNet("i64", "I64", 8)), EndsWith("net.bin: the file has 43"));
}

TEST_F(LayerXml, AMissingFileADirectoryAndATooLargeFileAreErrors) {
  const auto message = [](const fs::path& file) { return std::get<ReadError>(ReadLayerXml(file)).message; };
  EXPECT_THAT(message(folder_ / "none.xml"), EndsWith("none.xml: cannot be opened: No such file or directory"));
  EXPECT_THAT(message(folder_), EndsWith(": found a directory, expected an XML file"));
  const fs::path large = Write("large.xml", " ");
  fs::resize_file(large, (std::uintmax_t{64} << 20) + 1);
  EXPECT_THAT(message(large), EndsWith("large.xml: found more than 64 MiB, expected an XML file of at most that"));
}

TEST_F(LayerXml, MoreThan100000LayersAreAnError) {
  std::string net = "<net><layers>";
  for (int i = 0; i <= 100'000; ++i) net += "<layer id=\"" + std::to_string(i) + "\" type=\"ReLU\"/>\n";
  EXPECT_THAT(ErrorOf(net + "</layers></net>"), HasSubstr("net.xml:100001:1: found more than 100000 layers"));
}

TEST_F(LayerXml, DeepNestingDoesNotOverflowTheStack) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_THAT(ErrorOf(deep), HasSubstr("not XML"));
}

// The writer supports OpenVINO's two operators. The values of an output_shape must be the declared output sizes.
RC_GTEST_FIXTURE_PROP(LayerXml, WhatTheWriterWritesTheReaderReads, ()) {
  const auto small = rc::gen::inRange<std::int64_t>(1, 6);
  OperatorDraft draft{.groups = *small, .in = *small, .out = *small, .axes = {}};
  const bool with_output = *rc::gen::arbitrary<bool>();
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
    AxisDraft axis{*small, *small, *small, *small, 0, 0, *rc::gen::inRange<std::int64_t>(0, 3), std::nullopt};
    axis.pads_end = *rc::gen::inRange<std::int64_t>(0, axis.Natural());
    if (with_output) axis.output = *rc::gen::inRange<std::int64_t>(1, 40);
    draft.axes.push_back(axis);
  }
  if (*rc::gen::arbitrary<bool>()) {
    draft.auto_pad = *rc::gen::element(AutoPad::kExplicit, AutoPad::kSameLower, AutoPad::kSameUpper, AutoPad::kValid);
  }
  draft.type = *rc::gen::elementOf(oracle::kNumericTypes);
  const bool grouped = *rc::gen::arbitrary<bool>();
  Case original;
  original.op = Build(
      As(grouped ? oracle::OperatorKind::kGroupConvolutionBackpropData : oracle::OperatorKind::kConvolutionBackpropData,
         draft));
  if (*rc::gen::arbitrary<bool>()) original.op.dilations = std::nullopt;
  if (original.op.output_shape) original.op.output_shape->type = *rc::gen::element(ElementType::kI32, ElementType::kU8);
  const oracle::Resolution resolution = oracle::Resolve(original.op, oracle::Dialect::kOpenvinoSpec);
  RC_PRE(resolution.ok());
  const Dims output = resolution.geometry->OutputDims();
  const auto read = ReadLayerXml(Write("written.xml", ToIrXml("a <\"net\">", original, output)));
  RC_ASSERT(std::holds_alternative<std::vector<LayerCase>>(read));
  const LayerCase& layer = std::get<std::vector<LayerCase>>(read).front();
  RC_ASSERT(layer.test_case == original);
  RC_ASSERT(layer.declared_output == output);
}

RC_GTEST_FIXTURE_PROP(LayerXml, NoBytesCrashTheReader, ()) {
  Write("broken.bin", LittleEndian(8, 8) + std::string(36, 'w'));
  std::string xml = *rc::gen::element(kLayer, CompressedNet("i64", "I64", 8));
  const auto edits = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::pair<std::uint16_t, char>>>());
  for (const auto& [at, byte] : edits) xml[at % xml.size()] = byte;
  if (*rc::gen::arbitrary<bool>()) xml.resize(*rc::gen::inRange<std::size_t>(0, xml.size()));
  const auto read = ReadLayerXml(Write("broken.xml", xml));
  if (const auto* error = std::get_if<ReadError>(&read)) {
    RC_ASSERT(error->message.find("broken.xml") != std::string::npos);
    RC_ASSERT(error->message.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace conformance
