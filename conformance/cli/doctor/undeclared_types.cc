// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a plain case of each undeclared type on the backend, without the judge, which would not run such cases.

#include "conformance/cli/doctor/undeclared_types.h"

#include <algorithm>

#include "conformance/backends/worker/worker.h"
#include "conformance/cli/doctor/declared_scope.h"
#include "conformance/cli/doctor/doctor_cases.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/judge/second_run.h"
#include "conformance/verdict/judge/trial_setup.h"

namespace conformance {

using oracle::ElementType;

std::vector<ElementType> ComputedButUndeclared(const std::string& backend, const Capabilities& declared,
                                               std::chrono::nanoseconds limit) {
  std::vector<ElementType> computed;
  const DeclaredScope scope(declared);
  if (scope.Kinds().empty() || scope.Ranks().empty()) return computed;
  const oracle::OperatorKind kind = scope.Kinds().front();
  TrialSetup setup;
  Worker worker(backend, setup.arena());
  worker.LimitStart(std::max(Worker::kStartLimit, limit));
  for (const ElementType type : oracle::kNumericTypes) {
    if ((declared.element_types >> ElementTypeId(type) & 1) != 0) continue;
    const SuiteCase suite_case = PlainCase(kind, scope.UsualRank(), type);
    const auto geometry = scope.GeometryOf(suite_case);
    if (!geometry || !setup.SetUp(suite_case.test_case, *geometry).empty()) continue;
    const auto output = setup.arena().buffer(kOutputBuffer);
    std::ranges::fill(output, kFirstPoison);
    const auto dialect = declared.JudgingDialect(suite_case.test_case.op, suite_case.test_case.EffectiveDialect());
    worker.RequireNewProcess();
    const WorkerOutcome outcome = worker.Run(ToLine(suite_case.test_case), *dialect, limit);
    const bool answered = outcome.end == WorkerOutcome::End::kAnswered &&
                          outcome.answer.answer == DECONV_ANSWER_COMPUTED &&
                          outcome.answer.output_dims == geometry->OutputDims();
    if (answered && CompareBriefly(setup.expected(), output, declared).ok()) computed.push_back(type);
  }
  return computed;
}

}  // namespace conformance
