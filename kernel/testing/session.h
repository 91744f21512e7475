// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan (a prepared operator) with all buffers that it needs, ready to run, for tests of the C interface.
#ifndef DECONV_KERNEL_TESTING_SESSION_H_
#define DECONV_KERNEL_TESTING_SESSION_H_

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "deconv/cxx.h"
#include "kernel/testing/test_operator.h"
#include "kernel/testing/test_values.h"

namespace deconv::testing {

// A plan with random small integers as data and filter, and with the packed filter. A null algorithm, target
// (instruction set) or CPU stands for the kernel's choice. `cpu` names the class of CPUs whose costs choose the
// algorithm. `keep_subnormals`: sums of bf16 keep subnormals (numbers near 0), which dot products set to 0 on some
// targets. If the kernel refuses the plan, `plan` is empty and `status` has the message.
struct Session {
  explicit Session(const TestOperator& op, const char* algorithm = nullptr, const char* target = nullptr,
                   const char* cpu = nullptr, bool keep_subnormals = false) {
    PlanRequest request(op);
    request.ForceAlgorithm(algorithm);
    if (target != nullptr) request.ForceTarget(target);
    request.ForceCpu(cpu);
    request.KeepSubnormals(keep_subnormals);
    plan = Plan::Create(request.Op(), &request.Options(), &status);
    if (!plan) return;
    data.resize(plan->DataBytes());
    filter.resize(plan->FilterBytes());
    packed.resize(plan->PackedFilterBytes());
    output.resize(plan->OutputBytes());
    workspace.resize(plan->WorkspaceBytes());
    std::mt19937 random(3);                             // any fixed seed
    const Values values = RandomValues(random, op, 3);  // so small that all sums are exact
    EncodeData(op, values.data, data);
    EncodeFilter(op, values.filter, filter);
    plan->PackFilter(filter, packed);
  }
  // Runs the plan on the calling thread.
  deconv_code Run() { return plan->Run({data, packed, output, workspace}, &status); }

  deconv_status status = Tagged<deconv_status>();
  std::optional<Plan> plan;
  std::vector<std::byte> data, filter, packed, output, workspace;
};

// Returns the usual operator of the tests, which has two axes. Its 37 output channels need full and partial register
// tiles (the sums that are kept in registers). A run has several tasks (parts that threads can compute).
inline TestOperator TwoAxisOperator() {
  TestOperator op = PlainOperator(DECONV_F32, {19, 40}, {3, 3}, {2, 2});
  op.in_channels = 20;
  op.out_channels = 37;
  op.batch = 3;
  op.pads_begin = op.pads_end = {1, 1};
  op.output_padding = {0, 1};
  return op;
}

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_SESSION_H_
