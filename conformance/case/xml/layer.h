// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads transposed convolutions from XML as test cases: the bare <layer> of OpenVINO's specification, or the <net> of a
// model. The format of models is called IR (intermediate representation); its versions 10 and 11 are read.

#ifndef DECONV_CONFORMANCE_CASE_XML_LAYER_H_
#define DECONV_CONFORMANCE_CASE_XML_LAYER_H_

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

/// A layer of a file, and the test case that is made from it.
struct LayerCase {
  std::string name;  ///< the layer's name attribute
  Case test_case;
  oracle::Dims declared_output;  ///< the dims of the layer's output port, as the file has them; empty if absent or open
  std::string filter_note;       ///< why the filter's values could not be read; empty if they were, or not asked for
};

/// The message is one line: the file, line and column or the layer, what was found, and what was expected.
struct ReadError {
  std::string message;
};

/// Reads every transposed convolution of a file, in the order of the file. Limits: 64 MiB of XML, 100,000 layers. The
/// values of a third input (output_shape) come from the Const layer that feeds it. A bare layer has no Const, so that
/// its declared output dims replace the values (the specification's Example 3 gives the values only in a comment). The
/// .bin of a net is `file` with extension .bin.
std::variant<std::vector<LayerCase>, ReadError> ReadLayerXml(const std::filesystem::path& file);

/// Writes a case of one of OpenVINO's two operators as an IR v11 net that OpenVINO can load. Data and filter are
/// Parameters. ReadLayerXml reads the same operator back.
std::string ToIrXml(const std::string& net_name, const Case& test_case, const oracle::Dims& output_dims);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_XML_LAYER_H_
