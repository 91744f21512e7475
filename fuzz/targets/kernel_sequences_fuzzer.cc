// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of sequences of calls of the kernel: creates, packs, runs and destroys up to four plans in any order. A
// plan is an operator that the kernel has prepared, and a packed filter is the filter in the plan's own order. A plan
// must give the same bits in every run with the same packed filter. Neither the old contents of workspace and output
// nor other plans may change them.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <deconv/deconv.h>

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/kernel_operator.h"
#include "fuzz/cases/require.h"
#include "fuzz/cases/settings.h"

namespace {

using fuzz::Require;

// The first line of the input has the steps, for example "create:0 pack:0:7 run:0:1 destroy:0". A step is an action,
// the plan from 0 to 3, and a number up to 15. For `pack`, the number is the seed of the values. For `run`, an even
// number fills output and workspace with 0x00 before the run, and an odd one with 0xff. The four lines after it are the
// cases, the operators of the four plans as text.
constexpr std::size_t kPlans = 4;
constexpr std::size_t kMostSteps = 64;
constexpr std::array<std::string_view, 4> kActions = {"create", "pack", "run", "destroy"};
constexpr std::size_t kNumbers = 16;

// One of the four plans, with its case and its buffers. `plan` is null before "create" and after "destroy".
struct TestedPlan {
  conformance::Case test_case;
  deconv_plan* plan = nullptr;
  std::vector<std::uint8_t> data;
  std::vector<std::uint8_t> packed;        // the packed filter; empty before "pack"
  std::vector<std::uint8_t> first_output;  // output of the first run with this packed filter; empty before it

  void Destroy() {
    deconv_plan_destroy(plan);
    plan = nullptr;
    packed.clear();
    first_output.clear();
  }
};

// Makes the bytes of a tensor from a seed. All bytes are below 61, which gives finite numbers in every floating type.
// The step of 7 reaches all 61 values, because 61 is a prime.
std::vector<std::uint8_t> TensorBytes(std::size_t bytes, std::uint8_t seed) {
  std::vector<std::uint8_t> values(bytes);
  for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::uint8_t>((i * 7 + seed) % 61);
  return values;
}

// Makes the plan, in place of an earlier one. The kernel may refuse the case; there is then no plan.
void CreatePlan(TestedPlan& tested) {
  tested.Destroy();
  const deconv_operator op = fuzz::KernelOperator(tested.test_case);
  deconv_plan_create(&op, nullptr, &tested.plan, nullptr);
}

// Packs a filter, and makes new data for the runs.
void PackFilter(TestedPlan& tested, std::uint8_t seed) {
  const std::vector<std::uint8_t> filter = TensorBytes(deconv_plan_filter_bytes(tested.plan), seed);
  tested.data = TensorBytes(deconv_plan_data_bytes(tested.plan), static_cast<std::uint8_t>(seed + 1));
  tested.packed.assign(deconv_plan_packed_filter_bytes(tested.plan), seed);
  tested.first_output.clear();
  const deconv_code code = deconv_pack_filter(tested.plan, filter.data(), filter.size(), tested.packed.data(),
                                              tested.packed.size(), nullptr);
  Require(code == DECONV_OK, "packing with the right sizes was refused: " + ToLine(tested.test_case));
}

// Runs the plan, and requires the output of the first run with this packed filter. The byte `poison` fills the output
// and the workspace before the run, so that a use of their old contents shows.
void RunPlan(TestedPlan& tested, std::uint8_t poison) {
  if (fuzz::EnvironmentSettings().prints_cases) std::fprintf(stderr, "case: %s\n", ToLine(tested.test_case).c_str());
  std::vector<std::uint8_t> output(deconv_plan_output_bytes(tested.plan), poison);
  std::vector<std::uint8_t> workspace(deconv_plan_workspace_bytes(tested.plan, 1), poison);
  deconv_run_args args = {};
  args.struct_bytes = sizeof args;
  args.data = tested.data.data();
  args.data_bytes = tested.data.size();
  args.packed_filter = tested.packed.data();
  args.packed_filter_bytes = tested.packed.size();
  args.output = output.data();
  args.output_bytes = output.size();
  args.workspace = workspace.data();
  args.workspace_bytes = workspace.size();
  deconv_status status = {};
  status.struct_bytes = sizeof status;
  const deconv_code code = deconv_run(tested.plan, &args, &status);
  Require(code == DECONV_OK, std::string("a run with the right sizes was refused: ") + status.message);
  if (tested.first_output.empty()) tested.first_output = output;
  Require(output == tested.first_output, "the same run gave other bits: " + ToLine(tested.test_case));
}

// The number in part `at` of a step, modulo `count`; 0 if there is none.
std::size_t NumberOf(const std::vector<std::string_view>& parts, std::size_t at, std::size_t count) {
  std::size_t number = 0;
  if (at < parts.size()) std::from_chars(parts[at].data(), parts[at].data() + parts[at].size(), number);
  return number % count;
}

// Runs one step. A word that is no step does nothing.
void RunStep(std::string_view step, std::array<TestedPlan, kPlans>& plans) {
  const auto parts = fuzz::Split(step, ':');
  TestedPlan& tested = plans[NumberOf(parts, 1, kPlans)];
  const auto number = static_cast<std::uint8_t>(NumberOf(parts, 2, kNumbers));
  if (parts[0] == "create") {
    CreatePlan(tested);
  } else if (parts[0] == "pack") {
    if (tested.plan != nullptr) PackFilter(tested, number);
  } else if (parts[0] == "run") {
    if (tested.plan != nullptr && !tested.packed.empty()) RunPlan(tested, number % 2 == 0 ? 0x00 : 0xff);
  } else if (parts[0] == "destroy") {
    tested.Destroy();
  }
}

// Draws a step for the mutator, which makes new inputs.
std::string DrawStep(conformance::Random& random) {
  const std::string_view action = random.Choose(kActions);
  std::string step = std::string(action) + ":" + std::to_string(random.Below(kPlans));
  if (action == "pack" || action == "run") step += ":" + std::to_string(random.Below(kNumbers));
  return step;
}

}  // namespace

const fuzz::InputForm fuzz::kInputForm = {.draw_word = DrawStep, .cases = kPlans};

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto lines = fuzz::Split(fuzz::TextOf({bytes, size}), '\n');
  std::array<TestedPlan, kPlans> plans;
  for (std::size_t i = 0; i < kPlans; ++i) {
    auto test_case = fuzz::CaseOfText(i + 1 < lines.size() ? lines[i + 1] : std::string_view());
    if (!test_case || fuzz::IsTooLarge(*test_case)) return fuzz::kNoCase;
    plans[i].test_case = *std::move(test_case);
  }
  const auto steps = fuzz::Split(lines[0], ' ');
  for (std::size_t i = 0; i < std::min(steps.size(), kMostSteps); ++i) RunStep(steps[i], plans);
  for (TestedPlan& tested : plans) tested.Destroy();
  return 0;
}
