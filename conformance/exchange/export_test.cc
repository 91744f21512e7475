// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases out, and back where a reader exists: what comes back is the same operator; files are read by others' code
// (ONNX's checker, Python's struct, a C++ compiler), and what a format cannot say is refused.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>
#include <sys/wait.h>

#include "conformance/exchange/export_case.h"
#include "conformance/exchange/import_model.h"
#include "conformance/exchange/npy.h"
#include "conformance/exchange/worked_case.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/compare.h"

namespace conformance::exchange {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Case CaseOf(const std::string& line) {
  const auto parsed = ParseCaseLine(line);
  const auto* error = std::get_if<ParseError>(&parsed);
  EXPECT_EQ(error, nullptr) << error->message;
  return error == nullptr ? std::get<Case>(parsed) : Case{};
}

std::vector<ExportedFile> FilesOf(Format format, const std::string& line) {
  const Export exported = ExportCase(format, "case", CaseOf(line));
  const auto* sentence = std::get_if<std::string>(&exported);
  EXPECT_EQ(sentence, nullptr) << line << ": " << *sentence;
  return sentence == nullptr ? std::get<std::vector<ExportedFile>>(exported) : std::vector<ExportedFile>{};
}

std::string SentenceOf(Format format, const std::string& line) {
  const Export exported = ExportCase(format, "case", CaseOf(line));
  const auto* sentence = std::get_if<std::string>(&exported);
  return sentence == nullptr ? "exported" : *sentence;
}

std::string ContentOf(const std::vector<ExportedFile>& files, const std::string& path) {
  for (const ExportedFile& file : files) {
    if (file.path == path) return file.content;
  }
  ADD_FAILURE() << "no file " << path;
  return {};
}

WorkedCase Worked(const std::string& line) {
  auto worked = WorkOut(CaseOf(line), kFolderLimits);
  const auto* sentence = std::get_if<std::string>(&worked);
  EXPECT_EQ(sentence, nullptr) << *sentence;
  return sentence == nullptr ? std::get<WorkedCase>(std::move(worked)) : WorkedCase{};
}

TEST(WorkOutTest, LeavesOutWhatTheCaseLeavesOut) {
  const WorkedCase worked =
      Worked("ConvolutionBackpropData:data=1,1,3:filter=1,1,1:strides=2:dilations=1:data_only=1:type=i8");
  ASSERT_EQ(worked.data.size(), 3U);
  EXPECT_EQ(worked.data[0], std::byte{0});
  EXPECT_NE(worked.data[1], std::byte{0});
  EXPECT_EQ(worked.data[2], std::byte{0});
}

std::string Bytes(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A folder of its own for each test.
class Exported : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("export_test_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Write(const std::vector<ExportedFile>& files) const {
    for (const ExportedFile& file : files) {
      fs::create_directories((folder_ / file.path).parent_path());
      std::ofstream(folder_ / file.path, std::ios::binary) << file.content;
    }
  }
  struct Run {
    int code = -1;
    std::string output;
  };
  static Run Shell(const std::string& command) {
    Run run;
    std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return run;
    std::array<char, 4096> chunk{};
    while (std::fgets(chunk.data(), static_cast<int>(chunk.size()), pipe) != nullptr) run.output += chunk.data();
    const int status = pclose(pipe);
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
  }

  fs::path folder_;
};

constexpr std::array kOpenvinoLines = {
    "ConvolutionBackpropData:data=1,2,5,4:filter=2,3,3,2:strides=2,3:dilations=1,2:pads_begin=1,0:pads_end=0,1",
    "ConvolutionBackpropData:data=2,1,3:filter=1,1,4:type=f16:output_shape=9:strides=2:auto_pad=same_lower",
    "GroupConvolutionBackpropData:data=1,4,3,3:filter=2,2,1,2,2:type=i8:output_shape=7,6:output_shape_type=i32:"
    "strides=2,2:output_padding=1,1",
    "ConvolutionBackpropData:data=1,1,2,2,2:filter=1,2,1,2,3:type=bf16:values=reals:seed=7"};

TEST_F(Exported, AnIrComesBackAsTheSameOperatorWithItsFilter) {
  for (const std::string line : kOpenvinoLines) {
    const std::vector<ExportedFile> files = FilesOf(Format::kIr, line);
    Write(files);
    ImportOptions options;
    options.weights = true;
    const Import read = ImportModel(folder_ / "case/model.xml", options);
    ASSERT_TRUE(std::holds_alternative<ImportedModel>(read)) << std::get<ReadError>(read).message;
    const auto& model = std::get<ImportedModel>(read);
    ASSERT_EQ(model.layers.size(), 1U);
    EXPECT_EQ(model.layers[0].test_case.op, CaseOf(line).op) << line;
    EXPECT_TRUE(model.layers[0].notes.empty()) << model.layers[0].notes.front();
    const WorkedCase worked = Worked(line);
    const auto& place = model.layers[0].test_case.filter_values;
    ASSERT_TRUE(place);
    EXPECT_EQ(ContentOf(files, "case/model.bin").substr(place->offset, worked.filter.size()), Bytes(worked.filter));
  }
}

TEST_F(Exported, AnIrCarriesItsTensorsAsNpyAndItsCaseAsJson) {
  const std::string line = kOpenvinoLines[0];
  const std::vector<ExportedFile> files = FilesOf(Format::kIr, line);
  const WorkedCase worked = Worked(line);
  EXPECT_EQ(ContentOf(files, "case/expected_output_0.npy"),
            Npy(oracle::ElementType::kF32, worked.geometry.OutputDims(), worked.output));
  const auto json = nlohmann::json::parse(ContentOf(files, "case/case.json"));
  EXPECT_EQ(json.at("case"), line);
  EXPECT_EQ(json.at("dialect"), "openvino-spec");
  EXPECT_EQ(json.at("output_dims"), nlohmann::json(worked.geometry.OutputDims()));
  EXPECT_EQ(json.at("tolerance").at("largest"), 0.0);  // sums of small integers
}

TEST_F(Exported, PythonReadsTheNpy) {
  struct Row {
    oracle::ElementType type;
    std::string text;  // what Python makes of the bytes 1, 0, 128, 63, 0, 0, 64, 192, ...
  };
  const std::array<unsigned char, 16> bytes = {0, 0, 128, 63, 0, 0, 64, 192, 0, 60, 0, 192, 1, 255, 2, 3};
  const std::string program =
      "import ast,struct,sys\n"
      "b=open(sys.argv[1],'rb').read()\n"
      "assert b[:8]==b'\\x93NUMPY\\x01\\x00'\n"
      "n=struct.unpack('<H',b[8:10])[0]\n"
      "h=ast.literal_eval(b[10:10+n].decode('latin1'))\n"
      "assert (10+n)%64==0 and b[9+n:10+n]==b'\\n' and not h['fortran_order']\n"
      "c={'f8':'d','f4':'f','f2':'e','i1':'b','i2':'h','i4':'i','i8':'q','u1':'B','u2':'H','u4':'I','u8':'Q'}\n"
      "t=h['descr']; k=1\n"
      "for d in h['shape']: k*=d\n"
      "print(t,h['shape'],struct.unpack('<%d%s'%(k,c[t[1:]]),b[10+n:])[:3])\n";
  std::ofstream(folder_ / "read.py") << program;
  for (const Row& row :
       {Row{oracle::ElementType::kF32, "<f4 (4,) (1.0, -3.0, -2.003662109375)"},
        Row{oracle::ElementType::kF16, "<f2 (2, 4) (0.0, 1.875, 0.0)"},
        Row{oracle::ElementType::kBf16, "<u2 (2, 4) (0, 16256, 0)"},
        Row{oracle::ElementType::kI8, "|i1 (1, 16) (0, 0, -128)"}, Row{oracle::ElementType::kU64, "<u8 (2,) ("}}) {
    const std::size_t count = bytes.size() / oracle::ElementBytes(row.type);
    oracle::Dims dims = {static_cast<std::int64_t>(count)};
    if (count == 8) dims = {2, 4};
    if (count == 16) dims = {1, 16};
    Write({{"a.npy", Npy(row.type, dims, std::as_bytes(std::span(bytes)))}});
    const Run run = Shell("python3 " + (folder_ / "read.py").string() + " " + (folder_ / "a.npy").string());
    EXPECT_EQ(run.code, 0) << run.output;
    EXPECT_THAT(run.output, testing::StartsWith(row.text));
  }
}

constexpr std::array kOnnxLines = {
    "ConvTranspose:data=1,2,5,4:filter=2,3,3,2:strides=2,3:dilations=1,2:pads_begin=1,0:pads_end=0,1",
    "ConvTranspose:data=1,4,3:filter=4,2,3:type=f16:strides=2:output_padding=1:auto_pad=SAME_UPPER:groups=2",
    "ConvTranspose:data=1,1,3,3:filter=1,2,3,3:strides=3,2:kernel_shape=3,3:output_shape_attribute=10,8",
    "ConvTranspose:data=1,1,3,3:filter=1,2,3,3:strides=3,2:output_shape_attribute=10,8:auto_pad=SAME_LOWER:"
    "dialect=onnx-1",
    "ConvTranspose:data=1,1,3,3:filter=1,2,3,3:type=f64:values=reals:seed=3"};

TEST_F(Exported, AnOnnxModelComesBackAsTheSameOperator) {
  for (const std::string line : kOnnxLines) {
    const std::vector<ExportedFile> files = FilesOf(Format::kOnnx, line);
    const auto read = ImportOnnx(ContentOf(files, "case/model.onnx"), "model.onnx", {});
    ASSERT_TRUE(std::holds_alternative<ImportedModel>(read));
    const auto& model = std::get<ImportedModel>(read);
    ASSERT_EQ(model.layers.size(), 1U);
    EXPECT_EQ(model.layers[0].test_case.op, CaseOf(line).op) << line;
    EXPECT_EQ(model.layers[0].test_case.EffectiveDialect(), CaseOf(line).EffectiveDialect());
    EXPECT_TRUE(model.layers[0].notes.empty()) << model.layers[0].notes.front();
  }
}

TEST_F(Exported, OnnxItselfAcceptsTheModelAndItsShapes) {
  for (const std::string line : kOnnxLines) {
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(ContentOf(FilesOf(Format::kOnnx, line), "case/model.onnx")));
    EXPECT_NO_THROW(onnx::checker::check_model(model)) << line;
    // Strict: a shape that is not what ONNX infers would throw. To what SAME_UPPER asks for, X * s, its code adds
    // output_padding, which its text does not (https://github.com/onnx/onnx/issues/4299).
    if (line.find("output_padding=1:auto_pad=SAME") != std::string::npos) continue;
    EXPECT_NO_THROW(onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                                       onnx::ShapeInferenceOptions(true, 1, false)))
        << line;
    model.mutable_graph()->mutable_node(0)->add_attribute()->set_name("no_such");
    EXPECT_THROW(onnx::checker::check_model(model), onnx::checker::ValidationError);
  }
}

TEST_F(Exported, OnnxTestDataHoldTheOperandsAndTheExpectedOutput) {
  const std::string line = kOnnxLines[1];
  const std::vector<ExportedFile> files = FilesOf(Format::kOnnx, line);
  const WorkedCase worked = Worked(line);
  const auto check = [&](const std::string& file, const std::vector<std::byte>& values, const oracle::Dims& dims) {
    onnx::TensorProto tensor;
    ASSERT_TRUE(tensor.ParseFromString(ContentOf(files, "case/test_data_set_0/" + file)));
    EXPECT_EQ(tensor.raw_data(), Bytes(values));
    EXPECT_EQ(oracle::Dims(tensor.dims().begin(), tensor.dims().end()), dims);
    EXPECT_EQ(tensor.data_type(), onnx::TensorProto_DataType_FLOAT16);
  };
  check("input_0.pb", worked.data, {1, 4, 3});
  check("input_1.pb", worked.filter, {4, 2, 3});
  check("output_0.pb", worked.output, worked.geometry.OutputDims());
}

TEST_F(Exported, TheToleranceTakesEveryOrderOfSummationAndNotMuchMore) {
  const WorkedCase worked = Worked("ConvTranspose:data=1,64,9:filter=64,1,1:values=reals:seed=5");
  for (std::size_t i = 0; i < 9; ++i) {
    float forward = 0, backward = 0;
    const auto term = [&](std::size_t c) {
      float x = 0, w = 0;
      std::memcpy(&x, &worked.data[(c * 9 + i) * 4], 4);
      std::memcpy(&w, &worked.filter[c * 4], 4);
      return x * w;
    };
    for (std::size_t c = 0; c < 64; ++c) forward += term(c);
    for (std::size_t c = 64; c-- > 0;) backward += term(c);
    float expected = 0;
    std::memcpy(&expected, &worked.output[i * 4], 4);
    EXPECT_LE(std::abs(forward - expected), worked.tolerance[i]);
    EXPECT_LE(std::abs(backward - expected), worked.tolerance[i]);
    EXPECT_GT(worked.tolerance[i], 0);
    EXPECT_LT(worked.tolerance[i], 1e-3);  // 64 products below 1 in f32
  }
}

// Reads a descriptor as benchdnn's documentation says it: letters, digits, letters, digits, with underscores between.
std::vector<std::pair<std::string, long>> Descriptor(const std::string& text) {
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

TEST_F(Exported, ABenchdnnLineSaysTheGeometry) {
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
  EXPECT_EQ(Descriptor(text), expected);
}

TEST_F(Exported, WhatBenchdnnCannotSayIsRefused) {
  const std::string front = "ConvTranspose:data=1,1,3:filter=1,1,3";
  EXPECT_THAT(SentenceOf(Format::kBenchdnn, front + ":type=f32:output_shape_attribute=9"),
              HasSubstr("found pads_begin -2, the primitive takes no negative one"));
  EXPECT_THAT(SentenceOf(Format::kBenchdnn, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:type=i8"),
              HasSubstr("found type i8"));
  EXPECT_THAT(
      SentenceOf(Format::kBenchdnn, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_padding=1:strides=1"),
      HasSubstr("1 outputs behind the last tap, the primitive takes fewer than the stride 1"));
}

// The case that a graph's JSON says, by the attributes that oneDNN documents.
Case FromGraph(const std::string& text) {
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

TEST_F(Exported, AGraphComesBackAsTheSameOperator) {
  for (const std::string line :
       {"ConvolutionBackwardData:data=1,3,4,4:filter=3,2,3,3:strides=2,2:dilations=1,1:pads_begin=1,1:pads_end=1,1:"
        "dst_shape=1,2,7,7:data_format=NCX:weights_format=OIX",
        "ConvolutionBackwardData:data=2,5,6,4:filter=3,2,1,4:type=bf16:strides=2,1:dilations=2,1:pads_begin=0,0:"
        "pads_end=0,0:output_padding=0,0:dst_shape=2,13,7,2:auto_pad=None:data_format=NXC:weights_format=XIO:groups="
        "2"}) {
    EXPECT_EQ(ToLine(FromGraph(ContentOf(FilesOf(Format::kGraphJson, line), "case.json"))), line);
  }
}

TEST_F(Exported, WhatTheLibraryReadsOtherwiseIsNoGraph) {
  const std::string front =
      "ConvolutionBackwardData:data=1,1,4:filter=1,1,3:strides=2:dilations=1:pads_begin=0:pads_end=0:";
  const std::string formats = ":data_format=NCX:weights_format=OIX";
  EXPECT_THAT(SentenceOf(Format::kGraphJson, front + "dst_shape=1,1,20" + formats), HasSubstr("the library refuses"));
  EXPECT_THAT(SentenceOf(Format::kGraphJson, front + "dst_shape=1,1,9:type=i8" + formats), HasSubstr("type i8"));
  EXPECT_THAT(SentenceOf(Format::kGraphJson, kOpenvinoLines[0]), HasSubstr("ConvTranspose is another operator"));
}

TEST_F(Exported, TheSourceCompilesChecksItselfAndFailsAWrongBackend) {
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
    // A backend that is right, and wrong in one bit if it is asked to be.
    source.replace(source.find(none), none.size(),
                   "Element* output) {\n"
                   "  const char* mode = std::getenv(\"BACKEND\");\n"
                   "  if (mode == nullptr) return false;\n"
                   "  for (long i = 0; i < output_count; ++i) output[i] = expected[i];\n"
                   "  if (mode[0] == 'w') reinterpret_cast<unsigned char*>(output)[sizeof(Element) - 1] ^= 0x40;\n"
                   "  return true;\n}");
    source.insert(source.find("#include <cstring>"), "#include <cstdlib>\n");
    Write({{"case.cc", source}});
    const Run compiled = Shell(compile);
    ASSERT_EQ(compiled.code, 0) << line << "\n" << compiled.output;
    const std::string program = (folder_ / "case").string();
    EXPECT_EQ(Shell(program).code, 0) << line << "\n" << Shell(program).output;
    EXPECT_EQ(Shell("BACKEND=right " + program).code, 0) << line;
    EXPECT_EQ(Shell("BACKEND=wrong " + program).code, 1) << line;
  }
}

TEST_F(Exported, ASourceWhoseExpectationIsWrongSaysSo) {
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

TEST_F(Exported, WhatCannotBeSaidIsRefusedInASentence) {
  EXPECT_THAT(SentenceOf(Format::kIr, kOnnxLines[0]), HasSubstr("no ConvTranspose"));
  EXPECT_THAT(SentenceOf(Format::kOnnx, kOpenvinoLines[0]), HasSubstr("ConvTranspose alone"));
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
}  // namespace conformance::exchange
