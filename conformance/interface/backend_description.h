// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a backend's description of itself and checks it before the suite asks anything else.

#ifndef DECONV_CONFORMANCE_INTERFACE_BACKEND_DESCRIPTION_H_
#define DECONV_CONFORMANCE_INTERFACE_BACKEND_DESCRIPTION_H_

#include <string>
#include <variant>

#include "conformance/interface/backend.h"

namespace conformance {

/// The backend's declarations, or the first thing that is wrong with its interface: ABI, a missing function, a size, a
/// list without end, a number out of range, a name that nobody knows.
std::variant<Capabilities, std::string> ReadDescription(const deconv_backend& interface);

/// Whether the interface has the function `resolve`, which came later than the interface.
bool HasResolve(const deconv_backend& interface);

/// Whether it has the functions `plan` and `release`, which came later still.
bool HasPlan(const deconv_backend& interface);

/// Whether it has the function `supports`, which came last.
bool HasSupports(const deconv_backend& interface);

/// `text` cut to one printable line: a backend's words end in reports.
std::string Printable(std::string_view text);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_BACKEND_DESCRIPTION_H_
