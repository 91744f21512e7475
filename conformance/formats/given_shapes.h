// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts sizes that the user gave into an ONNX graph, and computes the sizes of other values that follow from them. A
// case needs every size, but models often leave some open: a dim is then a symbol such as "batch", or unknown.

#ifndef DECONV_CONFORMANCE_FORMATS_GIVEN_SHAPES_H_
#define DECONV_CONFORMANCE_FORMATS_GIVEN_SHAPES_H_

#include <string>
#include <vector>

#include "conformance/formats/import_model.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// Puts the sizes of the hints into the graph. A hint is a --shape option: it names an input, another value of the
/// graph, or a symbol of its shapes (with one size). A symbol gets the size that a hint has at its position.
/// Expressions of symbols are then evaluated. Returns an empty string, or which hint is wrong: an unknown name, another
/// rank, or a size that differs from the size in the file.
std::string ApplyShapeHints(const std::vector<ShapeHint>& hints, OnnxGraph& graph);

/// Lists the inputs whose shapes still have open dims: "x [n,3,h,w], length [?]". Empty if there is none.
std::string OpenInputs(const OnnxGraph& graph);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_GIVEN_SHAPES_H_
