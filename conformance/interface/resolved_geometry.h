// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle's geometry (the sizes, strides and pads that the oracle computed from the attributes) for the C interface:
// the C struct for backends that take resolved geometry, and the geometry of a request for built-in backends without
// their own resolver.

#ifndef DECONV_CONFORMANCE_INTERFACE_RESOLVED_GEOMETRY_H_
#define DECONV_CONFORMANCE_INTERFACE_RESOLVED_GEOMETRY_H_

#include <variant>

#include "conformance/interface/deconv_backend.h"
#include "oracle/resolve.h"

namespace conformance {

/// The geometry as the C struct that a backend gets.
deconv_resolved_geometry ResolvedGeometry(const oracle::Geometry& geometry);

/// The dims of the output, in the layout of the data.
oracle::Dims OutputDimsOf(const deconv_resolved_geometry& resolved);

/// Resolves the operator of a request with the oracle. `Request` is deconv_run_request or deconv_resolve_request.
/// Returns the geometry. If there is none, writes the reason to the request and returns the answer: error, unsupported
/// or refused.
template <class Request>
std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(Request& request);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_RESOLVED_GEOMETRY_H_
