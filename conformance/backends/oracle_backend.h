// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes a request by the loops of the oracle (the specification as plain code), for backends that resolve the
// attributes themselves and need only the values.

#ifndef DECONV_CONFORMANCE_BACKENDS_ORACLE_BACKEND_H_
#define DECONV_CONFORMANCE_BACKENDS_ORACLE_BACKEND_H_

#include "conformance/interface/deconv_backend.h"
#include "oracle/resolve.h"

namespace conformance {

/// Checks the sizes of the buffers and fills the output. Returns COMPUTED, or the answer of CheckBuffers() if a size is
/// wrong. Does not set the output dims of the request.
deconv_answer ComputeByOracle(deconv_run_request& request, const oracle::Geometry& geometry);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_ORACLE_BACKEND_H_
