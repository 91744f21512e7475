// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds rows of classes in which the axes of an operator are in different classes, such as pads at the beginning of
// one axis and at the end of another. Builds them greedily, as array.cc does. A row starts from the first pair of
// classes that no row has yet; each other class is the one that adds the most new pairs. Every dialect treats each axis
// separately. So a row is feasible if each of its axes alone is feasible.

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "conformance/suite/covering/array.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::OperatorKind;

bool UsesPads(std::uint8_t auto_pad) {
  return auto_pad == static_cast<std::uint8_t>(AutoPadClass::kAbsent) ||
         auto_pad == static_cast<std::uint8_t>(AutoPadClass::kExplicit);
}

constexpr auto kAbsentShape = static_cast<std::uint8_t>(OutputShapeClass::kAbsent);

/// Builds the rows for operators with `axes` axes.
class AxesArray {
 public:
  AxesArray(const Model& model, std::size_t axes) : model_(model), axes_(axes) {
    has_row_.resize(kAxisParameters.size() * axes_ * axes_ * kContexts * kMostClasses * kMostClasses);
    for (const std::uint8_t value : model.classes(Property::kGroups)) {
      ClassRow row;
      row[Property::kGroups] = value;
      if (model.Feasible(row)) groups_.push_back(value);
    }
  }

  std::vector<AxesRow> Build() {
    StartFromTotals();
    for (const bool uses_pads : {true, false}) {
      for (const bool has_output_shape : {false, true}) StartFromClasses(uses_pads, has_output_shape);
    }
    return std::move(rows_);
  }

 private:
  // The contexts in which pairs are counted. For kOutputShape: each of five classes of auto_pad with and without
  // groups. For other parameters four: whether pads are used, and whether there is an output shape.
  static constexpr std::size_t kContexts = 10;
  static constexpr std::size_t kMostClasses = 6;  // classes of a parameter of an axis

  // An unfinished row. The auto_pad limits the classes that an axis can have.
  struct UnfinishedRow {
    std::uint8_t auto_pad;
    bool grouped;
    bool has_output_shape;
    std::vector<ClassRow> axes;
  };

  UnfinishedRow NewRow(std::uint8_t auto_pad, bool grouped, bool has_output_shape) const {
    ClassRow axis;
    axis.Set(Property::kRank, RankClass::k3);
    axis[Property::kAutoPad] = auto_pad;
    return {auto_pad, grouped, has_output_shape, std::vector<ClassRow>(axes_, axis)};
  }

  bool Feasible(const ClassRow& axis) {
    std::uint64_t key = axis[Property::kAutoPad] & 0xFU;
    for (const Property parameter : kAxisParameters) key = key << 4 | (axis[parameter] & 0xFU);
    const auto [at, is_new] = feasible_.try_emplace(key, false);
    if (is_new) at->second = model_.Feasible(axis);
    return at->second;
  }

  std::size_t ContextOf(const UnfinishedRow& unfinished, Property parameter) const {
    if (parameter == Property::kOutputShape)
      return unfinished.auto_pad * std::size_t{2} + (unfinished.grouped && axes_ == 2 ? 1 : 0);
    return (UsesPads(unfinished.auto_pad) ? 2 : 0) + (unfinished.has_output_shape ? 1 : 0);
  }

  // The flag "some row has this pair": class `first_class` of parameter `parameter_index` on axis `one`, class
  // `second_class` on axis `other` > `one`.
  std::uint8_t& HasRow(const UnfinishedRow& unfinished, std::size_t parameter_index, std::size_t one, std::size_t other,
                       std::uint8_t first_class, std::uint8_t second_class) {
    std::size_t index = (parameter_index * axes_ + one) * axes_ + other;
    index = index * kContexts + ContextOf(unfinished, kAxisParameters[parameter_index]);
    return has_row_[(index * kMostClasses + first_class) * kMostClasses + second_class];
  }

  bool IsNew(const UnfinishedRow& unfinished, std::size_t parameter_index, std::size_t axis, std::uint8_t value,
             std::size_t other, std::uint8_t others_value) {
    return axis < other ? HasRow(unfinished, parameter_index, axis, other, value, others_value) == 0
                        : HasRow(unfinished, parameter_index, other, axis, others_value, value) == 0;
  }

  // The number of new pairs that class `value` forms with the classes of other axes. A pair with a class that an axis
  // already has counts kSure; a pair with a class that an axis may still get counts 1.
  std::size_t CountNew(const UnfinishedRow& unfinished, std::size_t parameter_index, std::size_t axis,
                       std::uint8_t value) {
    constexpr std::size_t kSure = 100;  // more than all others of a class together, so that sure pairs decide
    const Property parameter = kAxisParameters[parameter_index];
    std::size_t gain = 0;
    for (std::size_t other = 0; other < axes_; ++other) {
      if (other == axis) continue;
      if (unfinished.axes[other].Has(parameter)) {
        gain += IsNew(unfinished, parameter_index, axis, value, other, unfinished.axes[other][parameter]) ? kSure : 0;
        continue;
      }
      for (const std::uint8_t theirs : model_.classes(parameter)) {
        gain += IsNew(unfinished, parameter_index, axis, value, other, theirs) ? 1 : 0;
      }
    }
    return gain;
  }

  // The feasible class with the largest gain. False if no class is feasible.
  bool ChooseClass(UnfinishedRow& unfinished, std::size_t parameter_index, std::size_t axis) {
    const Property parameter = kAxisParameters[parameter_index];
    ClassRow& row = unfinished.axes[axis];
    const std::vector<std::uint8_t>& classes = model_.classes(parameter);
    std::uint8_t best = ClassRow::kNone;
    std::size_t best_gain = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::uint8_t value = classes[(i + rows_.size() + axis) % classes.size()];
      if (parameter == Property::kOutputShape && unfinished.has_output_shape == (value == kAbsentShape)) continue;
      row[parameter] = value;
      if (!Feasible(row)) continue;
      const std::size_t gain = CountNew(unfinished, parameter_index, axis, value);
      if (best == ClassRow::kNone || gain > best_gain) {
        best = value;
        best_gain = gain;
      }
    }
    row[parameter] = best;
    return best != ClassRow::kNone;
  }

  // Chooses all missing classes of the row. False if an axis has no feasible class of a parameter.
  bool ChooseMissingClasses(UnfinishedRow& unfinished) {
    for (std::size_t step = 0; step < kAxisParameters.size(); ++step) {
      // The output shape is chosen first. The order of the other parameters rotates from row to row.
      const std::size_t count = kAxisParameters.size() - 1;
      const std::size_t parameter_index = step == 0 ? 0 : 1 + (step + rows_.size()) % count;
      for (std::size_t axis = 0; axis < axes_; ++axis) {
        if (!unfinished.axes[axis].Has(kAxisParameters[parameter_index]) &&
            !ChooseClass(unfinished, parameter_index, axis))
          return false;
      }
    }
    return true;
  }

  void Add(UnfinishedRow unfinished) {
    for (std::size_t parameter_index = 0; parameter_index < kAxisParameters.size(); ++parameter_index) {
      for (std::size_t one = 0; one < axes_; ++one) {
        for (std::size_t other = one + 1; other < axes_; ++other) {
          HasRow(unfinished, parameter_index, one, other, unfinished.axes[one][kAxisParameters[parameter_index]],
                 unfinished.axes[other][kAxisParameters[parameter_index]]) = 1;
        }
      }
    }
    AxesRow row{.shared = SharedOf(unfinished), .axes = {}};
    for (const ClassRow& axis : unfinished.axes) {
      ClassRow& own = row.axes.emplace_back();
      for (const Property parameter : kAxisParameters) own[parameter] = axis[parameter];
    }
    rows_.push_back(std::move(row));
  }

  // The classes that all axes share. They take turns from row to row. Half of the rows have type f32, which all
  // backends have, and most have the default layout of ConvolutionBackwardData.
  ClassRow SharedOf(const UnfinishedRow& unfinished) const {
    const std::size_t number = rows_.size();
    ClassRow row;
    // Each parameter changes half as often as the parameter before it, so that all combinations occur.
    std::size_t slower = number;
    for (const Property parameter : {Property::kOperator, Property::kType, Property::kBatch, Property::kShapeSource}) {
      const std::vector<std::uint8_t>& classes = model_.classes(parameter);
      if (!classes.empty()) row[parameter] = classes[slower % classes.size()];
      slower /= 2;
    }
    if (number % 4 < 2) row.Set(Property::kType, oracle::ElementType::kF32);
    if (!model_.classes(Property::kDataFormat).empty()) {
      const std::size_t layout = number % 16;
      const auto format = [](bool first) { return first ? FormatClass::kChannelsFirst : FormatClass::kChannelsLast; };
      row.Set(Property::kDataFormat, format(layout == 3 || layout == 7));
      row.Set(Property::kFilterFormat, format(layout == 3 || layout == 11));
    }
    row[Property::kAutoPad] = unfinished.auto_pad;
    row.Set(Property::kRank, axes_ == 2 ? RankClass::k4 : RankClass::k5);
    const std::size_t several = groups_.size() - 1;
    row[Property::kGroups] = unfinished.grouped ? groups_[1 + number % several] : groups_.front();
    return row;
  }

  // Starts rows from pairs of classes of the output shape. They are classes of the total padding: the output size
  // without pads minus the output size, such as odd or negative.
  void StartFromTotals() {
    const std::vector<std::uint8_t>& totals = model_.classes(Property::kOutputShape);
    for (const std::uint8_t auto_pad : model_.classes(Property::kAutoPad)) {
      for (const bool grouped : {false, true}) {
        if (grouped && (groups_.size() == 1 || axes_ > 2)) continue;
        for (std::size_t one = 0; one < axes_; ++one) {
          for (std::size_t other = one + 1; other < axes_; ++other) {
            for (const std::uint8_t first_class : totals) {
              for (const std::uint8_t second_class : totals) {
                if (first_class == kAbsentShape || second_class == kAbsentShape) continue;
                StartRow(NewRow(auto_pad, axes_ > 2 ? HasGroups() : grouped, true), 0, one, other, first_class,
                         second_class);
              }
            }
          }
        }
      }
    }
  }

  // Starts rows from pairs of classes of each other parameter.
  void StartFromClasses(bool uses_pads, bool has_output_shape) {
    for (std::size_t parameter_index = 1; parameter_index < kAxisParameters.size(); ++parameter_index) {
      const std::vector<std::uint8_t>& classes = model_.classes(kAxisParameters[parameter_index]);
      for (std::size_t one = 0; one < axes_; ++one) {
        for (std::size_t other = one + 1; other < axes_; ++other) {
          for (const std::uint8_t first_class : classes) {
            for (const std::uint8_t second_class : classes) {
              for (const std::uint8_t auto_pad : AutoPadsInTurn(uses_pads)) {
                if (StartRow(NewRow(auto_pad, HasGroups(), has_output_shape), parameter_index, one, other, first_class,
                             second_class))
                  break;
              }
            }
          }
        }
      }
    }
  }

  // Every other row has groups, if a row may have groups or not.
  bool HasGroups() const { return groups_.size() > 1 && rows_.size() % 2 == 1; }

  std::vector<std::uint8_t> AutoPadsInTurn(bool uses_pads) const {
    std::vector<std::uint8_t> modes;
    for (const std::uint8_t auto_pad : model_.classes(Property::kAutoPad)) {
      if (UsesPads(auto_pad) == uses_pads) modes.push_back(auto_pad);
    }
    std::ranges::rotate(modes, modes.begin() + static_cast<std::ptrdiff_t>(rows_.size() % modes.size()));
    return modes;
  }

  // Adds a row with this pair of classes. False if no row can have it; true also if a row has it already.
  bool StartRow(UnfinishedRow unfinished, std::size_t parameter_index, std::size_t one, std::size_t other,
                std::uint8_t first_class, std::uint8_t second_class) {
    if (HasRow(unfinished, parameter_index, one, other, first_class, second_class) != 0) return true;
    unfinished.axes[one][kAxisParameters[parameter_index]] = first_class;
    unfinished.axes[other][kAxisParameters[parameter_index]] = second_class;
    if (!Feasible(unfinished.axes[one]) || !Feasible(unfinished.axes[other]) || !ChooseMissingClasses(unfinished))
      return false;
    Add(std::move(unfinished));
    return true;
  }

  const Model& model_;
  std::size_t axes_;
  std::vector<std::uint8_t> groups_;  ///< classes of kGroups; the first is the class of one group
  std::vector<std::uint8_t> has_row_;
  std::unordered_map<std::uint64_t, bool> feasible_;  ///< answers by the classes of an axis
  std::vector<AxesRow> rows_;
};

}  // namespace

std::string ToText(const AxesRow& row) {
  std::string text = ToText(row.shared);
  for (const Property parameter : kAxisParameters) {
    text += ' ';
    text += PropertyName(parameter);
    for (const ClassRow& axis : row.axes) {
      text += &axis == &row.axes.front() ? '=' : ',';
      text += ClassNames(parameter)[axis[parameter]];
    }
  }
  return text;
}

const std::vector<AxesRow>& AxesRowsOf(OperatorKind kind, Dialect dialect) {
  static std::mutex mutex;
  static std::map<std::pair<OperatorKind, Dialect>, std::vector<AxesRow>> arrays;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = arrays.try_emplace({kind, dialect});
  if (is_new) {
    for (const std::size_t axes : {std::size_t{2}, std::size_t{3}}) {
      std::ranges::move(AxesArray(ModelOf(kind, dialect), axes).Build(), std::back_inserter(at->second));
    }
  }
  return at->second;
}

}  // namespace conformance
