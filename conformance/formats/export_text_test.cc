// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the exports that are text: benchdnn's lines, oneDNN's graphs, and C++ sources, which are compiled and run. It
// also tests that a case which a format cannot express is refused with a sentence.

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/formats/exported_files.h"

namespace conformance::formats {
namespace {

/// Each test has a folder of its own.
class ExportedText : public testing::Test, protected TestFolder {
 protected:
  ExportedText() : TestFolder(testing::UnitTest::GetInstance()->current_test_info()->name()) {}
};

using testing::HasSubstr;

// Parses a problem of benchdnn as its documentation describes it: "mb1_ic20" gives {"mb", 1} and {"ic", 20}.
std::vector<std::pair<std::string, long>> FieldsOfProblem(const std::string& text) {
  std::vector<std::pair<std::string, long>> fields;
  const std::regex field("_?([a-z]+)([0-9]+)");
  auto at = text.cbegin();
  std::smatch match;
  while (std::regex_search(at, text.cend(), match, field, std::regex_constants::match_continuous)) {
    fields.emplace_back(match[1].str(), std::stol(match[2].str()));
    at = match[0].second;
  }
  EXPECT_EQ(at, text.cend()) << text;
  return fields;
}

TEST_F(ExportedText, ABenchdnnLineSaysTheGeometry) {
  const std::string line =
      "ConvolutionBackpropData:data=1,20,224,224:filter=20,10,3,3:strides=2,2:pads_begin=1,1:pads_end=1,1";
  EXPECT_EQ(
      ContentOf(FilesOf(Format::kBenchdnn, line), "case.batch"),
      "# " + line +
          "\n--reset --dt=f32 --dir=FWD_D --stag=abx --dtag=abx g1mb1_ic20ih224iw224_oc10oh447ow447_kh3kw3_sh2sw2_"
          "ph1pw1_dh0dw0\n");
  const std::string grouped =
      "ConvolutionBackwardData:data=2,5,6,4:filter=3,2,1,4:type=bf16:strides=2,1:dilations=2,1:pads_begin=0,1:"
      "pads_end=1,0:groups=2:data_format=NXC:weights_format=XIO:dst_shape=2,12,6,2";
  const std::string content = ContentOf(FilesOf(Format::kBenchdnn, grouped), "case.batch");
  EXPECT_THAT(content, HasSubstr("--dt=bf16 --dir=FWD_D --stag=axb --dtag=axb "));
  const std::string text = content.substr(content.rfind(' ') + 1, content.size() - content.rfind(' ') - 2);
  const std::vector<std::pair<std::string, long>> expected = {
      {"g", 2},  {"mb", 2}, {"ic", 4}, {"ih", 5}, {"iw", 6}, {"oc", 2}, {"oh", 12}, {"ow", 6},
      {"kh", 3}, {"kw", 2}, {"sh", 2}, {"sw", 1}, {"ph", 0}, {"pw", 1}, {"dh", 1},  {"dw", 0}};
  EXPECT_EQ(FieldsOfProblem(text), expected);
}

TEST_F(ExportedText, OperatorsThatBenchdnnLacksAreRefused) {
  // Without pads 3 data elements and a kernel of 3 give 5 outputs. For 9 outputs, pads_begin is (5 - 9) / 2 = -2.
  const std::string front = "ConvTranspose:data=1,1,3:filter=1,1,3";
  EXPECT_THAT(SentenceOf(Format::kBenchdnn, front + ":type=f32:output_shape_attribute=9"),
              HasSubstr("found pads_begin -2, the primitive takes no negative one"));
  EXPECT_THAT(SentenceOf(Format::kBenchdnn, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:type=i8"),
              HasSubstr("found type i8"));
  EXPECT_THAT(
      SentenceOf(Format::kBenchdnn, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_padding=1:strides=1"),
      HasSubstr("1 outputs behind the last tap, the primitive takes fewer than the stride 1"));
}

// Makes a case from the JSON of a graph, by the attributes that oneDNN documents.
Case CaseFromGraph(const std::string& text) {
  const auto graph = nlohmann::json::parse(text);
  const auto& node = graph.at("graph").at(0);
  EXPECT_EQ(node.at("kind"), "ConvolutionBackwardData");
  const auto& attributes = node.at("attrs");
  Case read;
  oracle::Operator& op = read.op;
  op.kind = oracle::OperatorKind::kConvolutionBackwardData;
  for (auto& [tensor, at] : {std::pair{&op.data, 0}, std::pair{&op.filter, 1}}) {
    tensor->type =
        *oracle::ParseElementType(node.at("inputs").at(static_cast<std::size_t>(at)).at("dtype").get<std::string>());
    tensor->dims = node.at("inputs").at(static_cast<std::size_t>(at)).at("shape").get<oracle::Dims>();
  }
  const auto list = [&](const char* name, std::optional<oracle::Dims>& target) {
    if (!attributes.contains(name)) return;
    EXPECT_EQ(attributes.at(name).at("type"), "s64[]");
    target = attributes.at(name).at("value").get<oracle::Dims>();
  };
  list("strides", op.strides);
  list("dilations", op.dilations);
  list("pads_begin", op.pads_begin);
  list("pads_end", op.pads_end);
  list("output_padding", op.output_padding);
  list("dst_shape", op.dst_shape);
  const auto word = [&](const char* name, std::optional<std::string>& target) {
    if (attributes.contains(name)) target = attributes.at(name).at("value").get<std::string>();
  };
  word("auto_pad", op.auto_pad);
  word("data_format", op.data_format);
  word("weights_format", op.weights_format);
  if (attributes.contains("groups")) op.groups = attributes.at("groups").at("value").get<std::int64_t>();
  return read;
}

TEST_F(ExportedText, AGraphComesBackAsTheSameOperator) {
  for (const std::string line :
       {"ConvolutionBackwardData:data=1,3,4,4:filter=3,2,3,3:strides=2,2:dilations=1,1:pads_begin=1,1:pads_end=1,1:"
        "dst_shape=1,2,7,7:data_format=NCX:weights_format=OIX",
        "ConvolutionBackwardData:data=2,5,6,4:filter=3,2,1,4:type=bf16:strides=2,1:dilations=2,1:pads_begin=0,0:"
        "pads_end=0,0:output_padding=0,0:dst_shape=2,13,7,2:auto_pad=None:data_format=NXC:weights_format=XIO:groups="
        "2"}) {
    EXPECT_EQ(ToLine(CaseFromGraph(ContentOf(FilesOf(Format::kGraphJson, line), "case.json"))), line);
  }
}

TEST_F(ExportedText, OperatorsThatOnednnGraphLacksAreRefused) {
  const std::string front =
      "ConvolutionBackwardData:data=1,1,4:filter=1,1,3:strides=2:dilations=1:pads_begin=0:pads_end=0:";
  const std::string formats = ":data_format=NCX:weights_format=OIX";
  EXPECT_THAT(SentenceOf(Format::kGraphJson, front + "dst_shape=1,1,20" + formats), HasSubstr("the library refuses"));
  EXPECT_THAT(SentenceOf(Format::kGraphJson, front + "dst_shape=1,1,9:type=i8" + formats), HasSubstr("type i8"));
  EXPECT_THAT(SentenceOf(Format::kGraphJson, kOpenvinoLines[0]), HasSubstr("ConvTranspose is another operator"));
}

TEST_F(ExportedText, TheSourceCompilesChecksItselfAndFailsAWrongBackend) {
  for (const std::string line :
       {"ConvolutionBackwardData:data=1,3,2,2:filter=3,2,1,2:strides=2,1:dilations=1,1:pads_begin=0,0:pads_end=0,0:"
        "groups=2:dst_shape=1,7,3,2:values=specials:seed=4",
        "GroupConvolutionBackpropData:data=1,2,3,3:filter=2,1,2,2,2:type=f16:strides=2,2:values=reals",
        "ConvolutionBackpropData:data=1,2,7:filter=2,1,3:type=i64:strides=2:values=extremes"}) {
    std::string source = ContentOf(FilesOf(Format::kCpp, line), "case.cc");
    const std::string none = "Element* /*output*/) { return false; }";
    ASSERT_NE(source.find(none), std::string::npos);
    const std::string compile = DECONV_CXX_COMPILER " -std=c++11 -O1 -Wall -Wextra -Werror -o " +
                                (folder_ / "case").string() + " " + (folder_ / "case.cc").string();
    // A backend that is right, or wrong in one bit if the environment variable BACKEND begins with 'w'.
    source.replace(source.find(none), none.size(),
                   "Element* output) {\n"
                   "  const char* mode = std::getenv(\"BACKEND\");\n"
                   "  if (mode == nullptr) return false;\n"
                   "  for (long i = 0; i < output_count; ++i) output[i] = expected[i];\n"
                   "  if (mode[0] == 'w') reinterpret_cast<unsigned char*>(output)[sizeof(Element) - 1] ^= 0x40;\n"
                   "  return true;\n}");
    source.insert(source.find("#include <cstring>"), "#include <cstdlib>\n");
    Write({{"case.cc", source}});
    const ShellRun compiled = Shell(compile);
    ASSERT_EQ(compiled.code, 0) << line << "\n" << compiled.output;
    const std::string program = (folder_ / "case").string();
    EXPECT_EQ(Shell(program).code, 0) << line << "\n" << Shell(program).output;
    EXPECT_EQ(Shell("BACKEND=right " + program).code, 0) << line;
    EXPECT_EQ(Shell("BACKEND=wrong " + program).code, 1) << line;
  }
}

TEST_F(ExportedText, ASourceWhoseExpectationIsWrongSaysSo) {
  std::string source = ContentOf(FilesOf(Format::kCpp, "ConvTranspose:data=1,1,1:filter=1,1,1"), "case.cc");
  const std::size_t at = source.find("Element expected[] = {") + std::strlen("Element expected[] = {");
  source.insert(source.find_first_of("-0123456789", at), "1000 + ");
  Write({{"case.cc", source}});
  ASSERT_EQ(
      Shell(DECONV_CXX_COMPILER " -std=c++11 -o " + (folder_ / "case").string() + " " + (folder_ / "case.cc").string())
          .code,
      0);
  EXPECT_EQ(Shell((folder_ / "case").string()).code, 2);
}

TEST_F(ExportedText, CasesThatAFormatLacksAreRefusedWithASentence) {
  EXPECT_THAT(SentenceOf(Format::kIr, kOnnxLines[0]), HasSubstr("no ConvTranspose"));
  EXPECT_THAT(SentenceOf(Format::kOnnx, kOpenvinoLines[0]), HasSubstr("ONNX has only ConvTranspose"));
  EXPECT_THAT(SentenceOf(Format::kIr, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=0"),
              HasSubstr("openvino-spec refuses the operator by "));
  EXPECT_THAT(SentenceOf(Format::kOnnx, "ConvTranspose:data=1,1,3:filter=1,1,3:auto_pad=SAME_UPPER:dialect=onnx-1"),
              HasSubstr("leaves the operator undefined"));
  EXPECT_THAT(SentenceOf(Format::kCpp, "ConvTranspose:data=1,1,100,100:filter=1,1,3,3"),
              HasSubstr("expected at most 16384 together"));
  EXPECT_THAT(SentenceOf(Format::kIr, "ConvolutionBackpropData:data=1,999,1000,1000:filter=999,1,1,1"),
              HasSubstr("expected at most 67108864 together"));
  EXPECT_THAT(SentenceOf(Format::kIr, "ConvolutionBackpropData:data=1,600,8,8:filter=600,600,8,8"),
              HasSubstr("products to sum"));
  EXPECT_THAT(SentenceOf(Format::kCpp, "sweep:of=axes:bounds=small:operator=ConvTranspose"),
              HasSubstr("a sweep is many cases"));
}

}  // namespace
}  // namespace conformance::formats
