// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the verdict on a case to a JSON object and back, for reports and journals and their readers.

#ifndef DECONV_CONFORMANCE_REPORT_RECORD_H_
#define DECONV_CONFORMANCE_REPORT_RECORD_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "conformance/verdict/result.h"

namespace conformance {

/// The record of a case. Members that are empty for a plain pass are left out. JSON has no infinity or NaN: such a
/// number is null.
nlohmann::ordered_json CaseToJson(const CaseResult& result);

/// The tolerance that outputs needed, as an object.
nlohmann::ordered_json NeededToJson(const NeededTolerance& needed);

/// Reads the record of a case, or returns which member is wrong and what was expected.
std::variant<CaseResult, std::string> CaseFromJson(const nlohmann::json& object);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_RECORD_H_
