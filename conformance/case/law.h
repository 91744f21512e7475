// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The laws of transposed convolution. A law relates a backend's answers to two or more related operators, and needs no
// expected values. Example: the output of a sum of data is the sum of their outputs. If a case names a law, this law
// judges it; conformance/verdict/properties/ checks laws.

#ifndef DECONV_CONFORMANCE_CASE_LAW_H_
#define DECONV_CONFORMANCE_CASE_LAW_H_

#include <array>
#include <optional>
#include <string_view>

#include "conformance/case/text/names.h"

namespace conformance {

/// The sentences of kLaws say what each law means.
enum class Law {
  kAdjoint,
  kLinearData,
  kLinearFilter,
  kPowerOfTwo,
  kInputChannelSum,
  kShift,
  kCrop,
  kLongerOutput,
  kReversal,
  kStrideZeros,
  kDilationZeros,
  kAxisOrder,
  kRank,
  kLayout,
  kBatchSplit,
  kBatchOrder,
  kChannelOrder,
  kOutputChannelSplit,
  kGroupSplit,
  kGroupZeros,
  kEqualAttributes,
};

using LawName = Explained<Law>;

inline constexpr std::array kLaws = {
    LawName{
        Law::kAdjoint, "adjoint",
        "For any y, the inner product of the output and y equals that of the data and the forward convolution of y."},
    LawName{Law::kLinearData, "linear-data", "The output of a sum of data is the sum of their outputs."},
    LawName{Law::kLinearFilter, "linear-filter", "The output of a sum of filters is the sum of their outputs."},
    LawName{Law::kPowerOfTwo, "power-of-two",
            "Data and filter scaled by powers of two give the output scaled by the product of both powers."},
    LawName{Law::kInputChannelSum, "input-channel-sum",
            "The outputs of two parts of the input channels add up to the output of all channels."},
    LawName{Law::kShift, "shift", "A zero put before the data along an axis shifts the output by the stride."},
    LawName{Law::kCrop, "crop", "The output is a window of the output without pads, and zero beyond its ends."},
    LawName{Law::kLongerOutput, "longer-output", "An output that is longer at its end begins with the shorter one."},
    LawName{Law::kReversal, "reversal",
            "Reversing data and filter along every axis, and exchanging the pads, reverses the output."},
    LawName{Law::kStrideZeros, "stride-zeros", "Zeros inserted between the data have the same effect as a stride."},
    LawName{Law::kDilationZeros, "dilation-zeros",
            "Zeros inserted between the taps have the same effect as a dilation."},
    LawName{Law::kAxisOrder, "axis-order",
            "Reordering the spatial axes of all tensors and attributes reorders the axes of the output."},
    LawName{Law::kRank, "rank", "A further spatial axis of size 1 changes no value."},
    LawName{Law::kLayout, "layout",
            "The formats of data and filter change only the order of the elements, not their values."},
    LawName{Law::kBatchSplit, "batch-split", "Each part of a batch, run alone, gives its part of the output."},
    LawName{Law::kBatchOrder, "batch-order", "Reordering the samples of a batch reorders their outputs."},
    LawName{
        Law::kChannelOrder, "channel-order",
        "Reordering the input channels changes nothing; reordering output channels and groups reorders the output."},
    LawName{Law::kOutputChannelSplit, "output-channel-split",
            "Each part of the filter's output channels, run alone, gives its channels of the output."},
    LawName{Law::kGroupSplit, "group-split", "Each group, run alone, gives its channels of the output."},
    LawName{
        Law::kGroupZeros, "group-zeros",
        "One group computes the same as several groups if its filter is zero between channels of different groups."},
    LawName{Law::kEqualAttributes, "equal-attributes",
            "Attributes that resolve to the same pads and sizes give the same output."},
};

std::string_view NameOf(Law law);      ///< "linear-data"
std::string_view SentenceOf(Law law);  ///< what the law says
std::optional<Law> ParseLaw(std::string_view name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_LAW_H_
