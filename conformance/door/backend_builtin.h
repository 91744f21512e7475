// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The backends that are compiled in. Each one is a function that fills in the C door, as a shared library exports it.

#ifndef DECONV_CONFORMANCE_DOOR_BACKEND_BUILTIN_H_
#define DECONV_CONFORMANCE_DOOR_BACKEND_BUILTIN_H_

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/door/backend.h"
#include "conformance/door/deconv_backend.h"

namespace conformance {

using OpenedDoor = std::variant<deconv_backend, BackendError>;

struct BuiltInBackend {
  std::string_view name;
  std::string_view description;
  OpenedDoor (*open)(std::string_view config);  ///< config: what followed "?" in the name, or ""
};

OpenedDoor OpenKernel(std::string_view config);
OpenedDoor OpenOracle(std::string_view config);

/// Opens a backend that takes no configuration.
OpenedDoor NoConfiguration(std::string_view name, std::string_view config, const deconv_backend& door);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DOOR_BACKEND_BUILTIN_H_
