// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports one line of another tool as a case (an operator to test): a call in the source of PyTorch, Keras or
// TensorFlow, a problem of oneDNN's benchdnn, or a line of ONEDNN_VERBOSE. Bug reports carry such lines as often as
// models.

#ifndef DECONV_CONFORMANCE_FORMATS_LINES_IMPORT_LINE_H_
#define DECONV_CONFORMANCE_FORMATS_LINES_IMPORT_LINE_H_

#include <string_view>

#include "conformance/formats/import_model.h"

namespace conformance::formats {

/// Imports a line. It may begin with the name of a tool: "torch: ConvTranspose2d(...)", "keras: ...", "tf: ...",
/// "benchdnn: ...", "onednn: ...". Otherwise the names in the line decide. `options.shapes` holds the dims of the data
/// under the empty name, and dims of other arguments under their names. Notes name parts of the line that the case
/// lacks, such as a bias. A ReadError says what a case cannot express, or what is missing.
Import ImportLine(std::string_view line, const ImportOptions& options);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_LINES_IMPORT_LINE_H_
