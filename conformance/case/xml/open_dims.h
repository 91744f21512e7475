// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Dims that an OpenVINO IR leaves open (-1), and those that the user gives in their place.

#ifndef DECONV_CONFORMANCE_CASE_XML_OPEN_DIMS_H_
#define DECONV_CONFORMANCE_CASE_XML_OPEN_DIMS_H_

#include <pugixml.hpp>
#include <string>

#include "conformance/case/xml/model.h"
#include "conformance/case/xml/parts.h"

namespace conformance::layer_xml {

bool IsOpen(const oracle::Dims& dims);

/// Whether both have one rank and are equal where neither is open.
bool Fits(const oracle::Dims& one, const oracle::Dims& other);

/// Returns an empty string, or the first of the given shapes that is wrong: an unknown name, another rank, another size
/// than a fixed one. All values below `net` count, those of the bodies of loops and branches among them.
std::string WrongShape(const Source& source, pugi::xml_node net, const GivenShapes& shapes);

/// The dims of a layer's output port. Throws if they are open and not given, with the name to give.
oracle::Dims OutputDims(const Source& source, pugi::xml_node layer, pugi::xml_node port, const GivenShapes& shapes);

}  // namespace conformance::layer_xml

#endif  // DECONV_CONFORMANCE_CASE_XML_OPEN_DIMS_H_
