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

/// After a change of types or values: values of the output shape keep the low bits that their type has, and a data set
/// that the element type does not have becomes `integers`. A case line can say no other case.
void SettleTypes(Case& test_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_SPOIL_CASE_H_
