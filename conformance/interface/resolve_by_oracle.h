// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves the operator of a request with the oracle, for built-in backends without their own resolver.

#ifndef DECONV_CONFORMANCE_INTERFACE_RESOLVE_BY_ORACLE_H_
#define DECONV_CONFORMANCE_INTERFACE_RESOLVE_BY_ORACLE_H_

#include <variant>

#include "conformance/interface/deconv_backend.h"
#include "oracle/resolve.h"

namespace conformance {

/// `Request` is deconv_run_request or deconv_resolve_request. Returns the geometry. If there is none, writes the reason
/// to the request and returns the answer: error, unsupported or refused.
template <class Request>
std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(Request& request);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_RESOLVE_BY_ORACLE_H_
