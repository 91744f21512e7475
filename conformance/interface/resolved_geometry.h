// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the oracle's geometry (the sizes, strides and pads that the oracle computed from the attributes) to the C
// struct for backends that take resolved geometry.

#ifndef DECONV_CONFORMANCE_INTERFACE_RESOLVED_GEOMETRY_H_
#define DECONV_CONFORMANCE_INTERFACE_RESOLVED_GEOMETRY_H_

#include "conformance/interface/deconv_backend.h"
#include "oracle/resolve.h"

namespace conformance {

deconv_resolved_geometry ResolvedGeometry(const oracle::Geometry& geometry);

/// The dims of the output, in the layout of the data.
oracle::Dims OutputDimsOf(const deconv_resolved_geometry& resolved);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_RESOLVED_GEOMETRY_H_
