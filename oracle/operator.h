// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes one transposed convolution as a model gives it: types and shapes of the inputs, and the attributes. Nothing
// is checked, and defaults are not filled in. An `Operator` may be invalid in any way, because libraries also meet
// invalid models, and the suite tests that they refuse them.

#ifndef DECONV_ORACLE_OPERATOR_H_
#define DECONV_ORACLE_OPERATOR_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/element_type.h"

namespace oracle {

/// A shape, coordinates, or an attribute with one value for each spatial axis.
using Dims = std::vector<std::int64_t>;

/// The name of the operator in its specification. All of them are transposed convolutions.
enum class OperatorKind {
  kConvolutionBackpropData,       ///< OpenVINO; filter [C_IN, C_OUT, spatial]
  kGroupConvolutionBackpropData,  ///< OpenVINO; filter [GROUPS, C_IN, C_OUT, spatial]
  kConvolutionBackwardData,       ///< oneDNN Graph; filter OIX or XIO: O channels of data, I of the output, X spatial
  kConvTranspose,                 ///< ONNX and TensorFlow; filter [C_IN, C_OUT / groups, spatial]
};

/// All operators, in the order of the enumeration.
inline constexpr std::array kOperatorKinds = {OperatorKind::kConvolutionBackpropData,
                                              OperatorKind::kGroupConvolutionBackpropData,
                                              OperatorKind::kConvolutionBackwardData, OperatorKind::kConvTranspose};

/// The enumerator's name without the k, such as "ConvTranspose".
std::string_view OperatorKindName(OperatorKind kind);
/// The operator with this name, or nullopt.
std::optional<OperatorKind> ParseOperatorKind(std::string_view name);

/// Element type and shape of data or filter.
struct TensorType {
  ElementType type = ElementType::kF32;
  Dims dims;

  bool operator==(const TensorType&) const = default;
};

/// The third input, a tensor that holds the output shape. Its rank, type and length may be wrong.
struct ShapeInput {
  ElementType type = ElementType::kI64;
  Dims dims;                         ///< dimensions of the shape tensor itself; if valid, one: the number of `values`
  std::vector<std::int64_t> values;  ///< the elements; u64 elements keep their 64 bits, so 2^64 - 1 is stored as -1

  /// Whether `type` can represent each of `values`.
  bool CanRepresentValues() const;
  bool operator==(const ShapeInput&) const = default;
};

/// One transposed convolution. An absent attribute is `nullopt`. Its meaning depends on the dialect, that is on the
/// reading of the specification by which the operator is resolved (oracle/dialect.h).
struct Operator {
  OperatorKind kind = OperatorKind::kConvolutionBackpropData;
  TensorType data;
  TensorType filter;
  std::optional<ShapeInput> output_shape;  ///< third input: `output_shape` (OpenVINO), `dst_shape` (oneDNN)

  // One value for each spatial axis.
  std::optional<Dims> strides;
  std::optional<Dims> dilations;
  std::optional<Dims> pads_begin;
  std::optional<Dims> pads_end;
  std::optional<Dims> output_padding;

  std::optional<std::string> auto_pad;  ///< spelled as given, "SAME_UPPER"

  // ConvolutionBackwardData only.
  std::optional<std::string> data_format;     ///< "NCX" or "NXC"
  std::optional<std::string> weights_format;  ///< "OIX" or "XIO"
  std::optional<Dims> dst_shape;              ///< the attribute: the whole output shape, in data_format order

  // ConvolutionBackwardData `groups`, ConvTranspose `group`.
  std::optional<std::int64_t> groups;

  // ConvTranspose only.
  std::optional<Dims> kernel_shape;            ///< the filter's spatial dimensions
  std::optional<Dims> output_shape_attribute;  ///< the output's spatial dimensions

  bool operator==(const Operator&) const = default;
};

}  // namespace oracle

#endif  // DECONV_ORACLE_OPERATOR_H_
