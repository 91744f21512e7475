// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `invalid`: operators that libraries refuse although their documents allow them. These cases are judged by the
// dialects of the libraries, that is by the libraries' own reading of the attributes. Each row gives the refused
// operator and a valid neighbour, which differs in the fault alone.

#include <array>

#include "conformance/suite/suite_invalid_pairs.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

/// The valid operator of the pairs with `axis` on all its axes.
Operator WithAxis(const InvalidPairs& pairs, const AxisDraft& axis, std::optional<AutoPad> auto_pad = std::nullopt) {
  OperatorDraft draft = pairs.draft();
  draft.axes.assign(pairs.rank(), axis);
  draft.auto_pad = auto_pad;
  return Build(draft);
}

/// The valid operator of the pairs with this rank: two more than its number of axes.
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
  const Operator base = AdaptedTo(pairs.Base(), Dialect::kOnednnRuntime);
  const Operator same_pads = [&] {
    OperatorDraft draft = pairs.draft();
    for (AxisDraft& axis : draft.axes) axis.output = axis.data;
    draft.auto_pad = AutoPad::kSameLower;
    draft.dst_shape_is_input = true;
    return Spelled(Build(draft), Dialect::kOnednnRuntime);
  }();
  for (const auto& [name, spelling] : {std::pair{"empty", ""}, std::pair{"lower-none", "none"},
                                       std::pair{"upper-none", "NONE"}, std::pair{"lower-same", "same_lower"},
                                       std::pair{"mixed-same", "Same_Lower"}, std::pair{"explicit", "explicit"}}) {
    add(std::string("auto-pad-") + name, "A17", Changed(same_pads, [&](Operator& op) { op.auto_pad = spelling; }),
        same_pads);
  }
  const bool nxc = pairs.draft().IsNxc();
  const std::size_t first = nxc ? 1 : 2;
  add("size-none", "P21", Changed(base, [&](Operator& op) { (*op.dst_shape)[first] += 1; }), base);
  add("size-same", "P21", Changed(same_pads, [&](Operator& op) { op.output_shape->values[first] += 1; }), same_pads);
  // The document defines pads for each of these sizes. The library refuses those whose forward convolution gives
  // another size than that of the data.
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
  const Operator shaped = WithAxis(pairs, {.data = 3, .kernel = 3, .stride = 2, .output = 6});
  const auto to_whole = [](Operator& op) {
    op.output_shape_attribute->insert(op.output_shape_attribute->begin(), {op.data.dims[0], op.filter.dims[1]});
  };
  add("output-shape-whole", "S20", Changed(shaped, to_whole), shaped);  // open: a case of suite `open`
  const Operator one_element = WithAxis(pairs, {.data = 1, .kernel = 3, .stride = 2, .output = 3});
  add("no-data", "S18", Changed(one_element, [](Operator& op) { op.data.dims.back() = 0; }), one_element);
}

void AddTensorflow(InvalidPairs& pairs) {
  const auto add = [&](const std::string& name, std::string_view clause, const Operator& invalid,
                       const Operator& valid) {
    pairs.AddFor(Dialect::kTensorflow, "library-" + name, clause, invalid, valid);
  };
  const auto with_sizes = [&](std::optional<AutoPad> auto_pad, std::int64_t pad, std::int64_t output) {
    return WithAxis(pairs, {.data = 3, .kernel = 3, .stride = 2, .pads_begin = pad, .pads_end = pad, .output = output},
                    auto_pad);
  };
  const auto with_last_output = [](Operator op, std::int64_t output) {
    op.output_shape_attribute->back() = output;
    return op;
  };
  const Operator same_pads = with_sizes(AutoPad::kSameUpper, 0, 6);
  const Operator valid_pads = with_sizes(AutoPad::kValid, 0, 7);
  const Operator padded = with_sizes(std::nullopt, 1, 5);
  add("same-lower", "A22", Changed(same_pads, [](Operator& op) { op.auto_pad = "SAME_LOWER"; }), same_pads);
  add("no-output-shape", "S22", Changed(valid_pads, [](Operator& op) { op.output_shape_attribute = std::nullopt; }),
      valid_pads);
  add("output-padding", "A23",
      Changed(padded,
              [&](Operator& op) {
                op.output_padding = Dims(pairs.rank(), 0);
                op.output_padding->back() = 1;
              }),
      padded);
  add("size-beyond-same", "P28", with_last_output(same_pads, 7), same_pads);
  add("size-below-same", "P28", with_last_output(same_pads, 4), same_pads);
  add("size-beyond-valid", "P29", with_last_output(valid_pads, 9), valid_pads);
  add("size-below-valid", "P29", with_last_output(valid_pads, 6), valid_pads);
  add("size-beyond-pads", "P29", with_last_output(padded, 7), padded);
  add("size-below-pads", "P29", with_last_output(padded, 4), padded);
  const Operator one_element = WithAxis(pairs, {.data = 1, .kernel = 3, .stride = 2, .output = 3}, AutoPad::kValid);
  add("size-within-kernel", "P29", with_last_output(one_element, 2), one_element);  // open: a case of suite `open`
  const Operator dilated = WithAxis(pairs, {.data = 3, .kernel = 2, .dilation = 3, .output = 3}, AutoPad::kSameUpper);
  add("size-beyond-dilated", "P28", with_last_output(dilated, 4), dilated);
  add("type-i8", "T8",
      Changed(valid_pads, [](Operator& op) { op.data.type = op.filter.type = oracle::ElementType::kI8; }), valid_pads);
  const auto of_rank = [&](std::size_t rank) {
    OperatorDraft draft = pairs.draft();
    draft.axes.assign(rank - 2, {.data = 2, .kernel = 1, .output = 2});
    return Build(draft);
  };
  if (pairs.rank() == 2) add("rank-6", "S21", of_rank(6), of_rank(5));
}

}  // namespace

void AddLibraryRefusals(InvalidPairs& pairs) {
  if (pairs.kind() == OperatorKind::kConvolutionBackpropData ||
      pairs.kind() == OperatorKind::kGroupConvolutionBackpropData) {
    AddOpenvino(pairs);
  }
  if (pairs.kind() == OperatorKind::kConvolutionBackwardData) AddOnednn(pairs);
  if (pairs.kind() == OperatorKind::kConvTranspose) {
    AddOnnxruntime(pairs);
    AddTensorflow(pairs);
  }
}

}  // namespace conformance
