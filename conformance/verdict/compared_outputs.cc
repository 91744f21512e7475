// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins needed tolerances, and writes dimensions as text.

#include "conformance/verdict/compared_outputs.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace conformance {

void NeededTolerance::Include(const NeededTolerance& other) {
  rtol = std::max(rtol, other.rtol);
  atol = std::max(atol, other.atol);
  atol_beside = std::max(atol_beside, other.atol_beside);
  ulps = std::max(ulps, other.ulps);
  outputs += other.outputs;
  cancelling += other.cancelling;
}

std::string DimsText(const oracle::Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

}  // namespace conformance
