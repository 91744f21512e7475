// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the known name nearest to a misspelt one, for messages that ask "did you mean".

#ifndef DECONV_CONFORMANCE_CASE_TEXT_NEAREST_H_
#define DECONV_CONFORMANCE_CASE_TEXT_NEAREST_H_

#include <span>
#include <string>
#include <string_view>

namespace conformance {

/// The name with the smallest edit distance to `word`, ignoring case. Empty if the distance exceeds half of the word's
/// length: such a name is no misspelling.
std::string Nearest(std::string_view word, std::span<const std::string> names);

/// " (did you mean NAME?)" with the nearest name, or an empty string. For the end of an error message.
std::string DidYouMean(std::string_view word, std::span<const std::string> names);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_NEAREST_H_
