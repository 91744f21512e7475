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

/// What more than half of the failures point at, if anything: sizes of zero, invalid operators accepted, memory that is
/// not the backend's, a division by zero, a multiplied structural zero, a narrow accumulator, what an earlier call
/// left. Trials stand in the order of the run.
std::optional<ClassEvidence> ClassEvidenceOf(std::span<const Trial* const> failures,
                                             std::span<const Trial* const> passes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CLASS_EVIDENCE_H_
