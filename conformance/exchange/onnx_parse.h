// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses untrusted bytes as an ONNX model or tensor.

#ifndef DECONV_CONFORMANCE_EXCHANGE_ONNX_PARSE_H_
#define DECONV_CONFORMANCE_EXCHANGE_ONNX_PARSE_H_

#include <string>
#include <string_view>

#include <onnx/onnx_pb.h>

namespace conformance::exchange {

/// Empty, or what is wrong with the bytes. What the model takes in memory is bounded beforehand, by a walk through the
/// bytes alone: a message of two bytes becomes an object of some hundred.
std::string ParseOnnx(std::string_view bytes, onnx::ModelProto& model);

/// The same for the file of one tensor (a test_data_set's input_0.pb).
std::string ParseOnnxTensor(std::string_view bytes, onnx::TensorProto& tensor);

}  // namespace conformance::exchange

#endif  // DECONV_CONFORMANCE_EXCHANGE_ONNX_PARSE_H_
