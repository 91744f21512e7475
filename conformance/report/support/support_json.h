// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The support map as JSON.

#ifndef DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_JSON_H_
#define DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "conformance/report/support/support_map.h"

namespace conformance {

/// The counts of all, of each value of each dimension and of each class, and the reasons.
nlohmann::ordered_json SupportToJson(const SupportMap& map);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_JSON_H_
