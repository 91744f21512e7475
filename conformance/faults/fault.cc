// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins the tables of planted faults, and lists the correct variants, which must conform.

#include "conformance/faults/fault.h"

#include <algorithm>
#include <array>

#include "conformance/faults/combined_fault.h"

namespace conformance::faults {
namespace {

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
    Fault{.name = "none_minus_zero_gaps",
          .mutant_class = "",
          .sentence = "no fault: stores -0 where no tap reaches, whose sign no document gives",
          .link = "",
          .hooks = {.numbers = {.stores = StoreMinusZero}}},
};

const Fault* Find(std::span<const Fault> faults, std::string_view name) {
  const auto found = std::ranges::find(faults, name, &Fault::name);
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Fault> Faults() {
  static const std::vector<Fault> kFaults = [] {
    std::vector<Fault> faults;
    for (const std::span<const Fault> table :
         {PadFaults(), GeometryFaults(), AxisFaults(), PhaseFaults(), IndexFaults(), ChannelFaults(), TailFaults(),
          ArithmeticFaults(), RoundingFaults(), SpecialFaults(), IntegerFaults(), RefusalFaults(), AcceptanceFaults(),
          MemoryFaults(), ConductFaults()}) {
      faults.insert(faults.end(), table.begin(), table.end());
    }
    return faults;
  }();
  return kFaults;
}

std::span<const Fault> CorrectVariants() { return kCorrect; }

const Fault* FindFault(std::string_view name) {
  if (name.find(kAndAlso) != std::string_view::npos) return FindCombinedFault(name);
  const Fault* correct = Find(CorrectVariants(), name);
  return correct == nullptr ? Find(Faults(), name) : correct;
}

}  // namespace conformance::faults
