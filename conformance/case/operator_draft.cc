// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a draft as one of the four kinds of operator, and changes an operator's spelling for a dialect. A draft
// describes an operator by sizes, strides and pads, without the attribute names of a kind.

#include "conformance/case/operator_draft.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/fnv.h"
#include "conformance/case/text/names.h"
#include "oracle/clause.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

constexpr std::array<Named<AutoPad>, 4> kAutoPadNames = {{{AutoPad::kExplicit, "explicit"},
                                                          {AutoPad::kSameUpper, "same_upper"},
                                                          {AutoPad::kSameLower, "same_lower"},
                                                          {AutoPad::kValid, "valid"}}};
constexpr std::array<Named<AutoPad>, 4> kOnnxNames = {{{AutoPad::kExplicit, "NOTSET"},
                                                       {AutoPad::kSameUpper, "SAME_UPPER"},
                                                       {AutoPad::kSameLower, "SAME_LOWER"},
                                                       {AutoPad::kValid, "VALID"}}};
// Abbreviations of the four operators' names for the names of cases.
constexpr std::array<Named<OperatorKind>, 4> kShortNames = {{{OperatorKind::kConvolutionBackpropData, "cbd"},
                                                             {OperatorKind::kGroupConvolutionBackpropData, "gcbd"},
                                                             {OperatorKind::kConvolutionBackwardData, "cbw"},
                                                             {OperatorKind::kConvTranspose, "ct"}}};

// One number of each axis, as the list that an attribute holds.
Dims Collect(const std::vector<AxisDraft>& axes, std::int64_t AxisDraft::* member) {
  Dims values;
  for (const AxisDraft& axis : axes) values.push_back(axis.*member);
  return values;
}

// The output size along each axis: that of the draft, or that of OpenVINO's formula.
Dims OutputSizes(const OperatorDraft& draft) {
  Dims outputs;
  const bool has_explicit_pads = !draft.auto_pad || *draft.auto_pad == AutoPad::kExplicit;
  for (const AxisDraft& axis : draft.axes) {
    const std::int64_t pads = has_explicit_pads ? axis.pads_begin + axis.pads_end : 0;
    outputs.push_back(axis.output.value_or(axis.Natural() - pads + axis.output_padding));
  }
  return outputs;
}

// [batch, channels, spatial] or [batch, spatial, channels].
Dims TensorDims(std::int64_t batch, std::int64_t channels, const Dims& spatial, bool channels_last) {
  Dims dims = {batch};
  if (!channels_last) dims.push_back(channels);
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  if (channels_last) dims.push_back(channels);
  return dims;
}

Dims FilterDims(const OperatorDraft& draft) {
  Dims dims = Collect(draft.axes, &AxisDraft::kernel);
  if (draft.kind == OperatorKind::kGroupConvolutionBackpropData) {
    dims.insert(dims.begin(), {draft.groups, draft.in, draft.out});
  } else if (draft.IsXio()) {
    dims.insert(dims.end(), {draft.out, draft.groups * draft.in});
  } else {
    dims.insert(dims.begin(), {draft.groups * draft.in, draft.out});
  }
  return dims;
}

/// The hash of a draft's sizes, auto_pad and type. It depends only on the draft, so that a choice by the hash is the
/// same in every suite and at every level. The formats and the shape's type are left out, because their values are
/// chosen by the hash.
std::uint64_t HashOf(const OperatorDraft& draft) {
  Fnv1a hash;
  const auto add = [&](std::int64_t number) { hash.Add(fmt::format("{},", number)); };
  for (const std::int64_t number : {draft.batch, draft.groups, draft.in, draft.out}) add(number);
  for (const AxisDraft& axis : draft.axes) {
    for (const std::int64_t number : {axis.data, axis.kernel, axis.stride, axis.dilation, axis.pads_begin,
                                      axis.pads_end, axis.output_padding, axis.output.value_or(-1)}) {
      add(number);
    }
  }
  add(draft.auto_pad ? static_cast<std::int64_t>(*draft.auto_pad) : -1);
  add(static_cast<std::int64_t>(draft.type));
  add(draft.dst_shape_is_input ? 1 : 0);
  // The low bits of FNV depend only on the low bits of each byte. Callers use them, so the high bits are mixed in.
  return hash.value() ^ (hash.value() >> 32);
}

/// The formats of ConvolutionBackwardData; the hash of a draft selects a pair. Half of the pairs omit both formats. 11
/// of 16 mean NXC and XIO, the defaults of the document.
constexpr std::pair kOmitted = {DataFormat::kAbsent, WeightsFormat::kAbsent};
constexpr std::array kFormatsByHash = {kOmitted, std::pair{DataFormat::kNxc, WeightsFormat::kXio},
                                       kOmitted, std::pair{DataFormat::kNcx, WeightsFormat::kOix},
                                       kOmitted, std::pair{DataFormat::kAbsent, WeightsFormat::kXio},
                                       kOmitted, std::pair{DataFormat::kNxc, WeightsFormat::kOix},
                                       kOmitted, std::pair{DataFormat::kNxc, WeightsFormat::kAbsent},
                                       kOmitted, std::pair{DataFormat::kNcx, WeightsFormat::kAbsent},
                                       kOmitted, std::pair{DataFormat::kAbsent, WeightsFormat::kOix},
                                       kOmitted, std::pair{DataFormat::kNcx, WeightsFormat::kXio}};

/// Types of the shape input beside i64. Nine of 16 hash values give i64, which most models have, the others these.
constexpr std::array kShapeTypes = {ElementType::kI32, ElementType::kI16, ElementType::kI8, ElementType::kU8,
                                    ElementType::kU16, ElementType::kU32, ElementType::kU64};

/// The type of the shape input: the hash chooses it. i64 if the chosen type does not hold all values.
ElementType ShapeTypeOf(const OperatorDraft& draft, const Dims& values) {
  ElementType type = ElementType::kI32;
  if (draft.kind != OperatorKind::kConvolutionBackwardData) {
    // The second hexadecimal digit of the hash; the first one chooses the formats (kFormatsByHash).
    const std::uint64_t hash_digit = HashOf(draft) / 16 % 16;
    type = hash_digit < 9 ? ElementType::kI64 : kShapeTypes[hash_digit - 9];
  }
  const bool fits = std::ranges::all_of(values, [&](std::int64_t value) { return oracle::HoldsInteger(type, value); });
  return fits ? type : ElementType::kI64;
}

/// The word for the mode in the document of the kind.
std::string Spell(AutoPad auto_pad, OperatorKind kind) {
  if (kind == OperatorKind::kConvTranspose) return std::string(NameOf(kOnnxNames, auto_pad));
  if (kind == OperatorKind::kConvolutionBackwardData && auto_pad == AutoPad::kExplicit) return "none";
  return std::string(AutoPadName(auto_pad));
}

/// Replaces output_padding by the output_shape to which ConvTranspose-22 resolves the operator.
Operator WithOutputShape(Operator op) {
  if (op.kind != OperatorKind::kConvTranspose || op.output_shape_attribute) return op;
  const oracle::Resolution resolution = oracle::Resolve(op, oracle::Dialect::kOnnx22, oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) return op;
  op.output_shape_attribute.emplace();
  for (const oracle::Axis& axis : resolution.geometry->axes) op.output_shape_attribute->push_back(axis.output);
  op.output_padding = std::nullopt;
  return op;
}

}  // namespace

std::string_view AutoPadName(AutoPad auto_pad) { return NameOf(kAutoPadNames, auto_pad); }

std::string_view ShortName(OperatorKind kind) { return NameOf(kShortNames, kind); }

Operator Build(const OperatorDraft& draft) {
  Operator op;
  op.kind = draft.kind;
  op.data = {draft.type,
             TensorDims(draft.batch, draft.groups * draft.in, Collect(draft.axes, &AxisDraft::data), draft.IsNxc())};
  op.filter = {draft.type, FilterDims(draft)};
  op.strides = Collect(draft.axes, &AxisDraft::stride);
  op.dilations = Collect(draft.axes, &AxisDraft::dilation);
  if (draft.auto_pad) op.auto_pad = Spell(*draft.auto_pad, draft.kind);
  const bool has_explicit_pads = !draft.auto_pad || *draft.auto_pad == AutoPad::kExplicit;
  if (has_explicit_pads || draft.kind != OperatorKind::kConvTranspose) {
    op.pads_begin = Collect(draft.axes, &AxisDraft::pads_begin);
    op.pads_end = Collect(draft.axes, &AxisDraft::pads_end);
  }
  const Dims output_padding = Collect(draft.axes, &AxisDraft::output_padding);
  if (output_padding != Dims(draft.axes.size(), 0)) op.output_padding = output_padding;

  const auto as_input = [&](const Dims& values) {
    return oracle::ShapeInput{.type = draft.shape_type.value_or(ShapeTypeOf(draft, values)),
                              .dims = {static_cast<std::int64_t>(values.size())},
                              .values = values};
  };
  switch (draft.kind) {
    case OperatorKind::kConvolutionBackpropData:
    case OperatorKind::kGroupConvolutionBackpropData:
      if (draft.HasOutput()) op.output_shape = as_input(OutputSizes(draft));
      break;
    case OperatorKind::kConvolutionBackwardData: {
      const Dims whole = TensorDims(draft.batch, draft.groups * draft.out, OutputSizes(draft), draft.IsNxc());
      if (draft.dst_shape_is_input) {
        op.output_shape = as_input(whole);
      } else {
        op.dst_shape = whole;
      }
      if (draft.data_format == DataFormat::kNcx) op.data_format = "NCX";
      if (draft.data_format == DataFormat::kNxc) op.data_format = "NXC";
      if (draft.weights_format == WeightsFormat::kOix) op.weights_format = "OIX";
      if (draft.weights_format == WeightsFormat::kXio) op.weights_format = "XIO";
      if (draft.groups != 1) op.groups = draft.groups;
      break;
    }
    case OperatorKind::kConvTranspose:
      if (draft.HasOutput()) op.output_shape_attribute = OutputSizes(draft);
      if (draft.groups != 1) op.groups = draft.groups;
      break;
  }
  return op;
}

Operator Spelled(Operator op, oracle::Dialect dialect) {
  if (dialect == oracle::Dialect::kTensorflow) return WithOutputShape(std::move(op));
  if (dialect != oracle::Dialect::kOnednnRuntime || !op.auto_pad) return op;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> spellings = {{{"none", "None"},
                                                                                       {"NONE", "None"},
                                                                                       {"same_upper", "SAME_UPPER"},
                                                                                       {"same_lower", "SAME_LOWER"},
                                                                                       {"valid", "VALID"}}};
  for (const auto& [document, library] : spellings) {
    if (*op.auto_pad == document) {
      op.auto_pad = library;
      break;
    }
  }
  return op;
}

bool IsRefusedByOwnClause(const Operator& op, oracle::Dialect dialect) {
  const oracle::Resolution resolution = oracle::Resolve(op, dialect);
  if (resolution.ok()) return false;
  const oracle::Clause* clause = oracle::FindClause(resolution.refusal->clause);
  return clause != nullptr && clause->title.starts_with(std::string(DialectName(dialect)) + ":");
}

double MultiplyAdds(const Operator& op) {
  double work = 1;
  for (const std::int64_t dim : op.data.dims) work *= static_cast<double>(dim);
  // The product of the dims of data counts groups and input channels already. So these dims of the filter are skipped.
  const std::size_t rank = op.filter.dims.size();
  const bool is_xio = op.kind == OperatorKind::kConvolutionBackwardData && op.weights_format.value_or("XIO") == "XIO";
  const std::size_t begin = is_xio ? 0 : (op.kind == OperatorKind::kGroupConvolutionBackpropData ? 2 : 1);
  for (std::size_t i = begin; i < (is_xio ? rank - 1 : rank); ++i) work *= static_cast<double>(op.filter.dims[i]);
  return work;
}

OperatorDraft As(OperatorKind kind, OperatorDraft draft) {
  draft.kind = kind;
  if (kind == OperatorKind::kConvolutionBackpropData && draft.groups != 1) {
    draft.in *= draft.groups;
    draft.groups = 1;
  }
  const bool is_backward = kind == OperatorKind::kConvolutionBackwardData;
  const bool is_onnx = kind == OperatorKind::kConvTranspose;
  if (is_backward && draft.type != ElementType::kBf16 && draft.type != ElementType::kF16)
    draft.type = ElementType::kF32;
  if (is_onnx && draft.type != ElementType::kF64 && draft.type != ElementType::kF16) draft.type = ElementType::kF32;
  if (is_backward) {
    const auto& [data, weights] = kFormatsByHash[HashOf(draft) % kFormatsByHash.size()];
    if (!draft.data_format) draft.data_format = data;
    if (!draft.weights_format) draft.weights_format = weights;
  }
  return draft;
}

}  // namespace conformance
