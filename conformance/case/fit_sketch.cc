// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a sketch valid; a sketch is a test case as plain fields, which fuzzers change at random. Three steps: kind,
// types and attributes; then each axis; then the size. While the case is too large, the largest number is halved and
// the axes are made valid again. The clauses that the comments cite are the numbered rules of oracle/clauses.md.

#include <algorithm>
#include <array>
#include <string>

#include "conformance/case/checked.h"
#include "conformance/case/sketch.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::OperatorKind;
using Text = std::optional<std::string_view>;

constexpr std::array kOpenvinoAutoPads = {Text(),        Text("explicit"), Text("same_upper"), Text("same_lower"),
                                          Text("valid"), Text("EXPLICIT"), Text("SAME_UPPER"), Text("Same_Lower"),
                                          Text("VALID")};
constexpr std::array kOnednnAutoPads = {
    Text(),       Text("none"), Text("same_upper"), Text("same_lower"), Text("valid"),
    Text("None"), Text("NONE"), Text("SAME_UPPER"), Text("SAME_LOWER"), Text("VALID")};
constexpr std::array kOnednnLibraryAutoPads = {Text(), Text("None"), Text("SAME_UPPER"), Text("SAME_LOWER"),
                                               Text("VALID")};  // clause A17
constexpr std::array kOnnxAutoPads = {Text(), Text("NOTSET"), Text("SAME_UPPER"), Text("SAME_LOWER"), Text("VALID")};

constexpr std::size_t kMostAxes = 8;         // rank 10, the largest that the oracle knows
constexpr std::size_t kMostRuntimeAxes = 3;  // clauses S16, S19 and S21

// Sums and products of two such numbers do not overflow 64 bits.
constexpr std::int64_t kMostNumber = std::int64_t{1} << 30;

// Makes one sketch valid. `mode_` is what auto_pad means, whatever its spelling.
class Fitter {
 public:
  Fitter(Sketch& sketch, const CaseLimits& limits) : sketch_(sketch), op_(sketch.base_case.op), limits_(limits) {}

  void Fit() {
    FitKind();
    FitAutoPad();
    FitGiven();
    FitAxes();
    while (IsTooLarge() && Halve()) FitAxes();
    FitShapeType();
  }

 private:
  bool IsBackward() const { return op_.kind == OperatorKind::kConvolutionBackwardData; }
  bool IsOnnx() const { return op_.kind == OperatorKind::kConvTranspose; }
  bool IsTensorflow() const { return dialect_ == Dialect::kTensorflow; }
  bool GivesShape() const { return sketch_.shape != ShapeSourceClass::kAbsent; }
  bool IsSame() const { return mode_ == AutoPadClass::kSameUpper || mode_ == AutoPadClass::kSameLower; }
  bool PadsCount() const { return mode_ == AutoPadClass::kAbsent || mode_ == AutoPadClass::kExplicit; }
  // Whether the output size is data * stride: SAME_* of ConvTranspose without an output shape (clause P14).
  bool ScalesData() const { return IsOnnx() && !GivesShape() && IsSame(); }

  // Makes dialect, types, number of axes and formats fit the kind of operator.
  void FitKind() {
    if (sketch_.base_case.dialect && !Defines(*sketch_.base_case.dialect, op_.kind)) sketch_.base_case.dialect.reset();
    dialect_ = sketch_.base_case.EffectiveDialect();
    if (dialect_ == oracle::DialectsOf(op_.kind).front()) sketch_.base_case.dialect.reset();  // as lines leave it out
    const ElementType type = op_.data.type;
    const bool has_bf16 = dialect_ == Dialect::kOnnx22 || IsTensorflow();  // clauses T5 and T8
    const bool takes_type =
        IsBackward() ? type == ElementType::kF16 || type == ElementType::kBf16
        : IsOnnx() ? type == ElementType::kF16 || type == ElementType::kF64 || (has_bf16 && type == ElementType::kBf16)
                   : std::ranges::find(oracle::kNumericTypes, type) != oracle::kNumericTypes.end();
    if (!takes_type) op_.data.type = ElementType::kF32;
    op_.filter.type = op_.data.type;
    if (!IsDefinedFor(sketch_.base_case.values, op_.data.type)) sketch_.base_case.values = DataSet::kIntegers;
    if (op_.kind == OperatorKind::kConvolutionBackpropData) sketch_.groups = 1;
    const bool is_runtime =
        dialect_ == Dialect::kOnednnRuntime || dialect_ == Dialect::kOpenvinoRuntime || IsTensorflow();
    sketch_.axes.resize(std::clamp<std::size_t>(sketch_.axes.size(), 1, is_runtime ? kMostRuntimeAxes : kMostAxes));
    if (!IsBackward()) return;
    if (op_.data_format != "NCX" && op_.data_format != "NXC") op_.data_format.reset();
    if (op_.weights_format != "OIX" && op_.weights_format != "XIO") op_.weights_format.reset();
  }

  // Replaces an auto_pad that the dialect does not know by its spelling of the same mode.
  void FitAutoPad() {
    mode_ = AutoPadOf(op_);
    const bool is_library = dialect_ == Dialect::kOnednnRuntime;
    const std::span<const Text> spellings =
        is_library ? std::span<const Text>(kOnednnLibraryAutoPads) : AutoPadsOf(op_.kind);
    if (IsTensorflow() && mode_ == AutoPadClass::kSameLower) {  // clause A22
      op_.auto_pad = "SAME_UPPER";
      mode_ = AutoPadClass::kSameUpper;
    }
    if (!op_.auto_pad || std::ranges::find(spellings, Text(*op_.auto_pad)) != spellings.end()) return;
    // The first five spellings of every table are in the order of AutoPadClass, so that the mode is the index.
    if (mode_ == AutoPadClass::kOther) mode_ = AutoPadClass::kAbsent;
    const Text& spelling = spellings[static_cast<std::size_t>(mode_)];
    op_.auto_pad = spelling ? std::optional(std::string(*spelling)) : std::nullopt;
  }

  // Gives the attributes that the kind requires, and leaves out the attributes that it forbids. The numbers of absent
  // attributes become the defaults.
  void FitGiven() {
    if (IsBackward()) {  // clause A13
      sketch_.strides = sketch_.dilations = sketch_.pads_begin = sketch_.pads_end = true;
      if (!GivesShape()) sketch_.shape = ShapeSourceClass::kAttribute;
    } else if (GivesShape()) {
      sketch_.shape = IsOnnx() ? ShapeSourceClass::kAttribute : ShapeSourceClass::kInput;
    }
    if (IsOnnx() && !PadsCount()) sketch_.pads_begin = sketch_.pads_end = false;  // clause A14
    // ConvTranspose-1 has no size of its own for SAME_* (clause P23).
    if (dialect_ == Dialect::kOnnx1 && IsSame()) sketch_.shape = ShapeSourceClass::kAttribute;
    if (IsTensorflow()) {  // clauses S22 and A23
      sketch_.shape = ShapeSourceClass::kAttribute;
      sketch_.output_padding = false;
    }
    for (SketchAxis& axis : sketch_.axes) {
      if (!sketch_.strides) axis.stride = 1;
      if (!sketch_.dilations) axis.dilation = 1;
      if (!sketch_.pads_begin) axis.pads_begin = 0;
      if (!sketch_.pads_end) axis.pads_end = 0;
      if (!sketch_.output_padding) axis.output_padding = 0;
    }
  }

  // The output size before pads are removed, output_padding included.
  static std::int64_t Unpadded(const SketchAxis& axis) {
    const std::int64_t taps = ClampedProduct({axis.dilation, ClampedDifference(axis.kernel, 1)});
    const std::int64_t positions = ClampedProduct({axis.stride, ClampedDifference(axis.data, 1)});
    return ClampedSum(ClampedSum(ClampedSum(positions, taps), axis.output_padding), 1);
  }
  // The output size without the output shape.
  std::int64_t Natural(const SketchAxis& axis) const {
    return PadsCount() ? ClampedDifference(Unpadded(axis), ClampedSum(axis.pads_begin, axis.pads_end)) : Unpadded(axis);
  }
  std::int64_t OutputSize(const SketchAxis& axis) const {
    if (ScalesData()) return ClampedProduct({axis.data, axis.stride});
    return GivesShape() ? ClampedSum(Natural(axis), axis.shape_excess) : Natural(axis);
  }
  void SetSize(SketchAxis& axis, std::int64_t size) const {
    axis.shape_excess = ClampedDifference(size, Natural(axis));
  }

  // Brings every number into its range, then pads or output shape, which depend on the other numbers.
  void FitAxes() {
    const auto raise = [](std::int64_t& number, std::int64_t least) { number = std::max(number, least); };
    raise(sketch_.batch, 0);
    raise(sketch_.groups, 1);
    raise(sketch_.in, 0);
    raise(sketch_.out, 0);
    const bool onnxruntime = dialect_ == Dialect::kOnnxruntime;
    // Clauses P21 and S18 refuse an axis without data. By clause P27 its size is not that of Unpadded.
    const bool needs_data = dialect_ == Dialect::kOnednnRuntime || (onnxruntime && GivesShape()) ||
                            (dialect_ == Dialect::kOpenvinoRuntime && !GivesShape());
    for (SketchAxis& axis : sketch_.axes) {
      raise(axis.data, needs_data ? 1 : 0);
      for (std::int64_t* const number : {&axis.kernel, &axis.stride, &axis.dilation}) raise(*number, 1);
      for (std::int64_t* const number : {&axis.pads_begin, &axis.pads_end, &axis.output_padding}) raise(*number, 0);
      const auto lower = [](std::int64_t& number) { number = std::min(number, kMostNumber); };
      for (std::int64_t* const number :
           {&axis.data, &axis.kernel, &axis.pads_begin, &axis.pads_end, &axis.output_padding}) {
        lower(*number);
      }
      // A stride has no effect with one data position, a dilation none with one tap. Such numbers may stay large.
      if (axis.data > 1 || GivesShape()) lower(axis.stride);
      if (axis.kernel > 1 || GivesShape()) lower(axis.dilation);
      if (onnxruntime) axis.output_padding = std::min(axis.output_padding, axis.stride - 1);  // clause A19
      if (!GivesShape() && (ScalesData() || Unpadded(axis) < 1)) raise(axis.data, 1);
      GivesShape() ? FitShape(axis) : CropPads(axis);
    }
  }

  // Reduces the pads until the output has at least one element.
  void CropPads(SketchAxis& axis) const {
    if (!PadsCount()) return;
    const std::int64_t most = Unpadded(axis) - 1;
    axis.pads_begin = std::min(axis.pads_begin, most);
    axis.pads_end = std::min(axis.pads_end, most - axis.pads_begin);
  }

  // Changes `shape_excess` so that the dialect accepts the output size, which is at least 1.
  void FitShape(SketchAxis& axis) const {
    if (dialect_ == Dialect::kOnednnRuntime || IsTensorflow()) {
      FitForward(axis);
    } else if (dialect_ == Dialect::kOnnxruntime) {  // clause P26
      const std::int64_t most = ClampedSum(ClampedDifference(Unpadded(axis), axis.output_padding), axis.stride - 1);
      if (OutputSize(axis) > most) SetSize(axis, most);
    }
    if (OutputSize(axis) < 1) SetSize(axis, 1);
  }

  // Changes `shape_excess` so that a forward convolution of the output gives the size of the data, as clauses P21, P28
  // and P29 demand.
  void FitForward(SketchAxis& axis) const {
    if (IsSame()) {
      const std::int64_t most = ClampedProduct({axis.data, axis.stride});
      SetSize(axis, std::clamp(OutputSize(axis), ClampedSum(ClampedDifference(most, axis.stride), 1), most));
      return;
    }
    const std::int64_t rest = ClampedSum(axis.output_padding, axis.shape_excess);
    axis.shape_excess = ClampedDifference(std::clamp<std::int64_t>(rest, 0, axis.stride - 1), axis.output_padding);
    if (OutputSize(axis) < 1) axis.pads_begin = axis.pads_end = 0;
  }

  // Whether outputs or multiply-adds exceed the limits. A size of 0 counts as 1: it empties one tensor, but the other
  // tensors keep their sizes.
  bool IsTooLarge() const {
    const auto factor = [](std::int64_t number) { return static_cast<double>(std::max<std::int64_t>(number, 1)); };
    double outputs = factor(sketch_.batch) * factor(sketch_.groups) * factor(sketch_.out);
    double products = outputs * factor(sketch_.in);
    for (const SketchAxis& axis : sketch_.axes) {
      outputs *= factor(OutputSize(axis));
      products *= factor(axis.data) * factor(axis.kernel);
    }
    return outputs > static_cast<double>(limits_.outputs) || products > static_cast<double>(limits_.products);
  }

  // Halves the largest number that affects the size of the case. False if no number can become smaller.
  bool Halve() {
    std::int64_t* largest = nullptr;
    std::int64_t least = 1;
    const auto consider = [&](std::int64_t& number, std::int64_t floor) {
      if (number <= floor || (largest != nullptr && number <= *largest)) return;
      largest = &number;
      least = floor;
    };
    for (std::int64_t* const number : {&sketch_.batch, &sketch_.groups, &sketch_.in, &sketch_.out}) {
      consider(*number, 1);
    }
    for (SketchAxis& axis : sketch_.axes) {
      consider(axis.data, 1);
      consider(axis.kernel, 1);
      if (axis.data > 1 || ScalesData()) consider(axis.stride, 1);
      if (axis.kernel > 1) consider(axis.dilation, 1);
      if (OutputSize(axis) <= 1) continue;
      consider(axis.output_padding, 0);
      if (GivesShape()) consider(axis.shape_excess, 0);
    }
    if (largest == nullptr) return false;
    *largest = std::max(least, *largest / 2);
    return true;
  }

  void FitShapeType() {
    if (!oracle::IsInteger(sketch_.shape_type)) sketch_.shape_type = ElementType::kI64;
  }

  Sketch& sketch_;
  oracle::Operator& op_;
  const CaseLimits& limits_;
  Dialect dialect_ = Dialect::kOpenvinoSpec;
  AutoPadClass mode_ = AutoPadClass::kAbsent;
};

}  // namespace

bool Exceeds(const oracle::Geometry& geometry, const CaseLimits& limits) {
  if (geometry.OutputCount() > limits.outputs || geometry.DataCount() > limits.products) return true;
  if (geometry.FilterCount() > limits.products) return true;
  double products = static_cast<double>(geometry.DataCount()) * static_cast<double>(geometry.out_channels);
  for (const oracle::Axis& axis : geometry.axes) products *= static_cast<double>(axis.kernel);
  return products > static_cast<double>(limits.products);
}

std::span<const Text> AutoPadsOf(OperatorKind kind) {
  if (kind == OperatorKind::kConvolutionBackwardData) return kOnednnAutoPads;
  if (kind == OperatorKind::kConvTranspose) return kOnnxAutoPads;
  return kOpenvinoAutoPads;
}

void FitSketch(Sketch& sketch, const CaseLimits& limits) { Fitter(sketch, limits).Fit(); }

}  // namespace conformance
