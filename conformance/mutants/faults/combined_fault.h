// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Plants several faults in one backend, which is then wrong in several ways: "filter_flipped+bf16_truncated".

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_

#include <span>
#include <string_view>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {

/// The character between the names of faults.
inline constexpr char kAndAlso = '+';

/// Returns one fault with the hooks of all. It is made at the first call and never freed. Returns nullptr if two faults
/// set the same hook, or if a name is unknown.
const Fault* CombineFaults(std::span<const Fault* const> faults);
const Fault* FindCombinedFault(std::string_view names);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_
