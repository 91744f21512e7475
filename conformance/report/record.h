// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on a case as an object of JSON, and back: for reports, for the journal, and for what reads them again.

#ifndef DECONV_CONFORMANCE_REPORT_RECORD_H_
#define DECONV_CONFORMANCE_REPORT_RECORD_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "conformance/verdict/result.h"

namespace conformance {

/// What a plain pass leaves empty is left out. JSON has no infinity: a number that is none is null.
nlohmann::ordered_json CaseToJson(const CaseResult& result);

/// The verdict, or which member is wrong and what was expected.
std::variant<CaseResult, std::string> CaseFromJson(const nlohmann::json& object);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_RECORD_H_
