// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the dialects. Documents and libraries disagree about the padding and the output size of a transposed
// convolution with given attributes. A dialect is one complete reading of the attributes, by one document or one
// library.

#ifndef DECONV_ORACLE_DIALECT_H_
#define DECONV_ORACLE_DIALECT_H_

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "oracle/operator.h"

namespace oracle {

enum class Dialect {
  kOpenvinoSpec,     ///< the formulas of (Group)ConvolutionBackpropData-1, literally
  kOpenvinoRuntime,  ///< the behaviour of OpenVINO's library
  kOnednnSpec,       ///< the document of ConvolutionBackwardData
  kOnednnRuntime,    ///< the behaviour of oneDNN's library
  kOnnx1,            ///< the text of ConvTranspose-1, valid until operator set 10
  kOnnx11,           ///< the text of ConvTranspose-11
  kOnnxruntime,      ///< the behaviour of ONNX Runtime
  kOnnx22,           ///< the text of ConvTranspose-22
  kTensorflow,       ///< the behaviour of TensorFlow's gradient of a convolution, written as ConvTranspose
};

/// All dialects, in the order of the enumeration.
inline constexpr std::array kDialects = {Dialect::kOpenvinoSpec,  Dialect::kOpenvinoRuntime, Dialect::kOnednnSpec,
                                         Dialect::kOnednnRuntime, Dialect::kOnnx1,           Dialect::kOnnx11,
                                         Dialect::kOnnxruntime,   Dialect::kOnnx22,          Dialect::kTensorflow};

/// "openvino-spec", "openvino-runtime", "onnx-11", "onnxruntime", and so on.
std::string_view DialectName(Dialect dialect);
/// The dialect with this name, or nullopt.
std::optional<Dialect> ParseDialect(std::string_view name);

/// Whether `dialect` defines operators of `kind`.
bool Defines(Dialect dialect, OperatorKind kind);

/// The dialects that define operators of `kind`. The first one is the default, for an operator without a dialect.
std::span<const Dialect> DialectsOf(OperatorKind kind);

}  // namespace oracle

#endif  // DECONV_ORACLE_DIALECT_H_
