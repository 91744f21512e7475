// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes one attribute of an operator at a time, and keeps the changed operators that a backend must compute.

#include "conformance/interface/related_operators.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "oracle/resolve.h"

namespace conformance {
namespace {

/// Adds 1 to dims[at] if it exists and is below INT32_MAX. Attributes may be 2^63 - 1, where 1 more would overflow.
void Raise(oracle::Dims& dims, std::size_t at) {
  if (at < dims.size() && dims[at] < INT32_MAX) ++dims[at];
}

}  // namespace

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

std::vector<oracle::Operator> RelatedOperatorsOf(const oracle::Operator& op, oracle::Dialect dialect) {
  std::vector<oracle::Operator> relatives;
  const auto add = [&](const auto& change) {
    oracle::Operator relative = op;
    change(relative);
    if (relative != op && MustComputeToo(op, relative, dialect)) relatives.push_back(std::move(relative));
  };
  for (const auto list : {&oracle::Operator::strides, &oracle::Operator::dilations, &oracle::Operator::pads_begin}) {
    add([list](oracle::Operator& relative) {
      if (auto& values = relative.*list; values && !values->empty()) Raise(*values, values->size() - 1);
    });
  }
  // The loop above raised the innermost stride, dilation or pads_begin. Now exchange both pads, raise the batch, and
  // change the type.
  add([](oracle::Operator& relative) { std::swap(relative.pads_begin, relative.pads_end); });
  add([](oracle::Operator& relative) {
    Raise(relative.data.dims, 0);
    if (relative.dst_shape) Raise(*relative.dst_shape, 0);
  });
  add([](oracle::Operator& relative) {
    const bool f32 = relative.data.type == oracle::ElementType::kF32;
    relative.data.type = relative.filter.type = f32 ? oracle::ElementType::kF16 : oracle::ElementType::kF32;
  });
  return relatives;
}

}  // namespace conformance
