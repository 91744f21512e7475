// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports the test vectors of other projects: operators with their operands and recorded outputs.

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

/// A folder with model.onnx and test_data_set_N/{input_I.pb,output_0.pb}: a case for each data set.
Import ImportTestData(const std::filesystem::path& folder, const ImportOptions& options);

/// The JSON of a oneDNN graph: its nodes ConvolutionBackwardData and ConvTranspose. It has no values.
Import ImportGraphJson(std::string_view text, const std::filesystem::path& file, const ImportOptions& options);

/// Data, filter and output as .npy files, for the operator of a case line. The line may leave out `data`, `filter` and
/// `type`: then the files say them. The filter may also be a model: then it is that of the layer that fits the line.
Import ImportNpy(std::string line, const std::array<std::string, 3>& files, const ImportOptions& options);

/// Values for a case line: in the line, if there are few and `may_be_inline`; else in a new .npy file of the folder. Or
/// what is wrong.
std::variant<GivenValues, std::string> KeepValues(std::span<const std::byte> bytes, oracle::ElementType type,
                                                  const oracle::Dims& dims, const std::string& folder,
                                                  const std::string& name, bool may_be_inline = true);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_IMPORT_DATA_H_
