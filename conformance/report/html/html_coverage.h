// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the HTML report that shows what a run covered and where failures lie.

#ifndef DECONV_CONFORMANCE_REPORT_HTML_HTML_COVERAGE_H_
#define DECONV_CONFORMANCE_REPORT_HTML_HTML_COVERAGE_H_

#include <pugixml.hpp>

#include "conformance/report/coverage_map.h"
#include "conformance/run/runner.h"

namespace conformance {

/// Of a run that has its coverage.
void AddCoverage(pugi::xml_node parent, const RunRecord& run, const CoverageMaps& maps);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_HTML_COVERAGE_H_
