// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The faultable implementation behind the C interface, with one fault planted.

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_BACKEND_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_BACKEND_H_

#include <string_view>

#include "conformance/interface/backend_builtin.h"
#include "conformance/mutants/faultable/fault_hooks.h"

namespace conformance::faults {

/// `config`: "" or "every=N", for faults that strike one case in N; or what the fault takes (Hooks::takes).
OpenedInterface OpenFault(const Fault& fault, std::string_view config);

/// The functions of the interface as they are without a fault, and a backend's state. Mutants that replace functions
/// call them.
deconv_answer RunFaulty(void* self, deconv_run_request* request);
deconv_answer ResolveFaulty(void* self, deconv_resolve_request* request);
State& StateOf(void* self);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_BACKEND_H_
