// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The loop of the faultable implementation: output by output, tap by tap. It asks the hooks of the fault at every step.

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_LOOP_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_LOOP_H_

#include "conformance/mutants/faultable/fault_hooks.h"
#include "conformance/mutants/faultable/faulty_resolver.h"

namespace conformance::faults {

/// `layout` settles sizes and offsets, `values` what is added up; they differ where a fault makes them differ. The
/// buffers are those of `layout`, dense, at any alignment.
void Compute(const FaultyGeometry& layout, const FaultyGeometry& values, const Hooks& hooks, const unsigned char* data,
             const unsigned char* filter, unsigned char* output);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_LOOP_H_
