// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The style and the script of the HTML report: the files in html/, embedded by the build (embed.cmake).

#ifndef DECONV_CONFORMANCE_REPORT_HTML_PAGE_ASSETS_H_
#define DECONV_CONFORMANCE_REPORT_HTML_PAGE_ASSETS_H_

#include <string_view>

namespace conformance {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_PAGE_ASSETS_H_
