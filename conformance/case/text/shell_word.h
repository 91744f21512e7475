// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Quotes a word for a shell, so that printed command lines can be pasted back.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_SHELL_WORD_H_
#define DECONV_CONFORMANCE_CASE_TEXT_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace conformance {

/// `word`, in single quotes if a shell would not take it as it is.
std::string ShellWord(std::string_view word);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_SHELL_WORD_H_
