// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of pads:
// pads_begin, which crops the beginning of an axis, is wrongly computed from auto_pad, pads and the output shape. The
// total is the number of elements to crop; auto_pad splits it between both ends. Example: a total of 3 is split into 1
// and 2; the "odd element" is the third one.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

std::int64_t Half(std::int64_t value) { return value >> 1; }  // rounds down: -3 gives -2

// The number of outputs that one data element reaches, those between the taps included.
std::int64_t Extent(const FaultyAxis& axis) { return axis.dilation * (axis.kernel - 1) + 1; }

// Whether auto_pad is same_upper or same_lower.
bool IsSame(const FaultyGeometry& geometry) {
  return geometry.auto_pad == AutoPad::kSameUpper || geometry.auto_pad == AutoPad::kSameLower;
}

// Splits `total` as the operator requires. For same_upper, ConvTranspose puts the odd element at the end, and the other
// operators put it at the beginning.
void Split(const FaultyGeometry& geometry, FaultyAxis& axis, std::int64_t total) {
  const bool is_upper = geometry.auto_pad == AutoPad::kSameUpper;
  const bool more_at_begin = geometry.kind == DECONV_ID_CONV_TRANSPOSE ? !is_upper : is_upper;
  axis.pads_begin = more_at_begin ? total - Half(total) : Half(total);
}

// Exchanges the two halves of an odd total.
template <AutoPad kMode>
void MoveOddElement(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) {
    if (geometry.auto_pad == kMode && axis.split && axis.total > 0) axis.pads_begin = axis.total - axis.pads_begin;
  }
}

// If kSplit is true, splits the total although pads are given. Otherwise uses the given pads although the total must be
// split.
template <AutoPad kMode, bool kSplit>
void ChangeSplit(FaultyGeometry& geometry) {
  if (geometry.auto_pad != kMode || !geometry.has_output_shape) return;
  for (FaultyAxis& axis : geometry.axes) {
    if (axis.split == kSplit) continue;
    axis.pads_begin = kSplit ? Half(axis.total) : kMode == AutoPad::kExplicit ? axis.given_begin : 0;
  }
}

// Splits a negative total that must be clamped to 0. A total of -1 is left out, because one of its halves is 0.
void SplitUnclamped(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) {
    if (axis.split && axis.total <= -2 && axis.pads_begin == 0) axis.pads_begin = Half(axis.total);
  }
}

void SplitWithoutOutputPadding(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) {
    if (axis.split && axis.output_padding > 0) Split(geometry, axis, axis.total - axis.output_padding);
  }
}

void SplitWithoutDilation(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) {
    if (axis.split) Split(geometry, axis, axis.total - (axis.kernel - 1) * (axis.dilation - 1));
  }
}

// The forward convolution of same_upper and same_lower pads so that its output has ceil(size / stride) elements. The
// total is extent - stride, or extent - remainder if the stride does not divide the size.
void SplitForwardTotal(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) {
    if (!axis.split || !IsSame(geometry)) continue;
    const std::int64_t rest = axis.output % axis.stride;
    const std::int64_t total = std::max<std::int64_t>(Extent(axis) - (rest == 0 ? axis.stride : rest), 0);
    axis.pads_begin = geometry.auto_pad == AutoPad::kSameUpper ? Half(total) : total - Half(total);
  }
}

// Makes the output stride * data, as ConvTranspose does for same_upper and same_lower, for the operators that ignore
// the mode without an output shape.
void MakeStrideMultiple(FaultyGeometry& geometry) {
  if (!IsSame(geometry) || geometry.has_output_shape) return;
  for (FaultyAxis& axis : geometry.axes) {
    const std::int64_t size = axis.data * axis.stride;
    if (axis.split || size < 1) continue;
    Split(geometry, axis, axis.output - size);
    axis.output = size;
  }
}

// The natural size is the size without pads.
void MakeNaturalSize(FaultyGeometry& geometry) {
  if (!IsSame(geometry) || geometry.has_output_shape) return;
  for (FaultyAxis& axis : geometry.axes) {
    axis.output += axis.total;
    axis.pads_begin = 0;
  }
}

// Pads the data: each pad element adds `stride` outputs instead of removing one.
void PadData(FaultyGeometry& geometry) {
  if (geometry.has_output_shape || geometry.auto_pad != AutoPad::kExplicit) return;
  for (FaultyAxis& axis : geometry.axes) {
    if (axis.given_begin > kSaneSize || axis.given_end > kSaneSize || axis.stride > kSaneSize) continue;
    axis.output += axis.total + axis.stride * (axis.given_begin + axis.given_end);
    axis.pads_begin = -axis.stride * axis.given_begin;
  }
}

// Gives all axes but the first their natural size, although an output shape is given.
void KeepFirstOfShape(FaultyGeometry& geometry) {
  for (std::size_t j = 1; geometry.has_output_shape && j < geometry.axes.size(); ++j) {
    FaultyAxis& axis = geometry.axes[j];
    if (axis.output + axis.total < 1) continue;
    axis.output += axis.total;
    axis.pads_begin = 0;
  }
}

// A library may compute such operators by a product of matrices. OpenVINO 2026.4.1 does.
void IgnorePadsOfPointwise(FaultyGeometry& geometry) {
  const bool is_pointwise = std::ranges::all_of(geometry.axes, [](const FaultyAxis& axis) {
    return axis.kernel == 1 && axis.stride == 1 && axis.output == axis.data;
  });
  if (!is_pointwise) return;
  for (FaultyAxis& axis : geometry.axes) axis.pads_begin = 0;
}

// Reads auto_pad as absent, if it is valid (kValid) or same_upper or same_lower (kSame), so that the pads count.
template <bool kValid, bool kSame>
void KeepPads(Attributes& attributes) {
  if (!attributes.auto_pad || attributes.auto_pad->empty() || attributes.onnx()) return;
  const int first_letter = std::tolower(static_cast<unsigned char>(attributes.auto_pad->front()));
  const bool is_valid = first_letter == 'v';
  const bool is_same = first_letter == 's';
  // The lengths of "valid" and "same_upper". A misspelt word stays, so that the operator stays invalid.
  const bool has_its_length = attributes.auto_pad->size() == (is_valid ? 5U : 10U);
  if (has_its_length && ((kValid && is_valid) || (kSame && is_same))) attributes.auto_pad.reset();
}

// Sets positive pads to 0. Negative ones stay, so that the operator stays invalid.
void Forget(std::optional<List>& list) {
  if (list) std::ranges::replace_if(*list, [](std::int64_t value) { return value > 0; }, 0);
}

void ReverseShape(Attributes& attributes) {
  if (!attributes.onednn()) std::ranges::reverse(attributes.shape);
  if (attributes.output_shape_attribute) std::ranges::reverse(*attributes.output_shape_attribute);
}

// Strikes only if both shapes are given with the same length, so that nothing but the choice is wrong.
void PreferDstShape(Attributes& attributes) {
  if (attributes.onednn() && attributes.has_shape && attributes.dst_shape &&
      attributes.dst_shape->size() == attributes.shape.size())
    attributes.shape = *attributes.dst_shape;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kPadFaults = {
    Planted("same_upper_odd_at_other_side", "P1",
            "puts the odd element of same_upper at the side where the formula does not put it",
            {.values = MoveOddElement<AutoPad::kSameUpper>}, "https://github.com/onnx/onnx/issues/1609"),
    Planted("same_lower_odd_at_other_side", "P1",
            "puts the odd element of same_lower at the side where the formula does not put it",
            {.values = MoveOddElement<AutoPad::kSameLower>}, "https://github.com/microsoft/onnxruntime/issues/9370"),
    Planted("explicit_odd_at_other_side", "P1", "splits an odd total with explicit pads the wrong way round",
            {.values = MoveOddElement<AutoPad::kExplicit>}, "https://github.com/microsoft/onnxruntime/pull/13311"),
    Planted("valid_odd_at_other_side", "P1", "splits an odd total with auto_pad valid the wrong way round",
            {.values = MoveOddElement<AutoPad::kValid>}),
    Planted("explicit_shape_keeps_pads", "P4", "crops by pads_begin although the output shape decides",
            {.values = ChangeSplit<AutoPad::kExplicit, false>},
            "https://github.com/microsoft/onnxruntime/issues/26271"),
    Planted(
        "explicit_shape_splits_total", "P4", "splits the total although explicit pads decide beside an output shape",
        {.values = ChangeSplit<AutoPad::kExplicit, true>}, "https://github.com/openvinotoolkit/openvino/issues/33397"),
    Planted("valid_shape_without_pads", "P4", "uses no pads for valid although the output shape decides",
            {.values = ChangeSplit<AutoPad::kValid, false>}),
    Planted("valid_shape_splits_total", "P4", "splits the total although valid has no pads",
            {.values = ChangeSplit<AutoPad::kValid, true>}),
    Planted("negative_total_not_clamped", "P5",
            "shifts the data by a negative total instead of clamping the total at 0", {.values = SplitUnclamped}),
    Planted("total_without_output_padding", "P4", "leaves output_padding out of the total that it splits",
            {.values = SplitWithoutOutputPadding}),
    Planted("shape_grown_by_output_padding", "O3", "adds output_padding to an output shape that was given",
            {.shape =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) {
                     if (geometry.has_output_shape) axis.output += axis.output_padding;
                   }
                 }},
            "https://github.com/microsoft/onnxruntime/issues/23403"),
    Planted("total_without_dilation", "D1", "computes the total that it splits as if the filter were not dilated",
            {.values = SplitWithoutDilation}, "https://github.com/pytorch/pytorch/issues/14272"),
    Planted("total_of_forward_operator", "P1",
            "crops for same_upper and same_lower by the pads of the forward convolution",
            {.values = SplitForwardTotal}),
    Planted("same_gives_stride_multiple", "P3",
            "makes the output stride * X for same_upper and same_lower where their pads are 0",
            {.shape = MakeStrideMultiple}, "https://github.com/openvinotoolkit/openvino/issues/7321"),
    Planted("same_gives_natural_size", "P3", "treats same_upper and same_lower without an output shape as valid",
            {.shape = MakeNaturalSize}, "https://github.com/microsoft/onnxruntime/issues/4086"),
    Planted("valid_keeps_pads", "P3", "crops by the pads beside auto_pad valid", {.attributes = KeepPads<true, false>}),
    Planted("same_keeps_pads", "P3", "crops by the pads beside same_upper and same_lower",
            {.attributes = KeepPads<false, true>}, "https://github.com/microsoft/onnxruntime/issues/4698"),
    Planted("pads_begin_ignored", "P2", "ignores pads_begin",
            {.attributes = [](Attributes& attributes) { Forget(attributes.pads_begin); }}),
    Planted("pads_end_ignored", "P2", "ignores pads_end",
            {.attributes = [](Attributes& attributes) { Forget(attributes.pads_end); }},
            "https://github.com/pytorch/pytorch/pull/169176"),
    Planted("pads_symmetric", "P2", "crops the end by pads_begin: pads are taken to be symmetric",
            {.attributes =
                 [](Attributes& attributes) {
                   if (attributes.pads_begin && attributes.pads_end) attributes.pads_end = attributes.pads_begin;
                 }},
            "https://github.com/microsoft/onnxruntime/issues/11312"),
    Planted("pads_around_data", "P8",
            "puts the pads around the data, so that the output grows instead of being cropped", {.shape = PadData},
            "https://github.com/jax-ml/jax/issues/32267"),
    Planted("pads_cut_to_kernel", "K2",
            "crops the beginning by at most what the kernel reaches, even if pads_begin is larger",
            {.values =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) {
                     axis.pads_begin = std::min(axis.pads_begin, Extent(axis) - 1);
                   }
                 }}),
    Planted("pads_of_first_axis_only", "X1", "crops the beginning of the first spatial axis only",
            {.values =
                 [](FaultyGeometry& geometry) {
                   for (std::size_t j = 1; j < geometry.axes.size(); ++j) geometry.axes[j].pads_begin = 0;
                 }}),
    Planted("pads_of_pointwise_ignored", "P2",
            "crops nothing at the beginning if all kernels and strides are 1 and the output is as large as the data",
            {.values = IgnorePadsOfPointwise}),
    Planted("output_shape_reversed", "P6", "reads the output shape from the last spatial axis to the first",
            {.attributes = ReverseShape}, "https://github.com/apple/coremltools/issues/2281"),
    Planted("output_shape_of_first_axis_only", "P6", "follows the output shape along the first spatial axis only",
            {.shape = KeepFirstOfShape}, "https://github.com/opencv/opencv/issues/26307"),
    Planted("dst_shape_attribute_preferred", "P6",
            "uses the attribute dst_shape although the input of that name has precedence",
            {.attributes = PreferDstShape}),
};

}  // namespace

std::span<const Fault> PadFaults() { return kPadFaults; }

}  // namespace conformance::faults
