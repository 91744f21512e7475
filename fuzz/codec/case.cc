// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts a recipe to a case and back: it keeps recipes valid and small, and puts their numbers into an operator.

#include <algorithm>
#include <string>
#include <utility>

#include "fuzz/codec/range.h"
#include "fuzz/codec/recipe.h"

namespace conformance::codec {
namespace {

using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

bool IsOnednn(const Recipe& recipe) { return recipe.kind == OperatorKind::kConvolutionBackwardData; }
bool IsOnnx(const Recipe& recipe) { return recipe.kind == OperatorKind::kConvTranspose; }
bool GivesShape(const Recipe& recipe) { return recipe.shape_form != ShapeForm::kNone; }

bool IsExplicit(const Recipe& recipe) {
  if (!recipe.auto_pad) return true;
  const char first = recipe.auto_pad->front();  // explicit, EXPLICIT, none, None, NONE, NOTSET
  return first == 'e' || first == 'E' || first == 'n' || first == 'N';
}

// SAME_* of ConvTranspose without an output shape: the size is data * stride (clause P14).
bool ScalesData(const Recipe& recipe) {
  return IsOnnx(recipe) && !GivesShape(recipe) && !IsExplicit(recipe) && recipe.auto_pad != std::string_view("VALID");
}

// With output_padding; the recipe's numbers are small.
std::int64_t Natural(const AxisRecipe& axis) {
  return axis.stride * (axis.data - 1) + (axis.kernel - 1) * axis.dilation + 1 + axis.output_padding;
}

std::int64_t GivenSize(const AxisRecipe& axis) { return std::max<std::int64_t>(Natural(axis), 1) + axis.delta; }

// Without cropping by pads or by a negative delta, so that neither has to be settled yet.
std::int64_t LargestSize(const Recipe& recipe, const AxisRecipe& axis) {
  if (ScalesData(recipe)) return axis.data * axis.stride;
  const std::int64_t natural = std::max<std::int64_t>(Natural(axis), 1);
  return GivesShape(recipe) ? natural + std::max<std::int64_t>(axis.delta, 0) : natural;
}

// A size of 0 counts as 1: it empties one tensor and leaves the others as large as they are.
bool WithinLimits(const Recipe& recipe, const CodecLimits& limits) {
  std::int64_t outputs = 1;
  std::int64_t products = 1;
  const auto multiply = [](std::int64_t& product, std::int64_t factor, std::int64_t limit) {
    product *= std::max<std::int64_t>(factor, 1);
    return product <= limit;
  };
  for (const std::int64_t factor : {recipe.batch, recipe.groups, recipe.out_channels}) {
    if (!multiply(outputs, factor, limits.outputs) || !multiply(products, factor, limits.products)) return false;
  }
  if (!multiply(products, recipe.in_channels, limits.products)) return false;
  return std::all_of(recipe.axes.begin(), recipe.axes.end(), [&](const AxisRecipe& axis) {
    return multiply(outputs, LargestSize(recipe, axis), limits.outputs) &&
           multiply(products, axis.data, limits.products) && multiply(products, axis.kernel, limits.products);
  });
}

// Halves the largest number that makes the case large; false if the case is as small as can be.
bool StepDown(Recipe& recipe) {
  std::int64_t* largest = nullptr;
  const Range* range = nullptr;
  std::int64_t least = 1;
  const auto consider = [&](std::int64_t& value, const Range& its_range, std::int64_t floor) {
    if (value <= floor || (largest != nullptr && value <= *largest)) return;
    largest = &value;
    range = &its_range;
    least = floor;
  };
  consider(recipe.batch, kBatches, 1);
  consider(recipe.groups, kGroupCounts, 1);
  consider(recipe.in_channels, kChannels, 1);
  consider(recipe.out_channels, kChannels, 1);
  for (AxisRecipe& axis : recipe.axes) {
    consider(axis.data, kDataSizes, 1);
    consider(axis.kernel, kKernelSizes, 1);
    if (axis.data > 1 || ScalesData(recipe)) consider(axis.stride, kStrides, 1);
    if (axis.kernel > 1) consider(axis.dilation, kDilations, 1);
    consider(axis.output_padding, kOutputPaddings, 0);
    if (GivesShape(recipe)) consider(axis.delta, kDeltas, 0);
  }
  if (largest == nullptr) return false;
  *largest = std::max(least, range->AtMost(*largest / 2));
  return true;
}

void ForgetAbsent(Recipe& recipe) {
  if (recipe.kind == OperatorKind::kConvolutionBackpropData) recipe.groups = 1;
  if (IsOnednn(recipe)) recipe.absent &= kNoOutputPadding;                                // clause A13
  if (IsOnnx(recipe) && !IsExplicit(recipe)) recipe.absent |= kNoPadsBegin | kNoPadsEnd;  // clause A14
  for (AxisRecipe& axis : recipe.axes) {
    if ((recipe.absent & kNoStrides) != 0) axis.stride = 1;
    if ((recipe.absent & kNoDilations) != 0) axis.dilation = 1;
    if ((recipe.absent & kNoPadsBegin) != 0) axis.pads_begin = 0;
    if ((recipe.absent & kNoPadsEnd) != 0) axis.pads_end = 0;
    if ((recipe.absent & kNoOutputPadding) != 0) axis.output_padding = 0;
  }
}

// Without data there may be no natural size from which to take the output's.
void FillEmptyAxes(Recipe& recipe) {
  FitSizes(recipe);
  if (GivesShape(recipe)) return;
  for (AxisRecipe& axis : recipe.axes) {
    if (axis.data == 0 && (ScalesData(recipe) || Natural(axis) < 1)) axis.data = 1;
  }
}

// The output keeps at least one element along each axis.
void Crop(const Recipe& recipe, AxisRecipe& axis) {
  if (GivesShape(recipe)) {
    while (GivenSize(axis) < 1) axis.delta = -kDeltas.AtMost(-axis.delta - 1);
  } else if (IsExplicit(recipe)) {
    const std::int64_t most = Natural(axis) - 1;
    axis.pads_begin = kPads.AtMost(std::min(axis.pads_begin, most));
    axis.pads_end = kPads.AtMost(std::min(axis.pads_end, most - axis.pads_begin));
  }
}

bool IsNxc(const Recipe& recipe) { return IsOnednn(recipe) && recipe.data_format.value_or("NXC") == "NXC"; }
bool IsXio(const Recipe& recipe) { return IsOnednn(recipe) && recipe.weights_format.value_or("XIO") == "XIO"; }

template <typename Function>
Dims ForEachAxis(const Recipe& recipe, Function function) {
  Dims list;
  for (const AxisRecipe& axis : recipe.axes) list.push_back(function(axis));
  return list;
}

Dims ByAxis(const Recipe& recipe, std::int64_t AxisRecipe::* member) {
  return ForEachAxis(recipe, [member](const AxisRecipe& axis) { return axis.*member; });
}

// [N, C, spatial], or [N, spatial, C].
Dims WholeShape(const Recipe& recipe, std::int64_t channels, Dims spatial) {
  if (IsNxc(recipe)) {
    spatial.insert(spatial.begin(), recipe.batch);
    spatial.push_back(channels);
  } else {
    spatial.insert(spatial.begin(), {recipe.batch, channels});
  }
  return spatial;
}

Dims FilterShape(const Recipe& recipe) {
  Dims dims = ByAxis(recipe, &AxisRecipe::kernel);
  const std::int64_t all_in = recipe.groups * recipe.in_channels;
  if (IsXio(recipe)) {
    dims.insert(dims.end(), {recipe.out_channels, all_in});
  } else if (recipe.kind == OperatorKind::kGroupConvolutionBackpropData) {
    dims.insert(dims.begin(), {recipe.groups, recipe.in_channels, recipe.out_channels});
  } else {
    dims.insert(dims.begin(), {all_in, recipe.out_channels});
  }
  return dims;
}

void AddShape(const Recipe& recipe, Operator& op) {
  if (!GivesShape(recipe)) return;
  Dims shape = ForEachAxis(recipe, GivenSize);
  if (IsOnnx(recipe)) {
    op.output_shape_attribute = shape;
    return;
  }
  if (IsOnednn(recipe)) {
    shape = WholeShape(recipe, recipe.groups * recipe.out_channels, shape);
    Dims attribute = shape;
    if (recipe.shape_form == ShapeForm::kBothDisagree) {
      for (std::int64_t& size : attribute) ++size;
    }
    if (recipe.shape_form != ShapeForm::kInput) op.dst_shape = std::move(attribute);
    if (recipe.shape_form == ShapeForm::kAttribute) return;
  }
  op.output_shape = {.type = recipe.shape_type, .dims = {static_cast<std::int64_t>(shape.size())}, .values = shape};
}

// Attributes that a reader of models might leave on the operator; the values would spoil it if they were read.
void AddForeign(const Recipe& recipe, Operator& op) {
  const auto wants = [&](unsigned bit) { return (recipe.foreign & bit) != 0; };
  if (wants(1) && !IsOnednn(recipe)) op.data_format = "NXC";
  if (wants(2) && !IsOnednn(recipe)) op.dst_shape = Dims{0};
  if (wants(4) && !IsOnnx(recipe)) op.kernel_shape = Dims{-1};
  if (wants(8) && !IsOnednn(recipe) && !IsOnnx(recipe)) op.groups = 7;
}

std::int64_t At(const Dims& list, std::size_t index) { return index < list.size() ? list[index] : 1; }

std::optional<std::string_view> View(const std::optional<std::string>& text) {
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

void ReadShape(const Operator& op, Recipe& recipe) {
  Dims shape;
  std::size_t first = 0;
  if (IsOnnx(recipe)) {
    if (!op.output_shape_attribute) return;
    recipe.shape_form = ShapeForm::kAttribute;
    shape = *op.output_shape_attribute;
  } else if (op.output_shape) {
    shape = op.output_shape->values;
    recipe.shape_type = op.output_shape->type;
    recipe.shape_form = ShapeForm::kInput;
    if (IsOnednn(recipe) && op.dst_shape) {
      recipe.shape_form = *op.dst_shape == shape ? ShapeForm::kBoth : ShapeForm::kBothDisagree;
    }
  } else if (IsOnednn(recipe)) {
    recipe.shape_form = ShapeForm::kAttribute;
    if (op.dst_shape) shape = *op.dst_shape;
  } else {
    return;
  }
  if (IsOnednn(recipe)) first = IsNxc(recipe) ? 1 : 2;
  for (std::size_t j = 0; j < recipe.axes.size(); ++j) {
    AxisRecipe& axis = recipe.axes[j];
    // Numbers beyond the ranges have no delta that a byte could say; the formula would overflow for some of them.
    const bool small = std::max({axis.data, axis.kernel, axis.stride, axis.dilation, axis.output_padding}) <= 4096 &&
                       std::min({axis.data, axis.kernel, axis.stride, axis.dilation, axis.output_padding}) >= 0;
    const std::int64_t size = At(shape, first + j);
    if (small && size > 0 && size < (std::int64_t{1} << 32)) {
      axis.delta = size - std::max<std::int64_t>(Natural(axis), 1);
    }
  }
}

void ReadLists(const Operator& op, Recipe& recipe) {
  struct List {
    std::optional<Dims> Operator::* from;
    std::int64_t AxisRecipe::* to;
    AbsentBit absent;
  };
  for (const List& list : {List{&Operator::strides, &AxisRecipe::stride, kNoStrides},
                           List{&Operator::dilations, &AxisRecipe::dilation, kNoDilations},
                           List{&Operator::pads_begin, &AxisRecipe::pads_begin, kNoPadsBegin},
                           List{&Operator::pads_end, &AxisRecipe::pads_end, kNoPadsEnd},
                           List{&Operator::output_padding, &AxisRecipe::output_padding, kNoOutputPadding}}) {
    const std::optional<Dims>& values = op.*list.from;
    if (!values) recipe.absent |= list.absent;
    for (std::size_t j = 0; values && j < recipe.axes.size(); ++j) recipe.axes[j].*list.to = At(*values, j);
  }
}

}  // namespace

void Tame(Recipe& recipe, const CodecLimits& limits) {
  // ConvTranspose-1 has no size for SAME_* of its own (clause P23).
  if (recipe.dialect == oracle::Dialect::kOnnx1 && ScalesData(recipe)) recipe.shape_form = ShapeForm::kAttribute;
  ForgetAbsent(recipe);
  FillEmptyAxes(recipe);
  while (!WithinLimits(recipe, limits) && StepDown(recipe)) FillEmptyAxes(recipe);
  for (AxisRecipe& axis : recipe.axes) Crop(recipe, axis);
  FitDialect(recipe);
}

Case CaseOf(const Recipe& recipe) {
  Case result;
  result.dialect = recipe.dialect;
  result.values = recipe.values;
  result.seed = recipe.seed;
  Operator& op = result.op;
  op.kind = recipe.kind;
  op.data = {.type = recipe.type,
             .dims = WholeShape(recipe, recipe.groups * recipe.in_channels, ByAxis(recipe, &AxisRecipe::data))};
  op.filter = {.type = recipe.type, .dims = FilterShape(recipe)};
  if ((recipe.absent & kNoStrides) == 0) op.strides = ByAxis(recipe, &AxisRecipe::stride);
  if ((recipe.absent & kNoDilations) == 0) op.dilations = ByAxis(recipe, &AxisRecipe::dilation);
  if ((recipe.absent & kNoPadsBegin) == 0) op.pads_begin = ByAxis(recipe, &AxisRecipe::pads_begin);
  if ((recipe.absent & kNoPadsEnd) == 0) op.pads_end = ByAxis(recipe, &AxisRecipe::pads_end);
  if ((recipe.absent & kNoOutputPadding) == 0) op.output_padding = ByAxis(recipe, &AxisRecipe::output_padding);
  if (recipe.auto_pad) op.auto_pad = *recipe.auto_pad;
  AddShape(recipe, op);
  if (IsOnednn(recipe)) {
    if (recipe.data_format) op.data_format = *recipe.data_format;
    if (recipe.weights_format) op.weights_format = *recipe.weights_format;
  }
  if ((IsOnednn(recipe) || IsOnnx(recipe)) && (recipe.groups != 1 || recipe.names_one_group)) op.groups = recipe.groups;
  if (IsOnnx(recipe) && recipe.names_kernel) op.kernel_shape = ByAxis(recipe, &AxisRecipe::kernel);
  AddForeign(recipe, op);
  return result;
}

Recipe RecipeOf(const Case& test_case) {
  const Operator& op = test_case.op;
  Recipe recipe;
  recipe.kind = op.kind;
  recipe.dialect = test_case.dialect;
  recipe.type = op.data.type;
  recipe.auto_pad = View(op.auto_pad);
  if (IsOnednn(recipe)) {
    recipe.data_format = View(op.data_format);
    recipe.weights_format = View(op.weights_format);
  }
  recipe.values = test_case.values;
  recipe.seed = static_cast<std::uint16_t>(test_case.seed & 0xffff);

  const Dims& data = op.data.dims;
  const Dims& filter = op.filter.dims;
  recipe.axes.resize(std::clamp<std::size_t>(data.size(), 3, kMostAxes + 2) - 2);
  const std::size_t axes = recipe.axes.size();
  const bool grouped = op.kind == OperatorKind::kGroupConvolutionBackpropData;
  std::size_t first_kernel = grouped ? 3 : 2;
  std::int64_t all_in = At(filter, 0);
  recipe.out_channels = At(filter, grouped ? 2 : 1);
  if (IsXio(recipe)) {
    first_kernel = 0;
    all_in = At(filter, axes + 1);
    recipe.out_channels = At(filter, axes);
  }
  recipe.batch = At(data, 0);
  if (grouped) {
    recipe.groups = At(filter, 0);
    recipe.in_channels = At(filter, 1);
  } else {
    const bool has_attribute = IsOnednn(recipe) || IsOnnx(recipe);
    recipe.groups = has_attribute ? std::max<std::int64_t>(op.groups.value_or(1), 1) : 1;
    recipe.in_channels = all_in / recipe.groups;
    recipe.names_one_group = has_attribute && op.groups.has_value();
  }
  recipe.names_kernel = op.kernel_shape.has_value();
  for (std::size_t j = 0; j < axes; ++j) {
    recipe.axes[j].data = At(data, (IsNxc(recipe) ? 1 : 2) + j);
    recipe.axes[j].kernel = At(filter, first_kernel + j);
  }
  ReadLists(op, recipe);
  ReadShape(op, recipe);
  return recipe;
}

}  // namespace conformance::codec
