// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses (numbered rules) that a case decides: the clauses on which its verdict depends. TestedClauses gives
// the clauses. Their topics (parts of the operator, such as pads_end) come from the operator, or from the messages of
// its refusal and of its open points.

#include "conformance/suite/traceability/decided_clauses.h"

#include <algorithm>

#include "conformance/case/sweep_cases.h"
#include "conformance/suite/measured_coverage/tested_clauses.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

DecidedClauses OfOperator(const Case& test_case) {
  const oracle::Resolution resolution =
      oracle::Resolve(test_case.op, test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut);
  const Topics topics =
      resolution.ok() ? TopicsOf(test_case.op, *resolution.geometry) : TopicsOf(resolution.refusal->message);
  DecidedClauses decided;
  for (const std::string_view clause : TestedClauses(test_case, resolution)) decided[clause] = topics;
  for (const oracle::OpenPoint& point : resolution.open) decided[point.clause] |= TopicsOf(point.message);
  return decided;
}

DecidedClauses OfSweep(const Sweep& sweep) {
  const SweepCases cases(sweep);
  const std::uint64_t count = cases.end() - cases.begin();
  const std::uint64_t examined = std::min(count, kOperatorsOfSweep);
  DecidedClauses decided;
  Case test_case;
  for (std::uint64_t i = 0; i < examined; ++i) {
    cases.Get(cases.begin() + i * (count / examined), test_case);
    for (const auto& [clause, topics] : OfOperator(test_case)) decided[clause] |= topics;
  }
  // The ids of clauses on values begin with V.
  if (sweep.resolves()) std::erase_if(decided, [](const auto& one) { return one.first[0] == 'V'; });
  return decided;
}

}  // namespace

DecidedClauses ClausesDecidedBy(const Case& test_case) {
  return test_case.sweep ? OfSweep(*test_case.sweep) : OfOperator(test_case);
}

}  // namespace conformance
