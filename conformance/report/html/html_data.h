// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The data of the HTML report's case list: each case once, with the verdict of each backend.

#ifndef DECONV_CONFORMANCE_REPORT_HTML_HTML_DATA_H_
#define DECONV_CONFORMANCE_REPORT_HTML_HTML_DATA_H_

#include <span>
#include <string>
#include <vector>

#include "conformance/run/runner.h"

namespace conformance {

/// An object of JSON that can stand inside an element <script>: it holds no "<". A run in which everything fails has
/// more to tell than a page should weigh: behind the first few megabytes failures are told without their details, and
/// the member "short" counts them.
std::string PageData(std::span<const RunRecord> runs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_HTML_DATA_H_
