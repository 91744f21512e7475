// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The backends that are compiled in. Each one is a function that fills in the C interface, as a shared library exports
// it.

#ifndef DECONV_CONFORMANCE_INTERFACE_BACKEND_BUILTIN_H_
#define DECONV_CONFORMANCE_INTERFACE_BACKEND_BUILTIN_H_

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/interface/backend.h"
#include "conformance/interface/deconv_backend.h"

namespace conformance {

using OpenedInterface = std::variant<deconv_backend, BackendError>;

struct BuiltInBackend {
  std::string_view name;
  std::string_view description;
  OpenedInterface (*open)(std::string_view config);  ///< config: what followed "?" in the name, or ""
};

OpenedInterface OpenKernel(std::string_view config);
OpenedInterface OpenOracle(std::string_view config);

/// Opens a backend that takes no configuration.
OpenedInterface NoConfiguration(std::string_view name, std::string_view config, const deconv_backend& interface);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_BACKEND_BUILTIN_H_
