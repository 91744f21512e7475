// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `open`: operators that a dialect (reading of the attributes) neither requires nor forbids. A backend may refuse
// such an operator, or compute the result that the clause (numbered rule) gives. If the operator is undefined, any
// answer is right. Nearly all cases have one open point, so that the answer shows one choice. A refusal counts as an
// answer only if the backend computes the neighbour, that is the nearest operator that it must compute.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/suite/suite_generators.h"
#include "conformance/suite/suite_invalid_pairs.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

/// Adds operators to the suite in the dialects that leave them open.
class OpenOperators {
 public:
  OpenOperators(SuiteBuilder& suite, std::size_t rank) : suite_(suite), rank_(rank) {}

  std::size_t rank() const { return rank_; }

  /// Adds an operator with an open point. `neighbour` is the same operator without the open point.
  void Add(const std::string& name, const Operator& op, const Operator& neighbour) {
    for (const oracle::Dialect dialect : oracle::DialectsOf(op.kind)) {
      Case added;
      added.op = Spelled(op, dialect);
      if (dialect != oracle::DialectsOf(op.kind).front()) added.dialect = dialect;
      const oracle::Resolution resolution = oracle::Resolve(added.op, dialect);
      if (resolution.open.empty()) continue;
      suite_.AddUnlessKnown(fmt::format("{}.{}.{}d.{}", name, ShortName(op.kind), rank_, DialectName(dialect)),
                            ReasonOf(resolution), std::move(added), RequiredIn(dialect, neighbour));
    }
  }

  /// Adds the drafts as each of the four kinds of operator.
  void AddEach(const std::string& name, const OperatorDraft& draft, const OperatorDraft& neighbour) {
    for (const OperatorKind kind : oracle::kOperatorKinds)
      Add(name, Build(As(kind, draft)), Build(As(kind, neighbour)));
  }

 private:
  /// Returns the operator, fitted to the dialect. nullopt if the dialect's library refuses it for its own reason.
  static std::optional<Operator> RequiredIn(oracle::Dialect dialect, const Operator& op) {
    Operator fitted = AdaptedTo(op, dialect);
    if (oracle::Resolve(fitted, dialect).required_answer() != oracle::RequiredAnswer::kComputed) return std::nullopt;
    return fitted;
  }

  SuiteBuilder& suite_;
  std::size_t rank_;
};

/// The axes of the ordinary operators here; the first one has stride 2.
std::vector<AxisDraft> AxesOf(std::size_t rank) {
  std::vector<AxisDraft> axes = {
      {.data = 4, .kernel = 3, .stride = 2}, {.data = 5, .kernel = 2}, {.data = 3, .kernel = 3}};
  axes.resize(rank);
  return axes;
}

void AddEmptyTensors(OpenOperators& open) {
  const std::vector<AxisDraft> axes = AxesOf(open.rank());
  const OperatorDraft full{.axes = axes};
  open.AddEach("empty-batch", {.batch = 0, .axes = axes}, full);
  open.AddEach("no-input-channels", {.in = 0, .axes = axes}, full);
  open.AddEach("no-output-channels", {.out = 0, .axes = axes}, full);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    std::vector<AxisDraft> without_data = axes;
    without_data[axis] = {.data = 0, .kernel = 3};
    open.AddEach(fmt::format("no-data-axis-{}", axis), {.axes = without_data}, full);
    std::vector<AxisDraft> shaped = without_data;
    for (AxisDraft& draft : shaped) draft.output = std::max<std::int64_t>(1, draft.Natural());
    std::vector<AxisDraft> shaped_full = axes;
    for (AxisDraft& draft : shaped_full) draft.output = draft.Natural();
    open.AddEach(fmt::format("no-data-axis-{}-output-shape", axis), {.axes = shaped}, {.axes = shaped_full});
  }
}

/// Adds output paddings of at least the stride. Clause A5: output_padding "must be less than stride or dilation", but
/// no formula fails beyond.
void AddOutputPaddings(OpenOperators& open) {
  for (const std::int64_t more : {0, 1, 3}) {
    std::vector<AxisDraft> axes = AxesOf(open.rank());
    const auto as_conv_transpose = [](const std::vector<AxisDraft>& of) {
      return Build(As(OperatorKind::kConvTranspose, {.axes = of}));
    };
    const auto without_output_padding = [](std::vector<AxisDraft> of) {
      of.back().output_padding = 0;
      return of;
    };
    axes.back().output_padding = axes.back().stride + more;
    open.Add(fmt::format("output-padding-stride-plus-{}", more), as_conv_transpose(axes),
             as_conv_transpose(without_output_padding(axes)));
    // The same value is below the dilation now, which the document may mean.
    axes.back().dilation = axes.back().stride + more + 1;
    open.Add(fmt::format("output-padding-below-dilation-{}", more), as_conv_transpose(axes),
             as_conv_transpose(without_output_padding(axes)));
  }
}

/// Adds ConvolutionBackwardData with a dst_shape that contradicts its pads.
void AddContradictions(OpenOperators& open) {
  for (const AutoPad auto_pad : {AutoPad::kExplicit, AutoPad::kValid}) {
    for (const std::int64_t more : {-2, -1, 2, 3}) {
      std::vector<AxisDraft> axes = AxesOf(open.rank());
      for (AxisDraft& axis : axes) axis.output = axis.Natural();
      OperatorDraft draft = As(OperatorKind::kConvolutionBackwardData, {.axes = axes, .auto_pad = auto_pad});
      const Operator neighbour = Build(draft);
      axes.front().output = axes.front().Natural() + more;
      draft = As(OperatorKind::kConvolutionBackwardData, {.axes = axes, .auto_pad = auto_pad});
      open.Add(fmt::format("dst-shape-{}-{}{}", auto_pad == AutoPad::kValid ? "valid" : "none",
                           more < 0 ? "minus-" : "plus-", more < 0 ? -more : more),
               Build(draft), neighbour);
    }
  }
}

/// Adds a dst_shape of other types than s32, and one that the shape input overrules.
void AddShapeInputs(OpenOperators& open) {
  std::vector<AxisDraft> axes = AxesOf(open.rank());
  for (AxisDraft& axis : axes) axis.output = axis.Natural();
  OperatorDraft draft = As(OperatorKind::kConvolutionBackwardData, {.axes = axes});
  draft.dst_shape_is_input = true;
  draft.shape_type = ElementType::kI32;
  const Operator base = Build(draft);
  for (const ElementType type : oracle::kNumericTypes) {
    if (!oracle::IsInteger(type)) continue;
    Operator op = base;
    op.output_shape->type = type;
    open.Add(fmt::format("dst-shape-type-{}", ElementTypeName(type)), op, base);
  }
  Operator both = base;
  both.dst_shape = both.output_shape->values;
  (*both.dst_shape)[draft.IsNxc() ? 1 : 2] = 0;
  open.Add("overruled-dst-shape-0", both, base);
}

void AddSpellings(OpenOperators& open) {
  using Spellings = std::array<std::pair<const char*, const char*>, 4>;
  constexpr Spellings kOpenvino = {{{"upper-explicit", "EXPLICIT"},
                                    {"upper-same", "SAME_UPPER"},
                                    {"mixed-same", "Same_Lower"},
                                    {"upper-valid", "VALID"}}};
  constexpr Spellings kOnednn = {
      {{"mixed-none", "None"}, {"upper-same", "SAME_UPPER"}, {"upper-lower", "SAME_LOWER"}, {"upper-valid", "VALID"}}};
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    if (kind == OperatorKind::kConvTranspose) continue;
    std::vector<AxisDraft> axes = AxesOf(open.rank());
    for (AxisDraft& axis : axes) axis.output = axis.Natural();
    for (const auto& [name, spelling] : kind == OperatorKind::kConvolutionBackwardData ? kOnednn : kOpenvino) {
      const Operator neighbour = Build(As(kind, {.axes = axes}));
      Operator op = neighbour;
      op.auto_pad = spelling;
      open.Add(fmt::format("auto-pad-{}", name), op, neighbour);
    }
  }
}

/// Adds operators for which the text of ConvTranspose-1 defines no size: any answer is right.
void AddUndefined(OpenOperators& open) {
  for (const AutoPad auto_pad : {AutoPad::kSameUpper, AutoPad::kSameLower}) {
    const OperatorDraft draft{.axes = AxesOf(open.rank()), .auto_pad = auto_pad};
    open.Add(fmt::format("size-of-{}", AutoPadName(auto_pad)), Build(As(OperatorKind::kConvTranspose, draft)),
             Build(As(OperatorKind::kConvTranspose, {.axes = AxesOf(open.rank())})));
  }
}

/// Adds operators whose pads plus output size exceed 63 bits. OpenVINO's library computes zeros for them.
void AddFarPads(OpenOperators& open) {
  std::vector<AxisDraft> axes = AxesOf(open.rank());
  for (AxisDraft& axis : axes) axis.output = axis.Natural();
  const Operator neighbour = Build({.axes = axes});
  Operator op = neighbour;
  op.pads_begin->back() = std::numeric_limits<std::int64_t>::max() - 1;
  open.Add("pads-begin-beyond-63-bits", op, neighbour);
}

/// Adds empty tensors whose non-zero sizes have a product above 63 bits.
void AddHugeEmptyTensors(OpenOperators& open) {
  const std::int64_t large = std::int64_t{1} << 35;
  open.AddEach("empty-batch-beyond-63-bits",
               {.batch = 0, .axes = {{.data = large, .kernel = 1}, {.data = large, .kernel = 1}}},
               {.axes = {{.data = 3, .kernel = 1}, {.data = 3, .kernel = 1}}});
}

}  // namespace

SuiteResult OpenCases(Level level) {
  SuiteBuilder suite(level);
  // Level smoke has only operators with two axes, as suite `invalid` does.
  for (const std::size_t rank : {std::size_t{2}, std::size_t{1}, std::size_t{3}}) {
    if (rank != 2 && !suite.Includes(Level::kGate)) continue;
    OpenOperators open(suite, rank);
    AddEmptyTensors(open);
    AddOutputPaddings(open);
    AddContradictions(open);
    AddShapeInputs(open);
    AddSpellings(open);
    AddUndefined(open);
    AddFarPads(open);
    if (rank == 2) AddHugeEmptyTensors(open);
    for (const OperatorKind kind : oracle::kOperatorKinds) {
      for (const std::int64_t groups : {1, 2}) {
        if (groups != 1 && kind != OperatorKind::kGroupConvolutionBackpropData) continue;
        InvalidPairs pairs(kind, rank, groups, FaultyOperators::kOpen, suite);
        AddFaultyOperators(pairs);
      }
    }
  }
  return suite.Build();
}

}  // namespace conformance
