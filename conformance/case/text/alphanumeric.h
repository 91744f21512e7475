// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests whether a character is an ASCII letter or digit. Unlike std::isalnum it does not depend on the locale.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_ALPHANUMERIC_H_
#define DECONV_CONFORMANCE_CASE_TEXT_ALPHANUMERIC_H_

namespace conformance {

constexpr bool IsAlphanumeric(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_ALPHANUMERIC_H_
