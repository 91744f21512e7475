// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the import of models from OpenVINO's XML (IR): one layer that cannot be read does not stop the others, bodies
// of loops are read, and declared output dims are compared. It also tests the list of imported cases.

#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/formats/import_model.h"

namespace conformance::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Layer "up" and "up3" have all shapes; the data of "up2" have an open dim.
const std::string kNet = R"(<net name="n" version="11"><layers>
  <layer id="0" name="in" type="Parameter"><data shape="1,2,4" element_type="f32"/>
    <output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim></port></output></layer>
  <layer id="1" name="w" type="Const"><data shape="2,3,3" element_type="f32" offset="0" size="72"/>
    <output><port id="0" precision="FP32"><dim>2</dim><dim>3</dim><dim>3</dim></port></output></layer>
  <layer id="2" name="up" type="ConvolutionBackpropData"><data strides="2"/>
    <input><port id="0"><dim>1</dim><dim>2</dim><dim>4</dim></port><port id="1"><dim>2</dim><dim>3</dim><dim>3</dim></port></input>
    <output><port id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>9</dim></port></output></layer>
  <layer id="3" name="open" type="Parameter"><data shape="?,2,4" element_type="f32"/>
    <output><port id="0" precision="FP32"><dim>-1</dim><dim>2</dim><dim>4</dim></port></output></layer>
  <layer id="4" name="up2" type="ConvolutionBackpropData"><data strides="2"/>
    <input><port id="0"/><port id="1"/></input>
    <output><port id="2" precision="FP32"><dim>-1</dim><dim>3</dim><dim>9</dim></port></output></layer>
  <layer id="5" name="up3" type="ConvolutionBackpropData"><data strides="2"/>
    <input><port id="0"/><port id="1"/></input>
    <output><port id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>9</dim></port></output></layer>
</layers><edges>
  <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
  <edge from-layer="3" from-port="0" to-layer="4" to-port="0"/><edge from-layer="1" from-port="0" to-layer="4" to-port="1"/>
  <edge from-layer="0" from-port="0" to-layer="5" to-port="0"/><edge from-layer="1" from-port="0" to-layer="5" to-port="1"/>
</edges></net>)";

TEST(ImportXml, OperatorsOfOtherVersionsAreNamed) {
  std::string net = kNet;
  net.replace(net.find("ConvolutionBackpropData"), std::string("ConvolutionBackpropData").size(), "Deconvolution");
  const auto read = std::get<ImportedModel>(ImportXml(net, "net.xml", {}));
  EXPECT_EQ(read.layers.size(), 1U);
  ASSERT_EQ(read.skipped.size(), 2U);
  EXPECT_EQ(read.skipped[0].name, "up");
  EXPECT_THAT(read.skipped[0].reason, HasSubstr("is of type Deconvolution, as in IR before version 10"));
}

TEST(ImportXml, OneDynamicLayerDoesNotStopTheOthers) {
  const auto read = std::get<ImportedModel>(ImportXml(kNet, "net.xml", {}));
  ASSERT_EQ(read.layers.size(), 2U);
  EXPECT_EQ(ToLine(read.layers[0].test_case), "ConvolutionBackpropData:data=1,2,4:filter=2,3,3:strides=2");
  ASSERT_EQ(read.skipped.size(), 1U);
  EXPECT_EQ(read.skipped[0].name, "up2");
  EXPECT_THAT(read.skipped[0].reason,
              HasSubstr("value 'open': found dims [-1,2,4], expected every dim to be known; give --shape "
                        "open=DIMS, or run deconv-capture"));
  CaseList list;
  list.Add(read, "net.xml");
  EXPECT_EQ(list.layers(), 2U);
  EXPECT_EQ(list.Text(),
            "# 2 layers, 1 different cases\n"
            "ConvolutionBackpropData:data=1,2,4:filter=2,3,3:strides=2  # 2 layers: net.xml: up, net.xml: up3\n");
}

std::string ErrorOf(const ImportOptions& options) {
  return std::get<ReadError>(ImportXml(kNet, "net.xml", options)).message;
}

TEST(ImportXml, AGivenShapeStandsForOpenDims) {
  const auto read = std::get<ImportedModel>(ImportXml(kNet, "net.xml", {.shapes = {{"open", {3, 2, 4}}}}));
  ASSERT_EQ(read.layers.size(), 3U);
  EXPECT_TRUE(read.skipped.empty());
  EXPECT_EQ(ToLine(read.layers[1].test_case), "ConvolutionBackpropData:data=3,2,4:filter=2,3,3:strides=2");
  EXPECT_THAT(read.layers[1].notes, testing::IsEmpty());
}

TEST(ImportXml, AGivenShapeMustFitTheModel) {
  EXPECT_EQ(ErrorOf({.shapes = {{"open", {3, 2}}}}), "net.xml: --shape open: found [3,2], the model has [-1,2,4]");
  EXPECT_EQ(ErrorOf({.shapes = {{"in", {2, 2, 4}}}}), "net.xml: --shape in: found [2,2,4], the model has [1,2,4]");
  EXPECT_EQ(
      ErrorOf({.shapes = {{"opne", {3, 2, 4}}}}),
      "net.xml: --shape opne: the model has no such value (did you mean open?); it leaves dims open of open, up2");
}

TEST(ImportXml, AFilterWithoutValuesIsNoted) {
  const auto read = std::get<ImportedModel>(ImportXml(kNet, "none.xml", {.weights = true}));
  ASSERT_EQ(read.layers.size(), 2U);
  EXPECT_FALSE(read.layers[0].test_case.filter_values);
  EXPECT_THAT(read.layers[0].notes, ElementsAre("a data set fills its filter: none.bin is missing"));
}

TEST(ImportXml, BodiesOfLoopsAreLookedInto) {
  std::string body = kNet.substr(kNet.find("<layers>"));
  body.resize(body.rfind("</net>"));
  const std::string net = "<net><layers><layer id=\"0\" name=\"loop\" type=\"TensorIterator\"><body>" + body +
                          "</body></layer></layers><edges/></net>";
  const auto read = std::get<ImportedModel>(ImportXml(net, "net.xml", {}));
  ASSERT_EQ(read.layers.size(), 2U);
  EXPECT_EQ(read.layers[0].name, "loop/up");
}

TEST(ImportXml, TheDialectWhoseOutputTheModelDeclaresIsNamed) {
  const std::string layer = R"(<layer id="5" name="up" type="ConvolutionBackpropData"><data strides="1"/>
    <input><port id="0"><dim>1</dim><dim>2</dim><dim>4</dim></port><port id="1"><dim>2</dim><dim>3</dim><dim>3</dim></port></input>
    <output><port id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>7</dim></port></output></layer>)";
  const auto read = std::get<ImportedModel>(ImportXml(layer, "layer.xml", {}));
  ASSERT_EQ(read.layers.size(), 1U);
  EXPECT_THAT(read.layers[0].notes, ElementsAre("the model declares output dims [1,3,7], openvino-spec gives [1,3,6]"));
}

}  // namespace
}  // namespace conformance::formats
