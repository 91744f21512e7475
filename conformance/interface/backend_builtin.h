// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the backends that are compiled into the suite. Each is a function that fills in the C interface, like the
// function that a shared library exports.

#ifndef DECONV_CONFORMANCE_INTERFACE_BACKEND_BUILTIN_H_
#define DECONV_CONFORMANCE_INTERFACE_BACKEND_BUILTIN_H_

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/interface/backend.h"
#include "conformance/interface/deconv_backend.h"

namespace conformance {

/// A filled-in interface, or why the backend cannot be opened.
using OpenedInterface = std::variant<deconv_backend, BackendError>;

/// A row of the table of built-in backends.
struct BuiltInBackend {
  std::string_view name;
  std::string_view description;
  OpenedInterface (*open)(std::string_view config);  ///< config: the text after "?" in the name, or ""
};

/// The project's own library, and the specification in plain loops. Each is defined beside its backend.
OpenedInterface OpenKernel(std::string_view config);
OpenedInterface OpenOracle(std::string_view config);

/// The backend behind an interface, or why there is none. Checks first that all declared functions exist.
std::variant<std::unique_ptr<Backend>, BackendError> CheckedBackend(std::string_view name,
                                                                    const OpenedInterface& opened);

/// Returns `interface`, or an error if `config` is not empty: backend `name` takes no configuration.
OpenedInterface NoConfiguration(std::string_view name, std::string_view config, const deconv_backend& interface);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_BACKEND_BUILTIN_H_
