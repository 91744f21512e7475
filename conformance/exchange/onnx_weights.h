// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the place of an ONNX tensor's bytes in a file, so that a case can name it.

#ifndef DECONV_CONFORMANCE_EXCHANGE_ONNX_WEIGHTS_H_
#define DECONV_CONFORMANCE_EXCHANGE_ONNX_WEIGHTS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include <onnx/onnx_pb.h>

#include "conformance/case/case.h"

namespace conformance::exchange {

class WeightPlaces {
 public:
  /// `bytes` are those of the model in `file`; both must outlive this.
  WeightPlaces(std::string_view bytes, const std::filesystem::path& file) : bytes_(bytes), file_(file) {}

  /// The place in the model's file, or in the file beside it that the tensor names; or why there is none.
  std::variant<FileValues, std::string> Find(const onnx::TensorProto& tensor, const oracle::TensorType& filter);

 private:
  std::variant<FileValues, std::string> FindBytes(const std::string& raw);

  std::string_view bytes_;
  const std::filesystem::path& file_;
  std::size_t cursor_ = 0;     ///< behind what was found last: tensors stand in the order of their use, mostly
  std::uint64_t scanned_ = 0;  ///< bytes looked through
};

}  // namespace conformance::exchange

#endif  // DECONV_CONFORMANCE_EXCHANGE_ONNX_WEIGHTS_H_
