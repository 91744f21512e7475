// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a covering array: a few rows that together hold every feasible combination of the classes of any two, or any
// three, parameters of an operator in a dialect.
//
// Example: stride, pads and groups with two classes each make 8 operators and 12 pairs of classes.
// A row holds three pairs, so four rows can hold all 12:
//   stride one    pads zero    groups one
//   stride one    pads begin   groups several
//   stride equal  pads zero    groups several
//   stride equal  pads begin   groups one
// Some pairs are impossible and need no row. With stride 1, no kernel lies above 1 and below the stride.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_ARRAY_H_

#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

/// Whole rows that no constraint forbids: `begin` first, as it is, then what is missing. `strength` is 2 or 3. The same
/// rows on every machine.
std::vector<ClassRow> CoveringArray(const Model& model, int strength, std::vector<ClassRow> begin = {});

/// The arrays that the suite's levels use, made once a process: all pairs, then all triples beginning with the pairs'
/// rows.
const std::vector<ClassRow>& PairsOf(oracle::OperatorKind kind, oracle::Dialect dialect);
const std::vector<ClassRow>& TriplesOf(oracle::OperatorKind kind, oracle::Dialect dialect);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_ARRAY_H_
