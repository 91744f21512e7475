// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a random case. A sketch is a case as plain fields: sizes, attributes of each axis, spelling, values. Each field
// is drawn independently from a table, and FitSketch then changes the fields that contradict each other.

#include "conformance/case/draw_case.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::OperatorKind;

/// The numbers of one field. One draw in 16 comes from `rare`, the others from `common`. Rare sizes lie around vector
/// widths and powers of two. The largest data size, 4099, exceeds 2048: above 2048 the type f16 has no odd numbers.
struct Range {
  std::size_t count;  ///< the first `count` numbers of `common` are used
  std::array<std::int64_t, 14> common;
  std::array<std::int64_t, 16> rare;

  std::int64_t Draw(Random& random) const {
    return random.OneIn(16) ? random.Choose(rare) : common[random.Below(count)];
  }
};

constexpr Range kBatchRange = {5, {1, 2, 1, 3, 1}, {0, 0, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 1, 1}};
constexpr Range kGroupRange = {
    8, {1, 1, 1, 2, 1, 3, 4, 5}, {6, 7, 8, 9, 10, 12, 15, 16, 17, 24, 31, 32, 33, 48, 64, 65}};
constexpr Range kChannelRange = {6, {1, 2, 3, 4, 5, 6}, {0, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 257, 63, 64, 65}};
constexpr Range kDeltaRange = {14,
                               {0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7},
                               {7, -8, 8, -9, 9, -12, 12, -16, 16, -17, 17, -31, 31, -64, 64, 100}};

struct AxisField {
  std::int64_t SketchAxis::* member;
  Range range;
};
constexpr std::array kAxisFields = {
    AxisField{&SketchAxis::data,
              {8, {1, 2, 3, 4, 5, 6, 7, 8}, {0, 9, 10, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 257, 1025, 4099}}},
    AxisField{&SketchAxis::kernel,
              {6, {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 64, 65}}},
    AxisField{&SketchAxis::stride,
              {5, {1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 12, 15, 16, 17, 31, 32, 33, 64, 100, 128, 255}}},
    AxisField{&SketchAxis::dilation,
              {4, {1, 2, 3, 4}, {5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 31, 32, 64, 100, 255, 1000}}},
    AxisField{&SketchAxis::pads_begin,
              {6, {0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 20, 31, 32, 64, 100, 255}}},
    AxisField{&SketchAxis::pads_end,
              {6, {0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 20, 31, 32, 64, 100, 255}}},
    AxisField{&SketchAxis::output_padding,
              {5, {0, 1, 2, 3, 4}, {5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 20, 31, 32, 64, 100, 255}}},
};

/// A kind of operator and a dialect: a document or library that says what its attributes mean.
struct Meaning {
  OperatorKind kind;
  Dialect dialect;
};
constexpr std::array kMeanings = {
    Meaning{OperatorKind::kConvolutionBackpropData, Dialect::kOpenvinoSpec},
    Meaning{OperatorKind::kConvolutionBackpropData, Dialect::kOpenvinoRuntime},
    Meaning{OperatorKind::kGroupConvolutionBackpropData, Dialect::kOpenvinoSpec},
    Meaning{OperatorKind::kGroupConvolutionBackpropData, Dialect::kOpenvinoRuntime},
    Meaning{OperatorKind::kConvolutionBackwardData, Dialect::kOnednnSpec},
    Meaning{OperatorKind::kConvolutionBackwardData, Dialect::kOnednnRuntime},
    Meaning{OperatorKind::kConvTranspose, Dialect::kOnnx11},
    Meaning{OperatorKind::kConvTranspose, Dialect::kOnnx1},
    Meaning{OperatorKind::kConvTranspose, Dialect::kOnnxruntime},
    Meaning{OperatorKind::kConvTranspose, Dialect::kOnnx22},
    Meaning{OperatorKind::kConvTranspose, Dialect::kTensorflow},
};

// Types for which kernels often have special vector code occur several times, and are drawn more often.
constexpr std::array kOpenvinoTypes = {ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kF64,
                                       ElementType::kI8,  ElementType::kU8,  ElementType::kI32,  ElementType::kI64,
                                       ElementType::kI16, ElementType::kU16, ElementType::kU32,  ElementType::kU64,
                                       ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kF32};
constexpr std::array kOnednnTypes = {ElementType::kF32, ElementType::kBf16, ElementType::kF16};
constexpr std::array kOnnxTypes = {ElementType::kF32, ElementType::kF64, ElementType::kF16};
constexpr std::array kNewerOnnxTypes = {ElementType::kF32, ElementType::kF64, ElementType::kF16, ElementType::kBf16};
constexpr std::array kShapeTypes = {ElementType::kI64, ElementType::kI32, ElementType::kU64, ElementType::kU32,
                                    ElementType::kI16, ElementType::kU16, ElementType::kI8,  ElementType::kU8};
// Signals (one axis), images (two) and volumes (three) are drawn most often, because most models have them.
constexpr std::array<std::size_t, 32> kAxisCounts = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                                                     2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 7, 8};

// With kBoth an operator has the shape as an input and as an attribute. In half of these operators the two differ.
constexpr std::array kBackwardShapes = {ShapeSourceClass::kAttribute, ShapeSourceClass::kInput, ShapeSourceClass::kBoth,
                                        ShapeSourceClass::kBoth};

std::span<const DataSet> SetsOf(ElementType type) {
  static const auto suiting = [](ElementType like) {
    std::vector<DataSet> sets;
    for (const DataSet set : kDataSets) {
      // Three data sets need shapes that random cases seldom have: `taps` needs small tensors, `swamping` and
      // `boundaries` need many output channels.
      const bool special = set == DataSet::kTaps || set == DataSet::kSwamping || set == DataSet::kBoundaries;
      if (!special && IsDefinedFor(set, like)) sets.push_back(set);
    }
    return sets;
  };
  static const std::vector<DataSet> integer_sets = suiting(ElementType::kI32);
  static const std::vector<DataSet> float_sets = suiting(ElementType::kF32);
  return oracle::IsInteger(type) ? integer_sets : float_sets;
}

// Draws one case, field by field. The clauses in comments are the numbered rules of oracle/clauses.md.
class Drawing {
 public:
  Drawing(Random& random, const DrawOptions& options) : random_(random), options_(options) {}

  Case Draw() {
    DrawMeaning();
    DrawSizes();
    DrawWords();
    DrawShape();
    FitSketch(sketch_, options_.limits);
    Case drawn = CaseOf(sketch_);
    if (IsBackward() && sketch_.shape == ShapeSourceClass::kBoth && random_.OneIn(2)) {
      for (std::int64_t& size : *drawn.op.dst_shape) ++size;  // the input has precedence (clause S15)
    }
    if (random_.OneIn(16)) AddForeign(drawn.op);
    return drawn;
  }

 private:
  bool IsBackward() const { return sketch_.kind() == OperatorKind::kConvolutionBackwardData; }
  bool IsOnnx() const { return sketch_.kind() == OperatorKind::kConvTranspose; }

  void DrawMeaning() {
    Meaning meaning = random_.Choose(kMeanings);
    while (options_.dialect && meaning.dialect != *options_.dialect) meaning = random_.Choose(kMeanings);
    Case& base = sketch_.base_case;
    base.op.kind = meaning.kind;
    if (meaning.dialect != oracle::DialectsOf(meaning.kind).front()) base.dialect = meaning.dialect;
    const bool has_bf16 = meaning.dialect == Dialect::kOnnx22 || meaning.dialect == Dialect::kTensorflow;
    base.op.data.type = IsBackward() ? random_.Choose(kOnednnTypes)
                        : has_bf16   ? random_.Choose(kNewerOnnxTypes)
                        : IsOnnx()   ? random_.Choose(kOnnxTypes)
                                     : random_.Choose(kOpenvinoTypes);
    base.values = random_.Choose(SetsOf(base.op.data.type));
    base.seed = random_.Below(1 << 16);
  }

  void DrawSizes() {
    sketch_.batch = kBatchRange.Draw(random_);
    sketch_.groups = kGroupRange.Draw(random_);
    sketch_.in = kChannelRange.Draw(random_);
    sketch_.out = kChannelRange.Draw(random_);
    sketch_.axes.resize(std::min(random_.Choose(kAxisCounts), options_.most_axes));
    for (SketchAxis& axis : sketch_.axes) {
      for (const AxisField& field : kAxisFields) axis.*field.member = field.range.Draw(random_);
    }
  }

  void DrawWords() {
    oracle::Operator& op = sketch_.base_case.op;
    if (const auto auto_pad = random_.Choose(AutoPadsOf(op.kind))) op.auto_pad = *auto_pad;
    if (IsBackward()) {
      op.data_format = random_.Choose(std::array<std::optional<std::string>, 3>{std::nullopt, "NCX", "NXC"});
      op.weights_format = random_.Choose(std::array<std::optional<std::string>, 3>{std::nullopt, "OIX", "XIO"});
    }
    if ((IsBackward() || IsOnnx()) && random_.OneIn(2)) op.groups = 1;  // CaseOf writes the number
    sketch_.kernel_shape = IsOnnx() && random_.OneIn(2);
    const bool omits = random_.OneIn(3);
    for (bool Sketch::* const given :
         {&Sketch::strides, &Sketch::dilations, &Sketch::pads_begin, &Sketch::pads_end, &Sketch::output_padding}) {
      sketch_.*given = !omits || random_.OneIn(2);
    }
  }

  void DrawShape() {
    sketch_.shape_type = random_.Choose(kShapeTypes);
    sketch_.shape = IsBackward()       ? random_.Choose(kBackwardShapes)
                    : random_.OneIn(2) ? ShapeSourceClass::kAbsent
                                       : ShapeSourceClass::kInput;
    const bool pads_count = PadsDecide(sketch_.base_case.op);
    for (SketchAxis& axis : sketch_.axes) {
      // The output sizes lie around the size without pads.
      axis.shape_excess = kDeltaRange.Draw(random_) + (pads_count ? axis.pads_begin + axis.pads_end : 0);
    }
  }

  // Adds attributes that this kind of operator does not have, as an importer of models might (clause D2). A backend
  // must ignore them: their values would make the operator invalid.
  void AddForeign(oracle::Operator& op) {
    if (random_.OneIn(2) && !IsBackward()) op.data_format = "NXC";
    if (random_.OneIn(2) && !IsBackward()) op.dst_shape = oracle::Dims{0};
    if (random_.OneIn(2) && !IsOnnx()) op.kernel_shape = oracle::Dims{-1};
    if (random_.OneIn(2) && !IsBackward() && !IsOnnx()) op.groups = 7;
  }

  Random& random_;
  const DrawOptions& options_;
  Sketch sketch_;
};

}  // namespace

Case DrawCase(Random& random, const DrawOptions& options) { return Drawing(random, options).Draw(); }

}  // namespace conformance
