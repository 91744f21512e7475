// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the attributes of a case with those of a minimized case. The order of the axes does not matter. Gives a
// smallest case the attributes of another case, one at a time.

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

// The attributes that HasEffectOn() copies to a smallest case, up to the value kMostCopied.
constexpr std::array kCopiedAttributes = {&conformance::SketchAxis::stride, &conformance::SketchAxis::dilation,
                                          &conformance::SketchAxis::pads_begin, &conformance::SketchAxis::pads_end,
                                          &conformance::SketchAxis::kernel};
constexpr std::int64_t kMostCopied = 16;  // a guess: larger attributes would make the small case large
// The index of the element type among the copied fields, behind those of kCopiedAttributes.
constexpr std::size_t kTypeField = kCopiedAttributes.size();

// Returns the numbers above `plain`, the largest first. `plain` is the value of an attribute without effect: 1 for a
// stride, 0 for a pad.
Dims Beyond(const Dims& numbers, std::int64_t plain) {
  Dims beyond;
  std::ranges::copy_if(numbers, std::back_inserter(beyond), [plain](std::int64_t number) { return number > plain; });
  std::ranges::sort(beyond, std::greater<>());
  return beyond;
}

/// Whether each of `needed` above `plain` has a number of its own in `numbers` that is at least as large.
/// Example: 5,1,3 reaches 1,4,2; 3,3 does not reach 4.
bool Reaches(const Dims& numbers, const Dims& needed, std::int64_t plain) {
  const Dims most = Beyond(numbers, plain);
  const Dims least = Beyond(needed, plain);
  return most.size() >= least.size() &&
         std::ranges::equal(least, Dims(most.begin(), most.begin() + std::ssize(least)), std::less_equal<>());
}

bool Reaches(const std::optional<Dims>& numbers, const std::optional<Dims>& needed, std::int64_t plain) {
  return Reaches(numbers.value_or(Dims{}), needed.value_or(Dims{}), plain);
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
  // auto_pad must be equal only if the minimized case needs a mode. An output shape must be given only if the minimized
  // case has one.
  const auto shaped = [](const oracle::Operator& of) {
    return conformance::ShapeSourceOf(of) != conformance::ShapeSourceClass::kAbsent;
  };
  return Reaches(op.data.dims, needed.data.dims, 1) && Reaches(op.filter.dims, needed.filter.dims, 1) &&
         Reaches(op.strides, needed.strides, 1) && Reaches(op.dilations, needed.dilations, 1) &&
         Reaches(op.pads_begin, needed.pads_begin, 0) && Reaches(op.pads_end, needed.pads_end, 0) &&
         Reaches(op.output_padding, needed.output_padding, 0) && op.groups.value_or(1) >= needed.groups.value_or(1) &&
         (conformance::PadsDecide(needed) || AutoPadOf(needed) == AutoPadOf(op)) && (!shaped(needed) || shaped(op)) &&
         (!IsEmpty(needed) || IsEmpty(op)) &&
         (minimized.values == conformance::DataSet::kIntegers || test_case.values != conformance::DataSet::kIntegers);
}

bool SmallestCase::HasEffectOn(const conformance::Case& other_case, const StillFails& still_fails) {
  const auto other = conformance::SketchOf(other_case);
  const auto smallest = conformance::SketchOf(smallest_);
  if (!other || !smallest || other->axes.empty()) return true;
  if (other->type() != smallest->type()) {
    conformance::Case with = smallest_;
    with.op.data.type = with.op.filter.type = other->type();
    if (!FailsWith(kTypeField, static_cast<std::int64_t>(other->type()), with, still_fails)) return false;
  }
  for (std::size_t member = 0; member < kCopiedAttributes.size(); ++member) {
    const auto attribute = kCopiedAttributes[member];
    const std::int64_t value = std::ranges::max(other->axes, {}, attribute).*attribute;
    if (value > kMostCopied || value == std::ranges::max(smallest->axes, {}, attribute).*attribute) continue;
    conformance::Sketch changed = *smallest;
    changed.strides = changed.dilations = changed.pads_begin = changed.pads_end = true;
    for (conformance::SketchAxis& axis : changed.axes) {
      axis.*attribute = value;
      // Enough data that pads do not remove the whole output. Negative pads need none.
      axis.data = std::max(axis.data, 2 * std::max<std::int64_t>(0, value) + 1);
    }
    if (!FailsWith(member, value, conformance::CaseOf(changed), still_fails)) return false;
  }
  return true;
}

/// Whether the smallest case still fails as `changed`, where one field has another value. Remembers the answer.
bool SmallestCase::FailsWith(std::size_t field, std::int64_t value, const conformance::Case& changed,
                             const StillFails& still_fails) {
  const auto [fails, is_new] = fails_with_.try_emplace({field, value}, true);
  if (is_new) fails->second = still_fails(changed);
  return fails->second;
}

}  // namespace fuzz
