// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the simpler cases that the minimizing of a failing case tries: one axis or attribute is removed, or one number
// is reduced. In this file a step is the operator of such a case. Example: the steps from strides=2,3 include
// strides=1,3, strides=2,1 and strides=1,1.

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <rapidcheck.h>

#include "conformance/case/minimize_case.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

constexpr std::array kSpatialLists = {&Operator::strides,
                                      &Operator::dilations,
                                      &Operator::pads_begin,
                                      &Operator::pads_end,
                                      &Operator::output_padding,
                                      &Operator::kernel_shape,
                                      &Operator::output_shape_attribute};

/// The indices of channels and spatial axes in the dims of data, filter and output. The batch has index 0.
struct DimPositions {
  std::size_t axes = 0;
  std::size_t channels = 1;   ///< channels of data and output
  std::size_t data_axis = 2;  ///< first spatial dimension
  std::size_t filter_axis = 2;
  std::size_t filter_in = 0;
  std::size_t filter_out = 1;
};

/// nullopt if the ranks of data and filter do not fit each other.
std::optional<DimPositions> DimPositionsOf(const Operator& op) {
  DimPositions positions;
  const bool grouped = op.kind == OperatorKind::kGroupConvolutionBackpropData;
  const std::size_t rank = op.data.dims.size();
  if (rank < 3 || op.filter.dims.size() != rank + (grouped ? 1 : 0)) return std::nullopt;
  positions.axes = rank - 2;
  if (grouped) {
    positions.filter_axis = 3;
    positions.filter_in = 1;
    positions.filter_out = 2;
  }
  if (op.kind == OperatorKind::kConvolutionBackwardData) {
    if (op.data_format.value_or("NXC") == "NXC") {
      positions.channels = rank - 1;
      positions.data_axis = 1;
    }
    if (op.weights_format.value_or("XIO") == "XIO") {
      positions.filter_axis = 0;
      positions.filter_in = rank - 1;
      positions.filter_out = rank - 2;
    }
  }
  return positions;
}

/// The output shapes of the operator, if it has any. A shape of ConvolutionBackwardData has all dims, a shape of
/// another kind only the spatial dims.
std::vector<Dims*> ShapesOf(Operator& op) {
  std::vector<Dims*> shapes;
  if (op.output_shape) shapes.push_back(&op.output_shape->values);
  if (op.kind == OperatorKind::kConvolutionBackwardData) {
    if (op.dst_shape) shapes.push_back(&*op.dst_shape);
  } else if (op.output_shape_attribute) {
    shapes.push_back(&*op.output_shape_attribute);
  }
  return shapes;
}

/// Index of spatial axis j in an output shape.
std::size_t IndexInShape(const Operator& op, const DimPositions& positions, std::size_t j) {
  return op.kind == OperatorKind::kConvolutionBackwardData ? positions.data_axis + j : j;
}

/// Element j of a list; `absent` if there is none.
std::int64_t ValueAt(const std::optional<Dims>& list, std::size_t j, std::int64_t absent) {
  return list && j < list->size() ? (*list)[j] : absent;
}

/// The output size along axis j that the attributes give, without the output shape. It wraps on overflow: a wrong size
/// only makes a simpler case that does not fail, and then it is not used.
std::int64_t OutputSizeOf(const Operator& op, const DimPositions& positions, std::size_t j) {
  const auto wrapping = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t size =
      wrapping(ValueAt(op.strides, j, 1)) * wrapping(op.data.dims[positions.data_axis + j] - 1) +
      wrapping(ValueAt(op.dilations, j, 1)) * wrapping(op.filter.dims[positions.filter_axis + j] - 1) + 1 -
      wrapping(ValueAt(op.pads_begin, j, 0)) - wrapping(ValueAt(op.pads_end, j, 0)) +
      wrapping(ValueAt(op.output_padding, j, 0));
  return static_cast<std::int64_t>(size);
}

/// Changes the output shapes of `after` by as much as OutputSizeOf differs between `before` and `after`.
Operator WithShapesAlong(const Operator& before, Operator after, const DimPositions& positions) {
  for (Dims* shape : ShapesOf(after)) {
    for (std::size_t j = 0; j < positions.axes; ++j) {
      const std::size_t at = IndexInShape(after, positions, j);
      if (at >= shape->size()) continue;
      const auto moved = static_cast<std::uint64_t>(OutputSizeOf(after, positions, j)) -
                         static_cast<std::uint64_t>(OutputSizeOf(before, positions, j));
      const auto size = static_cast<std::int64_t>(static_cast<std::uint64_t>((*shape)[at]) + moved);
      (*shape)[at] = std::max<std::int64_t>(size, 1);
    }
  }
  return after;
}

/// Reduces the pads of `after` so that its output size is that of `before`. nullopt if the pads are too small for that,
/// or if nothing must change. Example: a kernel of 5 becomes 3, so the output loses 2 elements; pads 2,2 become 0,2.
std::optional<Operator> WithSmallerPads(const Operator& before, Operator after, const DimPositions& positions) {
  bool changed = false;
  for (std::size_t j = 0; j < positions.axes; ++j) {
    std::int64_t less = 0;
    if (__builtin_sub_overflow(OutputSizeOf(before, positions, j), OutputSizeOf(after, positions, j), &less) ||
        less <= 0)
      continue;
    for (std::optional<Dims>* pads : {&after.pads_begin, &after.pads_end}) {
      const std::int64_t taken = std::clamp<std::int64_t>(ValueAt(*pads, j, 0), 0, less);
      if (taken == 0) continue;
      (**pads)[j] -= taken;
      less -= taken;
      changed = true;
    }
    if (less != 0) return std::nullopt;
  }
  if (!changed) return std::nullopt;
  return after;
}

/// Numbers that start at the target and come nearer to the value. Example: from 8 to the target 1 they are 1, 5, 7.
/// RapidCheck cannot handle distances of more than 63 bits, so a value beyond 2^62 is halved first.
auto NumbersTowards(std::int64_t value, std::int64_t target) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  return rc::shrink::towards(value < -kFar || value > kFar ? value / 2 : value, target);
}

/// Collects the steps from one operator, without duplicates, the largest simplifications first.
class Steps {
 public:
  explicit Steps(const Operator& op) : op_(op), positions_(DimPositionsOf(op)) {
    if (positions_) {
      RemoveAxes();
      DropAttributes();
      ReduceTensors();
    } else {
      DropAttributes();
    }
    ReduceLists();
    ReduceShapes();
  }

  std::vector<Operator> Release() { return std::move(steps_); }

 private:
  void Add(Operator step) {
    if (step.output_shape && !step.output_shape->CanRepresentValues()) return;
    if (step != op_ && std::ranges::find(steps_, step) == steps_.end()) steps_.push_back(std::move(step));
  }
  /// Adds up to three steps: with output shapes changed along (WithShapesAlong), with unchanged output shapes, and with
  /// smaller pads, so that the output size stays (WithSmallerPads).
  void AddWithShapes(const Operator& step) {
    const bool fits = positions_ && DimPositionsOf(step);
    if (fits) Add(WithShapesAlong(op_, step, *positions_));
    Add(step);
    if (!fits) return;
    if (auto cropped = WithSmallerPads(op_, step, *positions_)) Add(*std::move(cropped));
  }
  /// Adds steps in which `set` replaces a number of the operator. The new numbers lie between `target` and `value`, the
  /// nearest to the target first.
  template <class Set>
  void AddTowards(std::int64_t value, std::int64_t target, const Set& set) {
    auto numbers = NumbersTowards(value, target);
    while (const auto number = numbers.next()) {
      Operator step = op_;
      set(step, *number);
      AddWithShapes(step);
    }
  }

  void RemoveAxes() {
    if (positions_->axes < 2) return;
    const auto erase = [](Dims& dims, std::size_t at) {
      if (at < dims.size()) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(at));
    };
    for (std::size_t j = 0; j < positions_->axes; ++j) {
      Operator step = op_;
      erase(step.data.dims, positions_->data_axis + j);
      erase(step.filter.dims, positions_->filter_axis + j);
      for (const auto list : kSpatialLists) {
        if (step.*list) erase(*(step.*list), j);
      }
      if (step.output_shape) {
        erase(step.output_shape->values, IndexInShape(op_, *positions_, j));
        step.output_shape->dims = {static_cast<std::int64_t>(step.output_shape->values.size())};
      }
      if (step.dst_shape) erase(*step.dst_shape, IndexInShape(op_, *positions_, j));
      Add(std::move(step));
    }
  }

  void DropAttributes() {
    const auto drop = [&](auto member) {
      Operator step = op_;
      if (!(step.*member)) return;
      (step.*member).reset();
      AddWithShapes(step);
    };
    drop(&Operator::output_shape);
    drop(&Operator::output_shape_attribute);
    drop(&Operator::auto_pad);
    drop(&Operator::output_padding);
    drop(&Operator::kernel_shape);
    if (op_.output_shape) drop(&Operator::dst_shape);
    if (op_.groups == 1) drop(&Operator::groups);
    if (op_.data.type == op_.filter.type && op_.data.type != oracle::ElementType::kF32) {
      Operator step = op_;
      step.data.type = step.filter.type = oracle::ElementType::kF32;
      Add(std::move(step));
    }
    for (const auto& [list, plain] : {std::pair{&Operator::strides, 1},
                                      {&Operator::dilations, 1},
                                      {&Operator::pads_begin, 0},
                                      {&Operator::pads_end, 0}}) {
      if (!(op_.*list)) continue;
      Operator step = op_;
      std::ranges::fill(*(step.*list), plain);
      AddWithShapes(step);
    }
  }

  /// Sets dimension `index` of the output shapes to `size`, if the kind's shapes have batch and channels.
  void SetShapeDim(Operator& step, std::size_t index, std::int64_t size) const {
    for (Dims* shape : ShapesOf(step)) {
      if (op_.kind == OperatorKind::kConvolutionBackwardData && index < shape->size()) (*shape)[index] = size;
    }
  }

  /// Reduces groups, input channels of a group, output channels of a group, the batch, and data and kernel of each
  /// axis.
  void ReduceTensors() {
    const DimPositions& positions = *positions_;
    const bool has_group_dimension = op_.kind == OperatorKind::kGroupConvolutionBackpropData;
    const std::int64_t groups = has_group_dimension ? op_.filter.dims[0] : op_.groups.value_or(1);
    const std::int64_t in = op_.data.dims[positions.channels];
    const std::int64_t out = op_.filter.dims[positions.filter_out];
    if (groups > 1 && in % groups == 0) {
      const std::int64_t in_group = in / groups;
      AddTowards(groups, 1, [&](Operator& step, std::int64_t number) {
        step.data.dims[positions.channels] = number * in_group;
        SetShapeDim(step, positions.channels, number * out);
        if (has_group_dimension) {
          step.filter.dims[0] = number;
        } else {
          step.groups = number;
          step.filter.dims[positions.filter_in] = number * in_group;
        }
      });
    }
    if (groups >= 1 && in % groups == 0 && in / groups > 1) {
      AddTowards(in / groups, 1, [&](Operator& step, std::int64_t number) {
        step.data.dims[positions.channels] = groups * number;
        step.filter.dims[positions.filter_in] = has_group_dimension ? number : groups * number;
      });
    }
    AddTowards(out, 1, [&](Operator& step, std::int64_t number) {
      step.filter.dims[positions.filter_out] = number;
      SetShapeDim(step, positions.channels, groups * number);
    });
    AddTowards(op_.data.dims[0], 1, [&](Operator& step, std::int64_t number) {
      step.data.dims[0] = number;
      SetShapeDim(step, 0, number);
    });
    for (std::size_t j = 0; j < positions.axes; ++j) {
      AddTowards(op_.data.dims[positions.data_axis + j], 1,
                 [&](Operator& step, std::int64_t number) { step.data.dims[positions.data_axis + j] = number; });
      AddTowards(op_.filter.dims[positions.filter_axis + j], 1, [&](Operator& step, std::int64_t number) {
        step.filter.dims[positions.filter_axis + j] = number;
        if (step.kernel_shape && j < step.kernel_shape->size()) (*step.kernel_shape)[j] = number;
      });
    }
  }

  void ReduceLists() {
    for (const auto& [list, plain] : {std::pair{&Operator::strides, 1},
                                      {&Operator::dilations, 1},
                                      {&Operator::pads_begin, 0},
                                      {&Operator::pads_end, 0},
                                      {&Operator::output_padding, 0}}) {
      if (!(op_.*list)) continue;
      for (std::size_t i = 0; i < (op_.*list)->size(); ++i) {
        AddTowards((*(op_.*list))[i], plain,
                   [&, member = list](Operator& step, std::int64_t number) { (*(step.*member))[i] = number; });
      }
    }
  }

  void ReduceShapes() {
    Operator first = op_;
    const std::size_t shapes = ShapesOf(first).size();
    for (std::size_t which = 0; which < shapes; ++which) {
      const Dims values = *ShapesOf(first)[which];
      for (std::size_t i = 0; i < values.size(); ++i) {
        auto numbers = NumbersTowards(values[i], 1);
        while (const auto number = numbers.next()) {
          Operator step = op_;
          (*ShapesOf(step)[which])[i] = *number;
          Add(std::move(step));
        }
      }
    }
  }

  const Operator& op_;
  std::optional<DimPositions> positions_;
  std::vector<Operator> steps_;
};

}  // namespace

std::vector<Case> SimplerCases(const Case& test_case) {
  std::vector<Case> cases;
  for (Operator& op : Steps(test_case.op).Release()) {
    Case simpler = test_case;
    simpler.op = std::move(op);
    if (IsDefinedFor(simpler.values, simpler.op.data.type)) cases.push_back(std::move(simpler));
  }
  return cases;
}

}  // namespace conformance
