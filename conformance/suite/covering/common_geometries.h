// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The geometries of transposed convolutions in well-known networks, and geometries that differ little from them.
// Kernel, stride, dilation and pads are equal along all spatial axes. Libraries have special code for such geometries,
// so suite `common` tests them with every type, batch, grouping, layout and channel count.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_COMMON_GEOMETRIES_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_COMMON_GEOMETRIES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/sweep.h"

namespace conformance {

/// One row of the table.
struct CommonGeometry {
  std::size_t axes;  ///< spatial axes: 1 to 3
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t dilation;
  std::int64_t pads;            ///< pads at the beginning and at the end of each axis; a case may leave them out
  std::int64_t output_padding;  ///< output_padding of the cases with pads
  std::string_view networks;    ///< networks that use the geometry
};

std::span<const CommonGeometry> CommonGeometries();

/// A sweep of suite `dense`: one case that stands for many small operators. There is one for each kind of operator,
/// element type, and pair of kernel and stride in the common geometries with at most 64 taps. So the
/// name of a failing sweep tells where a backend is wrong.
struct DenseSweep {
  std::string name;  ///< "2d-k3s2.cbd.f32"
  Sweep sweep;
};

std::vector<DenseSweep> DenseSweeps();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_COMMON_GEOMETRIES_H_
