// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles open dims: sizes that an OpenVINO IR model does not state (written as -1). The user can state them.

#ifndef DECONV_CONFORMANCE_CASE_XML_OPEN_DIMS_H_
#define DECONV_CONFORMANCE_CASE_XML_OPEN_DIMS_H_

#include <pugixml.hpp>
#include <string>

#include "conformance/case/xml/model.h"
#include "conformance/case/xml/parts.h"

namespace conformance::layer_xml {

bool IsOpen(const oracle::Dims& dims);

/// Whether two shapes have the same rank, and the same dims where neither dim is open.
bool Fits(const oracle::Dims& one, const oracle::Dims& other);

/// Checks the shapes that the user gave. Returns an empty string, or a message about the first wrong shape: an unknown
/// name, another rank, or another size than a fixed dim. It knows all tensors of `net`, also in bodies of loops.
std::string WrongShape(const Source& source, pugi::xml_node net, const GivenShapes& shapes);

/// The dims of a layer's output port; given shapes replace open dims. Throws Fault, with the name that the user must
/// give, if open dims remain.
oracle::Dims OutputDims(const Source& source, pugi::xml_node layer, pugi::xml_node port, const GivenShapes& shapes);

}  // namespace conformance::layer_xml

#endif  // DECONV_CONFORMANCE_CASE_XML_OPEN_DIMS_H_
