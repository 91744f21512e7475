// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes probes: a fixed set of changes of one failing case. Each probe changes one field; values that no longer fit are
// replaced later. Random new cases may miss the one number that refutes a condition. Probes try the same numbers in
// every search.
//
// Example: the probes of a case with kernel 3 and 2 input channels have 1 input channel, 1 output channel, ..., kernel
// 1, stride 1, ...; then 32 input channels, 2 output channels, ..., kernel 2, and so on: one number of each field in
// turn.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {
namespace {

using Numbers = std::initializer_list<std::int64_t>;

class ProbeMaker {
 public:
  explicit ProbeMaker(const Sketch& parent) : parent_(parent) {}

  /// Starts a list of probes. Each list changes one field.
  template <class Values, class Change>
  void AddList(const Values& values, const Change& change) {
    std::vector<Sketch>& list = lists_.emplace_back();
    for (const auto& value : values) {
      Sketch& probe = list.emplace_back(parent_);
      change(probe, value);
    }
  }

  void AddNumbers(std::int64_t Sketch::* field, Numbers numbers) {
    AddList(numbers, [field](Sketch& sketch, std::int64_t number) { sketch.*field = number; });
  }

  /// Changes a number of all axes, of the first axis alone, and of the last axis alone.
  void AddNumbersOfAxes(std::int64_t SketchAxis::* field, Numbers numbers) {
    const std::size_t last = parent_.axes.size() - 1;
    AddList(numbers, [&](Sketch& sketch, std::int64_t number) { Change(sketch, field, number, 0, last); });
    if (last == 0) return;
    AddList(numbers, [&](Sketch& sketch, std::int64_t number) { Change(sketch, field, number, 0, 0); });
    AddList(numbers, [&](Sketch& sketch, std::int64_t number) { Change(sketch, field, number, last, last); });
  }

  /// One probe of each list in turn, so that the first probes change all fields.
  std::vector<Sketch> InTurn() && {
    std::vector<Sketch> probes;
    std::size_t longest = 0;
    for (const auto& list : lists_) longest = std::max(longest, list.size());
    for (std::size_t i = 0; i < longest; ++i) {
      for (auto& list : lists_) {
        if (i < list.size()) probes.push_back(std::move(list[i]));
      }
    }
    return probes;
  }

 private:
  static void Change(Sketch& sketch, std::int64_t SketchAxis::* field, std::int64_t number, std::size_t first,
                     std::size_t last) {
    for (std::size_t j = first; j <= last; ++j) sketch.axes[j].*field = number;
    // An absent list stands for ones or zeros.
    sketch.strides |= field == &SketchAxis::stride;
    sketch.dilations |= field == &SketchAxis::dilation;
    sketch.pads_begin |= field == &SketchAxis::pads_begin;
    sketch.pads_end |= field == &SketchAxis::pads_end;
    sketch.output_padding |= field == &SketchAxis::output_padding;
  }

  const Sketch& parent_;
  std::vector<std::vector<Sketch>> lists_;
};

/// The same axes, fewer of them, or more: copies of the last axis behind, or axes of one element before or behind.
void AddAxisCounts(ProbeMaker& maker) {
  enum class Added { kCopies, kOnesBefore, kOnesBehind };
  struct Axes {
    std::size_t count;
    Added added;
  };
  constexpr Axes kAxes[] = {{1, Added::kCopies},     {2, Added::kCopies},     {3, Added::kCopies},
                            {2, Added::kOnesBefore}, {3, Added::kOnesBefore}, {2, Added::kOnesBehind},
                            {3, Added::kOnesBehind}};
  maker.AddList(kAxes, [](Sketch& sketch, const Axes& wanted) {
    std::vector<SketchAxis>& axes = sketch.axes;
    if (wanted.added == Added::kCopies) axes.resize(wanted.count, axes.back());
    while (axes.size() < wanted.count) {
      axes.insert(wanted.added == Added::kOnesBefore ? axes.begin() : axes.end(), SketchAxis());
    }
  });
}

void SetGroups(Sketch& sketch, std::int64_t groups) {
  sketch.groups = groups;
  oracle::OperatorKind& kind = sketch.base_case.op.kind;
  // ConvolutionBackpropData has no groups.
  if (groups != 1 && kind == oracle::OperatorKind::kConvolutionBackpropData) {
    kind = oracle::OperatorKind::kGroupConvolutionBackpropData;
  }
}

void SetOutputShape(Sketch& sketch, bool is_given) {
  const bool is_onnx = sketch.kind() == oracle::OperatorKind::kConvTranspose;
  sketch.shape = !is_given ? ShapeSourceClass::kAbsent
                 : is_onnx ? ShapeSourceClass::kAttribute
                           : ShapeSourceClass::kInput;
  for (SketchAxis& axis : sketch.axes) axis.shape_excess = 0;
}

}  // namespace

std::vector<Sketch> ProbesOf(const Sketch& parent, std::span<const oracle::ElementType> types) {
  ProbeMaker maker(parent);
  // Backends change their algorithms around the sizes of vectors.
  for (std::int64_t Sketch::* channels : {&Sketch::in, &Sketch::out}) {
    maker.AddNumbers(channels, {1, 2, 32, 4, 3, 8, 33, 16, 0, 5, 17, 64});
  }
  maker.AddNumbers(&Sketch::batch, {1, 2, 3, 0, 5});
  maker.AddList(Numbers{1, 2, 3, 4}, SetGroups);
  maker.AddNumbersOfAxes(&SketchAxis::kernel, {1, 2, 3, 4, 5, 7});
  maker.AddNumbersOfAxes(&SketchAxis::stride, {1, 2, 3, 4});
  maker.AddNumbersOfAxes(&SketchAxis::dilation, {1, 2, 3});
  maker.AddNumbersOfAxes(&SketchAxis::data, {1, 2, 3, 0, 5, 8});
  maker.AddNumbersOfAxes(&SketchAxis::pads_begin, {0, 1, 2, 3, -1});
  maker.AddNumbersOfAxes(&SketchAxis::pads_end, {0, 1, 2, 3, -1});
  maker.AddNumbersOfAxes(&SketchAxis::output_padding, {0, 1});
  AddAxisCounts(maker);
  maker.AddList(types, [](Sketch& sketch, oracle::ElementType type) {
    sketch.base_case.op.data.type = sketch.base_case.op.filter.type = type;
  });
  maker.AddList(kDataSets, [](Sketch& sketch, DataSet values) { sketch.base_case.values = values; });
  maker.AddList(std::array{false, true}, SetOutputShape);
  maker.AddList(AutoPadsOf(parent.kind()), [](Sketch& sketch, const std::optional<std::string_view>& auto_pad) {
    sketch.base_case.op.auto_pad.reset();
    if (auto_pad) sketch.base_case.op.auto_pad = std::string(*auto_pad);
  });
  return std::move(maker).InTurn();
}

}  // namespace conformance
