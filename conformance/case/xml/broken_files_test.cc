// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the reader of OpenVINO's XML models refuses each broken file. The message has the line, the column and
// what was expected. A broken file is a good net or a good layer with one change.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/case/xml/layer.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGoodNet = R"(<net name="up" version="11">
  <layers>
    <layer id="0" name="data" type="Parameter" version="opset1">
      <data shape="1, 2, 4" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></output>
    </layer>
    <layer id="1" name="filter" type="Parameter" version="opset1">
      <data shape="2, 3, 3" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>2</dim><dim>3</dim><dim>3</dim></port></output>
    </layer>
    <layer id="2" name="up" type="ConvolutionBackpropData" version="opset1">
      <data strides="2" dilations="1" pads_begin="0" pads_end="0"/>
      <input>
        <port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port>
        <port id="1" precision="FP32"><dim>2</dim><dim>3</dim><dim>3</dim></port>
      </input>
      <output><port id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>9</dim></port></output>
    </layer>
    <layer id="3" name="result" type="Result" version="opset1">
      <input><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>9</dim></port></input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges>
</net>
)";

constexpr std::string_view kGoodLayer = R"(<layer id="5" name="up" type="ConvolutionBackpropData">
  <data strides="2,2" dilations="1,1" pads_begin="1,1" pads_end="1,1"/>
  <input>
    <port id="0"><dim>1</dim><dim>2</dim><dim>4</dim><dim>5</dim></port>
    <port id="1"><dim>2</dim><dim>3</dim><dim>3</dim><dim>3</dim></port>
  </input>
  <output>
    <port id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>7</dim><dim>9</dim></port>
  </output>
</layer>
)";

struct Edit {
  std::string_view old;
  std::string_view replacement;
};

/// `good` after all edits, one after the other. The old text of each edit must occur exactly once.
std::string Broken(std::string_view good, const std::vector<Edit>& edits) {
  std::string xml(good);
  for (const Edit& edit : edits) {
    const std::size_t at = xml.find(edit.old);
    EXPECT_NE(at, std::string::npos) << edit.old;
    EXPECT_EQ(xml.find(edit.old, at + 1), std::string::npos) << edit.old;
    if (at != std::string::npos) xml.replace(at, edit.old.size(), edit.replacement);
  }
  return xml;
}

class BrokenFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "broken_files_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Expects this error behind the name of the file.
  void ExpectError(const std::string& xml, std::string_view error) const {
    const fs::path file = folder_ / "net.xml";
    std::ofstream(file, std::ios::binary) << xml;
    const auto read = ReadLayerXml(file);
    const auto* const found = std::get_if<ReadError>(&read);
    ASSERT_NE(found, nullptr) << "was read:\n" << xml;
    std::string message = found->message;
    const std::string folder = folder_.string() + "/";
    for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder)) {
      message.erase(at, folder.size());
    }
    EXPECT_EQ(message, "net.xml:" + std::string(error)) << xml;
  }
  void ExpectError(std::string_view good, const std::vector<Edit>& edits, std::string_view error) const {
    ExpectError(Broken(good, edits), error);
  }

  fs::path folder_;
};

TEST_F(BrokenFiles, TheGoodOnesAreRead) {
  for (const std::string_view good : {kGoodNet, kGoodLayer}) {
    std::ofstream(folder_ / "net.xml", std::ios::binary) << good;
    EXPECT_TRUE(std::holds_alternative<std::vector<LayerCase>>(ReadLayerXml(folder_ / "net.xml"))) << good;
  }
}

TEST_F(BrokenFiles, TextsThatAreNotXmlAreRefused) {
  constexpr std::string_view type = R"("ConvolutionBackpropData")";
  ExpectError(kGoodLayer, {{type, "ConvolutionBackpropData"}}, "1:30: not XML: Error parsing element attribute");
  ExpectError(kGoodLayer, {{"  </input>\n", ""}}, "9:3: not XML: Start-end tags mismatch");
  ExpectError("<layer>\n  <input>", "2:9: not XML: Start-end tags mismatch");
  ExpectError("strides 2, kernel 3\n", "2:1: not XML: No document element found");
  ExpectError("<!-- only a comment -->\n", "2:1: not XML: No document element found");
}

TEST_F(BrokenFiles, OtherRootElementsAreRefused) {
  ExpectError("<model>\n" + std::string(kGoodLayer) + "</model>\n",
              "1:1: found root element <model>, expected <net> or <layer>");
  ExpectError(std::string(kGoodLayer) + std::string(kGoodLayer),
              "11:1: found a second root element <layer>, expected one");
  constexpr std::string_view none =
      "1:1: the net has no layer of type ConvolutionBackpropData or GroupConvolutionBackpropData";
  ExpectError("<net name=\"none\" version=\"11\"/>\n", none);
  ExpectError(kGoodNet, {{R"("ConvolutionBackpropData")", R"("Convolution")"}}, none);
}

TEST_F(BrokenFiles, WrongAttributesAreNamedWithTheirPlace) {
  ExpectError(kGoodLayer, {{"pads_begin", "pad_begin"}},
              "2:3: unknown attribute 'pad_begin' (did you mean pads_begin?)");
  ExpectError(kGoodLayer, {{R"(strides="2,2")", R"(strides="2,2" strides="3,3")"}},
              "2:3: attribute 'strides' is given twice");
  const auto strides = [&](std::string_view values, std::string_view error) {
    ExpectError(kGoodLayer, {{R"("2,2")", values}}, error);
  };
  strides(R"("2,9223372036854775808")",
          "2:3: strides: found '9223372036854775808', expected an integer that fits 64 bits");
  strides(R"("1.5,2")", "2:3: strides: found '1.5', expected an integer");
  strides(R"("2,two")", "2:3: strides: found 'two', expected an integer");
  // OpenVINO throws at an empty field.
  strides(R"("2,,2")", "2:3: strides: found an empty field in '2,,2', expected integers separated by commas");
  strides(R"("2,2,")", "2:3: strides: found an empty field in '2,2,', expected integers separated by commas");
}

TEST_F(BrokenFiles, WrongDimsAreNamedWithTheirPlace) {
  const auto dim = [&](std::string_view element, std::string_view error) {
    ExpectError(kGoodLayer, {{"<dim>4</dim>", element}}, error);
  };
  dim("<dim>18446744073709551616</dim>",
      "4:42: dim: found '18446744073709551616', expected an integer that fits 64 bits");
  dim("<dim>-1</dim>",
      "4:42: dim: found -1, expected a size; an open dim has no values to compare, reshape the model first");
  dim("<dim/>", "4:42: dim: found '', expected an integer");
  dim("<dim>H</dim>", "4:42: dim: found 'H', expected an integer");
  ExpectError(kGoodNet,
              {{"        <port id=\"0\" precision=\"FP32\"><dim>1</dim><dim>2</dim><dim>4</dim></port>",
                "        <port id=\"0\" precision=\"FP32\"><dim>1</dim><dim>2</dim><dim>6</dim></port>"}},
              "14:9: port 0 of layer 'up': found dims [1,2,6], expected [1,2,4] of layer 'data' that feeds it");
}

TEST_F(BrokenFiles, WrongTypesAreNamedWithTheirPlace) {
  ExpectError(kGoodNet, {{R"(<output><port id="0" precision="FP32"><dim>1)", R"(<output><port id="0"><dim>1)"}},
              "5:15: <port> has no attribute 'precision'");
  ExpectError(kGoodLayer, {{"FP32", "FP8"}},
              "8:5: precision: found 'FP8', expected one of FP64, FP32, FP16, BF16, I8 to I64, U8 to U64");
  const auto parameter = [&](std::string_view data, std::string_view error) {
    ExpectError(kGoodNet, {{R"(<data shape="1, 2, 4" element_type="f32"/>)", data}}, error);
  };
  parameter(R"(<data shape="1, 2, 4" element_type="float"/>)",
            "4:7: element_type: found 'float', expected one of f64, f32, f16, bf16, i8 to i64, u8 to u64");
  parameter(R"(<data shape="1, 2, 4" element_type="f16"/>)",
            "4:7: element_type: found f16, expected f32, the precision of the output port");
  parameter(R"(<data shape="1, 2, 5" element_type="f32"/>)",
            "4:7: shape: found [1,2,5], expected [1,2,4], the dims of the output port");
  parameter(R"(<data shape="?, 2, 4" element_type="f32"/>)", "4:7: shape: found '?', expected an integer");
  parameter("", "3:5: layer 'data' has no <data>");
}

TEST_F(BrokenFiles, LayersWithWrongPortsOrTypesAreRefused) {
  ExpectError(kGoodLayer, {{R"( type="ConvolutionBackpropData")", ""}}, "1:1: <layer> has no attribute 'type'");
  ExpectError(kGoodLayer, {{R"("ConvolutionBackpropData")", R"("Convolution")"}},
              "1:1: layer type: found 'Convolution', expected ConvolutionBackpropData or GroupConvolutionBackpropData");
  ExpectError(kGoodNet, {{R"(id="1" name="filter")", R"(name="filter")"}}, "7:5: <layer> has no attribute 'id'");
  ExpectError(kGoodNet, {{R"(id="1" name="filter")", R"(id="0" name="filter")"}}, "7:5: layer id 0 is used twice");
  ExpectError(kGoodLayer, {{"    <port id=\"1\"><dim>2</dim><dim>3</dim><dim>3</dim><dim>3</dim></port>\n", ""}},
              "1:1: layer 'up' has 1 input ports, expected 2 or 3 (data, filter, output_shape)");
  constexpr std::string_view port = R"(<port id="3"><dim>2</dim></port>)";
  ExpectError(kGoodLayer, {{"</input>", std::string(port) + std::string(port) + "</input>"}},
              "1:1: layer 'up' has 4 input ports, expected 2 or 3 (data, filter, output_shape)");
  ExpectError(kGoodLayer, {{"  </output>", std::string(port) + "  </output>"}},
              "9:1: layer 'up' has a second output port, expected one");
}

TEST_F(BrokenFiles, WrongEdgesAreNamedWithTheirPlace) {
  const auto edge = [&](std::string_view element, std::string_view error) {
    ExpectError(kGoodNet, {{R"(<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>)", element}}, error);
  };
  edge("", "15:9: no edge leads into port 1 of layer 'up'");
  edge(R"(<edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>)",
       "25:5: port 0 of layer 2 has a second incoming edge");
  edge(R"(<edge from-layer="7" from-port="0" to-layer="2" to-port="1"/>)", "25:5: edge: there is no layer with id 7");
  edge(R"(<edge from-layer="1" from-port="1" to-layer="2" to-port="1"/>)",
       "7:5: layer 'filter' has no output port 1, which an edge into layer 'up' names");
  edge(R"(<edge from-layer="1" to-layer="2" to-port="1"/>)", "25:5: <edge> has no attribute 'from-port'");
  ExpectError(kGoodNet,
              {{R"(name="filter" type="Parameter")", R"(name="filter" type="Convert")"},
               {R"(<data shape="2, 3, 3" element_type="f32"/>)",
                R"(<data destination_type="f32"/><input><port id="1" precision="FP32"/></input>)"},
               {"</edges>", R"(<edge from-layer="1" from-port="0" to-layer="1" to-port="1"/></edges>)"}},
              "7:5: layer 'filter': found more than 8 Convert and Reshape layers before a filter");
}

TEST_F(BrokenFiles, WrongPlacesOfConstantsAreRefused) {
  std::ofstream(folder_ / "net.bin") << std::string(88, 'w');
  const auto constant = [&](std::string_view place, std::string_view error) {
    ExpectError(kGoodNet,
                {{R"(name="filter" type="Parameter")", R"(name="filter" type="Const")"},
                 {R"(<data shape="2, 3, 3" element_type="f32"/>)",
                  R"(<data shape="2, 3, 3" element_type="f32" )" + std::string(place) + "/>"}},
                error);
  };
  constant(R"(offset="24" size="72")", "8:7: bytes 24 to 96 of net.bin: the file has 88");
  constant(R"(size="72")", "8:7: <data> has no attribute 'offset'");
  constant(R"(offset="-8" size="72")", "8:7: offset and size: found -8 and 72, expected no negative number");
  constant(R"(offset="9223372036854775807" size="72")",
           "8:7: bytes 9223372036854775807 to 9223372036854775879 of net.bin: the file has 88");
  constant(R"(offset="0" size="70")", "8:7: size: found 70 bytes, expected 72 for shape [2,3,3] of f32");
  fs::remove(folder_ / "net.bin");
  constant(R"(offset="0" size="72")", "8:7: constants lie in net.bin: No such file or directory");
}

TEST_F(BrokenFiles, WrongOutputShapesAreRefused) {
  ExpectError(
      kGoodNet,
      {{"    <layer id=\"2\"",
        R"(    <layer id="4" name="shape" type="Const" version="opset1"><data shape="1" element_type="f32" offset="0" size="4"/>
      <output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>
    <layer id="2")"},
       {"      </input>\n      <output><port id=\"2\"",
        "<port id=\"2\" precision=\"FP32\"><dim>1</dim></port></input>\n      <output><port id=\"3\""},
       {R"(<edge from-layer="2" from-port="2")",
        R"(<edge from-layer="4" from-port="0" to-layer="2" to-port="2"/><edge from-layer="2" from-port="3")"}},
      "11:5: layer 'shape' feeds output_shape: found type f32, expected an integer type");
  ExpectError(kGoodLayer,
              {{"  </input>", R"(<port id="2"><dim>2</dim></port></input>)"},
               {R"(  <output>
    <port id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>7</dim><dim>9</dim></port>
  </output>
)",
                ""}},
              "1:1: layer 'up': the values of its third input are not in the file, and it declares no output dims that "
              "could stand for them");
}

}  // namespace
}  // namespace conformance
