// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The template of the HTML report and its style. The build writes the definitions from the page's files in this folder
// (embed.cmake), so that the program needs no files at run time.

#ifndef DECONV_CONFORMANCE_REPORT_HTML_PAGE_ASSETS_H_
#define DECONV_CONFORMANCE_REPORT_HTML_PAGE_ASSETS_H_

#include <string_view>

namespace conformance {

/// The page with its style and script; "@TITLE@" and "@DATA@" stand for the title and the report.
extern const std::string_view kPage;
/// The style alone, for other pages.
extern const std::string_view kPageStyle;

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_PAGE_ASSETS_H_
