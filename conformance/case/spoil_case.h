// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a valid case invalid: backends must refuse such cases, and fuzzers must try them.

#ifndef DECONV_CONFORMANCE_CASE_SPOIL_CASE_H_
#define DECONV_CONFORMANCE_CASE_SPOIL_CASE_H_

#include "conformance/case/case.h"
#include "conformance/case/random.h"

namespace conformance {

/// Changes one number, list, type or word to a wrong one. Sometimes the result is valid: an auto_pad ignores a huge
/// padding, or the dialect takes the word. The case still has a line.
void SpoilCase(Case& test_case, Random& random);

/// Repairs a case after a change of types or values, so that a case line can say it. Values of the output shape keep
/// the low bits that their type has. A data set that the element type does not have becomes `integers`.
void SettleTypes(Case& test_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_SPOIL_CASE_H_
