// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the built-in backend "onednn": the same code as the backend library in conformance/adapters/native.

#include <string>

#include <fmt/format.h>

#include "conformance/adapters/native/onednn.h"
#include "conformance/door/backend_builtin.h"

namespace conformance {

OpenedDoor OpenOnednn(std::string_view config) {
  if (!config.empty() && config != "any") {
    return BackendError{
        .usage = true, .message = fmt::format("backend onednn: configuration '{}', expected 'any' or nothing", config)};
  }
  deconv_backend door{};
  door.size = sizeof(door);
  if (native::OpenOnednn(std::string(config).c_str(), &door) != 0) {
    return BackendError{.usage = false, .message = "backend onednn: oneDNN has no engine for this CPU"};
  }
  return door;
}

}  // namespace conformance
