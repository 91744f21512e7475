// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The support map as JSON: how many cases of each class of operators the backend supports.

#ifndef DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_JSON_H_
#define DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "conformance/report/support/support_map.h"

namespace conformance {

/// The counts of all cases, of each value of each dimension (such as groups "above 1") and of each class, and the
/// reasons.
nlohmann::ordered_json SupportToJson(const SupportMap& map);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_JSON_H_
