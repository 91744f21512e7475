// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The planted faults, put together from their tables.

#include "conformance/faults/fault.h"

#include <algorithm>

namespace conformance::faults {

std::span<const Fault> Faults() {
  static const std::vector<Fault> kFaults = [] {
    std::vector<Fault> faults = {{.name = "none",
                                  .mutant_class = "",
                                  .sentence = "the faultable implementation without a fault: it must conform",
                                  .link = "",
                                  .hooks = {}}};
    for (const std::span<const Fault> table :
         {GeometryFaults(), IndexFaults(), ArithmeticFaults(), RefusalFaults(), ConductFaults()}) {
      faults.insert(faults.end(), table.begin(), table.end());
    }
    return faults;
  }();
  return kFaults;
}

const Fault* FindFault(std::string_view name) {
  const std::span<const Fault> faults = Faults();
  const auto found = std::ranges::find(faults, name, &Fault::name);
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace conformance::faults
