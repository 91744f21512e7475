// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How suites build operators: a draft says the meaning along each axis, and Build writes it with the attributes of any
// of the four operators.

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
  std::optional<std::int64_t> output = std::nullopt;  ///< asked for as output_shape; on all axes or on none

  /// Size without pads and output_padding (clause P1).
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
  std::optional<DataFormat> data_format = std::nullopt;        ///< ConvolutionBackwardData; without a value As chooses
  std::optional<WeightsFormat> weights_format = std::nullopt;  ///< ConvolutionBackwardData; without a value As chooses
  bool dst_shape_is_input = false;  ///< ConvolutionBackwardData: third input instead of attribute
  std::optional<oracle::ElementType> shape_type = std::nullopt;  ///< of a third input; without a value Build chooses

  bool HasOutput() const { return !axes.empty() && axes.front().output.has_value(); }
  /// The layouts of ConvolutionBackwardData that the formats mean. All other operators are planar.
  bool IsNxc() const {
    return kind == oracle::OperatorKind::kConvolutionBackwardData && data_format != DataFormat::kNcx;
  }
  bool IsXio() const {
    return kind == oracle::OperatorKind::kConvolutionBackwardData && weights_format != WeightsFormat::kOix;
  }
};

/// The draft in the words of its operator: auto_pad so spelled, groups and output shape where it wants them.
/// ConvolutionBackwardData always gets a dst_shape: where the draft asks for none, the one that OpenVINO's formulas
/// give. ConvTranspose gets no pads beside same_* and valid, which exclude them. output_padding stands only where it is
/// not 0. A third input without a type is s32 for ConvolutionBackwardData, as its document says, and for OpenVINO's
/// operators one of the eight integer types, most often i64: a hash of the draft chooses.
oracle::Operator Build(const OperatorDraft& draft);

/// The operator so spelled that `dialect` can read it, with the same meaning. oneDNN's library takes other names for
/// auto_pad (clause A17). TensorFlow takes an output_shape in place of an output_padding (clauses S22, A23).
oracle::Operator Spelled(oracle::Operator op, oracle::Dialect dialect);

/// Whether a clause of this dialect alone, which its title begins with, leaves the operator out: what a library refuses
/// beyond its document, or what a text does not say. No other clause counts.
bool LeftOut(const oracle::Operator& op, oracle::Dialect dialect);

/// "cbd", "gcbd", "cbw", "ct": the operators in case names.
std::string_view ShortName(oracle::OperatorKind kind);

/// Multiply-adds of an operator at most: each data element meets each output channel of its group with each tap.
double MultiplyAdds(const oracle::Operator& op);

/// The draft as another operator: groups appear and vanish as it can have them, element types stay if it has them. For
/// ConvolutionBackwardData a hash of the draft chooses the formats that the draft does not say. So a draft gets the
/// same formats in every list, and most drafts get the document's defaults, NXC and XIO.
OperatorDraft As(oracle::OperatorKind kind, OperatorDraft draft);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_OPERATOR_DRAFT_H_
