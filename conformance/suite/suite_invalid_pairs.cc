// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the pairs of suite `invalid`: a faulty operator and its valid neighbour. Fits valid operators to the dialects
// of libraries.

#include "conformance/suite/suite_invalid_pairs.h"

#include <array>

#include <fmt/format.h>

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

/// Output sizes from which the forward convolution computes the sizes of the data (clauses P19 to P21).
Dims ForwardSizes(const Operator& op, const oracle::Geometry& geometry) {
  const bool is_same = op.auto_pad && op.auto_pad->starts_with("SAME");
  const bool has_no_pads = op.auto_pad == "VALID";
  Dims sizes;
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const oracle::Axis& axis = geometry.axes[j];
    const std::int64_t pads = has_no_pads ? 0 : (*op.pads_begin)[j] + (*op.pads_end)[j];
    const std::int64_t natural = axis.stride * (axis.data - 1) + (axis.kernel - 1) * axis.dilation + 1;
    sizes.push_back(is_same ? axis.data * axis.stride : natural - pads);
  }
  return sizes;
}

}  // namespace

Operator AdaptedTo(Operator op, Dialect dialect) {
  op = Spelled(std::move(op), dialect);
  if (!IsRefusedByOwnClause(op, dialect)) return op;
  if (dialect == Dialect::kOnnxruntime || dialect == Dialect::kTensorflow) op.output_padding = std::nullopt;
  if (dialect == Dialect::kOnednnRuntime) {
    const oracle::Resolution resolution = oracle::Resolve(op, Dialect::kOnednnSpec);
    if (!resolution.ok()) return op;
    const Dims sizes = ForwardSizes(op, *resolution.geometry);
    Dims& shape = op.output_shape ? op.output_shape->values : *op.dst_shape;
    const auto first = static_cast<std::ptrdiff_t>(resolution.geometry->layout == oracle::DataLayout::kNxc ? 1 : 2);
    std::copy(sizes.begin(), sizes.end(), shape.begin() + first);
  }
  return op;
}

std::string ReasonOf(const oracle::Resolution& resolution) {
  std::string reason;
  for (const oracle::OpenPoint& point : resolution.open) {
    reason += fmt::format("{}clause {}: {}", reason.empty() ? "" : ", ", point.clause, point.point);
  }
  return reason + (resolution.ok() ? " may be refused or computed" : " has no meaning, so any answer is right");
}

InvalidPairs::InvalidPairs(OperatorKind kind, std::size_t rank, std::int64_t groups, FaultyOperators wanted,
                           SuiteBuilder& suite)
    : kind_(kind), rank_(rank), wanted_(wanted), suite_(suite) {
  // The draft is as simple as possible, so that libraries with few features also compute the valid neighbours.
  std::vector<AxisDraft> axes = {{.data = 4, .kernel = 3}, {.data = 5, .kernel = 2}, {.data = 3, .kernel = 3}};
  axes.resize(rank);
  // ConvolutionBackwardData has the default layout in two of three ranks, and omits the attributes in one.
  constexpr std::array kDataFormats = {DataFormat::kNcx, DataFormat::kAbsent, DataFormat::kNxc};
  constexpr std::array kWeightsFormats = {WeightsFormat::kOix, WeightsFormat::kAbsent, WeightsFormat::kXio};
  draft_ = As(kind, {.groups = groups,
                     .axes = axes,
                     .data_format = kDataFormats[rank - 1],
                     .weights_format = kWeightsFormats[rank - 1]});
}

Operator InvalidPairs::WithOutput(std::optional<AutoPad> auto_pad) const {
  OperatorDraft draft = draft_;
  for (AxisDraft& axis : draft.axes) axis.output = axis.Natural();
  draft.auto_pad = auto_pad;
  draft.dst_shape_is_input = true;
  draft.shape_type = openvino() ? oracle::ElementType::kI64 : oracle::ElementType::kI32;
  return Build(draft);
}

std::size_t InvalidPairs::first_kernel_axis() const {
  if (kind_ == OperatorKind::kGroupConvolutionBackpropData) return 3;
  return draft_.IsXio() ? 0 : 2;
}

void InvalidPairs::Add(const std::string& name, std::string_view clause, const Operator& invalid,
                       const Operator& valid) {
  for (const Dialect dialect : oracle::DialectsOf(kind_)) AddFor(dialect, name, clause, invalid, valid);
}

void InvalidPairs::AddFor(Dialect dialect, const std::string& name, std::string_view clause, const Operator& invalid,
                          const Operator& valid) {
  const Operator neighbour = AdaptedTo(valid, dialect);
  if (IsRefusedByOwnClause(neighbour, dialect)) return;
  // The faulty operator keeps only the member that has the fault. All others become those of the fitted neighbour.
  Operator faulty = invalid;
  const auto take_from_neighbour = [&](auto member) {
    if (invalid.*member == valid.*member) faulty.*member = neighbour.*member;
  };
  take_from_neighbour(&Operator::auto_pad);
  take_from_neighbour(&Operator::output_padding);
  take_from_neighbour(&Operator::dst_shape);
  take_from_neighbour(&Operator::output_shape);
  take_from_neighbour(&Operator::output_shape_attribute);
  const oracle::Resolution resolution = oracle::Resolve(faulty, dialect);
  const oracle::RequiredAnswer required_answer = resolution.required_answer();
  const std::string groups = draft_.groups == 1 ? "" : fmt::format(".g{}", draft_.groups);
  const std::string name_in_dialect =
      fmt::format("{}.{}.{}d{}.{}", name, ShortName(kind_), rank_, groups, DialectName(dialect));
  if (wanted_ == FaultyOperators::kOpen) {
    if (resolution.open.empty()) return;
    const bool required = oracle::Resolve(neighbour, dialect).required_answer() == oracle::RequiredAnswer::kComputed;
    Push(name_in_dialect, ReasonOf(resolution), faulty, dialect, required ? std::optional(neighbour) : std::nullopt);
    return;
  }
  if (required_answer != oracle::RequiredAnswer::kRefused) return;
  if (resolution.refusal->clause != clause) return;  // the dialect refuses it for another reason
  const std::string known =
      Push(name_in_dialect + ".valid", fmt::format("clause {}: the valid neighbour, must be computed", clause),
           neighbour, dialect, std::nullopt);
  Push(name_in_dialect + ".invalid", fmt::format("clause {}: must be refused, unlike {}", clause, known), faulty,
       dialect, neighbour);
}

std::string InvalidPairs::Push(std::string name, std::string reason, const Operator& op, Dialect dialect,
                               const std::optional<Operator>& neighbour) {
  Case added;
  added.op = op;
  if (dialect != oracle::DialectsOf(kind_).front()) added.dialect = dialect;
  // Several faults share a neighbour, and in 1-D some faults give the same operator. Each operator gets one case.
  const auto [known, is_new] = names_.emplace(ToLine(added), name);
  if (!is_new) return known->second;
  if (wanted_ == FaultyOperators::kOpen) {
    suite_.AddUnlessKnown(std::move(name), std::move(reason), std::move(added), neighbour);
  } else {
    suite_.Add(std::move(name), std::move(reason), std::move(added), neighbour);
  }
  return known->second;
}

}  // namespace conformance
