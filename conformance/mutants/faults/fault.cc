// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins the tables of planted faults (backends that are wrong on purpose), and finds a fault by its name.

#include "conformance/mutants/faults/fault.h"

#include <algorithm>

#include "conformance/mutants/faults/combined_fault.h"

namespace conformance::faults {
namespace {

const Fault* Find(std::span<const Fault> faults, std::string_view name) {
  const auto found = std::ranges::find(faults, name, &Fault::name);
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Fault> Faults() {
  static const std::vector<Fault> kFaults = [] {
    std::vector<Fault> faults;
    for (const std::span<const Fault> table :
         {PadFaults(),        GeometryFaults(), ShapeFaults(),   LayoutFaults(),  AxisFaults(),    AxesMixingFaults(),
          PhaseFaults(),      IndexFaults(),    ChannelFaults(), TailFaults(),    SizeFaults(),    OpenFaults(),
          ArithmeticFaults(), RoundingFaults(), SpecialFaults(), IntegerFaults(), RefusalFaults(), AcceptanceFaults(),
          MemoryFaults(),     ConductFaults(),  StateFaults(),   PathFaults()}) {
      faults.insert(faults.end(), table.begin(), table.end());
    }
    return faults;
  }();
  return kFaults;
}

std::span<const Fault> Mutants() {
  static const std::vector<Fault> kMutants = [] {
    std::vector<Fault> mutants;
    for (const std::span<const Fault> table :
         {DeclarationMutants(), SupportsMutants(), RunMutants(), ProtocolMutants()}) {
      mutants.insert(mutants.end(), table.begin(), table.end());
    }
    return mutants;
  }();
  return kMutants;
}

const Fault* FindFault(std::string_view name) {
  if (name.find(kAndAlso) != std::string_view::npos) return FindCombinedFault(name);
  for (const std::span<const Fault> table : {CorrectVariants(), Faults(), Mutants()}) {
    if (const Fault* found = Find(table, name)) return found;
  }
  return nullptr;
}

}  // namespace conformance::faults
