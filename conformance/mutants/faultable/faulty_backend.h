// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The faultable implementation behind the C door, with one fault planted.

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_BACKEND_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_BACKEND_H_

#include <string_view>

#include "conformance/door/backend_builtin.h"
#include "conformance/mutants/faultable/fault_hooks.h"

namespace conformance::faults {

/// `config`: "" or "every=N", for faults that strike one case in N.
OpenedDoor OpenFault(const Fault& fault, std::string_view config);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULTY_BACKEND_H_
