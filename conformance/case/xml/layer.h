// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads transposed convolutions from XML: the bare <layer> of the specification, or an OpenVINO IR v10/v11 <net>.

#ifndef DECONV_CONFORMANCE_CASE_XML_LAYER_H_
#define DECONV_CONFORMANCE_CASE_XML_LAYER_H_

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

struct LayerCase {
  std::string name;  ///< the layer's name attribute
  Case test_case;
  oracle::Dims declared_output;  ///< the dims of the layer's output port, as the file has them; empty if absent or open
  std::string filter_note;       ///< why a filter that was asked for has no values of the file; empty: it has them
};

/// One clear line: the file, the line and column or the layer, what was found, what was expected.
struct ReadError {
  std::string message;
};

/// Every transposed convolution of the file, in its order. Limits: 64 MiB of XML, 100,000 layers.
/// The third input's values come from its Const; in a bare layer from the declared output dims (the specification's
/// Example 3 gives them only in a comment). A net's .bin is `file` with the extension replaced.
std::variant<std::vector<LayerCase>, ReadError> ReadLayerXml(const std::filesystem::path& file);

/// The case as a loadable IR v11 net with data and filter as Parameter; parses back to the same operator.
/// Only for the two OpenVINO operators.
std::string ToIrXml(const std::string& net_name, const Case& test_case, const oracle::Dims& output_dims);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_XML_LAYER_H_
