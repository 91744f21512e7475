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

constexpr std::array kAxisFaults = {
    Fault{.name = "stride_of_first_axis",
          .mutant_class = "S1",
          .sentence = "uses the stride of the first spatial axis for all of them",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/0c1cf54b63",
          .hooks = {.attributes =
                        [](Attributes& a) {
                          if (a.strides && !a.strides->empty()) std::ranges::fill(*a.strides, a.strides->front());
                        }}},
    Fault{.name = "pads_of_other_axis",
          .mutant_class = "X1",
          .sentence = "reads the lists of pads from the last spatial axis to the first: height and width exchanged",
          .link = "https://github.com/tensorflow/tensorflow/issues/24151",
          .hooks = {.attributes =
                        [](Attributes& a) {
                          Reverse(a.pads_begin);
                          Reverse(a.pads_end);
                        }}},
    Fault{.name = "depth_pad_of_height",
          .mutant_class = "X1",
          .sentence = "crops the depth of a 3-D operator by the pad of its height",
          .link = "https://github.com/tensorflow/tensorflow/issues/68319",
          .hooks = {.values =
                        [](FaultyGeometry& geometry) {
                          if (geometry.axes.size() == 3) geometry.axes[0].pads_begin = geometry.axes[1].pads_begin;
                        }}},
    Fault{.name = "stride_of_last_axis",
          .mutant_class = "S1",
          .sentence = "uses the stride of the last spatial axis for all of them",
          .link = "https://github.com/PaddlePaddle/Paddle/pull/21225",
          .hooks = {.attributes =
                        [](Attributes& a) {
                          if (a.strides && !a.strides->empty()) std::ranges::fill(*a.strides, List(*a.strides).back());
                        }}},
    Fault{.name = "strides_reversed",
          .mutant_class = "S1",
          .sentence = "reads strides from the last spatial axis to the first",
          .link = "",
          .hooks = {.attributes = [](Attributes& a) { Reverse(a.strides); }}},
    Fault{.name = "dilations_reversed",
          .mutant_class = "X1",
          .sentence = "reads dilations from the last spatial axis to the first",
          .link = "",
          .hooks = {.attributes = [](Attributes& a) { Reverse(a.dilations); }}},
    Fault{.name = "dilation_of_first_axis",
          .mutant_class = "X1",
          .sentence = "uses the dilation of the first spatial axis for all of them",
          .link = "",
          .hooks = {.attributes =
                        [](Attributes& a) {
                          if (a.dilations && !a.dilations->empty())
                            std::ranges::fill(*a.dilations, List(*a.dilations).front());
                        }}},
    Fault{.name = "dilation_of_depth_ignored",
          .mutant_class = "X2",
          .sentence = "leaves the dilation of the depth out of the sums of a 3-D operator",
          .link = "",
          .hooks = {.values =
                        [](FaultyGeometry& geometry) {
                          if (geometry.axes.size() == 3) geometry.axes[0].dilation = 1;
                        }}},
    Fault{.name = "output_padding_reversed",
          .mutant_class = "X1",
          .sentence = "reads output_padding from the last spatial axis to the first",
          .link = "",
          .hooks = {.attributes = [](Attributes& a) { Reverse(a.output_padding); }}},
    Fault{.name = "output_padding_of_last_axis_only",
          .mutant_class = "O1",
          .sentence = "adds output_padding only to the last spatial axis",
          .link = "https://github.com/Tencent/ncnn/pull/3337",
          .hooks = {.attributes =
                        [](Attributes& a) {
                          if (!a.output_padding) return;
                          for (std::size_t j = 0; j + 1 < a.output_padding->size(); ++j)
                            (*a.output_padding)[j] = std::min<std::int64_t>((*a.output_padding)[j], 0);
                        }}},
    Fault{.name = "pads_of_one_axis_ignored",
          .mutant_class = "X2",
          .sentence = "does not crop the beginning of a 1-D operator",
          .link = "https://github.com/pytorch/executorch/issues/12223",
          .hooks = {.values =
                        [](FaultyGeometry& geometry) {
                          if (geometry.axes.size() == 1) geometry.axes[0].pads_begin = 0;
                        }}},
    Fault{.name = "stride_of_fourth_axis_ignored",
          .mutant_class = "X2",
          .sentence = "uses the stride of the third spatial axis for all axes after it",
          .link = "",
          .hooks = {.values =
                        [](FaultyGeometry& geometry) {
                          for (std::size_t j = 3; j < geometry.axes.size(); ++j)
                            geometry.axes[j].stride = geometry.axes[2].stride;
                        }}},
    Fault{.name = "dims_reversed",
          .mutant_class = "X1",
          .sentence = "computes the right values and reports the spatial sizes in reverse order",
          .link = "",
          .hooks = {.dims = ReverseSpatialDims}},
};

}  // namespace

std::span<const Fault> AxisFaults() { return kAxisFaults; }

}  // namespace conformance::faults
