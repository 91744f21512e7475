// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs an operator once with buffers between guard pages, and compares its outputs with expected sums.
#include "kernel/testing/run_once.h"

#include <cmath>
#include <cstddef>
#include <optional>

#include "deconv/cxx.h"

namespace deconv::testing {

namespace {

// Returns whether an output is right. Expected sums are integers, so only the conversion to the output's type rounds.
// An expected infinity must be met exactly, and an expected 0 may not be -0.
bool IsRight(deconv_type type, double expected, double output) {
  if (!std::isfinite(expected)) return output == expected;
  return std::fabs(output - expected) <= Roundoff(type) * std::fabs(expected) &&
         !(expected == 0 && std::signbit(output));
}

}  // namespace

std::string Compare(const TestOperator& op, const std::vector<double>& sums, const std::vector<double>& outputs) {
  for (size_t i = 0; i < sums.size(); ++i) {
    const double expected = Wrapped(op.type, sums[i]);
    if (!IsRight(op.type, expected, outputs[i])) {
      return "output " + std::to_string(i) + " is " + std::to_string(outputs[i]) + ", expected " +
             std::to_string(expected);
    }
  }
  return "";
}

std::string RunOnce(const TestOperator& op, const Values& values, const std::vector<double>& sums,
                    const char* algorithm, Flush flush, bool keep_subnormals) {
  PlanRequest request(op);
  request.ForceAlgorithm(algorithm);
  request.KeepSubnormals(keep_subnormals);
  auto status = Tagged<deconv_status>();
  const std::optional<Plan> plan = Plan::Create(request.Op(), &request.Options(), &status);
  if (!plan) return status.message;
  Guarded data(plan->DataBytes(), flush);
  Guarded filter(plan->FilterBytes(), flush);
  Guarded packed(plan->PackedFilterBytes(), flush);
  Guarded output(plan->OutputBytes(), flush);
  Guarded workspace(plan->WorkspaceBytes(), flush, 0xFF);  // NaN, which must reach no output
  EncodeData(op, values.data, data.bytes());
  EncodeFilter(op, values.filter, filter.bytes());
  data.MakeReadOnly();
  filter.MakeReadOnly();
  if (plan->PackFilter(filter.bytes(), packed.bytes(), &status) != DECONV_OK) return status.message;
  packed.MakeReadOnly();
  if (plan->Run({data.bytes(), packed.bytes(), output.bytes(), workspace.bytes()}, &status) != DECONV_OK) {
    return status.message;
  }
  return Compare(op, sums, DecodeOutput(op, output.bytes()));
}

}  // namespace deconv::testing
