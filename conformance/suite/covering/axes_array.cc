// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds rows of classes in which the axes of an operator are in different classes. Builds them greedily, as array.cc
// does. A row starts from the first pair of classes that no row has yet; each other class is the one that adds the most
// new pairs. Every dialect treats each axis separately. So a row is feasible if each of its axes alone is feasible.

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

class AxesArray {
 public:
  AxesArray(const Model& model, std::size_t axes) : model_(model), axes_(axes) {
    done_.resize(kAxisParameters.size() * axes_ * axes_ * kContexts * kMostClasses * kMostClasses);
    for (const std::uint8_t value : model.classes(Property::kGroups)) {
      ClassRow row;
      row[Property::kGroups] = value;
      if (model.Feasible(row)) groups_.push_back(value);
    }
  }

  std::vector<AxesRow> Build() {
    StartFromTotals();
    for (const bool uses_pads : {true, false}) {
      for (const bool shaped : {false, true}) StartFromClasses(uses_pads, shaped);
    }
    return std::move(rows_);
  }

 private:
  // The contexts in which pairs are counted: each auto_pad with and without groups for kOutputShape, else four.
  static constexpr std::size_t kContexts = 10;
  static constexpr std::size_t kMostClasses = 6;  // classes of a parameter of an axis

  // An unfinished row. The auto_pad limits the classes that an axis can have.
  struct Draft {
    std::uint8_t auto_pad;
    bool grouped;
    bool shaped;
    std::vector<ClassRow> axes;
  };

  Draft NewDraft(std::uint8_t auto_pad, bool grouped, bool shaped) const {
    ClassRow axis;
    axis.Set(Property::kRank, RankClass::k3);
    axis[Property::kAutoPad] = auto_pad;
    return {auto_pad, grouped, shaped, std::vector<ClassRow>(axes_, axis)};
  }

  bool Feasible(const ClassRow& axis) {
    std::uint64_t key = axis[Property::kAutoPad] & 0xFU;
    for (const Property parameter : kAxisParameters) key = key << 4 | (axis[parameter] & 0xFU);
    const auto [at, is_new] = feasible_.try_emplace(key, false);
    if (is_new) at->second = model_.Feasible(axis);
    return at->second;
  }

  std::size_t ContextOf(const Draft& draft, Property parameter) const {
    if (parameter == Property::kOutputShape)
      return draft.auto_pad * std::size_t{2} + (draft.grouped && axes_ == 2 ? 1 : 0);
    return (UsesPads(draft.auto_pad) ? 2 : 0) + (draft.shaped ? 1 : 0);
  }

  // The flag "some row has this pair": class `a` of parameter `p` on axis `one`, class `b` on axis `other` > `one`.
  std::uint8_t& Done(const Draft& draft, std::size_t p, std::size_t one, std::size_t other, std::uint8_t a,
                     std::uint8_t b) {
    std::size_t index = (p * axes_ + one) * axes_ + other;
    index = index * kContexts + ContextOf(draft, kAxisParameters[p]);
    return done_[(index * kMostClasses + a) * kMostClasses + b];
  }

  bool IsNew(const Draft& draft, std::size_t p, std::size_t axis, std::uint8_t value, std::size_t other,
             std::uint8_t others_value) {
    return axis < other ? Done(draft, p, axis, other, value, others_value) == 0
                        : Done(draft, p, other, axis, others_value, value) == 0;
  }

  // The number of new pairs that class `value` forms with the classes of other axes. A pair with a class that an axis
  // already has counts kSure; a pair with a class that an axis may still get counts 1.
  std::size_t Gain(const Draft& draft, std::size_t p, std::size_t axis, std::uint8_t value) {
    constexpr std::size_t kSure = 100;  // more than all others of a class together, so that sure pairs decide
    const Property parameter = kAxisParameters[p];
    std::size_t gain = 0;
    for (std::size_t other = 0; other < axes_; ++other) {
      if (other == axis) continue;
      if (draft.axes[other].Has(parameter)) {
        gain += IsNew(draft, p, axis, value, other, draft.axes[other][parameter]) ? kSure : 0;
        continue;
      }
      for (const std::uint8_t theirs : model_.classes(parameter)) {
        gain += IsNew(draft, p, axis, value, other, theirs) ? 1 : 0;
      }
    }
    return gain;
  }

  // The feasible class with the largest gain. False if no class is feasible.
  bool ChooseClass(Draft& draft, std::size_t p, std::size_t axis) {
    const Property parameter = kAxisParameters[p];
    ClassRow& row = draft.axes[axis];
    const std::vector<std::uint8_t>& classes = model_.classes(parameter);
    std::uint8_t best = ClassRow::kNone;
    std::size_t best_gain = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::uint8_t value = classes[(i + rows_.size() + axis) % classes.size()];
      if (parameter == Property::kOutputShape && draft.shaped == (value == kAbsentShape)) continue;
      row[parameter] = value;
      if (!Feasible(row)) continue;
      const std::size_t gain = Gain(draft, p, axis, value);
      if (best == ClassRow::kNone || gain > best_gain) {
        best = value;
        best_gain = gain;
      }
    }
    row[parameter] = best;
    return best != ClassRow::kNone;
  }

  // Chooses all missing classes of the draft. False if an axis has no feasible class of a parameter.
  bool Fill(Draft& draft) {
    for (std::size_t step = 0; step < kAxisParameters.size(); ++step) {
      // The output shape is chosen first. The order of the other parameters rotates from row to row.
      const std::size_t count = kAxisParameters.size() - 1;
      const std::size_t p = step == 0 ? 0 : 1 + (step + rows_.size()) % count;
      for (std::size_t axis = 0; axis < axes_; ++axis) {
        if (!draft.axes[axis].Has(kAxisParameters[p]) && !ChooseClass(draft, p, axis)) return false;
      }
    }
    return true;
  }

  void Add(Draft draft) {
    for (std::size_t p = 0; p < kAxisParameters.size(); ++p) {
      for (std::size_t one = 0; one < axes_; ++one) {
        for (std::size_t other = one + 1; other < axes_; ++other) {
          Done(draft, p, one, other, draft.axes[one][kAxisParameters[p]], draft.axes[other][kAxisParameters[p]]) = 1;
        }
      }
    }
    AxesRow row{.shared = SharedOf(draft), .axes = {}};
    for (const ClassRow& axis : draft.axes) {
      ClassRow& own = row.axes.emplace_back();
      for (const Property parameter : kAxisParameters) own[parameter] = axis[parameter];
    }
    rows_.push_back(std::move(row));
  }

  // The classes that all axes share. They take turns from row to row. Half of the rows have type f32, which all
  // backends have, and most have the default layout of ConvolutionBackwardData.
  ClassRow SharedOf(const Draft& draft) const {
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
    row[Property::kAutoPad] = draft.auto_pad;
    row.Set(Property::kRank, axes_ == 2 ? RankClass::k4 : RankClass::k5);
    const std::size_t several = groups_.size() - 1;
    row[Property::kGroups] = draft.grouped ? groups_[1 + number % several] : groups_.front();
    return row;
  }

  // Starts rows from pairs of output shape classes, which are classes of the total padding.
  void StartFromTotals() {
    const std::vector<std::uint8_t>& totals = model_.classes(Property::kOutputShape);
    for (const std::uint8_t auto_pad : model_.classes(Property::kAutoPad)) {
      for (const bool grouped : {false, true}) {
        if (grouped && (groups_.size() == 1 || axes_ > 2)) continue;
        for (std::size_t one = 0; one < axes_; ++one) {
          for (std::size_t other = one + 1; other < axes_; ++other) {
            for (const std::uint8_t a : totals) {
              for (const std::uint8_t b : totals) {
                if (a == kAbsentShape || b == kAbsentShape) continue;
                Start(NewDraft(auto_pad, axes_ > 2 ? HasGroups() : grouped, true), 0, one, other, a, b);
              }
            }
          }
        }
      }
    }
  }

  // Starts rows from pairs of classes of each other parameter.
  void StartFromClasses(bool uses_pads, bool shaped) {
    for (std::size_t p = 1; p < kAxisParameters.size(); ++p) {
      const std::vector<std::uint8_t>& classes = model_.classes(kAxisParameters[p]);
      for (std::size_t one = 0; one < axes_; ++one) {
        for (std::size_t other = one + 1; other < axes_; ++other) {
          for (const std::uint8_t a : classes) {
            for (const std::uint8_t b : classes) {
              for (const std::uint8_t auto_pad : AutoPadsInTurn(uses_pads)) {
                if (Start(NewDraft(auto_pad, HasGroups(), shaped), p, one, other, a, b)) break;
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
  bool Start(Draft draft, std::size_t p, std::size_t one, std::size_t other, std::uint8_t a, std::uint8_t b) {
    if (Done(draft, p, one, other, a, b) != 0) return true;
    draft.axes[one][kAxisParameters[p]] = a;
    draft.axes[other][kAxisParameters[p]] = b;
    if (!Feasible(draft.axes[one]) || !Feasible(draft.axes[other]) || !Fill(draft)) return false;
    Add(std::move(draft));
    return true;
  }

  const Model& model_;
  std::size_t axes_;
  std::vector<std::uint8_t> groups_;  ///< classes of kGroups; the first is the class of one group
  std::vector<std::uint8_t> done_;
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
