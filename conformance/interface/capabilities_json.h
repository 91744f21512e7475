// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the declared capabilities of a backend (the library under test) to a JSON object and back, with the names of
// the C header. The first message of a worker and the reports contain this object.

#ifndef DECONV_CONFORMANCE_INTERFACE_CAPABILITIES_JSON_H_
#define DECONV_CONFORMANCE_INTERFACE_CAPABILITIES_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "conformance/interface/backend.h"

namespace conformance {

nlohmann::ordered_json CapabilitiesToJson(const Capabilities& declared);

/// Reads the capabilities; missing members get their defaults. After an error, returns a text that names the member,
/// what was found and what was expected.
std::variant<Capabilities, std::string> CapabilitiesFromJson(const nlohmann::json& object);

/// "kept in f32, rounded nearest, subnormals kept": how sums of one type are computed.
std::string ArithmeticText(const FloatArithmetic& arithmetic);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_CAPABILITIES_JSON_H_
