// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of refusals: invalid operators that are accepted, and valid ones that are turned away.

#include <algorithm>
#include <array>

#include "conformance/faults/fault.h"

namespace conformance::faults {
namespace {

const char* RefuseLargeOutputPadding(const Plan& plan) {
  const bool large = std::ranges::any_of(
      plan.axes, [](const PlannedAxis& axis) { return axis.output_padding >= std::max(axis.stride, axis.dilation); });
  return large ? "output_padding must be smaller than stride or dilation" : nullptr;
}

constexpr std::array kFaults = {
    Fault{.name = "accepts_negative_pads",
          .mutant_class = "V1",
          .sentence = "does not check that pads are not negative",
          .link = "",
          .hooks = {.accepts = "pads"}},
    Fault{.name = "accepts_zero_dilation",
          .mutant_class = "V1",
          .sentence = "does not check that dilations are positive",
          .link = "https://github.com/pytorch/pytorch/issues/127732",
          .hooks = {.accepts = "dilations"}},
    Fault{.name = "accepts_zero_stride",
          .mutant_class = "V1",
          .sentence = "does not check that strides are positive",
          .link = "",
          .hooks = {.accepts = "strides"}},
    Fault{.name = "accepts_wrong_lengths",
          .mutant_class = "V1",
          .sentence = "does not check that lists have one value for each spatial axis",
          .link = "https://github.com/microsoft/onnxruntime/issues/28524",
          .hooks = {.accepts = "lengths"}},
    Fault{.name = "accepts_other_channels",
          .mutant_class = "V1",
          .sentence = "does not check that the filter has the data's channels",
          .link = "https://github.com/google/XNNPACK/issues/11118",
          .hooks = {.accepts = "channels"}},
    Fault{.name = "accepts_mixed_types",
          .mutant_class = "V1",
          .sentence = "does not check that data and filter have one type",
          .link = "",
          .hooks = {.accepts = "equal_types"}},
    Fault{.name = "accepts_any_auto_pad",
          .mutant_class = "V1",
          .sentence = "takes any word for auto_pad",
          .link = "",
          .hooks = {.accepts = "auto_pad"}},
    Fault{.name = "refuses_everything",
          .mutant_class = "V1",
          .sentence = "finds every operator invalid",
          .link = "",
          .hooks = {.refuses = [](const Plan& /*plan*/) { return "this operator is invalid"; }}},
    Fault{.name = "refuses_large_output_padding",
          .mutant_class = "V1",
          .sentence = "refuses an output_padding that is not smaller than stride or dilation, which is valid",
          .link = "https://github.com/microsoft/onnxruntime/issues/14208",
          .hooks = {.refuses = RefuseLargeOutputPadding}},
    Fault{.name = "groups_unsupported",
          .mutant_class = "V1",
          .sentence = "declares group operators and cannot do more than one group",
          .link = "https://github.com/apache/tvm/pull/9465",
          .hooks = {.refuses = [](const Plan& plan) { return plan.groups > 1 ? "groups are not supported" : nullptr; },
                    .unsupported = true}},
};

}  // namespace

std::span<const Fault> RefusalFaults() { return kFaults; }

}  // namespace conformance::faults
