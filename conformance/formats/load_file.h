// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a whole file into memory, up to a limit of its size.

#ifndef DECONV_CONFORMANCE_FORMATS_LOAD_FILE_H_
#define DECONV_CONFORMANCE_FORMATS_LOAD_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "conformance/case/xml/layer.h"

namespace conformance::formats {

/// Returns the content of a file of at most `most_bytes`, or an error. Refuses pipes and devices, which could block the
/// reader.
std::variant<std::string, ReadError> LoadFile(const std::filesystem::path& file, std::uintmax_t most_bytes);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_LOAD_FILE_H_
