// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The laws of transposed convolution: what must hold between a backend's answers to related operators, whatever the
// right answers are. A case that names one is judged by it. How each is checked: conformance/properties/.

#ifndef DECONV_CONFORMANCE_CASE_LAW_H_
#define DECONV_CONFORMANCE_CASE_LAW_H_

#include <array>
#include <optional>
#include <string_view>

namespace conformance {

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

struct LawName {
  Law law;
  std::string_view name;
  std::string_view sentence;  ///< what must hold
};

inline constexpr std::array kLaws = {
    LawName{Law::kAdjoint, "adjoint",
            "For any y, the product of output and y is the product of the data and the forward convolution of y."},
    LawName{Law::kLinearData, "linear-data", "The output of a sum of data is the sum of their outputs."},
    LawName{Law::kLinearFilter, "linear-filter", "The output of a sum of filters is the sum of their outputs."},
    LawName{Law::kPowerOfTwo, "power-of-two", "Data and filter times powers of two give the output times both."},
    LawName{Law::kInputChannelSum, "input-channel-sum",
            "The outputs of two parts of the input channels add up to the output of all."},
    LawName{Law::kShift, "shift", "A zero before the data along an axis moves the output by the stride."},
    LawName{Law::kCrop, "crop", "The output is a window of the one without pads, and zero beyond that one's ends."},
    LawName{Law::kLongerOutput, "longer-output", "An output that is longer at its end begins with the shorter one."},
    LawName{Law::kReversal, "reversal",
            "Data and filter reversed along every axis, and the pads exchanged, give the output reversed."},
    LawName{Law::kStrideZeros, "stride-zeros", "Zeros between the data do what a stride does."},
    LawName{Law::kDilationZeros, "dilation-zeros", "Zeros between the taps do what a dilation does."},
    LawName{Law::kAxisOrder, "axis-order",
            "Spatial axes in another order in all tensors and attributes give the output with its axes in that order."},
    LawName{Law::kRank, "rank", "A further spatial axis of size 1 changes no value."},
    LawName{Law::kLayout, "layout", "The formats of data and filter change the order of the elements alone."},
    LawName{Law::kBatchSplit, "batch-split", "Each part of a batch gives its part of the output."},
    LawName{Law::kBatchOrder, "batch-order", "Samples in another order give their outputs in that order."},
    LawName{Law::kChannelOrder, "channel-order",
            "Input channels in another order change nothing; output channels and groups in another order give the "
            "output in that order."},
    LawName{Law::kOutputChannelSplit, "output-channel-split",
            "Each part of the filter's output channels gives its channels of the output."},
    LawName{Law::kGroupSplit, "group-split", "Each group alone gives its channels of the output."},
    LawName{Law::kGroupZeros, "group-zeros",
            "One group does what several do when the filter is zero between channels of different groups."},
    LawName{Law::kEqualAttributes, "equal-attributes",
            "Attributes that mean the same offsets and sizes give the same output."},
};

std::string_view NameOf(Law law);
std::string_view SentenceOf(Law law);
std::optional<Law> ParseLaw(std::string_view name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_LAW_H_
