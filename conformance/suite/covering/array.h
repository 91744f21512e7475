// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a covering array: a few rows that together contain every feasible combination of classes of any two, or of any
// three, parameters of an operator in a dialect (reading of its attributes). A parameter is an attribute or another
// property, and a class is a set of its values that should behave alike, such as stride 1. Suite `attributes` makes an
// operator from each row.
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

#include <array>
#include <string>
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

// Rows around a core of four parameters, which together decide pads and sizes (core_array.cc). The rows contain every
// feasible combination of the core's classes, and each of these combinations with each class of every other parameter.

inline constexpr std::array kCoreParameters = {Property::kAutoPad, Property::kOutputShape, Property::kOutputPadding,
                                               Property::kGroups};

/// Complete rows that no constraint forbids. They are the same on every machine.
std::vector<ClassRow> CoreRows(const Model& model);

// Rows whose axes are in different classes (axes_array.cc), such as pads at the beginning of one axis and at the end of
// another. An implementation that reads an attribute of the wrong axis is wrong only on such operators.

/// The classes of an operator and of each of its axes.
struct AxesRow {
  ClassRow shared;             ///< every parameter but those of kAxisParameters
  std::vector<ClassRow> axes;  ///< kAxisParameters, in the classes of an operator that has this axis alone
};

/// "auto_pad=valid rank=4 ... output_shape=total-odd,total-zero pads=begin,end ...".
std::string ToText(const AxesRow& row);

/// Rows with two axes, then rows with three; computed once in a process. Together they contain:
///  - for each parameter of kAxisParameters every pair of classes of two axes, in four contexts: with and without an
///    output shape, each with an auto_pad that uses pads and with one that ignores them;
///  - every pair of classes of kOutputShape for each auto_pad; with two axes also for one group and for several.
const std::vector<AxesRow>& AxesRowsOf(oracle::OperatorKind kind, oracle::Dialect dialect);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_ARRAY_H_
