// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How each law is checked, one function a law, a file for each family of them.

#ifndef DECONV_CONFORMANCE_PROPERTIES_CHECK_H_
#define DECONV_CONFORMANCE_PROPERTIES_CHECK_H_

#include "conformance/properties/bench.h"

namespace conformance::properties {

/// Puts the bench's case to the test by the law that it names.
LawOutcome Check(Bench& bench);

/// Empty if the case's law says something of it in this dialect; else why not. Runs no backend.
std::string WhyNotApplicable(const Case& test_case, oracle::Dialect dialect, const Capabilities& declared);

// Sums (laws_of_sums.cc).
void CheckAdjoint(Bench& bench);
void CheckLinearData(Bench& bench);
void CheckLinearFilter(Bench& bench);
void CheckPowerOfTwo(Bench& bench);
void CheckInputChannelSum(Bench& bench);
// Positions along an axis (laws_of_positions.cc).
void CheckShift(Bench& bench);
void CheckCrop(Bench& bench);
void CheckLongerOutput(Bench& bench);
void CheckReversal(Bench& bench);
void CheckStrideZeros(Bench& bench);
void CheckDilationZeros(Bench& bench);
// Axes and layouts (laws_of_axes.cc).
void CheckAxisOrder(Bench& bench);
void CheckRank(Bench& bench);
void CheckLayout(Bench& bench);
// Batch, channels and groups (laws_of_channels.cc).
void CheckBatchSplit(Bench& bench);
void CheckBatchOrder(Bench& bench);
void CheckChannelOrder(Bench& bench);
void CheckOutputChannelSplit(Bench& bench);
void CheckGroupSplit(Bench& bench);
void CheckGroupZeros(Bench& bench);
// Attributes (law_of_attributes.cc).
void CheckEqualAttributes(Bench& bench);

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_PROPERTIES_CHECK_H_
