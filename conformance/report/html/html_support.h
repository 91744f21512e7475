// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The support map in the HTML report.

#ifndef DECONV_CONFORMANCE_REPORT_HTML_HTML_SUPPORT_H_
#define DECONV_CONFORMANCE_REPORT_HTML_HTML_SUPPORT_H_

#include <pugixml.hpp>

#include "conformance/run/run_record.h"

namespace conformance {

/// A section with the counts of each class and the reasons. Nothing, if everything is supported.
void AddSupport(pugi::xml_node parent, const RunRecord& run);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_HTML_SUPPORT_H_
