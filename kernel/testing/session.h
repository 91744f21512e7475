// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the interface: a plan with all the buffers that it wants, ready to run.
#ifndef DECONV_KERNEL_TESTING_SESSION_H_
#define DECONV_KERNEL_TESTING_SESSION_H_

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "deconv/cxx.h"
#include "kernel/testing/problem.h"

namespace deconv::testing {

// The targets that this machine runs, best first.
inline std::vector<std::string> Targets() {
  std::vector<std::string> names;
  for (size_t i = 0; deconv_target(i) != nullptr; ++i) names.emplace_back(deconv_target(i));
  return names;
}

// A plan with random small integers, its filter packed.
struct Session {
  explicit Session(const Problem& problem, const char* algorithm = nullptr, const char* target = nullptr) {
    ProblemOperator description(problem);
    description.ForceAlgorithm(algorithm);
    description.ForceTarget(target);
    plan = Plan::Create(description.Op(), &description.Options(), &status);
    if (!plan) return;
    data.resize(plan->DataBytes());
    filter.resize(plan->FilterBytes());
    packed.resize(plan->PackedFilterBytes());
    output.resize(plan->OutputBytes());
    workspace.resize(plan->WorkspaceBytes());
    std::mt19937 random(3);
    const Values values = RandomValues(random, problem, 3);
    EncodeData(problem, values.data, data);
    EncodeFilter(problem, values.filter, filter);
    plan->PackFilter(filter, packed);
  }
  deconv_code Run() { return plan->Run({data, packed, output, workspace}, &status); }

  deconv_status status = Tagged<deconv_status>();
  std::optional<Plan> plan;
  std::vector<std::byte> data, filter, packed, output, workspace;
};

// Of full and partial tiles and several tasks.
inline Problem Plane() {
  Problem problem;
  problem.in_channels = 20;
  problem.out_channels = 37;
  problem.batch = 3;
  problem.data = {19, 40};
  problem.kernel = {3, 3};
  problem.strides = {2, 2};
  problem.dilations = {1, 1};
  problem.pads_begin = problem.pads_end = {1, 1};
  problem.output_padding = {0, 1};
  return problem;
}

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_SESSION_H_
