// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults of axes: an attribute of one axis is used for another axis, or not used at all.

#include <algorithm>
#include <array>
#include <optional>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

void Reverse(std::optional<List>& list) {
  if (list) std::ranges::reverse(*list);
}

void ReverseSpatialDims(const FaultyGeometry& geometry, List& dims) {
  const auto first = dims.begin() + (geometry.channels_last ? 1 : 2);
  std::reverse(first, first + static_cast<std::ptrdiff_t>(geometry.axes.size()));
}

// Columns: name, class of mutants, sentence, hooks, link to a real bug.
constexpr std::array kAxisFaults = {
    Planted("stride_of_first_axis", "S1", "uses the stride of the first spatial axis for all of them",
            {.attributes =
                 [](Attributes& a) {
                   if (a.strides && !a.strides->empty()) std::ranges::fill(*a.strides, a.strides->front());
                 }},
            "https://github.com/uxlfoundation/oneDNN/commit/0c1cf54b63"),
    Planted("pads_of_other_axis", "X1",
            "reads the lists of pads from the last spatial axis to the first: height and width exchanged",
            {.attributes =
                 [](Attributes& a) {
                   Reverse(a.pads_begin);
                   Reverse(a.pads_end);
                 }},
            "https://github.com/tensorflow/tensorflow/issues/24151"),
    Planted("depth_pad_of_height", "X1", "crops the depth of a 3-D operator by the pad of its height",
            {.values =
                 [](FaultyGeometry& geometry) {
                   if (geometry.axes.size() == 3) geometry.axes[0].pads_begin = geometry.axes[1].pads_begin;
                 }},
            "https://github.com/tensorflow/tensorflow/issues/68319"),
    Planted("stride_of_last_axis", "S1", "uses the stride of the last spatial axis for all of them",
            {.attributes =
                 [](Attributes& a) {
                   if (a.strides && !a.strides->empty()) std::ranges::fill(*a.strides, List(*a.strides).back());
                 }},
            "https://github.com/PaddlePaddle/Paddle/pull/21225"),
    Planted("strides_reversed", "S1", "reads strides from the last spatial axis to the first",
            {.attributes = [](Attributes& a) { Reverse(a.strides); }}),
    Planted("dilations_reversed", "X1", "reads dilations from the last spatial axis to the first",
            {.attributes = [](Attributes& a) { Reverse(a.dilations); }}),
    Planted("dilation_of_first_axis", "X1", "uses the dilation of the first spatial axis for all of them",
            {.attributes =
                 [](Attributes& a) {
                   if (a.dilations && !a.dilations->empty())
                     std::ranges::fill(*a.dilations, List(*a.dilations).front());
                 }}),
    Planted("dilation_of_depth_ignored", "X2", "leaves the dilation of the depth out of the sums of a 3-D operator",
            {.values =
                 [](FaultyGeometry& geometry) {
                   if (geometry.axes.size() == 3) geometry.axes[0].dilation = 1;
                 }}),
    Planted("output_padding_reversed", "X1", "reads output_padding from the last spatial axis to the first",
            {.attributes = [](Attributes& a) { Reverse(a.output_padding); }}),
    Planted("output_padding_of_last_axis_only", "O1", "adds output_padding only to the last spatial axis",
            {.attributes =
                 [](Attributes& a) {
                   if (!a.output_padding) return;
                   for (std::size_t j = 0; j + 1 < a.output_padding->size(); ++j)
                     (*a.output_padding)[j] = std::min<std::int64_t>((*a.output_padding)[j], 0);
                 }},
            "https://github.com/Tencent/ncnn/pull/3337"),
    Planted("pads_of_one_axis_ignored", "X2", "does not crop the beginning of a 1-D operator",
            {.values =
                 [](FaultyGeometry& geometry) {
                   if (geometry.axes.size() == 1) geometry.axes[0].pads_begin = 0;
                 }},
            "https://github.com/pytorch/executorch/issues/12223"),
    Planted("stride_of_fourth_axis_ignored", "X2", "uses the stride of the third spatial axis for all axes after it",
            {.values =
                 [](FaultyGeometry& geometry) {
                   for (std::size_t j = 3; j < geometry.axes.size(); ++j)
                     geometry.axes[j].stride = geometry.axes[2].stride;
                 }}),
    Planted("dims_reversed", "X1", "computes the right values and reports the spatial sizes in reverse order",
            {.dims = ReverseSpatialDims}),
};

}  // namespace

std::span<const Fault> AxisFaults() { return kAxisFaults; }

}  // namespace conformance::faults
