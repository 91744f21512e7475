// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the description in which a backend (a library under test) declares its abilities, and checks it before any
// operator runs.

#ifndef DECONV_CONFORMANCE_INTERFACE_BACKEND_DESCRIPTION_H_
#define DECONV_CONFORMANCE_INTERFACE_BACKEND_DESCRIPTION_H_

#include <cstddef>
#include <string>
#include <variant>

#include "conformance/interface/backend.h"

namespace conformance {

/// The most bytes of a backend's name or version, with the 0 at its end. A longer text probably lacks its end.
inline constexpr std::size_t kMaxName = 128;

/// Returns the backend's declarations, or the first error in its interface: wrong ABI, missing function, wrong size,
/// list without end, number out of range, or unknown name.
std::variant<Capabilities, std::string> ReadDescription(const deconv_backend& interface);

// Functions that later versions of the interface appended, in this order. An older backend has none of them.

/// Whether the interface has the function `resolve`.
bool HasResolve(const deconv_backend& interface);

/// Whether the interface has the functions `plan` and `release`.
bool HasPlan(const deconv_backend& interface);

/// Whether the interface has the function `supports`.
bool HasSupports(const deconv_backend& interface);

/// `text` with '?' in place of each byte that is a control character, malformed UTF-8, or part of a character of four
/// bytes. So a backend's text cannot break a report.
std::string Printable(std::string_view text);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_BACKEND_DESCRIPTION_H_
