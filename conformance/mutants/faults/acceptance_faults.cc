// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of checks.
// Some accept an invalid operator; others die because of it.

#include <array>
#include <csignal>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

// Names of rules that faulty_resolver.cc and faulty_axes.cc check, as template arguments of Die().
constexpr char kGroups[] = "groups:zero";
constexpr char kKernel[] = "kernel";
constexpr char kSize[] = "output_size";

// Kills the process if the operator breaks kRule, as a library does that divides by 0 or reads a missing attribute
// before it checks the operator.
template <const char* kRule, int kSignal>
void Die(const Broken& broken) {
  if (broken.rule == kRule) (void)std::raise(kSignal);
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and the rule
// of faulty_resolver.cc or faulty_axes.cc that it does not enforce. Some rows end with a real bug of this kind.
constexpr std::array kAcceptanceFaults = {
    Planted("accepts_negative_pads", "V1", "does not check that pads are not negative", {.accepts = "pads"}),
    Planted("accepts_zero_dilation", "V1", "does not check that dilations are positive", {.accepts = "dilations"},
            "https://github.com/pytorch/pytorch/issues/127732"),
    Planted("accepts_zero_stride", "V1", "does not check that strides are positive", {.accepts = "strides"}),
    Planted("accepts_negative_output_padding", "V1", "does not check that output_padding is not negative",
            {.accepts = "output_padding"}),
    Planted("accepts_wrong_lengths", "V1", "does not check that lists have one value for each spatial axis",
            {.accepts = "lengths"}, "https://github.com/microsoft/onnxruntime/issues/28524"),
    Planted("accepts_wrong_length_of_strides", "V1", "does not check that strides have one value for each spatial axis",
            {.accepts = "lengths:strides"}),
    Planted("accepts_wrong_length_of_dilations", "V1",
            "does not check that dilations have one value for each spatial axis", {.accepts = "lengths:dilations"}),
    Planted("accepts_wrong_length_of_pads", "V1", "does not check that pads have one value for each spatial axis",
            {.accepts = "lengths:pads"}),
    Planted("accepts_wrong_length_of_output_padding", "V1",
            "does not check that output_padding has one value for each spatial axis",
            {.accepts = "lengths:output_padding"}, "https://github.com/apache/mxnet/pull/20281"),
    Planted("accepts_other_channels", "V1", "does not check that the filter has the data's channels",
            {.accepts = "channels"}, "https://github.com/google/XNNPACK/issues/11118"),
    Planted("accepts_mixed_types", "V1", "does not check that data and filter have one type",
            {.accepts = "equal_types"}),
    Planted("accepts_any_type", "V1", "does not check that the operator is defined on its type",
            {.accepts = "allowed_types"}),
    Planted("accepts_boolean", "V1", "does not check that types are numeric", {.accepts = "numeric_types"}),
    Planted("accepts_any_auto_pad", "V1", "accepts any word for auto_pad", {.accepts = "auto_pad"}),
    Planted("accepts_pads_with_auto_pad", "V1", "does not check that pads and auto_pad exclude each other",
            {.accepts = "pads_with_auto_pad"}),
    Planted("accepts_any_rank", "V1", "does not check the rank of the data", {.accepts = "rank"}),
    Planted("accepts_other_filter_rank", "V1", "does not check the rank of the filter", {.accepts = "filter_rank"}),
    Planted("accepts_negative_dims", "V1", "does not check that dimensions are not negative", {.accepts = "dims"}),
    Planted("accepts_zero_kernel", "V1", "does not check that the kernel has elements along each axis",
            {.accepts = "kernel"}),
    Planted("accepts_other_kernel_shape", "V1", "does not check that kernel_shape agrees with the filter",
            {.accepts = "kernel_shape"}),
    Planted("accepts_zero_groups", "V1", "does not check that there is at least one group", {.accepts = "groups:zero"}),
    Planted("accepts_uneven_groups", "V1", "does not check that groups divide the channels",
            {.accepts = "groups:divide"}),
    Planted("accepts_negative_size", "V1", "does not check that the formulas give no negative size",
            {.accepts = "output_size"}),
    Planted("accepts_negative_shape", "V1", "does not check that the sizes of an output shape are not negative",
            {.accepts = "output_shape_sign"}, "https://github.com/tensorflow/tensorflow/issues/125511"),
    Planted("accepts_other_shape_length", "V1", "does not check how many values an output shape has",
            {.accepts = "shape_length"}),
    Planted("accepts_shape_of_any_rank", "V1", "does not check that an output shape is a list",
            {.accepts = "shape_rank"}),
    Planted("accepts_floating_shape", "V1", "does not check that an output shape has an integer type",
            {.accepts = "shape_type"}),
    Planted("accepts_missing_attributes", "V1", "does not check that required attributes are present (onednn-runtime)",
            {.accepts = "required"}),
    Planted("accepts_missing_dst_shape", "V1", "does not check that dst_shape is present", {.accepts = "dst_shape"}),
    Planted("accepts_other_dst_channels", "V1", "does not check batch and channels of dst_shape",
            {.accepts = "dst_shape_channels"}),
    Planted("accepts_inconsistent_shape", "V1",
            "does not check that the forward operator gives the data's size for the output shape (onednn-runtime, "
            "onnxruntime)",
            {.accepts = "consistent_shape"}),
    Planted("accepts_output_padding_of_stride", "V1",
            "does not check that output_padding is less than the stride (onnxruntime)",
            {.accepts = "output_padding_below_stride"}),
    Planted("accepts_third_input", "V1", "accepts an output shape as an input of ConvTranspose", {.accepts = "inputs"}),
    Planted("accepts_shape_of_no_data", "Z1",
            "does not check that the data are not empty if an output shape is given (onnxruntime)",
            {.accepts = "empty_data_with_shape"}),
    Planted("accepts_same_lower_of_tensorflow", "V1", "accepts SAME_LOWER, which TensorFlow does not have",
            {.accepts = "tensorflow_same"}),
    Planted("accepts_missing_output_shape", "V1", "does not check that output_shape is present (tensorflow)",
            {.accepts = "tensorflow_shape"}),
    Planted("accepts_output_padding_of_tensorflow", "V1", "accepts output_padding, which TensorFlow does not have",
            {.accepts = "tensorflow_output_padding"}),
    Planted("accepts_other_size_of_tensorflow", "V1",
            "does not check that a convolution of the output gives the data's size (tensorflow)",
            {.accepts = "tensorflow_size"}),
    Planted("accepts_any_data_format", "L1", "accepts any word for data_format", {.accepts = "data_format"}),
    Planted("accepts_any_weights_format", "L1", "accepts any word for weights_format", {.accepts = "weights_format"}),
    Planted("accepts_overflow", "I1", "does not check that sizes fit 63 bits", {.accepts = "overflow"},
            "https://github.com/google/XNNPACK/pull/11184"),
    Planted("divides_by_zero_groups", "Z1", "dies by SIGFPE if there are no groups", {.refusing = Die<kGroups, SIGFPE>},
            "https://github.com/pytorch/pytorch/issues/92791"),
    Planted("divides_by_zero_kernel", "Z1", "dies by SIGFPE if the kernel has no elements",
            {.refusing = Die<kKernel, SIGFPE>}),
    Planted("divides_by_zero_size", "Z1", "dies by SIGFPE if the formulas give a negative size",
            {.refusing = Die<kSize, SIGFPE>}, "https://github.com/google/XNNPACK/pull/11158"),
};

}  // namespace

std::span<const Fault> AcceptanceFaults() { return kAcceptanceFaults; }

}  // namespace conformance::faults
