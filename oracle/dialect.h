// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A dialect: one reading of how attributes turn into (pads_begin, output size), where the sources disagree.

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
  kOpenvinoRuntime,  ///< what OpenVINO's code does
  kOnednnSpec,       ///< the document of ConvolutionBackwardData
  kOnnx11,           ///< the text of ConvTranspose-11
};

inline constexpr std::array kDialects = {Dialect::kOpenvinoSpec, Dialect::kOpenvinoRuntime, Dialect::kOnednnSpec,
                                         Dialect::kOnnx11};

/// "openvino-spec", "openvino-runtime", "onednn-spec", "onnx-11".
std::string_view DialectName(Dialect dialect);
std::optional<Dialect> ParseDialect(std::string_view name);

/// Whether `dialect` gives a meaning to operators of `kind`: the legal pairs.
bool Speaks(Dialect dialect, OperatorKind kind);

/// The dialects that give a meaning to operators of `kind`, the specification's own first.
std::span<const Dialect> DialectsOf(OperatorKind kind);

}  // namespace oracle

#endif  // DECONV_ORACLE_DIALECT_H_
