// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of defect that failures show by themselves, without any planted fault as a hypothesis.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CLASS_EVIDENCE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CLASS_EVIDENCE_H_

#include <optional>
#include <span>
#include <string_view>

#include "conformance/diagnosis/likeness.h"

namespace conformance {

struct ClassEvidence {
  std::string_view mutant_class;  ///< "V1"
  /// The share of the failures that point there, more than a half; times a half where other defects do the same.
  double weight = 0;

  bool operator==(const ClassEvidence&) const = default;
};

/// The class to which more than half of the failures point, if there is one: sizes of zero, invalid operators that are
/// accepted, memory that is not the backend's, a division by zero, a multiplied structural zero, a narrow accumulator,
/// wrong roundings (value_class.h), or state from an earlier call.
std::optional<ClassEvidence> ClassEvidenceOf(std::span<const Trial* const> failures,
                                             std::span<const Trial* const> passes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CLASS_EVIDENCE_H_
