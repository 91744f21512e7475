// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the sweeps of suite `dense`. A sweep is one case that stands for many small operators. There is one sweep for
// each kind of operator, element type, and pair of kernel and stride in the common geometries with at most 64 taps. So
// the name of a failing sweep tells where a backend is wrong.

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
