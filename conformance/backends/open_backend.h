// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens a backend, which is an implementation that the suite judges, by its name: a built-in one, a planted fault (one
// that is wrong on purpose), a shared library, or a command.

#ifndef DECONV_CONFORMANCE_BACKENDS_OPEN_BACKEND_H_
#define DECONV_CONFORMANCE_BACKENDS_OPEN_BACKEND_H_

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/mutants/faults/fault.h"

namespace conformance {

/// The prefix of planted faults and other mutants.
inline constexpr std::string_view kFaultPrefix = "fault:";

/// The mutant that a backend's name stands for, "fault:NAME" with or without a configuration; nullptr if there is none.
const faults::Fault* FaultOf(std::string_view backend);
/// Opens the backend with this planted fault. The fault must outlive it.
std::unique_ptr<Backend> OpenFault(const faults::Fault& fault);

/// Opens a backend, or returns why it cannot be opened. `name` is a built-in ("kernel", "oracle", "onednn" where
/// installed), "fault:NAME", the path of a shared library ("./lib.so", "lib.so?config"), or a command that speaks the
/// process protocol ("cmd:python3 backend.py").
std::variant<std::unique_ptr<Backend>, BackendError> OpenBackend(std::string_view name);

/// A name that OpenBackend takes, with a sentence about it.
struct BackendName {
  std::string name;
  std::string description;
  std::string mutant_class;  ///< class of a planted fault's defect, else empty
  std::string link;          ///< a real bug like the planted fault, or empty
};
/// The built-in backends of this build, then the correct variants (unusual, but right) and the planted faults
/// ("fault:NAME").
std::vector<BackendName> BuiltInBackends();

/// Whether the name stands for foreign code, a shared library or a command. `fuzz` runs foreign code in a sandbox.
bool IsForeignBackend(std::string_view name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_OPEN_BACKEND_H_
