// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the backends (implementations of transposed convolution that the suite can judge) that are compiled into a
// program, such as the project's own kernel. A program that needs no other backend, such as a fuzz target of the
// kernel, links no planted faults, commands and libraries.

#ifndef DECONV_CONFORMANCE_BACKENDS_BUILT_IN_BACKENDS_H_
#define DECONV_CONFORMANCE_BACKENDS_BUILT_IN_BACKENDS_H_

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "conformance/interface/backend.h"
#include "conformance/interface/backend_builtin.h"

namespace conformance {

/// "kernel", if this program has it, and "oracle".
std::span<const BuiltInBackend> BuiltInTable();

/// Splits "NAME?CONFIGURATION". Without "?" the configuration is empty.
std::pair<std::string_view, std::string_view> SplitName(std::string_view name);

/// Opens one of the table, "kernel?target=AVX2" for example. Nothing if the table does not have it.
std::optional<std::variant<std::unique_ptr<Backend>, BackendError>> OpenBuiltIn(std::string_view name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_BUILT_IN_BACKENDS_H_
