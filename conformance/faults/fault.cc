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
         {PadFaults(), GeometryFaults(), AxisFaults(), AxesMixingFaults(), PhaseFaults(), IndexFaults(),
          ChannelFaults(), TailFaults(), ArithmeticFaults(), SpecialFaults(), IntegerFaults(), RefusalFaults(),
          AcceptanceFaults(), MemoryFaults(), ConductFaults(), StateFaults()}) {
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
