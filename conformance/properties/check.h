// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How each law is checked, one function a law, a file for each family of them.

#ifndef DECONV_CONFORMANCE_PROPERTIES_CHECK_H_
#define DECONV_CONFORMANCE_PROPERTIES_CHECK_H_

#include "conformance/properties/law_trial.h"

namespace conformance::properties {

/// Puts the bench's case to the test by the law that it names.
LawOutcome Check(LawTrial& bench);

/// Empty if the case's law says something of it in this dialect; else why not. Runs no backend.
std::string WhyNotApplicable(const Case& test_case, oracle::Dialect dialect, const Capabilities& declared);

// Sums (laws_of_sums.cc).
void CheckAdjoint(LawTrial& bench);
void CheckLinearData(LawTrial& bench);
void CheckLinearFilter(LawTrial& bench);
void CheckPowerOfTwo(LawTrial& bench);
void CheckInputChannelSum(LawTrial& bench);
// Positions along an axis (laws_of_positions.cc).
void CheckShift(LawTrial& bench);
void CheckCrop(LawTrial& bench);
void CheckLongerOutput(LawTrial& bench);
void CheckReversal(LawTrial& bench);
void CheckStrideZeros(LawTrial& bench);
void CheckDilationZeros(LawTrial& bench);
// Axes and layouts (laws_of_axes.cc).
void CheckAxisOrder(LawTrial& bench);
void CheckRank(LawTrial& bench);
void CheckLayout(LawTrial& bench);
// Batch, channels and groups (laws_of_channels.cc).
void CheckBatchSplit(LawTrial& bench);
void CheckBatchOrder(LawTrial& bench);
void CheckChannelOrder(LawTrial& bench);
void CheckOutputChannelSplit(LawTrial& bench);
void CheckGroupSplit(LawTrial& bench);
void CheckGroupZeros(LawTrial& bench);
// Attributes (law_of_attributes.cc).
void CheckEqualAttributes(LawTrial& bench);

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_PROPERTIES_CHECK_H_
