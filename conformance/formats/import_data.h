// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports test data of other projects: operators with their input tensors and, if they exist, recorded outputs.

#ifndef DECONV_CONFORMANCE_FORMATS_IMPORT_DATA_H_
#define DECONV_CONFORMANCE_FORMATS_IMPORT_DATA_H_

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/case/case.h"
#include "conformance/formats/import_model.h"

namespace conformance::formats {

/// Imports a folder with model.onnx and test_data_set_N/{input_I.pb,output_0.pb}. Each data set becomes a case.
Import ImportTestData(const std::filesystem::path& folder, const ImportOptions& options);

/// Imports the nodes ConvolutionBackwardData and ConvTranspose from the JSON of a oneDNN graph. It has no
/// values of tensors.
Import ImportGraphJson(std::string_view text, const std::filesystem::path& file, const ImportOptions& options);

/// Imports data, filter and output from .npy files (in this order), for the operator of a case line: the text of a
/// case, such as "ConvTranspose:strides=2". The line may leave out `data`, `filter` and `type`; they then come from the
/// files. The second file may also be a model. The filter is then the filter of the only layer that fits the line.
Import ImportNpy(std::string line, const std::array<std::string, 3>& files, const ImportOptions& options);

/// Stores the values of a tensor for a case. At most 64 values are written into the case line if `may_be_inline`. Other
/// values go to a new .npy file in `folder`, whose name begins with `name`. Returns an error text if `folder` is needed
/// but is an empty string, or if the file cannot be written.
std::variant<GivenValues, std::string> KeepValues(std::span<const std::byte> bytes, oracle::ElementType type,
                                                  const oracle::Dims& dims, const std::string& folder,
                                                  const std::string& name, bool may_be_inline = true);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_IMPORT_DATA_H_
