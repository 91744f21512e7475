// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks of the laws: one function for each law, one file for each family of laws.

#ifndef DECONV_CONFORMANCE_VERDICT_PROPERTIES_CHECK_H_
#define DECONV_CONFORMANCE_VERDICT_PROPERTIES_CHECK_H_

#include "conformance/verdict/properties/law_trial.h"

namespace conformance::properties {

/// Puts the trial's case to the test by the law that it names.
LawOutcome Check(LawTrial& trial);

/// Empty if the case's law says something of it in this dialect; else why not. Runs no backend.
std::string WhyNotApplicable(const Case& test_case, oracle::Dialect dialect, const Capabilities& declared);

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
// Axes and layouts (laws_of_axes.cc).
void CheckAxisOrder(LawTrial& trial);
void CheckRank(LawTrial& trial);
void CheckLayout(LawTrial& trial);
// Batch, channels and groups (laws_of_channels.cc).
void CheckBatchSplit(LawTrial& trial);
void CheckBatchOrder(LawTrial& trial);
void CheckChannelOrder(LawTrial& trial);
void CheckOutputChannelSplit(LawTrial& trial);
void CheckGroupSplit(LawTrial& trial);
void CheckGroupZeros(LawTrial& trial);
// Attributes (law_of_attributes.cc).
void CheckEqualAttributes(LawTrial& trial);

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_CHECK_H_
