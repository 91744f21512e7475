// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Drafts, from which the suites (lists of test cases) build operators. A draft describes an operator independently of
// its kind: sizes, strides and pads of each axis, channels, formats. Build writes a draft as any of the four kinds,
// such as ConvTranspose of ONNX, with the attributes that this kind has. The clauses in comments are the numbered rules
// of oracle/clauses.md.

#ifndef DECONV_CONFORMANCE_CASE_OPERATOR_DRAFT_H_
#define DECONV_CONFORMANCE_CASE_OPERATOR_DRAFT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

struct AxisDraft {
  std::int64_t data = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pads_begin = 0;
  std::int64_t pads_end = 0;
  std::int64_t output_padding = 0;
  std::optional<std::int64_t> output = std::nullopt;  ///< size in the output shape; set on all axes or on none

  /// The output size without pads and output_padding (clause P1).
  std::int64_t Natural() const { return stride * (data - 1) + (kernel - 1) * dilation + 1; }
};

enum class AutoPad { kExplicit, kSameUpper, kSameLower, kValid };

/// "explicit", "same_upper", "same_lower", "valid".
std::string_view AutoPadName(AutoPad auto_pad);

/// How an operator writes data_format and weights_format. Absent means NXC and XIO.
enum class DataFormat { kAbsent, kNcx, kNxc };
enum class WeightsFormat { kAbsent, kOix, kXio };

struct OperatorDraft {
  oracle::OperatorKind kind = oracle::OperatorKind::kConvolutionBackpropData;
  std::int64_t batch = 1;
  std::int64_t groups = 1;  ///< must be 1 for ConvolutionBackpropData
  std::int64_t in = 2;      ///< channels of a group
  std::int64_t out = 3;     ///< channels of a group
  std::vector<AxisDraft> axes = {};
  std::optional<AutoPad> auto_pad = std::nullopt;
  oracle::ElementType type = oracle::ElementType::kF32;
  std::optional<DataFormat> data_format = std::nullopt;        ///< ConvolutionBackwardData; nullopt: As chooses
  std::optional<WeightsFormat> weights_format = std::nullopt;  ///< ConvolutionBackwardData; nullopt: As chooses
  bool dst_shape_is_input = false;  ///< ConvolutionBackwardData: third input instead of attribute
  std::optional<oracle::ElementType> shape_type = std::nullopt;  ///< type of the third input; nullopt: Build chooses

  bool HasOutput() const { return !axes.empty() && axes.front().output.has_value(); }
  /// The layouts that the formats of ConvolutionBackwardData mean. Other operators always have NCX and OIX.
  bool IsNxc() const {
    return kind == oracle::OperatorKind::kConvolutionBackwardData && data_format != DataFormat::kNcx;
  }
  bool IsXio() const {
    return kind == oracle::OperatorKind::kConvolutionBackwardData && weights_format != WeightsFormat::kOix;
  }
};

/// Writes the draft as an operator of its kind. The spelling of attributes, and whether an output shape is an attribute
/// or an input, follow the kind's document.
/// - ConvolutionBackwardData always gets a dst_shape. If the draft has none, OpenVINO's formulas give it.
/// - ConvTranspose gets no pads if auto_pad is same_* or valid, because they exclude each other.
/// - output_padding is written only if an element is not 0.
/// - A third input without shape_type: ConvolutionBackwardData gets s32, as its document says. OpenVINO's operators get
///   one of the eight integer types, most often i64; a hash of the draft chooses it.
oracle::Operator Build(const OperatorDraft& draft);

/// Rewrites the operator so that `dialect` accepts it; its meaning stays. oneDNN's library has other names for auto_pad
/// (clause A17). TensorFlow needs an output_shape instead of output_padding (clauses S22, A23).
oracle::Operator Spelled(oracle::Operator op, oracle::Dialect dialect);

/// Whether the dialect refuses the operator by a clause of its own: a numbered rule whose title begins with the
/// dialect's name. Such clauses state what a library refuses although its document allows it, or what a text does not
/// define.
bool IsRefusedByOwnClause(const oracle::Operator& op, oracle::Dialect dialect);

/// "cbd", "gcbd", "cbw", "ct": the operators in case names.
std::string_view ShortName(oracle::OperatorKind kind);

/// An upper bound of an operator's multiply-adds: data elements times output channels of a group times taps.
double MultiplyAdds(const oracle::Operator& op);

/// Converts the draft to another kind of operator. A kind without groups gets all input channels in one group. An
/// element type that the kind does not allow becomes f32. For ConvolutionBackwardData a hash of the draft chooses
/// formats that are not set: a draft gets the same formats in every case list, and most drafts get the defaults NXC and
/// XIO.
OperatorDraft As(oracle::OperatorKind kind, OperatorDraft draft);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_OPERATOR_DRAFT_H_
