// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads OpenVINO IR models of other programs, and writes a case as a net with its .bin file.

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

/// A layer that could not be read, and why: a line as of a ReadError.
struct UnreadLayer {
  std::string name;
  std::string reason;
};

struct ModelLayers {
  std::vector<LayerCase> layers;
  std::vector<UnreadLayer> unread;
};

/// Dims of values that a model leaves open, by the name of the layer that computes the value, or of the tensor.
using GivenShapes = std::map<std::string, oracle::Dims, std::less<>>;

/// Whether an operator of this type is a transposed convolution, by the names that formats and libraries give to it.
bool IsTransposedConvolution(std::string_view type);

/// Reads the layers that ReadLayerXml reads, from the text of a model that was not made for the suite. A layer that
/// cannot be read, or whose operator has another name, costs that layer alone. Bodies of loops and branches are looked
/// into, and a net may have no such layer. `file` names the model in messages, and its .bin. Without `weights` no
/// filter has values, and with them a note says which one has none. A .bin that is missing leaves output_shape to the
/// declared output dims. Wrong `shapes` are an error: an unknown name, or dims that the model contradicts.
std::variant<ModelLayers, ReadError> ParseModelXml(std::string text, const std::filesystem::path& file, bool weights,
                                                   const GivenShapes& shapes = {});

/// A model and what its constants hold.
struct IrModel {
  std::string xml;
  std::string bin;
};

/// The case as ToIrXml has it, with filter and output_shape as Const: `filter_bytes` are the filter's elements, and an
/// output_shape keeps its values.
IrModel ToIrModel(const std::string& net_name, const Case& test_case, const oracle::Dims& output_dims,
                  std::string_view filter_bytes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_XML_MODEL_H_
