// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a covering array: a few rows that together contain every feasible combination of classes of any two, or of any
// three, parameters of an operator in a dialect.
//
// Example: stride, pads and groups with two classes each make 8 operators and 12 pairs of classes.
// A row holds three pairs, so four rows can hold all 12:
//   stride one    pads zero    groups one
//   stride one    pads begin   groups several
//   stride equal  pads zero    groups several
//   stride equal  pads begin   groups one
// Some pairs are impossible and need no row. Example: the kernel class "larger than 1 and smaller than the stride"
// cannot meet stride 1.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_ARRAY_H_

#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

/// Returns complete rows that no constraint (rule about impossible combinations) forbids. The result begins with the
/// rows of `begin`; further rows contain the missing combinations. `strength`, 2 or 3, is the number of combined
/// parameters. The rows are the same on every machine.
std::vector<ClassRow> CoveringArray(const Model& model, int strength, std::vector<ClassRow> begin = {});

/// The arrays that the suite's levels use, computed once in a process. TriplesOf begins with the rows of PairsOf.
const std::vector<ClassRow>& PairsOf(oracle::OperatorKind kind, oracle::Dialect dialect);
const std::vector<ClassRow>& TriplesOf(oracle::OperatorKind kind, oracle::Dialect dialect);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_ARRAY_H_
