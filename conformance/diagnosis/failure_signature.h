// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines the signature of a failure: facts that all failures of one cause should share. A failure that was not run
// again is presumed to have the cause of failures with the same signature.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SIGNATURE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SIGNATURE_H_

#include <compare>
#include <span>
#include <string>

#include "conformance/run/failure_causes.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Returns the kind of causes to which failures of this class belong.
CauseKind CauseKindOf(FailureClass failure);

/// Whether the backend gave no output. Then even a wrong output is a case that does not fail in this way.
constexpr bool HasNoOutput(CauseKind kind) { return kind == CauseKind::kRefusal || kind == CauseKind::kDeath; }

struct FailureSignature {
  CauseKind kind = CauseKind::kWrongOutput;
  FailureClass failure = FailureClass::kNone;  ///< "cannot do" counts as a refusal
  std::string clause;  ///< the clause (numbered rule) that refuses the operator; empty if none does
  std::string words;   ///< pattern of the backend's own words, if it refused or reported an error (PatternOf)
  std::string law;     ///< the law (relation between operators) that was judged; empty for an ordinary case

  auto operator<=>(const FailureSignature&) const = default;
};

/// Whether all failures with this signature look alike, whatever causes them. A hypothesis must then reproduce all of
/// them.
bool LooksAlike(const FailureSignature& signature);

/// Returns the signature of a failed case.
FailureSignature SignatureOf(const CaseResult& result);

/// The signature without the differences that one defect may show: wrong values, values where no tap contributes, and
/// outputs with old contents are one kind. All invalid operators are one kind, whatever clause refuses them.
FailureSignature BroadSignatureOf(FailureSignature signature);

/// Whether the verdicts on five failures or more, and on most failures with this signature and type, name the
/// declaration with this meaning. Few failures fit a declaration by chance. If most fit, the others have another
/// defect.
bool MostFit(std::span<const CaseResult> results, const std::string& meaning, const FailureSignature& signature,
             oracle::ElementType type);

/// The backend's own words if it declined or reported an error; else an empty text.
std::string WordsOf(const CaseResult& result);

/// A message without its numbers, addresses and lists of numbers. A list is one number, however long it is: "Conv2D:
/// pads (0, 1) at 0x7f1" and "Conv3D: pads (0, 1, -2) at 0x8a2" give the same pattern. So do "pads [[0 1]]" and "pads
/// [[0 1] [2 3]]".
std::string PatternOf(const std::string& message);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SIGNATURE_H_
