// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds operators that differ little from a given one, for tests of plans (prepared operators). Changes one attribute
// of an operator at a time, and keeps the changed operators that a backend must compute. Makes the siblings of an
// operator, which have a batch, data or output size that is larger or smaller by one. Chooses by a hash of the operator
// which operators a plan runs before the judged one.

#include "conformance/interface/related_operators.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "conformance/case/text/fnv.h"
#include "oracle/element_type.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

/// Adds 1 to dims[at] if it exists and is below INT32_MAX. Attributes may be 2^63 - 1, where 1 more would overflow.
void RaiseByOne(oracle::Dims& dims, std::size_t at) {
  if (at < dims.size() && dims[at] < INT32_MAX) ++dims[at];
}

/// Whether a backend that computes `op` must compute the candidate, too. The candidate must be valid. It may have open
/// points, which are questions that the specification does not answer, only if `op` has the same open points and none
/// of them depends on sizes.
bool MustComputeToo(const oracle::Operator& op, const oracle::Operator& candidate, oracle::Dialect dialect) {
  const oracle::Resolution resolution = Resolve(candidate, dialect, oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) return false;
  if (resolution.open.empty()) return true;
  // The clauses (numbered rules of oracle/clauses.md) whose open points depend on sizes: empty tensors, output sizes of
  // 0, a dst_shape that contradicts the pads, byte counts beyond 63 bits.
  constexpr auto kOfSizes = std::to_array<std::string_view>({"S8", "S11", "P10", "P11", "P16", "O1"});
  const oracle::Resolution own = Resolve(op, dialect, oracle::StepTexts::kLeftOut);
  return std::ranges::all_of(resolution.open, [&](const oracle::OpenPoint& open) {
    return std::ranges::find(kOfSizes, open.clause) == kOfSizes.end() &&
           std::ranges::find(own.open, open.point, &oracle::OpenPoint::point) != own.open.end();
  });
}

}  // namespace

std::vector<oracle::Operator> RelatedOperatorsOf(const oracle::Operator& op, oracle::Dialect dialect) {
  std::vector<oracle::Operator> relatives;
  const auto add = [&](const auto& change) {
    oracle::Operator relative = op;
    change(relative);
    if (relative != op && MustComputeToo(op, relative, dialect)) relatives.push_back(std::move(relative));
  };
  for (const auto list : {&oracle::Operator::strides, &oracle::Operator::dilations, &oracle::Operator::pads_begin}) {
    add([list](oracle::Operator& relative) {
      if (auto& values = relative.*list; values && !values->empty()) RaiseByOne(*values, values->size() - 1);
    });
  }
  // The loop above raised the innermost stride, dilation or pads_begin. Now exchange both pads, raise the batch, and
  // change the type.
  add([](oracle::Operator& relative) { std::swap(relative.pads_begin, relative.pads_end); });
  add([](oracle::Operator& relative) {
    RaiseByOne(relative.data.dims, 0);
    if (relative.dst_shape) RaiseByOne(*relative.dst_shape, 0);
  });
  add([](oracle::Operator& relative) {
    const bool f32 = relative.data.type == oracle::ElementType::kF32;
    relative.data.type = relative.filter.type = f32 ? oracle::ElementType::kF16 : oracle::ElementType::kF32;
  });
  return relatives;
}

namespace {

using oracle::Dims;
using oracle::Operator;

// The most elements of each of the three tensors. A run of this size takes no longer than the request itself.
constexpr std::int64_t kMostElements = std::int64_t{1} << 16;

bool IsChannelsLast(const Operator& op) {
  return op.kind == oracle::OperatorKind::kConvolutionBackwardData && op.data_format.value_or("NXC") == "NXC";
}

// Changes the batch (the number of samples) of the data, and of the output shape if it has one.
void ChangeBatch(Operator& op, std::int64_t change) {
  std::int64_t& batch = op.data.dims.front();
  if (batch + change < 1) return;
  batch += change;
  if (op.kind != oracle::OperatorKind::kConvolutionBackwardData) return;
  if (op.dst_shape && !op.dst_shape->empty()) op.dst_shape->front() += change;
  if (op.output_shape && !op.output_shape->values.empty()) op.output_shape->values.front() += change;
}

/// Adds `change` to the output size of an axis, if the operator has an output shape.
void ChangeOutputSize(Operator& op, std::size_t axis, std::int64_t change) {
  const auto add = [&](Dims& shape, std::size_t at) {
    if (at < shape.size()) shape[at] += change;
  };
  // oneDNN's shapes have batch and channels; the others have spatial axes only.
  const bool has_all_dims = op.kind == oracle::OperatorKind::kConvolutionBackwardData;
  const std::size_t first = IsChannelsLast(op) ? 1 : 2;
  if (op.output_shape) add(op.output_shape->values, has_all_dims ? first + axis : axis);
  if (op.dst_shape && has_all_dims) add(*op.dst_shape, first + axis);
  if (op.output_shape_attribute) add(*op.output_shape_attribute, axis);
}

// Changes the number of data elements along each axis. An output shape changes by the stride for each data element, so
// that the total padding stays the same. Example with stride 2: data 3 and output 6 become data 4 and output 8.
void ChangeSpatial(Operator& op, std::int64_t change) {
  const std::size_t axes = op.data.dims.size() - 2;
  const std::size_t first = IsChannelsLast(op) ? 1 : 2;
  for (std::size_t j = 0; j < axes; ++j) {
    std::int64_t& data = op.data.dims[first + j];
    if (data + change < 1) continue;
    data += change;
    const std::int64_t stride = op.strides && op.strides->size() == axes ? (*op.strides)[j] : 1;
    ChangeOutputSize(op, j, change * stride);
  }
}

/// Returns candidates for a sibling. The candidate with the most differences comes first.
std::vector<Operator> CandidatesOf(const Operator& op, Sibling sibling) {
  std::vector<Operator> candidates;
  if (sibling == Sibling::kOtherTotal) {
    const std::size_t axes = op.data.dims.size() - 2;
    for (const std::int64_t change : {1, -1}) {
      Operator& on_all_axes = candidates.emplace_back(op);
      for (std::size_t j = 0; j < axes; ++j) ChangeOutputSize(on_all_axes, j, change);
      ChangeOutputSize(candidates.emplace_back(op), axes - 1, change);
    }
    return candidates;
  }
  const std::int64_t change = sibling == Sibling::kLarger ? 1 : -1;
  for (const auto& [batch, spatial] : {std::pair{true, true}, std::pair{false, true}, std::pair{true, false}}) {
    Operator& candidate = candidates.emplace_back(op);
    if (batch) ChangeBatch(candidate, change);
    if (spatial) ChangeSpatial(candidate, change);
  }
  return candidates;
}

/// Whether the sizes fit into 32 bits, so that sums in this file cannot overflow.
bool HasSmallNumbers(const Operator& op) {
  const auto small = [](const Dims& list) {
    return std::ranges::all_of(list, [](std::int64_t value) { return value >= 0 && value <= INT32_MAX; });
  };
  if (!small(op.data.dims) || (op.output_shape && !small(op.output_shape->values))) return false;
  return std::ranges::all_of(std::array{&op.strides, &op.dst_shape, &op.output_shape_attribute},
                             [&](const auto* list) { return small(list->value_or(Dims{})); });
}

/// A hash of the operator. It is equal on every machine and in every run, so that a replay uses the same plan.
std::uint64_t HashOf(const Operator& op) {
  Fnv1a hash;
  const auto add = [&hash](std::int64_t number) {
    for (int byte = 0; byte < 8; ++byte) hash.AddByte(static_cast<std::uint8_t>(number >> (8 * byte) & 0xFF));
  };
  const auto add_list = [&](const Dims& list) {
    add(static_cast<std::int64_t>(list.size()));
    std::ranges::for_each(list, add);
  };
  add(static_cast<std::int64_t>(op.kind));
  add(static_cast<std::int64_t>(op.data.type));
  add_list(op.data.dims);
  add_list(op.filter.dims);
  if (op.output_shape) add_list(op.output_shape->values);
  for (const auto* list : {&op.strides, &op.dilations, &op.pads_begin, &op.pads_end, &op.output_padding, &op.dst_shape,
                           &op.output_shape_attribute}) {
    add_list(list->value_or(Dims{}));
  }
  hash.Add(op.auto_pad.value_or(""));
  return hash.value() ^ (hash.value() >> 32);
}

/// Returns a relative that the backend declares to support, chosen by the hash. Nothing if there is none.
std::optional<Operator> RivalOf(const Operator& op, oracle::Dialect dialect, const Capabilities& declared,
                                std::uint64_t hash) {
  if (!HasSmallNumbers(op)) return std::nullopt;
  std::vector<Operator> relatives = RelatedOperatorsOf(op, dialect);
  std::erase_if(relatives,
                [&](const Operator& relative) { return !declared.UnsupportedReason(relative, dialect).empty(); });
  if (relatives.empty()) return std::nullopt;
  return std::move(relatives[hash / 8 % relatives.size()]);
}

}  // namespace

std::optional<Operator> SiblingOf(const Operator& op, Sibling sibling, oracle::Dialect dialect,
                                  const Capabilities& declared) {
  if (!HasSmallNumbers(op)) return std::nullopt;
  for (Operator& candidate : CandidatesOf(op, sibling)) {
    if (candidate.output_shape && !candidate.output_shape->CanRepresentValues()) continue;
    if (candidate != op && MustComputeToo(op, candidate, dialect) &&
        declared.UnsupportedReason(candidate, dialect).empty()) {
      return std::move(candidate);
    }
  }
  return std::nullopt;
}

PlanScenario PlanScenarioOf(const Operator& op, oracle::Dialect dialect, const Capabilities& declared) {
  std::vector<Operator> siblings;
  for (const Sibling sibling : {Sibling::kLarger, Sibling::kSmaller, Sibling::kOtherTotal}) {
    if (auto made = SiblingOf(op, sibling, dialect, declared)) siblings.push_back(*std::move(made));
  }
  // Example with the siblings L, S and T: scenario 0, 1 or 2 makes the plan for L, S or T; 3 makes it for `op` and runs
  // a sibling; 4 runs all siblings; 5 has a rival.
  const std::uint64_t hash = HashOf(op);
  const std::size_t scenario = hash % (siblings.size() + 3);
  if (scenario == siblings.size() + 2)
    return {.made_for = op, .runs = {op}, .rival = RivalOf(op, dialect, declared, hash)};
  if (siblings.empty()) return {.made_for = op, .runs = {op}};
  if (scenario < siblings.size()) {
    return {.made_for = siblings[scenario], .runs = {siblings[scenario]}};
  }
  const Operator& last = siblings[hash / 8 % siblings.size()];  // hash / 8: `scenario` uses the lower bits
  if (scenario == siblings.size()) return {.made_for = op, .runs = {op, last}};
  std::vector<Operator> runs = siblings;
  runs.push_back(last);
  return {.made_for = siblings.front(), .runs = std::move(runs)};
}

ScratchBuffers::ScratchBuffers(const Operator& op, oracle::Dialect dialect) {
  const oracle::Resolution resolution = Resolve(op, dialect);
  if (!resolution.ok()) return;
  const oracle::Geometry& geometry = *resolution.geometry;
  if (geometry.DataCount() > kMostElements || geometry.FilterCount() > kMostElements ||
      geometry.OutputCount() > kMostElements) {
    return;
  }
  const std::size_t element = oracle::ElementBytes(geometry.type);
  // These bytes are an ordinary number in every type, and differ from the values of all data sets.
  data_.assign(static_cast<std::size_t>(geometry.DataCount()) * element + 1, std::byte{0x3c});
  filter_.assign(static_cast<std::size_t>(geometry.FilterCount()) * element + 1, std::byte{0x3d});
  output_.assign(static_cast<std::size_t>(geometry.OutputCount()) * element + 1, std::byte{0xff});
}

RunBuffers ScratchBuffers::get() {
  return {.data = std::span<const std::byte>(data_).first(data_.size() - 1),
          .filter = std::span<const std::byte>(filter_).first(filter_.size() - 1),
          .output = std::span(output_).first(output_.size() - 1)};
}

}  // namespace conformance
