// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of correct variants. They differ from the plain loop but are right, so no case may fail on them. For
// example, they sum in another order, store -0 where no tap reaches, or refuse operators that a document leaves open,
// because it is silent or contradicts itself.

#include <algorithm>
#include <array>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

/// Refuses every operator that the document leaves open.
const char* RefuseOpen(const FaultyGeometry& geometry) {
  return geometry.open.empty() ? nullptr : geometry.open.front();
}

/// Refuses operators with kCondition, but only if they are open: another dialect may require the same operator.
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

// Columns: name, what the variant does, hooks that change steps of a correct loop (fault_hooks.h), and a real library
// that does so.
constexpr std::array kCorrect = {
    Mutant("none", "the hooked implementation without a fault; it must conform", {}),
    Mutant("none_reordered", "no fault: sums in four parts that are added up at the end",
           {.numbers = {.sums = Sums::kReordered}}),
    Mutant("none_fused", "no fault: products and sums in fused multiply-adds", {.numbers = {.sums = Sums::kFused}}),
    Mutant("none_kahan", "no fault: sums that carry their rounding errors along", {.numbers = {.sums = Sums::kKahan}}),
    Mutant("none_f64", "no fault: sums of f32, f16 and bf16 in f64", {.numbers = {.sums = Sums::kDouble}}),
    Mutant("none_f64_through_f32",
           "no fault: sums in f64 that are rounded to f32 on the way to f16 and bf16, as declared",
           {.numbers = {.accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32}}),
    Mutant("none_plans", "no fault: offers plans, which keep nothing that follows from sizes", {.plans = true}),
    Mutant("none_threads", "no fault: takes any number of threads up to 8", {.max_threads = 8}),
    Mutant("none_gaps_minus_zero", "no fault: stores -0 where no tap reaches, as no document names the sign",
           {.numbers = {.stores = StoreMinusZero}}),
    Mutant("none_generous", "no fault: computes every operator that its document leaves open",
           {.refuses = [](const FaultyGeometry& /*geometry*/) -> const char* { return nullptr; }}),
    Mutant("none_restricted", "no fault: refuses every operator that its document leaves open",
           {.refuses = RefuseOpen}),
    Mutant("none_refuses_zero_batch", "no fault: refuses a batch of 0, which the documents leave open",
           {.refuses = RefuseOpenIf<HasNoBatch>}, "https://github.com/pytorch/pytorch/issues/24341"),
    Mutant("none_refuses_empty_data", "no fault: refuses data with a spatial size of 0, which the documents leave open",
           {.refuses = RefuseOpenIf<HasEmptyData>}),
    Mutant("none_refuses_zero_channels", "no fault: refuses data without channels, which the documents leave open",
           {.refuses = RefuseOpenIf<HasNoChannels>}),
    Mutant("none_refuses_output_padding_of_stride",
           "no fault: refuses an output_padding of at least the stride on ConvTranspose, as ONNX words it",
           {.refuses = RefuseOpenIf<HasLargeOutputPadding>}, "https://github.com/microsoft/onnxruntime/issues/14208"),
};

}  // namespace

std::span<const Fault> CorrectVariants() { return kCorrect; }

}  // namespace conformance::faults
