// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Infers shapes inside an ONNX graph with ONNX's own inference. That library was not written for hostile files, so it
// runs in a process of its own, which may crash, hang or grow without harm.

#ifndef DECONV_CONFORMANCE_EXCHANGE_ONNX_INFER_H_
#define DECONV_CONFORMANCE_EXCHANGE_ONNX_INFER_H_

#include <string>
#include <variant>

#include <onnx/onnx_pb.h>

namespace conformance::exchange {

/// The model without its large tensors and with all shapes that could be inferred; or why there are none.
std::variant<onnx::ModelProto, std::string> InferShapes(const onnx::ModelProto& model);

/// Copies the shapes of `inferred`, which is what InferShapes made of the model of `graph`.
void AddShapes(const onnx::GraphProto& inferred, onnx::GraphProto& graph);

}  // namespace conformance::exchange

#endif  // DECONV_CONFORMANCE_EXCHANGE_ONNX_INFER_H_
