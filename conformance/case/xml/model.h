// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads OpenVINO models that other programs wrote, and writes a test case as such a model. A model is in OpenVINO's IR
// format: the XML of a net, and a .bin file with its constants. Such models have layers of any type. So the reader goes
// on after a layer that it cannot read; ReadLayerXml stops there.

#ifndef DECONV_CONFORMANCE_CASE_XML_MODEL_H_
#define DECONV_CONFORMANCE_CASE_XML_MODEL_H_

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case/xml/layer.h"

namespace conformance {

/// A layer that could not be read. `reason` is a line like the message of ReadError.
struct UnreadLayer {
  std::string name;
  std::string reason;
};

/// The layers of a model: those that became cases, and those that could not be read.
struct ModelLayers {
  std::vector<LayerCase> layers;
  std::vector<UnreadLayer> unread;
};

/// Dims from the user for tensors whose dims the model does not state. The key is the name of the tensor or of the
/// layer that computes it.
using GivenShapes = std::map<std::string, oracle::Dims, std::less<>>;

/// Whether the name of an operator type is one that formats and libraries use for a transposed convolution.
bool IsTransposedConvolution(std::string_view type);

/// Reads the transposed convolutions of a model from its text, also those in bodies of loops and branches. The result
/// may be empty. A layer that cannot be read, or has the operator of an old IR version, is added to `unread`.
/// - `file` is the model's path: messages name it, and the .bin has the same name.
/// - `weights`: whether filters get the values of the .bin. If a filter cannot, its filter_note says why.
/// - If the .bin is missing, the values of output_shape come from the declared output dims.
/// - `shapes` with an unknown name, or with dims that contradict the model, are an error.
std::variant<ModelLayers, ReadError> ParseModelXml(std::string text, const std::filesystem::path& file, bool weights,
                                                   const GivenShapes& shapes = {});

/// The text of a model, and the bytes of its constants.
struct IrModel {
  std::string xml;
  std::string bin;
};

/// Writes a case like ToIrXml, but with filter and output_shape as Const layers. `filter_bytes`: the filter's elements.
IrModel ToIrModel(const std::string& net_name, const Case& test_case, const oracle::Dims& output_dims,
                  std::string_view filter_bytes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_XML_MODEL_H_
