// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table that assigns a check to each law, and a trial without a backend that finds out whether a law applies. A law
// says how the outputs of related operators must agree.

#include "conformance/verdict/properties/check.h"

#include <algorithm>
#include <array>

namespace conformance::properties {
namespace {

struct Entry {
  Law law;
  void (*check)(LawTrial&);
};

constexpr std::array kChecks = {
    Entry{Law::kAdjoint, CheckAdjoint},
    Entry{Law::kLinearData, CheckLinearData},
    Entry{Law::kLinearFilter, CheckLinearFilter},
    Entry{Law::kPowerOfTwo, CheckPowerOfTwo},
    Entry{Law::kInputChannelSum, CheckInputChannelSum},
    Entry{Law::kShift, CheckShift},
    Entry{Law::kCrop, CheckCrop},
    Entry{Law::kLongerOutput, CheckLongerOutput},
    Entry{Law::kReversal, CheckReversal},
    Entry{Law::kStrideZeros, CheckStrideZeros},
    Entry{Law::kDilationZeros, CheckDilationZeros},
    Entry{Law::kAxisOrder, CheckAxisOrder},
    Entry{Law::kRank, CheckRank},
    Entry{Law::kLayout, CheckLayout},
    Entry{Law::kBatchSplit, CheckBatchSplit},
    Entry{Law::kBatchOrder, CheckBatchOrder},
    Entry{Law::kChannelOrder, CheckChannelOrder},
    Entry{Law::kOutputChannelSplit, CheckOutputChannelSplit},
    Entry{Law::kGroupSplit, CheckGroupSplit},
    Entry{Law::kGroupZeros, CheckGroupZeros},
    Entry{Law::kEqualAttributes, CheckEqualAttributes},
};

static_assert([] {
  if (kChecks.size() != kLaws.size()) return false;
  for (std::size_t i = 0; i < kLaws.size(); ++i) {
    if (kChecks[i].law != kLaws[i].value) return false;
  }
  return true;
}());

}  // namespace

LawOutcome Check(LawTrial& trial) {
  const oracle::Geometry& geometry = trial.base().geometry;
  if (geometry.DataCount() == 0 || geometry.FilterCount() == 0 || geometry.OutputCount() == 0) {
    trial.DoesNotApply("a tensor is empty");
    return trial.outcome();
  }
  // The checks add and multiply sizes and pads. If the numbers are below 2^40, the results do not overflow.
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  for (const oracle::Axis& axis : geometry.axes) {
    if (axis.pads_begin > kFar || axis.pads_begin < -kFar || axis.stride > kFar || axis.dilation > kFar) {
      trial.DoesNotApply("an attribute is beyond 2^40");
      return trial.outcome();
    }
  }
  kChecks[static_cast<std::size_t>(*trial.test_case().law)].check(trial);
  return trial.outcome();
}

std::string ReasonNotApplicable(const Case& test_case, oracle::Dialect dialect, const Capabilities& declared) {
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  if (!resolution.ok()) return resolution.refusal->message;
  // All outputs are taken as zero, instead of running a backend. The outcome then says only whether the law applies.
  const RunOperator zeros = [](const oracle::Operator&,
                               const Problem& problem) -> std::variant<NdArray, AnswerFailure, NotSupported> {
    return Zeros(OutputDims(problem.geometry));
  };
  LawTrial trial(test_case, dialect, *resolution.geometry, declared, zeros);
  const LawOutcome outcome = Check(trial);
  return outcome.end == LawOutcome::End::kDoesNotApply ? outcome.message : std::string();
}

}  // namespace conformance::properties
