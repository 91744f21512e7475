// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The correct variants: backends that look faulty and are right, so that no case may fail them. They add up in other
// orders, or they answer another way where a document leaves an operator open.

#include <algorithm>
#include <array>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

/// Everything that a document leaves open.
const char* RefuseOpen(const FaultyGeometry& geometry) {
  return geometry.open.empty() ? nullptr : geometry.open.front();
}

/// One open point alone. The document must leave the operator open: a library's dialect may demand the same operator.
template <bool (*kCondition)(const FaultyGeometry& geometry)>
const char* RefuseOpenIf(const FaultyGeometry& geometry) {
  return kCondition(geometry) ? RefuseOpen(geometry) : nullptr;
}

bool HasNoBatch(const FaultyGeometry& geometry) { return geometry.batch == 0; }

bool HasNoChannels(const FaultyGeometry& geometry) { return geometry.in_channels == 0; }

bool HasEmptyData(const FaultyGeometry& geometry) {
  return std::ranges::find(geometry.axes, 0, &FaultyAxis::data) != geometry.axes.end();
}

bool HasLargeOutputPadding(const FaultyGeometry& geometry) {
  return geometry.kind == DECONV_ID_CONV_TRANSPOSE &&
         std::ranges::any_of(geometry.axes, [](const FaultyAxis& axis) { return axis.output_padding >= axis.stride; });
}

double StoreMinusZero(std::int32_t /*type*/, double sum, std::int64_t products) { return products == 0 ? -0.0 : sum; }

constexpr std::array kCorrect = {
    Fault{.name = "none",
          .mutant_class = "",
          .sentence = "the faultable implementation without a fault; it must conform",
          .link = "",
          .hooks = {}},
    Fault{.name = "none_reordered",
          .mutant_class = "",
          .sentence = "no fault: sums in four parts that are added up at the end",
          .link = "",
          .hooks = {.numbers = {.sums = Sums::kReordered}}},
    Fault{.name = "none_fused",
          .mutant_class = "",
          .sentence = "no fault: products and sums in fused multiply-adds",
          .link = "",
          .hooks = {.numbers = {.sums = Sums::kFused}}},
    Fault{.name = "none_kahan",
          .mutant_class = "",
          .sentence = "no fault: sums that carry their rounding errors along",
          .link = "",
          .hooks = {.numbers = {.sums = Sums::kKahan}}},
    Fault{.name = "none_f64",
          .mutant_class = "",
          .sentence = "no fault: sums of f32, f16 and bf16 in f64",
          .link = "",
          .hooks = {.numbers = {.sums = Sums::kDouble}}},
    Fault{.name = "none_f64_through_f32",
          .mutant_class = "",
          .sentence = "no fault: sums in f64 that are rounded to f32 on the way to f16 and bf16, as declared",
          .link = "",
          .hooks = {.numbers = {.accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32}}},
    Fault{.name = "none_plans",
          .mutant_class = "",
          .sentence = "no fault: offers plans, which keep nothing that follows from sizes",
          .link = "",
          .hooks = {.plans = true}},
    Fault{.name = "none_threads",
          .mutant_class = "",
          .sentence = "no fault: takes any number of threads up to 8",
          .link = "",
          .hooks = {.max_threads = 8}},
    Fault{.name = "none_gaps_minus_zero",
          .mutant_class = "",
          .sentence = "no fault: stores -0 where no tap reaches, as no document names the sign",
          .link = "",
          .hooks = {.numbers = {.stores = StoreMinusZero}}},
    Fault{.name = "none_generous",
          .mutant_class = "",
          .sentence = "no fault: computes every operator that its document leaves open",
          .link = "",
          .hooks = {.refuses = [](const FaultyGeometry& /*geometry*/) -> const char* { return nullptr; }}},
    Fault{.name = "none_restricted",
          .mutant_class = "",
          .sentence = "no fault: refuses every operator that its document leaves open",
          .link = "",
          .hooks = {.refuses = RefuseOpen}},
    Fault{.name = "none_refuses_zero_batch",
          .mutant_class = "",
          .sentence = "no fault: refuses a batch of 0, which the documents leave open",
          .link = "https://github.com/pytorch/pytorch/issues/24341",
          .hooks = {.refuses = RefuseOpenIf<HasNoBatch>}},
    Fault{.name = "none_refuses_empty_data",
          .mutant_class = "",
          .sentence = "no fault: refuses data with a spatial size of 0, which the documents leave open",
          .link = "",
          .hooks = {.refuses = RefuseOpenIf<HasEmptyData>}},
    Fault{.name = "none_refuses_zero_channels",
          .mutant_class = "",
          .sentence = "no fault: refuses data without channels, which the documents leave open",
          .link = "",
          .hooks = {.refuses = RefuseOpenIf<HasNoChannels>}},
    Fault{.name = "none_refuses_output_padding_of_stride",
          .mutant_class = "",
          .sentence = "no fault: refuses an output_padding of at least the stride on ConvTranspose, as ONNX words it",
          .link = "https://github.com/microsoft/onnxruntime/issues/14208",
          .hooks = {.refuses = RefuseOpenIf<HasLargeOutputPadding>}},
};

}  // namespace

std::span<const Fault> CorrectVariants() { return kCorrect; }

}  // namespace conformance::faults
