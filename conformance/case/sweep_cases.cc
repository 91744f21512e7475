// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the operator with a given number of a sweep; a sweep is one case that stands for many small operators. A binary
// search finds the cell: a block of numbers with equal data, kernel, stride, dilation and output_padding (in pairs:
// with an equal first axis). The offset within the cell is a mixed-radix number. Its digits are output size, pads and
// auto_pad. Example: a cell with 8 output states and 5 pad states begins at 100. Number 119 has the offset
// 19 = 3 + 8 * (2 + 5 * 0): output size 3, pads state 2, auto_pad state 0. Planes (two axes) draw the numbers of their
// axes at random.

#include "conformance/case/sweep_cases.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "conformance/case/data_set_rules.h"
#include "conformance/case/operator_draft.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Operator;
using oracle::OperatorKind;

// The spelling of `state` in the document of the operator. `state` is neither kAbsent nor kOther.
const std::string& Spelling(OperatorKind kind, AutoPadClass state) {
  static const std::array<std::string, 4> openvino = {"explicit", "same_upper", "same_lower", "valid"};
  static const std::array<std::string, 4> onednn = {"none", "same_upper", "same_lower", "valid"};
  static const std::array<std::string, 4> onnx = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
  const auto at = static_cast<std::size_t>(state) - 1;
  if (kind == OperatorKind::kConvolutionBackwardData) return onednn.at(at);
  return kind == OperatorKind::kConvTranspose ? onnx.at(at) : openvino.at(at);
}

// The number of pads states: absent pads, or each pair of pads_begin and pads_end.
std::uint64_t PadStates(const SweepBounds& bounds) {
  return static_cast<std::uint64_t>(1 + (bounds.pad + 1) * (bounds.pad + 1));
}

// The number of output shape states: no output shape, or each size from 1 to the largest.
std::uint64_t OutputStates(const ResolvedAxis& axis, std::int64_t output_padding, const SweepBounds& bounds) {
  return static_cast<std::uint64_t>(1 + axis.Natural() + output_padding + bounds.shape_excess);
}

// Fills a list with one value for each axis. The memory of the list is reused.
template <typename Axes, typename ValueOf>
void Set(std::optional<oracle::Dims>& list, const Axes& axes, ValueOf value_of) {
  if (!list) list.emplace();
  list->clear();
  for (const auto& axis : axes) list->push_back(value_of(axis));
}

// Fills the dims of a tensor: one size for each axis, and ones for batch and channels before or after them.
template <typename Axes>
void SetDims(oracle::Dims& dims, std::size_t ones_before, const Axes& axes, std::int64_t ResolvedAxis::* size,
             std::size_t ones_after) {
  dims.assign(ones_before, 1);
  for (const auto& axis : axes) dims.push_back(axis.cell->axis.*size);
  dims.insert(dims.end(), ones_after, 1);
}

// Sets the dims of data and filter for the layout that is the default of the kind.
template <typename Axes>
void SetTensors(const Axes& axes, Operator& op) {
  const bool onednn = op.kind == OperatorKind::kConvolutionBackwardData;  // [N, spatial, C] and [spatial, O, I]
  const std::size_t groups = op.kind == OperatorKind::kGroupConvolutionBackpropData ? 1 : 0;
  SetDims(op.data.dims, onednn ? 1 : 2, axes, &ResolvedAxis::data, onednn ? 1 : 0);
  SetDims(op.filter.dims, onednn ? 0 : 2 + groups, axes, &ResolvedAxis::kernel, onednn ? 2 : 0);
}

// Writes the output shape where the kind of operator has it; an output of 0 means that there is none.
template <typename Axes>
void SetOutput(const Axes& axes, Operator& op) {
  op.output_shape.reset();
  op.dst_shape.reset();
  op.output_shape_attribute.reset();
  if (axes.front().output == 0) return;
  oracle::Dims outputs;
  for (const auto& axis : axes) outputs.push_back(axis.output);
  if (op.kind == OperatorKind::kConvolutionBackwardData) {
    outputs.insert(outputs.begin(), 1);
    outputs.push_back(1);
    op.dst_shape = std::move(outputs);
  } else if (op.kind == OperatorKind::kConvTranspose) {
    op.output_shape_attribute = std::move(outputs);
  } else {
    op.output_shape = {.dims = {static_cast<std::int64_t>(outputs.size())}, .values = std::move(outputs)};
  }
}

}  // namespace

SweepCases::SweepCases(const Sweep& sweep, oracle::Dialect dialect) : sweep_(sweep), spelled_for_(dialect) {
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
    case SweepOf::kPlanes:
      CountGeometry();
      // The axes of a plane are drawn from all tuples, that is from the attributes of one axis. The sweep has `sample`
      // planes.
      tuples_ = std::exchange(count_, sweep.sample);
      break;
    case SweepOf::kDense:
      count_ = dense_.emplace(sweep).count();
      break;
  }
}

std::uint64_t SweepCases::begin() const { return std::min(sweep_.from, count_); }
std::uint64_t SweepCases::end() const { return std::min(sweep_.to.value_or(count_), count_); }

void SweepCases::CountGeometry() {
  const SweepBounds& bounds = sweep_.bounds;
  const std::uint64_t auto_pad_states = sweep_.auto_pad ? 1 : kAutoPadStates.size();
  Cell cell;
  ResolvedAxis& axis = cell.axis;
  for (axis.stride = 1; axis.stride <= bounds.stride; ++axis.stride) {
    if (sweep_.stride && axis.stride != *sweep_.stride) continue;
    for (axis.kernel = 1; axis.kernel <= bounds.kernel; ++axis.kernel) {
      if (sweep_.kernel && axis.kernel != *sweep_.kernel) continue;
      for (axis.data = 1; axis.data <= bounds.data; ++axis.data) {
        for (axis.dilation = 1; axis.dilation <= bounds.dilation; ++axis.dilation) {
          for (cell.output_padding = 0; cell.output_padding <= bounds.output_padding; ++cell.output_padding) {
            cell.first = count_;
            cells_.push_back(cell);
            count_ += auto_pad_states * PadStates(bounds) * OutputStates(axis, cell.output_padding, bounds);
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

// `axes_` is sorted: axes that need pads, axes that pads or an output shape can express (from `either` on), axes that
// need an output shape (from `shifted` on). An axis that needs pads cannot be paired with one that needs an output
// shape. So the partners of each axis are consecutive in `axes_`.
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
  if (dense_) {
    dense_->Get(number, into);
    into.op = Spelled(std::move(into.op), spelled_for_);
    return;
  }
  if (sweep_.of == SweepOf::kGeometry) return SetOperator(std::array{TupleOf(number)}, into);
  if (sweep_.of == SweepOf::kPlanes) return SetOperator(PlaneOf(number), into);

  std::array<ResolvedAxis, 2> axes;
  std::size_t rank = 1;
  if (sweep_.of == SweepOf::kPairs) {
    const Cell& cell = CellOf(number);
    axes = {cell.axis, axes_[cell.first_of_partners + (number - cell.first)]};
    rank = 2;
  } else {
    axes[0] = axes_[number];
  }
  into.op = Spelled(OperatorWith(std::span(axes).first(rank), sweep_.kind, sweep_.type), spelled_for_);
  std::int64_t data = 1;
  std::int64_t filter = 1;
  for (const ResolvedAxis& axis : std::span(axes).first(rank)) {
    data *= axis.data;
    filter *= axis.kernel;
  }
  into.values = TapsFit(data, filter, sweep_.type) ? DataSet::kTaps : DataSet::kIntegers;
  // `integers` have another seed in each operator, so that their values differ. `taps` depend only on the sizes.
  into.seed = into.values == DataSet::kTaps ? 0 : number;
}

SweepCases::AxisTuple SweepCases::TupleOf(std::uint64_t number) const {
  AxisTuple tuple;
  tuple.cell = &CellOf(number);
  std::uint64_t rest = number - tuple.cell->first;
  const auto digit = [&rest](std::uint64_t radix) {
    const std::uint64_t value = rest % radix;
    rest /= radix;
    return static_cast<std::int64_t>(value);
  };
  tuple.output = digit(OutputStates(tuple.cell->axis, tuple.cell->output_padding, sweep_.bounds));
  tuple.pads = digit(PadStates(sweep_.bounds));
  tuple.auto_pad = sweep_.auto_pad ? *sweep_.auto_pad : kAutoPadStates.at(static_cast<std::size_t>(rest));
  return tuple;
}

// Draws two axes. Each number has its own pseudo-random sequence. The second axis is drawn again until one operator can
// have both axes.
std::array<SweepCases::AxisTuple, 2> SweepCases::PlaneOf(std::uint64_t number) const {
  const std::uint64_t key = Mix(Mix(sweep_.seed + kGolden) + number);
  std::uint64_t draws = 0;
  const auto draw = [&] { return TupleOf(Mix(key + ++draws * kGolden) % tuples_); };
  const AxisTuple first = draw();
  AxisTuple second = draw();
  while (!second.IsCompatibleWith(first)) second = draw();
  return {first, second};
}

void SweepCases::SetOperator(std::span<const AxisTuple> axes, Case& into) const {
  Operator& op = into.op;
  op.kind = sweep_.kind;
  op.data.type = op.filter.type = sweep_.type;
  SetTensors(axes, op);
  Set(op.strides, axes, [](const AxisTuple& axis) { return axis.cell->axis.stride; });
  Set(op.dilations, axes, [](const AxisTuple& axis) { return axis.cell->axis.dilation; });
  Set(op.output_padding, axes, [](const AxisTuple& axis) { return axis.cell->output_padding; });
  SetOutput(axes, op);
  if (axes.front().pads == 0) {
    op.pads_begin.reset();
    op.pads_end.reset();
  } else {
    const std::int64_t radix = sweep_.bounds.pad + 1;
    Set(op.pads_begin, axes, [&](const AxisTuple& axis) { return (axis.pads - 1) / radix; });
    Set(op.pads_end, axes, [&](const AxisTuple& axis) { return (axis.pads - 1) % radix; });
  }
  if (axes.front().auto_pad == AutoPadClass::kAbsent) {
    op.auto_pad.reset();
  } else {
    op.auto_pad = Spelling(sweep_.kind, axes.front().auto_pad);
    op = Spelled(std::move(op), spelled_for_);
  }
  into.values = DataSet::kIntegers;
}

Case CaseOf(const Sweep& sweep) {
  const SweepCases cases(sweep);
  Case first;
  // Stops at the first valid operator. If no operator of the sweep is valid, the case shows the last one.
  for (std::uint64_t number = cases.begin(); number < cases.end(); ++number) {
    cases.Get(number, first);
    if (oracle::Resolve(first.op, sweep.dialect).ok()) break;
  }
  first.sweep = sweep;
  return first;
}

}  // namespace conformance
