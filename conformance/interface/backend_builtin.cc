// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a backend (class Backend) of a C interface that a library or a part of the suite has filled in, after its
// description was checked.

#include "conformance/interface/backend_builtin.h"

#include <fmt/format.h>

#include "conformance/interface/backend_description.h"

namespace conformance {

std::variant<std::unique_ptr<Backend>, BackendError> CheckedBackend(std::string_view name,
                                                                    const OpenedInterface& opened) {
  if (const auto* error = std::get_if<BackendError>(&opened)) return *error;
  const auto& interface = std::get<deconv_backend>(opened);
  std::variant<Capabilities, std::string> read = ReadDescription(interface);
  if (const auto* complaint = std::get_if<std::string>(&read)) {
    // Do not call `close`, because in a broken interface this function may be broken too.
    return BackendError{.usage = false, .message = fmt::format("backend {}: {}", name, *complaint)};
  }
  return std::make_unique<Backend>(interface);
}

OpenedInterface NoConfiguration(std::string_view name, std::string_view config, const deconv_backend& interface) {
  if (config.empty()) return interface;
  return BackendError{.usage = true,
                      .message = fmt::format("backend {} takes no configuration, found '{}'", name, config)};
}

}  // namespace conformance
