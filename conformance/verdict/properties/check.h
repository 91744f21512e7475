// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the check of each law. A law says how the outputs of related operators must agree, for example: the output
// of a batch is the outputs of its samples (conformance/verdict/properties/laws.md). Each family of laws has a file.

#ifndef DECONV_CONFORMANCE_VERDICT_PROPERTIES_CHECK_H_
#define DECONV_CONFORMANCE_VERDICT_PROPERTIES_CHECK_H_

#include "conformance/verdict/properties/law_trial.h"

namespace conformance::properties {

/// Checks the law that the trial's case names, and returns the trial's outcome.
LawOutcome Check(LawTrial& trial);

/// Says why the law does not apply to its case in this dialect, or for a backend with these capabilities. Empty if the
/// law applies. Runs no backend.
std::string ReasonNotApplicable(const Case& test_case, oracle::Dialect dialect, const Capabilities& declared);

// Sums (laws_of_sums.cc).
void CheckAdjoint(LawTrial& trial);
void CheckLinearData(LawTrial& trial);
void CheckLinearFilter(LawTrial& trial);
void CheckPowerOfTwo(LawTrial& trial);
void CheckInputChannelSum(LawTrial& trial);
// Positions along an axis (laws_of_positions.cc).
void CheckShift(LawTrial& trial);
void CheckCrop(LawTrial& trial);
void CheckLongerOutput(LawTrial& trial);
void CheckReversal(LawTrial& trial);
void CheckStrideZeros(LawTrial& trial);
void CheckDilationZeros(LawTrial& trial);
// Axes, layouts and attributes (laws_of_axes.cc).
void CheckAxisOrder(LawTrial& trial);
void CheckRank(LawTrial& trial);
void CheckLayout(LawTrial& trial);
void CheckEqualAttributes(LawTrial& trial);
// Batch, channels and groups (laws_of_channels.cc).
void CheckBatchSplit(LawTrial& trial);
void CheckBatchOrder(LawTrial& trial);
void CheckChannelOrder(LawTrial& trial);
void CheckOutputChannelSplit(LawTrial& trial);
void CheckGroupSplit(LawTrial& trial);
void CheckGroupZeros(LawTrial& trial);

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_CHECK_H_
