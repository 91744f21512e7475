// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the exports that hold tensors: OpenVINO IR, ONNX and .npy files. An exported model that is imported again gives
// the same operator. A short Python program without NumPy reads the .npy files.

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/formats/exported_files.h"
#include "conformance/formats/import_model.h"
#include "conformance/formats/npy.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/compare.h"

namespace conformance::formats {
namespace {

/// Each test has a folder of its own.
class Exported : public testing::Test, protected TestFolder {
 protected:
  Exported() : TestFolder(testing::UnitTest::GetInstance()->current_test_info()->name()) {}
};

// data_only=1 keeps the data element with index 1 and sets the others to 0.
TEST(WorkOutTest, KeepsOnlyTheDataElementsOfTheCase) {
  const ComputedCase computed =
      Computed("ConvolutionBackpropData:data=1,1,3:filter=1,1,1:strides=2:dilations=1:data_only=1:type=i8");
  ASSERT_EQ(computed.data.size(), 3U);
  EXPECT_EQ(computed.data[0], std::byte{0});
  EXPECT_NE(computed.data[1], std::byte{0});
  EXPECT_EQ(computed.data[2], std::byte{0});
}

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
    const ComputedCase computed = Computed(line);
    const auto& place = model.layers[0].test_case.filter_values;
    ASSERT_TRUE(place);
    EXPECT_EQ(ContentOf(files, "case/model.bin").substr(place->offset, computed.filter.size()),
              BytesAsText(computed.filter));
  }
}

TEST_F(Exported, AnOpenOperatorSaysSo) {
  const auto points = [&](const std::string& line) {
    const auto json = nlohmann::json::parse(ContentOf(FilesOf(Format::kIr, line), "case/case.json"));
    return json.value("open", nlohmann::json::array());
  };
  const std::string rest = ":filter=2,3,3:strides=2:pads_begin=0:pads_end=0:dilations=1";
  EXPECT_EQ(points("ConvolutionBackpropData:data=0,2,3" + rest), nlohmann::json::array({"S8: a batch of 0"}));
  EXPECT_EQ(points("ConvolutionBackpropData:data=1,2,3" + rest), nlohmann::json::array());
}

TEST_F(Exported, AnIrCarriesItsTensorsAsNpyAndItsCaseAsJson) {
  const std::string line = kOpenvinoLines[0];
  const std::vector<ExportedFile> files = FilesOf(Format::kIr, line);
  const ComputedCase computed = Computed(line);
  EXPECT_EQ(ContentOf(files, "case/expected_output_0.npy"),
            Npy(oracle::ElementType::kF32, computed.geometry.OutputDims(), computed.output));
  const auto json = nlohmann::json::parse(ContentOf(files, "case/case.json"));
  EXPECT_EQ(json.at("case"), line);
  EXPECT_EQ(json.at("dialect"), "openvino-spec");
  EXPECT_EQ(json.at("output_dims"), nlohmann::json(computed.geometry.OutputDims()));
  EXPECT_EQ(json.at("tolerance").at("largest"), 0.0);  // sums of small integers
}

TEST_F(Exported, PythonReadsTheNpy) {
  struct Row {
    oracle::ElementType type;
    std::string text;  // the beginning of Python's output: type, shape, and the first three of `bytes` as this type
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
    const ShellRun run = Shell("python3 " + (folder_ / "read.py").string() + " " + (folder_ / "a.npy").string());
    EXPECT_EQ(run.code, 0) << run.output;
    EXPECT_THAT(run.output, testing::StartsWith(row.text));
  }
}

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

TEST_F(Exported, TheToleranceTakesEveryOrderOfSummationAndNotMuchMore) {
  // 64 input channels, 9 positions and a kernel of 1: each output is a sum of 64 products, one for each channel.
  const ComputedCase computed = Computed("ConvTranspose:data=1,64,9:filter=64,1,1:values=reals:seed=5");
  for (std::size_t i = 0; i < 9; ++i) {
    float forward = 0, backward = 0;
    const auto term = [&](std::size_t c) {
      float x = 0, w = 0;
      std::memcpy(&x, &computed.data[(c * 9 + i) * 4], 4);
      std::memcpy(&w, &computed.filter[c * 4], 4);
      return x * w;
    };
    for (std::size_t c = 0; c < 64; ++c) forward += term(c);
    for (std::size_t c = 64; c-- > 0;) backward += term(c);
    float expected = 0;
    std::memcpy(&expected, &computed.output[i * 4], 4);
    EXPECT_LE(std::abs(forward - expected), computed.tolerance[i]);
    EXPECT_LE(std::abs(backward - expected), computed.tolerance[i]);
    EXPECT_GT(computed.tolerance[i], 0);
    EXPECT_LT(computed.tolerance[i], 1e-3);  // 64 products below 1 in f32
  }
}

}  // namespace
}  // namespace conformance::formats
