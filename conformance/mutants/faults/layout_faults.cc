// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of data_format
// and weights_format of ConvolutionBackwardData: a wrong default, or one pair of formats that is read in a wrong order.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

// O is the output channels, I the input channels, X the spatial axes; N is the batch and C the channels of data.
constexpr FilterOrder kOix = FilterOrder::kChannelsFirst;
constexpr FilterOrder kXio = FilterOrder::kChannelsLast;

bool IsOnednn(const FaultyGeometry& geometry) { return geometry.kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA; }

// Reads the filter in the order kTo if its order is kFrom and the data's channels are last (or first).
template <bool kChannelsLast, FilterOrder kFrom, FilterOrder kTo>
void ReadFilterInOtherOrder(FaultyGeometry& geometry) {
  if (IsOnednn(geometry) && geometry.channels_last == kChannelsLast && geometry.filter_order == kFrom)
    geometry.filter_order = kTo;
}

void ReadGroupsAsOix(FaultyGeometry& geometry) {
  if (geometry.groups > 1 && geometry.filter_order == kXio) geometry.filter_order = kOix;
}

// Reads the tap from the position that it has if the filter's spatial axes are in reverse order.
void ReverseFilterAxes(const FaultyGeometry& geometry, Product& product) {
  std::int64_t flat = 0;
  for (std::size_t j = geometry.axes.size(); j-- > 0;) {
    flat = flat * geometry.axes[j].kernel + product.filter.tap[j];
  }
  for (std::size_t j = geometry.axes.size(); j-- > 0;) {
    product.filter.tap[j] = flat % geometry.axes[j].kernel;
    flat /= geometry.axes[j].kernel;
  }
}

bool HasSquareKernel(const FaultyGeometry& geometry) {
  return std::ranges::all_of(geometry.axes,
                             [&](const FaultyAxis& axis) { return axis.kernel == geometry.axes.front().kernel; });
}

void ReverseAxesOfXio(const FaultyGeometry& geometry, Product& product) {
  if (geometry.filter_order == kXio && !HasSquareKernel(geometry)) ReverseFilterAxes(geometry, product);
}

// Uses the stride of the height for the depth, in channels-last operators only.
void UseStrideOfHeight(FaultyGeometry& geometry) {
  if (geometry.channels_last && geometry.axes.size() == 3) geometry.axes[0].stride = geometry.axes[1].stride;
}

// A plane is the output of an operator with two axes.
void ForgetDilationOfPlanes(FaultyGeometry& geometry) {
  if (!geometry.channels_last || geometry.axes.size() != 2) return;
  for (FaultyAxis& axis : geometry.axes) {
    if (axis.stride > 1) axis.dilation = 1;
  }
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and the hook
// that changes a step of a correct loop (fault_hooks.h).
constexpr std::array kLayoutFaults = {
    Planted("data_format_default_ncx", "L1", "takes NCX for the default of data_format",
            {.attributes =
                 [](Attributes& attributes) {
                   if (attributes.onednn() && !attributes.data_format) attributes.data_format = "NCX";
                 }}),
    Planted("weights_format_default_oix", "L1", "takes OIX for the default of weights_format",
            {.attributes =
                 [](Attributes& attributes) {
                   if (attributes.onednn() && !attributes.weights_format) attributes.weights_format = "OIX";
                 }}),
    Planted("weights_format_default_of_data_format", "L1",
            "takes OIX for an absent weights_format if data_format is given",
            {.attributes =
                 [](Attributes& attributes) {
                   if (attributes.onednn() && attributes.data_format && !attributes.weights_format)
                     attributes.weights_format = "OIX";
                 }}),
    Planted("data_format_default_of_weights_format", "L1",
            "takes NCX for an absent data_format if weights_format is given",
            {.attributes =
                 [](Attributes& attributes) {
                   if (attributes.onednn() && attributes.weights_format && !attributes.data_format)
                     attributes.data_format = "NCX";
                 }}),
    Planted("oix_beside_nxc_taken_for_xio", "L1",
            "reads a filter in the format OIX as XIO beside data in the format NXC",
            {.values = ReadFilterInOtherOrder<true, kOix, kXio>}),
    Planted("xio_beside_ncx_taken_for_oix", "L1",
            "reads a filter in the format XIO as OIX beside data in the format NCX",
            {.values = ReadFilterInOtherOrder<false, kXio, kOix>}),
    Planted("xio_groups_taken_for_oix", "G1", "reads a filter in the format XIO as OIX if there are several groups",
            {.values = ReadGroupsAsOix}),
    Planted("xio_axes_reversed_if_not_square", "L1",
            "reads the spatial axes of a filter in the format XIO in reverse order if their sizes differ",
            {.product = ReverseAxesOfXio}),
    Planted("nxc_depth_stride_of_height", "S1",
            "uses the stride of the height for the depth of a 3-D channels-last operator",
            {.values = UseStrideOfHeight}),
    Planted("nxc_dilation_ignored_with_stride", "D2",
            "leaves dilations out of the sums of a 2-D channels-last operator along axes with a stride above 1",
            {.values = ForgetDilationOfPlanes}),
};

}  // namespace

std::span<const Fault> LayoutFaults() { return kLayoutFaults; }

}  // namespace conformance::faults
