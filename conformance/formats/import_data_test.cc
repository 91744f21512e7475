// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the import of the JSON of oneDNN graphs: which nodes become cases, and which nodes are skipped with which
// reason.

#include "conformance/formats/import_data.h"

#include <string>
#include <variant>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance::formats {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// The JSON of a tensor of a node.
std::string Tensor(const std::string& shape, const std::string& type = "f32") {
  return fmt::format(R"({{"id": 0, "dtype": "{}", "shape": {}, "layout_type": "strided"}})", type, shape);
}

/// The JSON of a graph with two nodes: a ReLU, which is no transposed convolution, and the node "up" of this kind.
std::string Graph(const std::string& kind, const std::string& weights_format, const std::string& inputs,
                  const std::string& strides = "[2]") {
  return fmt::format(
      R"({{"version": "3.0.0", "graph": [{{"kind": "ReLU"}}, {{"id": 7, "name": "up", "kind": "{}", "attrs": {{
      "strides": {{"type": "s64[]", "value": {}}}, "pads_begin": {{"type": "s64[]", "value": [1]}},
      "pads_end": {{"type": "s64[]", "value": [0]}}, "dilations": {{"type": "s64[]", "value": [1]}},
      "groups": {{"type": "s64", "value": 1}}, "data_format": {{"type": "string", "value": "NCX"}},
      "weights_format": {{"type": "string", "value": "{}"}}}}, "inputs": [{}], "outputs": [{}]}}]}})",
      kind, strides, weights_format, inputs, Tensor("[1, 3, 9]"));
}

// Data with 4 channels and a filter with 4 input and 3 output channels.
const std::string kInputs = Tensor("[1, 4, 5]") + "," + Tensor("[4, 3, 2]");

ImportedModel Imported(const std::string& text) {
  const Import imported = ImportGraphJson(text, "graph.json", {});
  if (const auto* error = std::get_if<ReadError>(&imported)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<ImportedModel>(imported);
}

TEST(GraphJson, GivesTheOperator) {
  const ImportedModel model = Imported(Graph("ConvolutionBackwardData", "OIX", kInputs));
  ASSERT_THAT(model.layers, SizeIs(1));
  EXPECT_EQ(ToLine(model.layers[0].test_case),
            "ConvolutionBackwardData:data=1,4,5:filter=4,3,2:strides=2:dilations=1:pads_begin=1:pads_end=0:data_format="
            "NCX:weights_format=OIX:groups=1:dialect=onednn-runtime");
  EXPECT_EQ(model.layers[0].name, "up");
  // The document asks for a dst_shape.
  EXPECT_THAT(model.layers[0].notes, testing::ElementsAre(HasSubstr("refuses it by S14")));
}

TEST(GraphJson, ReadsConvTransposeInTheOtherDirection) {
  for (const auto& [theirs, ours] : {std::pair("IOX", "OIX"), std::pair("XOI", "XIO")}) {
    const std::string filter = theirs[0] == 'I' ? "[4, 3, 2]" : "[2, 3, 4]";
    const ImportedModel model = Imported(Graph("ConvTranspose", theirs, Tensor("[1, 4, 5]") + "," + Tensor(filter)));
    ASSERT_THAT(model.layers, SizeIs(1));
    EXPECT_THAT(ToLine(model.layers[0].test_case), HasSubstr(fmt::format("weights_format={}", ours)));
    // The two cases are the same operator with 4 input channels and 3 output channels.
    const oracle::Resolution resolution =
        oracle::Resolve(model.layers[0].test_case.op, oracle::Dialect::kOnednnRuntime);
    ASSERT_TRUE(resolution.ok()) << resolution.refusal->message;
    EXPECT_EQ(resolution.geometry->OutputDims(), (oracle::Dims{1, 3, 9}));
  }
}

TEST(GraphJson, SkipsNodesThatACaseCannotExpress) {
  const auto reason = [](const std::string& text) {
    const ImportedModel model = Imported(text);
    return model.skipped.empty() ? std::string("none") : model.skipped.front().reason;
  };
  EXPECT_THAT(reason(Graph("ConvTranspose", "IOX", kInputs + "," + Tensor("[3]"))), HasSubstr("has 3 inputs"));
  EXPECT_THAT(reason(Graph("ConvTranspose", "OIX", kInputs)), HasSubstr("expected XOI or IOX"));
  EXPECT_THAT(reason(Graph("ConvTranspose", "IOX", kInputs, "[1.5]")), HasSubstr("expected an integer"));
  EXPECT_THAT(reason(Graph("ConvTranspose", "IOX", kInputs, "[99999999999999999999]")),
              HasSubstr("expected an integer"));
  EXPECT_THAT(reason(Graph("ConvTranspose", "IOX", Tensor("[1, 4, 5]", "f8_e5m2") + "," + Tensor("[4, 3, 2]"))),
              HasSubstr("dtype: expected"));
}

TEST(GraphJson, OtherJsonIsRefused) {
  for (const char* text : {"", "[]", "{}", R"({"graph": 3})", "{"}) {
    const Import imported = ImportGraphJson(text, "graph.json", {});
    ASSERT_TRUE(std::holds_alternative<ReadError>(imported)) << text;
    EXPECT_THAT(std::get<ReadError>(imported).message, HasSubstr("is not the JSON of a oneDNN graph"));
  }
}

}  // namespace
}  // namespace conformance::formats
