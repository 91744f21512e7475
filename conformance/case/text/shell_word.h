// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Quotes a word for a shell, so that printed command lines can be pasted back.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_SHELL_WORD_H_
#define DECONV_CONFORMANCE_CASE_TEXT_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace conformance {

/// The word as a shell must read it: in single quotes if it contains characters that are special to a shell.
std::string ShellWord(std::string_view word);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_SHELL_WORD_H_
