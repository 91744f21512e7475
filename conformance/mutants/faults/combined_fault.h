// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Plants several faults in one backend: "filter_flipped+bf16_truncated".

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_

#include <span>
#include <string_view>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {

/// The character between the names of faults.
inline constexpr char kAndAlso = '+';

/// The faults together, made once and kept; nullptr if a name is none's, or if two of them take hold at the same hook.
const Fault* CombineFaults(std::span<const Fault* const> faults);
const Fault* FindCombinedFault(std::string_view names);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_
