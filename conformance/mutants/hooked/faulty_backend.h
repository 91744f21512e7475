// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the hooked implementation with one planted fault as a backend of the C interface.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_BACKEND_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_BACKEND_H_

#include <string_view>

#include "conformance/interface/backend_builtin.h"
#include "conformance/mutants/hooked/fault_hooks.h"

namespace conformance::faults {

/// Opens the backend "fault:NAME". `config` is "", "every=N" for faults that strike one case in N, or the configuration
/// that the fault itself takes (Hooks::takes).
OpenedInterface OpenFaultyBackend(const Fault& fault, std::string_view config);

/// The interface functions that a backend has unless a mutant replaces them, and the backend's state. The replacements
/// call them.
deconv_answer RunFaulty(void* self, deconv_run_request* request);
deconv_answer ResolveFaulty(void* self, deconv_resolve_request* request);
State& StateOf(void* self);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_BACKEND_H_
