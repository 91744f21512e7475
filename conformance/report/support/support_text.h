// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The support map as plain text for the console, and as a Markdown table.

#ifndef DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_TEXT_H_
#define DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_TEXT_H_

#include <functional>
#include <string>
#include <string_view>

#include "conformance/report/support/support_map.h"

namespace conformance {

enum class SupportReasons { kShown, kLeftOut };

/// Only what is not wholly supported, and the reasons; empty if everything is supported.
std::string SupportLines(const SupportMap& map, SupportReasons reasons);

/// One row for each value of each dimension, and the reasons. `escape` makes a backend's words safe.
std::string SupportMarkdown(const SupportMap& map, const std::function<std::string(std::string_view)>& escape);

/// "declared" or "said when asked": where a reason comes from.
std::string_view SourceOf(const SupportReason& reason);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_TEXT_H_
