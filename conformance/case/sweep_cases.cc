// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the numbering: mixed radix within a cell, and a search among the cells.

#include "conformance/case/sweep_cases.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Operator;
using oracle::OperatorKind;

// As a model of the operator spells it; the states are those of AutoPadState but for the absent one.
const std::string& Spelling(OperatorKind kind, AutoPadState state) {
  static const std::array<std::string, 4> openvino = {"explicit", "same_upper", "same_lower", "valid"};
  static const std::array<std::string, 4> onednn = {"None", "SAME_UPPER", "SAME_LOWER", "VALID"};
  static const std::array<std::string, 4> onnx = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
  const auto at = static_cast<std::size_t>(state) - 1;
  if (kind == OperatorKind::kConvolutionBackwardData) return onednn.at(at);
  return kind == OperatorKind::kConvTranspose ? onnx.at(at) : openvino.at(at);
}

void Set(std::optional<oracle::Dims>& list, std::int64_t value) {
  if (!list) list.emplace();
  list->assign(1, value);
}

// Pads absent, or each pair of pads.
std::uint64_t PadStates(const SweepBounds& bounds) {
  return static_cast<std::uint64_t>(1 + (bounds.pad + 1) * (bounds.pad + 1));
}

// The size asked for: none, or 1 to this.
std::uint64_t OutputStates(const ResolvedAxis& axis, std::int64_t output_padding, const SweepBounds& bounds) {
  return static_cast<std::uint64_t>(1 + axis.Natural() + output_padding + bounds.beyond);
}

void SetTensors(const ResolvedAxis& axis, Operator& op) {
  switch (op.kind) {
    case OperatorKind::kConvolutionBackwardData:  // [N, spatial, C] and [spatial, O, I] by default
      op.data.dims.assign({1, axis.data, 1});
      op.filter.dims.assign({axis.kernel, 1, 1});
      return;
    case OperatorKind::kGroupConvolutionBackpropData:
      op.data.dims.assign({1, 1, axis.data});
      op.filter.dims.assign({1, 1, 1, axis.kernel});
      return;
    default:
      op.data.dims.assign({1, 1, axis.data});
      op.filter.dims.assign({1, 1, axis.kernel});
  }
}

void SetOutput(Operator& op, std::int64_t output) {
  if (output == 0) {
    op.output_shape.reset();
    op.dst_shape.reset();
    op.output_shape_attribute.reset();
    return;
  }
  if (op.kind == OperatorKind::kConvolutionBackwardData) {
    if (!op.dst_shape) op.dst_shape.emplace();
    op.dst_shape->assign({1, output, 1});
  } else if (op.kind == OperatorKind::kConvTranspose) {
    Set(op.output_shape_attribute, output);
  } else {
    if (!op.output_shape) op.output_shape = {.dims = {1}, .values = {}};
    op.output_shape->values.assign(1, output);
  }
}

}  // namespace

SweepCases::SweepCases(const Sweep& sweep) : sweep_(sweep) {
  switch (sweep.of) {
    case SweepOf::kGeometry:
      CountGeometry();
      break;
    case SweepOf::kAxes:
      CountAxes();
      break;
    case SweepOf::kPairs:
      CountPairs();
      break;
  }
}

std::uint64_t SweepCases::begin() const { return std::min(sweep_.from, count_); }
std::uint64_t SweepCases::end() const { return std::min(sweep_.to.value_or(count_), count_); }

void SweepCases::CountGeometry() {
  const SweepBounds& bounds = sweep_.bounds;
  const std::uint64_t states = sweep_.auto_pad ? 1 : kAutoPadStates.size();
  Cell cell;
  ResolvedAxis& a = cell.axis;
  for (a.stride = 1; a.stride <= bounds.stride; ++a.stride) {
    if (sweep_.stride && a.stride != *sweep_.stride) continue;
    for (a.kernel = 1; a.kernel <= bounds.kernel; ++a.kernel) {
      if (sweep_.kernel && a.kernel != *sweep_.kernel) continue;
      for (a.data = 1; a.data <= bounds.data; ++a.data) {
        for (a.dilation = 1; a.dilation <= bounds.dilation; ++a.dilation) {
          for (cell.output_padding = 0; cell.output_padding <= bounds.output_padding; ++cell.output_padding) {
            cell.first = count_;
            cells_.push_back(cell);
            count_ += states * PadStates(bounds) * OutputStates(a, cell.output_padding, bounds);
          }
        }
      }
    }
  }
}

void SweepCases::CountAxes() {
  axes_ = ResolvedAxesWithin(sweep_.bounds);
  std::erase_if(axes_, [&](const ResolvedAxis& axis) {
    return (sweep_.stride && axis.stride != *sweep_.stride) || (sweep_.kernel && axis.kernel != *sweep_.kernel);
  });
  count_ = axes_.size();
}

// The axes stand in the order pads alone, either form, output shape alone; so those that an axis can be paired with
// are consecutive.
void SweepCases::CountPairs() {
  axes_ = ResolvedAxesWithin(sweep_.bounds);
  const auto either = static_cast<std::size_t>(std::ranges::find_if(axes_, HasOutputShapeForm) - axes_.begin());
  const auto shifted = static_cast<std::size_t>(
      std::ranges::find_if(axes_, [](const ResolvedAxis& a) { return a.pads_begin < 0; }) - axes_.begin());
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (sweep_.stride && axes_[i].stride != *sweep_.stride) continue;
    if (sweep_.kernel && axes_[i].kernel != *sweep_.kernel) continue;
    const std::size_t first = i >= shifted ? either : 0;
    const std::size_t last = i < either ? shifted : axes_.size();
    cells_.push_back({.axis = axes_[i], .output_padding = 0, .first = count_, .first_of_partners = first});
    count_ += last - first;
  }
}

const SweepCases::Cell& SweepCases::CellOf(std::uint64_t number) const {
  return *(std::ranges::upper_bound(cells_, number, {}, &Cell::first) - 1);
}

void SweepCases::Get(std::uint64_t number, Case& into) const {
  assert(number < count_);
  into.dialect.reset();
  into.seed = 0;
  if (sweep_.dialect != oracle::DialectsOf(sweep_.kind).front()) into.dialect = sweep_.dialect;
  if (sweep_.of == SweepOf::kGeometry) return GetGeometry(number, into);

  std::array<ResolvedAxis, 2> axes;
  std::size_t rank = 1;
  if (sweep_.of == SweepOf::kPairs) {
    const Cell& cell = CellOf(number);
    axes = {cell.axis, axes_[cell.first_of_partners + (number - cell.first)]};
    rank = 2;
  } else {
    axes[0] = axes_[number];
  }
  into.op = OperatorWith(std::span(axes).first(rank), sweep_.kind, sweep_.type);
  std::int64_t data = 1;
  std::int64_t filter = 1;
  for (const ResolvedAxis& axis : std::span(axes).first(rank)) {
    data *= axis.data;
    filter *= axis.kernel;
  }
  into.values = TapsFit(data, filter, sweep_.type) ? DataSet::kTaps : DataSet::kIntegers;
  // A draw for each: `taps` are the same wherever sizes are, and then a call's state may hide in the next one.
  into.seed = into.values == DataSet::kTaps ? 0 : number;
}

void SweepCases::GetGeometry(std::uint64_t number, Case& into) const {
  const Cell& cell = CellOf(number);
  std::uint64_t rest = number - cell.first;
  const auto digit = [&rest](std::uint64_t radix) {
    const std::uint64_t value = rest % radix;
    rest /= radix;
    return static_cast<std::int64_t>(value);
  };
  Operator& op = into.op;
  op.kind = sweep_.kind;
  op.data.type = op.filter.type = sweep_.type;
  SetTensors(cell.axis, op);
  Set(op.strides, cell.axis.stride);
  Set(op.dilations, cell.axis.dilation);
  Set(op.output_padding, cell.output_padding);
  SetOutput(op, digit(OutputStates(cell.axis, cell.output_padding, sweep_.bounds)));
  const std::int64_t pads = digit(PadStates(sweep_.bounds));
  if (pads == 0) {
    op.pads_begin.reset();
    op.pads_end.reset();
  } else {
    Set(op.pads_begin, (pads - 1) / (sweep_.bounds.pad + 1));
    Set(op.pads_end, (pads - 1) % (sweep_.bounds.pad + 1));
  }
  const AutoPadState state = sweep_.auto_pad ? *sweep_.auto_pad : kAutoPadStates.at(static_cast<std::size_t>(rest));
  if (state == AutoPadState::kAbsent) {
    op.auto_pad.reset();
  } else {
    op.auto_pad = Spelling(sweep_.kind, state);
  }
  into.values = DataSet::kIntegers;
}

Case CaseOf(const Sweep& sweep) {
  const SweepCases cases(sweep);
  Case first;
  for (std::uint64_t number = cases.begin(); number < cases.end(); ++number) {
    cases.Get(number, first);
    if (oracle::Resolve(first.op, sweep.dialect).ok()) break;
  }
  first.sweep = sweep;
  return first;
}

}  // namespace conformance
