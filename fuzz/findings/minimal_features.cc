// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the attributes of a failing case with those of a minimized case, to tell whether one defect may explain
// both. The order of the axes does not matter. Also gives a smallest case the attributes of another case, one at a
// time, and asks whether it still fails.

#include "fuzz/findings/minimal_features.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "conformance/case/property/property.h"
#include "conformance/case/sketch.h"
#include "oracle/operator.h"

namespace fuzz {
namespace {

using oracle::Dims;

// The attributes that HasEffectOn() copies to a smallest case. A sketch is a case as plain fields for each axis.
constexpr std::array kCopiedAttributes = {&conformance::SketchAxis::stride, &conformance::SketchAxis::dilation,
                                          &conformance::SketchAxis::pads_begin, &conformance::SketchAxis::pads_end,
                                          &conformance::SketchAxis::kernel};
// The largest value that is copied. The number is a guess: larger attributes would make the small case large.
constexpr std::int64_t kMostCopied = 16;
// The index of the element type among the copied fields, behind those of kCopiedAttributes.
constexpr std::size_t kTypeField = kCopiedAttributes.size();

// Returns the numbers above `neutral`, the largest first. `neutral` is the value of an attribute without effect: 1 for
// a stride, 0 for a pad.
Dims LargestFirst(const Dims& numbers, std::int64_t neutral) {
  Dims above;
  std::ranges::copy_if(numbers, std::back_inserter(above), [neutral](std::int64_t number) { return number > neutral; });
  std::ranges::sort(above, std::greater<>());
  return above;
}

/// Whether each of `needed` above `neutral` has a number of its own in `numbers` that is at least as large.
/// Example: 5,1,3 reaches 1,4,2, because 5 >= 4 and 3 >= 2; 3,3 does not reach 4.
bool Reaches(const Dims& numbers, const Dims& needed, std::int64_t neutral) {
  const Dims available = LargestFirst(numbers, neutral);
  const Dims required = LargestFirst(needed, neutral);
  return available.size() >= required.size() &&
         std::ranges::equal(required, Dims(available.begin(), available.begin() + std::ssize(required)),
                            std::less_equal<>());
}

/// The same for attributes that may be absent. An absent attribute has no effect, like an empty list.
bool Reaches(const std::optional<Dims>& numbers, const std::optional<Dims>& needed, std::int64_t neutral) {
  return Reaches(numbers.value_or(Dims{}), needed.value_or(Dims{}), neutral);
}

/// Whether the data or the filter has no elements.
bool IsEmpty(const oracle::Operator& op) {
  return std::ranges::count(op.data.dims, 0) + std::ranges::count(op.filter.dims, 0) > 0;
}

}  // namespace

bool HasFeaturesOf(const conformance::Case& minimized, const conformance::Case& test_case) {
  const oracle::Operator& needed = minimized.op;
  const oracle::Operator& op = test_case.op;
  using conformance::AutoPadOf;
  const auto has_output_shape = [](const oracle::Operator& of) {
    return conformance::ShapeSourceOf(of) != conformance::ShapeSourceClass::kAbsent;
  };
  return Reaches(op.data.dims, needed.data.dims, 1) && Reaches(op.filter.dims, needed.filter.dims, 1) &&
         Reaches(op.strides, needed.strides, 1) && Reaches(op.dilations, needed.dilations, 1) &&
         Reaches(op.pads_begin, needed.pads_begin, 0) && Reaches(op.pads_end, needed.pads_end, 0) &&
         Reaches(op.output_padding, needed.output_padding, 0) && op.groups.value_or(1) >= needed.groups.value_or(1) &&
         // auto_pad must be equal only if it decides the pads of the minimized case.
         (conformance::PadsDecide(needed) || AutoPadOf(needed) == AutoPadOf(op)) &&
         (!has_output_shape(needed) || has_output_shape(op)) && (!IsEmpty(needed) || IsEmpty(op)) &&
         (minimized.values == conformance::DataSet::kIntegers || test_case.values != conformance::DataSet::kIntegers);
}

bool SmallestCase::HasEffectOn(const conformance::Case& other_case, const StillFails& still_fails) {
  const auto other = conformance::SketchOf(other_case);
  const auto smallest = conformance::SketchOf(smallest_);
  if (!other || !smallest || other->axes.empty()) return true;  // the fields cannot be compared
  if (other->type() != smallest->type()) {
    conformance::Case retyped = smallest_;
    retyped.op.data.type = retyped.op.filter.type = other->type();
    if (!FailsWith(kTypeField, static_cast<std::int64_t>(other->type()), retyped, still_fails)) return false;
  }
  for (std::size_t field = 0; field < kCopiedAttributes.size(); ++field) {
    const auto attribute = kCopiedAttributes[field];
    const std::int64_t value = std::ranges::max(other->axes, {}, attribute).*attribute;
    if (value > kMostCopied || value == std::ranges::max(smallest->axes, {}, attribute).*attribute) continue;
    conformance::Sketch changed = *smallest;
    changed.strides = changed.dilations = changed.pads_begin = changed.pads_end = true;
    for (conformance::SketchAxis& axis : changed.axes) {
      axis.*attribute = value;
      // Enough data that pads do not remove the whole output. Negative pads need none.
      axis.data = std::max(axis.data, 2 * std::max<std::int64_t>(0, value) + 1);
    }
    if (!FailsWith(field, value, conformance::CaseOf(changed), still_fails)) return false;
  }
  return true;
}

/// Whether the smallest case still fails if its field with this index gets this value. `changed` is the smallest case
/// after that change. Remembers the answer.
bool SmallestCase::FailsWith(std::size_t field, std::int64_t value, const conformance::Case& changed,
                             const StillFails& still_fails) {
  const auto [fails, is_new] = fails_with_.try_emplace({field, value}, true);
  if (is_new) fails->second = still_fails(changed);
  return fails->second;
}

}  // namespace fuzz
