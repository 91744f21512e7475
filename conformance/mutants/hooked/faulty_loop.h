// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the loop of the hooked implementation. It goes output by output and tap by tap, and calls the hooks of
// the fault at every step.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_LOOP_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_LOOP_H_

#include "conformance/mutants/hooked/fault_hooks.h"
#include "conformance/mutants/hooked/faulty_resolver.h"

namespace conformance::faults {

/// Computes all outputs. `layout` gives the sizes of the buffers; `values` gives the geometry of the sums. They differ
/// only if a fault changes one of them. The buffers are dense, with the sizes of `layout`, at any alignment.
void Compute(const FaultyGeometry& layout, const FaultyGeometry& values, const Hooks& hooks, const unsigned char* data,
             const unsigned char* filter, unsigned char* output);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_LOOP_H_
