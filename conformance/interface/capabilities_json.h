// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The declared capabilities of a backend as a JSON object, in the words of the C header. A worker's first message and
// the reports use it.

#ifndef DECONV_CONFORMANCE_INTERFACE_CAPABILITIES_JSON_H_
#define DECONV_CONFORMANCE_INTERFACE_CAPABILITIES_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "conformance/interface/backend.h"

namespace conformance {

nlohmann::ordered_json CapabilitiesToJson(const Capabilities& declared);

/// Members that the object lacks get their defaults. Else returns the member, what was found there and what was
/// expected.
std::variant<Capabilities, std::string> CapabilitiesFromJson(const nlohmann::json& object);

/// "kept in f32, rounded nearest, subnormals kept": how sums of one type are computed.
std::string ArithmeticText(const FloatArithmetic& arithmetic);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_CAPABILITIES_JSON_H_
