// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes which outputs of failing cases are wrong: "wrong outputs: those where sample >= 2".

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_WRONG_OUTPUTS_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_WRONG_OUTPUTS_H_

#include <span>
#include <string>
#include <vector>

#include "oracle/resolve.h"

namespace conformance {

/// The outputs of one failing case.
struct WrongOutputs {
  oracle::Geometry geometry;
  std::vector<bool> wrong;  ///< of each output, in the operator's layout
};

/// "wrong outputs: those where sample >= 2 (numbers start at 0)". Empty if nothing tells wrong outputs from right ones.
std::string WrongOutputsText(std::span<const WrongOutputs> cases);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_WRONG_OUTPUTS_H_
