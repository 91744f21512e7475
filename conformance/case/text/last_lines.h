// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts the last lines of a program's output on one line, for a message about its failure.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_LAST_LINES_H_
#define DECONV_CONFORMANCE_CASE_TEXT_LAST_LINES_H_

#include <string>
#include <string_view>

namespace conformance {

/// The last lines with text, at most five, joined by " | ". Stack frames of JavaScript ("    at main (x.js:1)") are
/// left out, because they would hide the error above them.
std::string LastLines(std::string_view text);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_LAST_LINES_H_
