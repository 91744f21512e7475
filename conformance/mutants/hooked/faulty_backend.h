// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the hooked implementation with one planted fault as a backend of the C interface, and declares its loop. The
// hooked implementation is a correct plain loop; a planted fault makes one of its steps wrong on purpose.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_BACKEND_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_BACKEND_H_

#include <string_view>

#include "conformance/interface/backend_builtin.h"
#include "conformance/mutants/hooked/fault_hooks.h"
#include "conformance/mutants/hooked/faulty_resolver.h"

namespace conformance::faults {

/// Opens the backend "fault:NAME". `config` is "", "every=N" for faults that strike one case in N, or the configuration
/// that the fault itself takes (Hooks::takes).
OpenedInterface OpenFaultyBackend(const Fault& fault, std::string_view config);

/// The interface functions that a backend has unless a mutant replaces them, and the backend's state. The replacements
/// call them.
deconv_answer RunFaulty(void* self, deconv_run_request* request);
deconv_answer ResolveFaulty(void* self, deconv_resolve_request* request);
State& StateOf(void* self);

// The loop (faulty_loop.cc) goes output by output and tap by tap, and calls the hooks of the fault at every step.

/// Computes all outputs. `layout` gives the sizes of the buffers; `values` gives the geometry of the sums. They differ
/// only if a fault changes one of them. The buffers are dense, with the sizes of `layout`, at any alignment.
void Compute(const FaultyGeometry& layout, const FaultyGeometry& values, const Hooks& hooks, const unsigned char* data,
             const unsigned char* filter, unsigned char* output);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_BACKEND_H_
