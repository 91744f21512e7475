// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `properties`: generated cases for each law, that is for a relation between the outputs of related operators.
// The generator draws only operators that fulfil the requirements of the law, such as two axes or a stride above 1. So
// no drawn operator has to be discarded.

#include "conformance/suite/suite_properties.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::OperatorKind;

/// The requirements of a law: the least sizes with which it is not trivial.
struct Requirements {
  std::int64_t batch = 1, groups = 1, in = 1, out = 1;
  std::size_t least_axes = 1, most_axes = 3;
  std::int64_t stride = 1, dilation = 1;  ///< least values along the first axis
  bool cropped = false;                   ///< a pads_end of 1 or more along the first axis
  bool any_attributes = false;            ///< the law also allows auto_pad and output shapes
  double sums = 1;                        ///< factor by which the law's operators have larger sums than the case
};

Requirements RequirementsOf(Law law) {
  switch (law) {
    case Law::kAdjoint:
      return {.any_attributes = true};
    case Law::kLinearData:
    case Law::kLinearFilter:
    case Law::kPowerOfTwo:
      return {.any_attributes = true, .sums = 2};
    case Law::kInputChannelSum:
      return {.in = 2};
    case Law::kCrop:
    case Law::kEqualAttributes:
      return {.cropped = true, .any_attributes = true};
    case Law::kLongerOutput:
      return {.cropped = true};
    case Law::kStrideZeros:
      return {.stride = 2};
    case Law::kDilationZeros:
      return {.dilation = 2};
    case Law::kAxisOrder:
      return {.least_axes = 2};
    case Law::kRank:
      return {.most_axes = 2};
    case Law::kBatchSplit:
    case Law::kBatchOrder:
      return {.batch = 2};
    case Law::kChannelOrder:
      return {.in = 2, .out = 2};
    case Law::kOutputChannelSplit:
      return {.out = 2};
    case Law::kGroupSplit:
    case Law::kGroupZeros:
      return {.groups = 2};
    case Law::kShift:
    case Law::kReversal:
    case Law::kLayout:
      break;
  }
  return {};
}

/// The element types that the dialect defines for the kind of operator.
std::span<const ElementType> TypesOf(OperatorKind kind, Dialect dialect) {
  static constexpr std::array kBackward = {ElementType::kF32, ElementType::kBf16, ElementType::kF16};
  static constexpr std::array kOnnx = {ElementType::kF32, ElementType::kF16, ElementType::kF64};
  static constexpr std::array kNewer = {ElementType::kF32, ElementType::kF16, ElementType::kF64, ElementType::kBf16};
  if (kind == OperatorKind::kConvolutionBackwardData) return kBackward;
  if (dialect == Dialect::kOnnx22 || dialect == Dialect::kTensorflow) return kNewer;
  if (kind == OperatorKind::kConvTranspose) return kOnnx;
  return oracle::kNumericTypes;
}

/// The most products that an output can sum exactly, if all operands have magnitude 2. Data set `integers` has at least
/// the magnitudes 1 and 2.
std::int64_t MostTaps(ElementType type, double sums) {
  const int bits = oracle::IsFloat(type)
                       ? oracle::FormatOf(type).precision
                       : static_cast<int>(8 * oracle::ElementBytes(type)) - (oracle::IsSigned(type) ? 1 : 0);
  const double exact = std::ldexp(1.0, std::min(bits, 40)) - 1;
  return std::max<std::int64_t>(static_cast<std::int64_t>(exact / (4 * sums)), 1);
}

// Whether the dialect is that of a library which refuses output_padding >= stride, and outputs of that length.
// Documents allow both.
bool BoundsOutputPadding(Dialect dialect) {
  return dialect == Dialect::kOnnxruntime || dialect == Dialect::kOnednnRuntime || dialect == Dialect::kTensorflow;
}

/// `DrawSized` draws from a range that grows with RapidCheck's size, `DrawUniformly` from the whole range.
std::int64_t DrawSized(std::int64_t least, std::int64_t most) {
  return most <= least ? least : *rc::gen::inRange(least, most + 1);
}
std::int64_t DrawUniformly(std::int64_t least, std::int64_t most) {
  return most <= least ? least : *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}
bool ByChanceOneIn(std::int64_t n) { return DrawUniformly(1, n) == 1; }

/// Draws one operator.
class DraftGenerator {
 public:
  DraftGenerator(Law law, OperatorKind kind, Dialect dialect, double products)
      : law_(law), dialect_(dialect), required_(RequirementsOf(law)), products_(products) {
    draft_.kind = kind;
  }

  OperatorDraft Draw() {
    DrawChannels();
    DrawAxes();
    for (AxisDraft& axis : draft_.axes) DrawPads(axis, &axis == &draft_.axes.front());
    if (required_.any_attributes && !ByChanceOneIn(3)) DrawAutoPad();
    return draft_;
  }

 private:
  bool backward() const { return draft_.kind == OperatorKind::kConvolutionBackwardData; }

  /// Draws type, groups, batch, channels and layout.
  void DrawChannels() {
    const auto types = TypesOf(draft_.kind, dialect_);
    draft_.type = types[static_cast<std::size_t>(DrawUniformly(0, static_cast<std::int64_t>(types.size()) - 1))];
    const bool can_group = draft_.kind != OperatorKind::kConvolutionBackpropData;
    if (can_group) draft_.groups = std::max(required_.groups, ByChanceOneIn(2) ? DrawSized(1, 4) : 1);
    draft_.batch = std::max(required_.batch, DrawSized(1, 3));
    if (backward()) {
      // Half of the operators omit both formats: most models have the default layouts.
      const bool omits = ByChanceOneIn(2);
      draft_.data_format = omits ? DataFormat::kAbsent : ByChanceOneIn(2) ? DataFormat::kNxc : DataFormat::kNcx;
      draft_.weights_format = omits              ? WeightsFormat::kAbsent
                              : ByChanceOneIn(2) ? WeightsFormat::kXio
                                                 : WeightsFormat::kOix;
      draft_.dst_shape_is_input = ByChanceOneIn(3);
    }
    // The law runs all groups as one group, with zeros between them.
    if (law_ == Law::kGroupZeros) products_ /= static_cast<double>(draft_.groups);
    taps_ = MostTaps(draft_.type, required_.sums);
    draft_.in = std::max(required_.in, DrawSized(1, std::min<std::int64_t>(taps_, 18)));
    draft_.out = std::max(required_.out, DrawSized(1, 18));
    taps_ /= draft_.in;
    products_ /= static_cast<double>(draft_.batch * draft_.groups * draft_.in * draft_.out);
  }

  /// Draws kernel, stride and dilation of each axis, then its data within the limit of products.
  void DrawAxes() {
    const auto axes = static_cast<std::size_t>(
        DrawUniformly(static_cast<std::int64_t>(required_.least_axes), static_cast<std::int64_t>(required_.most_axes)));
    draft_.axes.resize(axes);
    for (AxisDraft& axis : draft_.axes) {
      const bool first = &axis == &draft_.axes.front();
      // A dilation has an effect only with two taps, and a crop must leave an output. So the kernel is at least 2.
      const std::int64_t kernel = first && taps_ > 1 && (required_.dilation > 1 || required_.cropped) ? 2 : 1;
      axis.kernel = std::max(kernel, DrawSized(1, std::min<std::int64_t>(taps_, axes == 1 ? 9 : 5)));
      axis.stride = std::max(first ? required_.stride : 1, DrawSized(1, axes == 3 ? 3 : 5));
      axis.dilation = std::max(first ? required_.dilation : 1, ByChanceOneIn(2) ? 1 : DrawSized(1, 3));
      taps_ /= axis.kernel;
      products_ /= static_cast<double>(axis.kernel);
      if (law_ == Law::kStrideZeros) products_ /= static_cast<double>(axis.stride);
      if (law_ == Law::kDilationZeros) products_ /= static_cast<double>(axis.dilation);
    }
    for (std::size_t j = 0; j < axes; ++j) {
      AxisDraft& axis = draft_.axes[j];
      const double share = std::pow(std::max(products_, 1.0), 1.0 / static_cast<double>(axes - j));
      axis.data = DrawSized(1, std::min<std::int64_t>(static_cast<std::int64_t>(share), 4096));
      if (FirstNeedsRoom(j)) axis.data = std::max<std::int64_t>(axis.data, 2);
      products_ /= static_cast<double>(axis.data);
    }
  }

  /// Whether axis j needs two data elements: a stride has no effect with one, and a crop needs two outputs.
  bool FirstNeedsRoom(std::size_t j) const { return j == 0 && (required_.stride > 1 || required_.cropped); }

  void DrawPads(AxisDraft& axis, bool first) {
    const std::int64_t least_end = first && required_.cropped ? 1 : 0;
    const std::int64_t extent = (axis.kernel - 1) * axis.dilation + 2;
    axis.pads_begin = DrawUniformly(0, std::min(axis.Natural() - 1 - least_end, extent));
    axis.pads_end = std::max(least_end, DrawUniformly(0, std::min(axis.Natural() - 1 - axis.pads_begin, extent)));
    if (!ByChanceOneIn(3)) return;
    const std::int64_t most = BoundsOutputPadding(dialect_) || !ByChanceOneIn(3) ? axis.stride - 1 : axis.stride + 2;
    axis.output_padding = DrawUniformly(0, most);
    // output_padding must not undo the crop.
    if (least_end > 0) axis.output_padding = std::min(axis.output_padding, axis.pads_end - least_end);
  }

  /// Draws auto_pad and output shapes to which every dialect of the operator gives a meaning.
  void DrawAutoPad() {
    constexpr std::array kAutomatic = {AutoPad::kSameUpper, AutoPad::kSameLower, AutoPad::kValid};
    AutoPad automatic = kAutomatic[static_cast<std::size_t>(DrawUniformly(0, 2))];
    const bool tensorflow = dialect_ == Dialect::kTensorflow;
    if (tensorflow && automatic == AutoPad::kSameLower) automatic = AutoPad::kSameUpper;  // clause A22
    // Automatic pads without an output shape may crop nothing.
    const bool cropped = law_ == Law::kCrop;
    const bool of_forward_sizes = backward() || tensorflow;
    if (cropped && of_forward_sizes) return;
    for (AxisDraft& axis : draft_.axes) axis.output_padding = std::min(axis.output_padding, axis.stride - 1);
    if (of_forward_sizes) {
      draft_.auto_pad = automatic;
      for (AxisDraft& axis : draft_.axes) {
        axis.output_padding = 0;
        const std::int64_t begin = axis.stride * (axis.data - 1);
        // The forward convolution of this output size gives the data's size. The total padding must not be negative for
        // the law of equal attributes.
        const std::int64_t most = law_ == Law::kEqualAttributes ? axis.Natural() - begin : axis.stride;
        axis.output = automatic == AutoPad::kValid
                          ? axis.Natural() + (law_ == Law::kEqualAttributes ? 0 : DrawUniformly(0, axis.stride - 1))
                          : begin + DrawUniformly(1, std::min(most, axis.stride));
      }
      return;
    }
    if (cropped || ByChanceOneIn(2)) {
      if (ByChanceOneIn(2)) draft_.auto_pad = ByChanceOneIn(3) ? AutoPad::kExplicit : automatic;
      for (AxisDraft& axis : draft_.axes) {
        // Longer outputs have a negative total padding. The law of equal attributes needs two ways to write an
        // operator, and a negative total has only one.
        const std::int64_t longer = BoundsOutputPadding(dialect_) ? axis.stride - 1 : axis.stride + 3;
        axis.output = law_ == Law::kEqualAttributes || !ByChanceOneIn(2) ? DrawUniformly(1, axis.Natural())
                                                                         : axis.Natural() + DrawUniformly(0, longer);
      }
      AxisDraft& first = draft_.axes.front();
      if (cropped) first.output = std::min(*first.output, first.Natural() - 1);
      DrawShapeType();
      return;
    }
    draft_.auto_pad = automatic;
    if (draft_.kind != OperatorKind::kConvTranspose || automatic == AutoPad::kValid) return;
    // SAME pads of ConvTranspose without an output shape give data * stride outputs. onnx-1 does not define them.
    const bool long_kernels = std::ranges::all_of(
        draft_.axes, [](const AxisDraft& axis) { return axis.Natural() >= axis.data * axis.stride; });
    const bool open = dialect_ == Dialect::kOnnx1;
    if (open || (law_ == Law::kEqualAttributes && !long_kernels)) draft_.auto_pad = AutoPad::kValid;
  }

  /// Draws one of the eight integer types, if it can hold all sizes.
  void DrawShapeType() {
    constexpr std::array kTypes = {ElementType::kI8, ElementType::kI16, ElementType::kI32, ElementType::kI64,
                                   ElementType::kU8, ElementType::kU16, ElementType::kU32, ElementType::kU64};
    const ElementType type = kTypes[static_cast<std::size_t>(DrawUniformly(0, 7))];
    const bool holds = std::ranges::all_of(
        draft_.axes, [&](const AxisDraft& axis) { return oracle::HoldsInteger(type, *axis.output); });
    if (holds) draft_.shape_type = type;
  }

  Law law_;
  Dialect dialect_;
  Requirements required_;
  double products_;        ///< products that are still allowed for the sizes that are not drawn yet
  std::int64_t taps_ = 1;  ///< products of one output that are still allowed, so that its sum is exact
  OperatorDraft draft_;
};

/// The number of cases of each law, operator and dialect that a level adds, and their size.
struct GeneratedBatch {
  Level level;
  int count;
  LawCaseSize least, most;  ///< sizes of the first case and of the last
  bool every_dialect;       ///< false: only the first dialect of each operator
};
// Level gate has about 500 cases, each with some 3 runs of 1e5 products: seconds with the built-in kernel. Level full
// has operators whose sums would take the oracle minutes; a law does not need the oracle.
constexpr std::array kBatches = {
    GeneratedBatch{Level::kSmoke, 1, {.size = 20, .products = 1e4}, {.size = 20, .products = 1e4}, false},
    GeneratedBatch{Level::kGate, 4, {.size = 20, .products = 1e4}, {.size = 100, .products = 3e5}, true},
    GeneratedBatch{Level::kFull, 12, {.size = 20, .products = 1e5}, {.size = 100, .products = 3e6}, true},
    GeneratedBatch{Level::kFull, 2, {.size = 100, .products = 3e7}, {.size = 100, .products = 1e8}, false},
};

/// The size of case `i` of a batch. It grows from the least size to the largest.
LawCaseSize SizeOf(const GeneratedBatch& batch, int i) {
  const double part = batch.count == 1 ? 1.0 : static_cast<double>(i) / (batch.count - 1);
  LawCaseSize size = batch.most;
  size.size = static_cast<int>(std::lround(std::lerp(batch.least.size, batch.most.size, part)));
  size.products = batch.least.products * std::pow(batch.most.products / batch.least.products, part);
  return size;
}

void AddLawCases(SuiteBuilder& suite, const LawName& law, OperatorKind kind, Dialect dialect) {
  const bool is_first_dialect = dialect == oracle::DialectsOf(kind).front();
  const std::string context = is_first_dialect ? std::string(ShortName(kind))
                                               : fmt::format("{}.{}", ShortName(kind), oracle::DialectName(dialect));
  int number = 0;  // counts the cases of all levels, so that a case has the same name at every level
  for (const GeneratedBatch& batch : kBatches) {
    for (int i = 0; i < batch.count; ++i) {
      ++number;
      if (!suite.Includes(batch.level) || !(batch.every_dialect || is_first_dialect)) continue;
      suite.Add(fmt::format("{}.{}.{:02}", law.name, context, number), std::string(law.sentence),
                GenerateLawCase(law.value, kind, dialect, static_cast<std::uint64_t>(number), SizeOf(batch, i)));
    }
  }
}

}  // namespace

bool Concerns(Law law, OperatorKind kind) {
  if (law == Law::kLayout) return kind == OperatorKind::kConvolutionBackwardData;
  if (law == Law::kGroupSplit || law == Law::kGroupZeros) return kind != OperatorKind::kConvolutionBackpropData;
  return true;
}

Case GenerateLawCase(Law law, OperatorKind kind, Dialect dialect, std::uint64_t seed, const LawCaseSize& size) {
  const double products = size.products;
  const rc::Gen<OperatorDraft> drafts =
      rc::gen::exec([=] { return DraftGenerator(law, kind, dialect, products).Draw(); });
  Case generated;
  // Law and dialect are a part of the random seed, so that they get different operators for the same `seed`.
  const rc::Random random =
      rc::Random(seed * 1024 + static_cast<std::uint64_t>(law) * 16 + static_cast<std::uint64_t>(dialect));
  generated.op = Spelled(Build(drafts(random, size.size).value()), dialect);
  if (dialect != oracle::DialectsOf(kind).front()) generated.dialect = dialect;
  generated.law = law;
  generated.seed = seed;
  return generated;
}

SuiteResult PropertyCases(Level level) {
  SuiteBuilder suite(level);
  for (const LawName& law : kLaws) {
    for (const OperatorKind kind : oracle::kOperatorKinds) {
      if (!Concerns(law.value, kind)) continue;
      for (const Dialect dialect : oracle::DialectsOf(kind)) AddLawCases(suite, law, kind, dialect);
    }
  }
  return suite.Build();
}

}  // namespace conformance
