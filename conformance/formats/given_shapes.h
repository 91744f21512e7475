// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts the sizes that a user gives into an ONNX graph, and all sizes of the file that follow from them.

#ifndef DECONV_CONFORMANCE_FORMATS_GIVEN_SHAPES_H_
#define DECONV_CONFORMANCE_FORMATS_GIVEN_SHAPES_H_

#include <string>
#include <vector>

#include "conformance/formats/import_model.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// A hint names an input, any other value of the graph, or a symbol of its shapes (with one size). Symbols take the
/// sizes that stand in their places, and dims that the file writes as expressions are evaluated. Empty, or which hint
/// is wrong: an unknown name, another rank, or another size than a fixed one.
std::string PutShapes(const std::vector<ShapeHint>& hints, OnnxGraph& graph);

/// "x [n,3,h,w], length [?]": the inputs with sizes that nobody has given. Empty if there is none.
std::string OpenInputs(const OnnxGraph& graph);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_GIVEN_SHAPES_H_
