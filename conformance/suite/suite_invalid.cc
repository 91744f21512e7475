// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `invalid`: each case is an invalid operator with a simple valid neighbour, which differs only in the fault.
// Each row names the clause (numbered rule of oracle/clauses.md) that refuses the operator. The backend must refuse the
// one and compute the other. So a backend that refuses everything fails, and so does one that refuses nothing. Suite
// `open` takes the operators of the same table that a dialect leaves open.

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite_generators.h"
#include "conformance/suite/suite_invalid_pairs.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

/// The operator with these element types of data and filter.
Operator WithTypes(Operator op, ElementType data, ElementType filter) {
  op.data.type = data;
  op.filter.type = filter;
  return op;
}

void AddTypes(InvalidPairs& pairs) {
  const Operator base = pairs.Base();
  for (const ElementType type : {ElementType::kBoolean, ElementType::kString}) {
    pairs.Add(fmt::format("type-{}", ElementTypeName(type)), "T2", WithTypes(base, type, type), base);
  }
  pairs.Add("types-differ", "T3", WithTypes(base, ElementType::kF32, ElementType::kF16), base);
  if (pairs.openvino()) {
    pairs.Add("types-differ-sign", "T3", WithTypes(base, ElementType::kU8, ElementType::kI8),
              WithTypes(base, ElementType::kI8, ElementType::kI8));
  }
  if (pairs.kind() == OperatorKind::kConvolutionBackwardData) {
    pairs.Add("type-f64", "T4", WithTypes(base, ElementType::kF64, ElementType::kF64), base);
    pairs.Add("type-i8", "T4", WithTypes(base, ElementType::kI8, ElementType::kI8), base);
  }
  if (pairs.kind() == OperatorKind::kConvTranspose) {
    pairs.Add("type-bf16", "T5", WithTypes(base, ElementType::kBf16, ElementType::kBf16), base);
    pairs.Add("type-i32", "T5", WithTypes(base, ElementType::kI32, ElementType::kI32), base);
  }
}

void AddShapes(InvalidPairs& pairs) {
  const Operator base = pairs.Base();
  const std::size_t channels_at = pairs.channels_at();
  pairs.Add("filter-rank-less", "S2", Changed(base, [](Operator& op) { op.filter.dims.pop_back(); }), base);
  pairs.Add("filter-rank-more", "S2", Changed(base, [](Operator& op) { op.filter.dims.push_back(1); }), base);
  pairs.Add("filter-rank-0", "S2", Changed(base, [](Operator& op) { op.filter.dims.clear(); }), base);
  pairs.Add("data-dynamic-batch", "S3", Changed(base, [](Operator& op) { op.data.dims[0] = -1; }), base);
  for (std::size_t axis = 0; axis < pairs.rank(); ++axis) {
    pairs.Add(fmt::format("data-dynamic-axis-{}", axis), "S3",
              Changed(base, [&](Operator& op) { op.data.dims[pairs.first_spatial() + axis] = -1; }), base);
  }
  pairs.Add("filter-negative", "S3", Changed(base, [](Operator& op) { op.filter.dims[0] = -1; }), base);
  pairs.Add("channels-more", "S5", Changed(base, [&](Operator& op) { op.data.dims[channels_at] += 1; }), base);
  pairs.Add("channels-less", "S5", Changed(base, [&](Operator& op) { op.data.dims[channels_at] -= 1; }), base);
  const Operator kernel_1 = [&] {
    OperatorDraft draft = pairs.draft();
    for (AxisDraft& axis : draft.axes) axis.kernel = 1;
    return Build(draft);
  }();
  for (std::size_t axis = 0; axis < pairs.rank(); ++axis) {
    pairs.Add(fmt::format("kernel-0-axis-{}", axis), "S7",
              Changed(kernel_1, [&](Operator& op) { op.filter.dims[pairs.first_kernel_axis() + axis] = 0; }), kernel_1);
  }
  if (pairs.kind() == OperatorKind::kGroupConvolutionBackpropData) {
    pairs.Add("groups-0", "S6", Changed(base, [](Operator& op) { op.filter.dims[0] = 0; }), base);
    pairs.Add("groups-more", "S5", Changed(base, [](Operator& op) { op.filter.dims[0] += 1; }), base);
  } else if (!pairs.openvino()) {
    for (const std::int64_t groups : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{3}, kSmallest}) {
      pairs.Add(groups == kSmallest ? std::string("groups-smallest") : fmt::format("groups-{}", groups), "S6",
                Changed(base, [&](Operator& op) { op.groups = groups; }), base);
    }
  }
}

// Ranks of data from 0 to 2, which a draft cannot have. No case asks a backend to refuse a rank above 10: the
// specification sets no limit, and 10 is the limit of the suite (S1).
void AddRanks(InvalidPairs& pairs) {
  const OperatorKind kind = pairs.kind();
  const auto of_rank = [&](std::size_t rank) {
    OperatorDraft draft = pairs.draft();
    draft.axes.assign(rank - 2, {.data = 2, .kernel = 1});
    return Build(draft);
  };
  const auto without = [&](std::size_t dims) {
    return Changed(of_rank(2), [&](Operator& op) {
      op.data.dims.resize(dims);
      op.filter.dims.resize(dims + (kind == OperatorKind::kGroupConvolutionBackpropData ? 1 : 0));
    });
  };
  pairs.Add("rank-0", "S1", without(0), of_rank(3));
  pairs.Add("rank-1", "S1", without(1), of_rank(3));
  pairs.Add("rank-2", "S1", of_rank(2), of_rank(3));
}

void AddLists(InvalidPairs& pairs) {
  struct List {
    const char* name;
    std::optional<Dims> Operator::* member;
    std::int64_t least;  // smallest valid value
    const char* range_clause;
  };
  constexpr std::array lists = {
      List{"strides", &Operator::strides, 1, "A2"}, List{"dilations", &Operator::dilations, 1, "A3"},
      List{"pads-begin", &Operator::pads_begin, 0, "A4"}, List{"pads-end", &Operator::pads_end, 0, "A4"},
      List{"output-padding", &Operator::output_padding, 0, "A5"}};
  for (const List& list : lists) {
    // A list of the smallest valid values: the fault is one less.
    const Operator base =
        Changed(pairs.Base(), [&](Operator& op) { op.*list.member = Dims(pairs.rank(), list.least); });
    const auto with = [&](const auto& change) {
      return Changed(base, [&](Operator& op) { change(*(op.*list.member)); });
    };
    pairs.Add(fmt::format("{}-short", list.name), "A1", with([](Dims& numbers) { numbers.pop_back(); }), base);
    pairs.Add(fmt::format("{}-long", list.name), "A1", with([&](Dims& numbers) { numbers.push_back(list.least); }),
              base);
    pairs.Add(fmt::format("{}-{}", list.name, list.least - 1), list.range_clause,
              with([&](Dims& numbers) { numbers.back() = list.least - 1; }), base);
    for (std::size_t axis = 0; axis + 1 < pairs.rank(); ++axis) {
      pairs.Add(fmt::format("{}-{}-axis-{}", list.name, list.least - 1, axis), list.range_clause,
                with([&](Dims& numbers) { numbers[axis] = list.least - 1; }), base);
    }
    pairs.Add(fmt::format("{}-smallest", list.name), list.range_clause,
              with([](Dims& numbers) { numbers.front() = kSmallest; }), base);
    if (pairs.kind() != OperatorKind::kConvTranspose && list.least == 0) {
      const Operator same =
          Changed(pairs.WithOutput(AutoPad::kValid), [&](Operator& op) { op.*list.member = Dims(pairs.rank(), 0); });
      // Clause A15: an ignored attribute must still have a valid length. Its negative values are open.
      pairs.Add(fmt::format("{}-ignored-but-negative", list.name), list.range_clause,
                Changed(same, [&](Operator& op) { (op.*list.member)->back() = -1; }), same);
      pairs.Add(fmt::format("{}-ignored-but-short", list.name), "A1",
                Changed(same, [&](Operator& op) { (op.*list.member)->pop_back(); }), same);
    }
    if (pairs.kind() != OperatorKind::kConvTranspose && list.range_clause != std::string_view("A5")) {
      pairs.Add(fmt::format("{}-absent", list.name), "A13",
                Changed(base, [&](Operator& op) { op.*list.member = std::nullopt; }), base);
    }
  }
}

void AddTexts(InvalidPairs& pairs) {
  const Operator base = pairs.WithOutput();
  const bool is_onnx = pairs.kind() == OperatorKind::kConvTranspose;
  const bool is_onednn = pairs.kind() == OperatorKind::kConvolutionBackwardData;
  const std::string_view clause = is_onnx ? "A11" : (is_onednn ? "A10" : "A9");
  std::vector<std::pair<std::string, std::string>> spellings = {
      {"empty", ""}, {"same", "same"}, {"auto", "auto"}, {"misspelt", "same_uper"}, {"trailing-blank", "same_lower "}};
  if (is_onnx) spellings.insert(spellings.end(), {{"lower-case", "same_lower"}, {"explicit", "explicit"}});
  if (is_onednn) spellings.insert(spellings.end(), {{"mixed-case", "Same_Lower"}, {"explicit", "explicit"}});
  if (pairs.openvino()) spellings.insert(spellings.end(), {{"none", "none"}, {"notset", "notset"}});
  for (const auto& [name, spelling] : spellings) {
    pairs.Add("auto-pad-" + name, clause, Changed(base, [&](Operator& op) { op.auto_pad = spelling; }), base);
  }
  if (is_onednn) {
    pairs.Add("data-format-nchw", "A16", Changed(base, [](Operator& op) { op.data_format = "NCHW"; }), base);
    pairs.Add("data-format-lower-case", "A16", Changed(base, [](Operator& op) { op.data_format = "ncx"; }), base);
    pairs.Add("weights-format-oihw", "A16", Changed(base, [](Operator& op) { op.weights_format = "OIHW"; }), base);
    pairs.Add("weights-format-iox", "A16", Changed(base, [](Operator& op) { op.weights_format = "IOX"; }), base);
  }
  if (is_onnx) {
    OperatorDraft draft = pairs.draft();
    draft.auto_pad = AutoPad::kValid;
    const Operator valid = Build(draft);
    pairs.Add("pads-beside-valid", "A14", Changed(valid, [&](Operator& op) { op.pads_begin = Dims(pairs.rank(), 0); }),
              valid);
    const Operator kernel = Changed(base, [&](Operator& op) {
      op.kernel_shape.emplace();
      for (const AxisDraft& axis : pairs.draft().axes) op.kernel_shape->push_back(axis.kernel);
    });
    pairs.Add("kernel-shape-differs", "S13", Changed(kernel, [](Operator& op) { op.kernel_shape->back() += 1; }),
              kernel);
    pairs.Add("kernel-shape-long", "A1", Changed(kernel, [](Operator& op) { op.kernel_shape->push_back(1); }), kernel);
    pairs.Add("third-input", "D3",
              Changed(base,
                      [](Operator& op) {
                        op.output_shape =
                            oracle::ShapeInput{.type = ElementType::kI64,
                                               .dims = {static_cast<std::int64_t>(op.output_shape_attribute->size())},
                                               .values = *op.output_shape_attribute};
                      }),
              base);
  }
}

// The valid neighbours have shape inputs of each integer type. A backend that accepts only i64 refuses them and fails.
void AddShapeTypes(InvalidPairs& pairs) {
  for (const ElementType type : oracle::kNumericTypes) {
    if (!oracle::IsInteger(type)) continue;
    const Operator typed = Changed(pairs.WithOutput(), [&](Operator& op) { op.output_shape->type = type; });
    pairs.Add(fmt::format("output-shape-short-{}", ElementTypeName(type)), "S10",
              Changed(typed,
                      [](Operator& op) {
                        op.output_shape->values.pop_back();
                        op.output_shape->dims = {static_cast<std::int64_t>(op.output_shape->values.size())};
                      }),
              typed);
  }
}

/// Returns the operator with another output shape, which ConvTranspose has as an attribute.
template <class Change>
Operator WithChangedShape(const Operator& base, Change change) {
  const bool is_onnx = base.kind == OperatorKind::kConvTranspose;
  return Changed(base, [&](Operator& op) {
    Dims& list = is_onnx ? *op.output_shape_attribute : op.output_shape->values;
    change(list);
    if (!is_onnx) op.output_shape->dims = {static_cast<std::int64_t>(list.size())};
  });
}

/// Adds output shapes of wrong values and lengths.
void AddShapeValues(InvalidPairs& pairs) {
  const Operator base = pairs.WithOutput();
  const bool is_onednn = pairs.kind() == OperatorKind::kConvolutionBackwardData;
  // The index of the last spatial size: dst_shape is a whole shape and may end with the channels.
  const std::size_t last = (is_onednn ? pairs.first_spatial() : 0U) + pairs.rank() - 1;
  // dst_shape is of s32.
  const std::int64_t smallest = is_onednn ? std::numeric_limits<std::int32_t>::min() : kSmallest;
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, smallest}) {
    pairs.Add(size == smallest ? std::string("output-shape-smallest") : fmt::format("output-shape-{}", size), "S11",
              WithChangedShape(base, [&](Dims& numbers) { numbers[last] = size; }), base);
  }
  pairs.Add("output-shape-short", "S10", WithChangedShape(base, [](Dims& numbers) { numbers.pop_back(); }), base);
  pairs.Add("output-shape-long", "S10", WithChangedShape(base, [](Dims& numbers) { numbers.push_back(1); }), base);
  pairs.Add("output-shape-empty", "S10", WithChangedShape(base, [](Dims& numbers) { numbers.clear(); }), base);
  if (is_onednn) {
    const Operator attribute = Changed(base, [](Operator& op) {
      op.dst_shape = op.output_shape->values;
      op.output_shape = std::nullopt;
    });
    pairs.Add("output-shape-overflow", "O1",
              Changed(attribute, [&](Operator& op) { (*op.dst_shape)[last] = kLargest / 2; }), attribute);
  } else {
    pairs.Add("output-shape-overflow", "O1",
              WithChangedShape(base, [&](Dims& numbers) { numbers[last] = kLargest / 2; }), base);
  }
}

/// Adds shape inputs of wrong types and ranks.
void AddShapeTensors(InvalidPairs& pairs) {
  const Operator base = pairs.WithOutput();
  const Operator narrow = Changed(base, [](Operator& op) { op.output_shape->type = ElementType::kI32; });
  for (const ElementType type : {ElementType::kF32, ElementType::kF16, ElementType::kBoolean, ElementType::kString}) {
    pairs.Add(fmt::format("output-shape-type-{}", ElementTypeName(type)), "T6",
              Changed(base, [&](Operator& op) { op.output_shape->type = type; }), narrow);
  }
  pairs.Add("output-shape-rank-2", "S9",
            Changed(base, [](Operator& op) { op.output_shape->dims.insert(op.output_shape->dims.begin(), 1); }), base);
  pairs.Add("output-shape-rank-0", "S9",
            Changed(base,
                    [](Operator& op) {
                      op.output_shape->dims.clear();
                      op.output_shape->values.resize(1);
                    }),
            base);
}

/// Adds shape inputs that are no dst_shape of ConvolutionBackwardData, which is the whole shape of the output.
void AddDstShapes(InvalidPairs& pairs) {
  const Operator base = pairs.WithOutput();
  const std::size_t channels_at = pairs.channels_at();
  pairs.Add("dst-shape-batch", "S12", WithChangedShape(base, [](Dims& numbers) { numbers[0] += 1; }), base);
  pairs.Add("dst-shape-channels", "S12", WithChangedShape(base, [&](Dims& numbers) { numbers[channels_at] += 1; }),
            base);
  pairs.Add("dst-shape-absent", "S14", Changed(base, [](Operator& op) { op.output_shape = std::nullopt; }), base);
  pairs.Add("dst-shape-spatial-only", "S10",
            WithChangedShape(base, [](Dims& numbers) { numbers.erase(numbers.begin(), numbers.begin() + 2); }), base);
}

void AddOutputShapes(InvalidPairs& pairs) {
  const bool is_onednn = pairs.kind() == OperatorKind::kConvolutionBackwardData;
  AddShapeValues(pairs);
  if (pairs.kind() == OperatorKind::kConvTranspose) return;
  if (pairs.openvino() && pairs.rank() == 2) AddShapeTypes(pairs);
  if (!is_onednn) {
    const Operator base = pairs.WithOutput();
    pairs.Add("output-shape-whole", "S10",
              WithChangedShape(base,
                               [&](Dims& numbers) {
                                 numbers.insert(numbers.begin(),
                                                {pairs.draft().batch, pairs.draft().groups * pairs.draft().out});
                               }),
              base);
  }
  AddShapeTensors(pairs);
  if (is_onednn) AddDstShapes(pairs);
}

void AddSizes(InvalidPairs& pairs) {
  // Makes operators whose first axis is `axis`; the other axes are those of the draft.
  const auto of_axis = [&](AxisDraft axis) {
    OperatorDraft draft = pairs.draft();
    draft.axes[0] = axis;
    return Build(draft);
  };
  const auto first = [](std::optional<Dims> Operator::* member, std::int64_t value) {
    return [member, value](Operator& op) { (op.*member)->front() = value; };
  };
  const std::int64_t huge = std::int64_t{1} << 62;
  const bool has_dst_shape = pairs.kind() == OperatorKind::kConvolutionBackwardData;  // dst_shape says the size
  if (!has_dst_shape) {
    const Operator one = of_axis({.data = 3, .kernel = 3});
    pairs.Add("size-0", "P16", Changed(one, first(&Operator::pads_end, 5)), one);
    pairs.Add("size-negative", "P16", Changed(one, first(&Operator::pads_end, 6)), one);
    pairs.Add("size-far-negative", "P16", Changed(one, first(&Operator::pads_begin, huge)), one);
    pairs.Add("output-padding-overflow", "O2",
              Changed(one,
                      [](Operator& op) {
                        op.output_padding = Dims(op.strides->size(), 0);
                        op.output_padding->front() = kLargest;
                      }),
              one);
  }
  // A stride multiplies the data size minus 1, a dilation the kernel size minus 1.
  const Operator strided = of_axis({.data = 4, .kernel = 2});
  pairs.Add("stride-overflow", "O2", Changed(strided, first(&Operator::strides, huge)), strided);
  const Operator dilated = of_axis({.data = 2, .kernel = 4});
  pairs.Add("dilation-overflow", "O2", Changed(dilated, first(&Operator::dilations, huge)), dilated);
  const std::size_t data_at = pairs.first_spatial();
  const Operator base = pairs.Base();
  pairs.Add("data-overflow", "O1", Changed(base, [&](Operator& op) { op.data.dims[data_at] = kLargest / 4; }), base);
}

}  // namespace

void AddFaultyOperators(InvalidPairs& pairs) {
  AddTypes(pairs);
  AddShapes(pairs);
  if (pairs.rank() == 2) AddRanks(pairs);
  AddLists(pairs);
  AddTexts(pairs);
  AddOutputShapes(pairs);
  AddSizes(pairs);
  AddLibraryRefusals(pairs);
}

SuiteResult InvalidCases(Level level) {
  SuiteBuilder suite(level);
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    // The rules are the same for each rank. So level smoke has only operators with two axes.
    for (const std::size_t rank : {std::size_t{2}, std::size_t{1}, std::size_t{3}}) {
      if (rank != 2 && !suite.Includes(Level::kGate)) continue;
      for (const std::int64_t groups : {1, 2}) {
        if (groups != 1 && kind != OperatorKind::kGroupConvolutionBackpropData) continue;
        InvalidPairs pairs(kind, rank, groups, FaultyOperators::kRefused, suite);
        AddFaultyOperators(pairs);
      }
    }
  }
  return suite.Build();
}

}  // namespace conformance
