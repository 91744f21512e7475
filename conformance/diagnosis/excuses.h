// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the declarations of arithmetic that would make failures right, such as "the backend flushes subnormals".

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_EXCUSES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_EXCUSES_H_

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/evidence.h"

namespace conformance {

/// Finds declarations that excuse the tried failures `left`, and removes these failures from `left`. Some wrong values
/// fit a declaration by chance. So it must excuse most failures of a signature and type.
std::vector<Excuse> RemoveExcused(std::span<const CaseResult> results, const Evidence& evidence,
                                  std::vector<std::size_t>& left);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_EXCUSES_H_
