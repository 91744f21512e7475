// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports one line of another tool as a case: a call in the source of PyTorch, Keras or TensorFlow, a problem of
// oneDNN's benchdnn, or a line of ONEDNN_VERBOSE. Bug reports carry such lines as often as models.

#ifndef DECONV_CONFORMANCE_FORMATS_LINES_IMPORT_LINE_H_
#define DECONV_CONFORMANCE_FORMATS_LINES_IMPORT_LINE_H_

#include <string_view>

#include "conformance/formats/import_model.h"

namespace conformance::formats {

/// A line may say what it is: "torch: ConvTranspose2d(...)", "keras: ...", "tf: ...", "benchdnn: ...", "onednn: ...".
/// Without such a word the names in the line decide. `options.shapes` has the dims of data under the empty name, and
/// those of other arguments under their names in the line. What the case does not have of the line, such as a bias, is
/// noted. A ReadError says what cannot be expressed, or what is missing.
Import ImportLine(std::string_view line, const ImportOptions& options);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_LINES_IMPORT_LINE_H_
