// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves the operator of a request with the oracle, for backends that have no resolver of their own.

#ifndef DECONV_CONFORMANCE_INTERFACE_RESOLVE_BY_ORACLE_H_
#define DECONV_CONFORMANCE_INTERFACE_RESOLVE_BY_ORACLE_H_

#include <variant>

#include "conformance/interface/deconv_backend.h"
#include "oracle/resolve.h"

namespace conformance {

/// Request: deconv_run_request or deconv_resolve_request. The geometry; or the answer, whose message is written.
template <class Request>
std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(Request& request);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_RESOLVE_BY_ORACLE_H_
