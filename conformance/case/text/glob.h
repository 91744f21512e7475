// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Matches texts with globs, such as "attributes/*f32*". A '*' stands for any characters, also for '/'.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_GLOB_H_
#define DECONV_CONFORMANCE_CASE_TEXT_GLOB_H_

#include <string>
#include <string_view>

namespace conformance {

/// Matches as fnmatch(3) does without flags. Globs whose only wildcard is '*' are matched faster: fnmatch may need
/// exponential time.
bool GlobMatches(const std::string& glob, const std::string& text);

/// Whether the text contains a special character of globs.
bool IsGlob(std::string_view text);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_GLOB_H_
