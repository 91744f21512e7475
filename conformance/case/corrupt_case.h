// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a valid case invalid, for fuzzers: backends must refuse invalid operators.

#ifndef DECONV_CONFORMANCE_CASE_CORRUPT_CASE_H_
#define DECONV_CONFORMANCE_CASE_CORRUPT_CASE_H_

#include "conformance/case/case.h"
#include "conformance/case/random.h"

namespace conformance {

/// Changes one number, list, type or word to an invalid one. Sometimes the result is still valid, for example if an
/// auto_pad ignores a huge padding. The result always has a case line.
void CorruptCase(Case& test_case, Random& random);

/// Makes sure that a case line can express the case after a change of types or values. Values of the output shape are
/// cut to the bits of their type. A data set that the element type does not have becomes `integers`.
void SettleTypes(Case& test_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_CORRUPT_CASE_H_
