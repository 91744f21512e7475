// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `invalid`: operators that the libraries refuse although their documents allow them.

#include <array>

#include "conformance/suite/suite_invalid_pairs.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

Operator WithAxis(const InvalidPairs& pairs, const AxisDraft& axis, std::optional<AutoPad> auto_pad = std::nullopt) {
  OperatorDraft draft = pairs.draft();
  draft.axes.assign(pairs.rank(), axis);
  draft.auto_pad = auto_pad;
  return Build(draft);
}

Operator OfRank(const InvalidPairs& pairs, std::size_t rank) {
  OperatorDraft draft = pairs.draft();
  draft.axes.assign(rank - 2, {.data = 2, .kernel = 1});
  return Build(draft);
}

void AddOpenvino(InvalidPairs& pairs) {
  if (pairs.rank() != 2) return;
  pairs.AddFor(Dialect::kOpenvinoRuntime, "library-rank-6", "S19", OfRank(pairs, 6), OfRank(pairs, 5));
}

void AddOnednn(InvalidPairs& pairs) {
  const auto add = [&](const std::string& name, std::string_view clause, const Operator& invalid,
                       const Operator& valid) {
    pairs.AddFor(Dialect::kOnednnRuntime, "library-" + name, clause, invalid, valid);
  };
  const Operator base = FittedTo(pairs.Base(), Dialect::kOnednnRuntime);
  const Operator same = [&] {
    OperatorDraft draft = pairs.draft();
    for (AxisDraft& axis : draft.axes) axis.output = axis.data;
    draft.auto_pad = AutoPad::kSameLower;
    draft.dst_shape_is_input = true;
    return Spelled(Build(draft), Dialect::kOnednnRuntime);
  }();
  for (const auto& [name, spelling] : {std::pair{"empty", ""}, std::pair{"lower-none", "none"},
                                       std::pair{"upper-none", "NONE"}, std::pair{"lower-same", "same_lower"},
                                       std::pair{"mixed-same", "Same_Lower"}, std::pair{"explicit", "explicit"}}) {
    add(std::string("auto-pad-") + name, "A17", Changed(same, [&](Operator& op) { op.auto_pad = spelling; }), same);
  }
  const bool nxc = pairs.draft().IsNxc();
  const std::size_t first = nxc ? 1 : 2;
  add("size-none", "P21", Changed(base, [&](Operator& op) { (*op.dst_shape)[first] += 1; }), base);
  add("size-same", "P21", Changed(same, [&](Operator& op) { op.output_shape->values[first] += 1; }), same);
  // The document has pads for a size beyond the natural one, the library has none.
  const AxisDraft natural{.data = 3, .kernel = 3, .stride = 2};
  for (const AutoPad auto_pad : {AutoPad::kValid, AutoPad::kSameUpper}) {
    AxisDraft shaped = natural;
    shaped.output = auto_pad == AutoPad::kValid ? 8 : 6;
    const Operator fits = WithAxis(pairs, shaped, auto_pad);
    shaped.output = auto_pad == AutoPad::kValid ? 9 : 7;
    add("size-beyond-" + std::string(AutoPadName(auto_pad)), "P21",
        Spelled(WithAxis(pairs, shaped, auto_pad), Dialect::kOnednnRuntime), Spelled(fits, Dialect::kOnednnRuntime));
  }
  if (pairs.rank() == 2) add("rank-6", "S16", OfRank(pairs, 6), OfRank(pairs, 5));
}

void AddOnnxruntime(InvalidPairs& pairs) {
  const auto add = [&](const std::string& name, std::string_view clause, const Operator& invalid,
                       const Operator& valid) {
    pairs.AddFor(Dialect::kOnnxruntime, "library-" + name, clause, invalid, valid);
  };
  const auto padded = [&](std::int64_t stride, std::int64_t dilation, std::int64_t output_padding) {
    Operator op = WithAxis(pairs, {.data = 3, .kernel = 2, .stride = stride, .dilation = dilation});
    op.output_padding = Dims(pairs.rank(), 0);
    op.output_padding->back() = output_padding;
    return op;
  };
  add("output-padding-stride", "A19", padded(2, 1, 2), padded(2, 1, 1));
  add("output-padding-dilation", "A19", padded(2, 4, 3), padded(2, 4, 1));
  for (const AutoPad auto_pad : {AutoPad::kExplicit, AutoPad::kSameUpper, AutoPad::kSameLower, AutoPad::kValid}) {
    const Operator largest = WithAxis(pairs, {.data = 3, .kernel = 3, .stride = 2, .output = 8}, auto_pad);
    add("size-beyond-" + std::string(AutoPadName(auto_pad)), "P26",
        Changed(largest, [](Operator& op) { op.output_shape_attribute->back() += 1; }), largest);
  }
  const Operator one = WithAxis(pairs, {.data = 1, .kernel = 3, .stride = 2, .output = 3});
  add("no-data", "S18", Changed(one, [](Operator& op) { op.data.dims.back() = 0; }), one);
}

}  // namespace

void AddLibraryRefusals(InvalidPairs& pairs) {
  if (pairs.kind() == OperatorKind::kConvolutionBackpropData ||
      pairs.kind() == OperatorKind::kGroupConvolutionBackpropData) {
    AddOpenvino(pairs);
  }
  if (pairs.kind() == OperatorKind::kConvolutionBackwardData) AddOnednn(pairs);
  if (pairs.kind() == OperatorKind::kConvTranspose) AddOnnxruntime(pairs);
}

}  // namespace conformance
