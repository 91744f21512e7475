// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The sweeps of suite `dense`: one for each operator, type, and kernel and stride of the common geometries with at most
// 64 taps. So a report says by a sweep's name where a backend is wrong.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_DENSE_SWEEPS_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_DENSE_SWEEPS_H_

#include <string>
#include <vector>

#include "conformance/case/sweep.h"

namespace conformance {

struct DenseSweep {
  std::string name;  ///< "2d-k3s2.cbd.f32"
  Sweep sweep;
};

std::vector<DenseSweep> DenseSweeps();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_DENSE_SWEEPS_H_
