// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For every order in which plans are created, packed, run and destroyed, several alive at once, each run must give the
// bits of its plan's first run, from the same packed filter, whatever the workspace held and whatever ran in between.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <deconv/deconv.h>

#include "fuzz/cases/kernel_operator.h"
#include "fuzz/cases/require.h"
#include "fuzz/cases/settings.h"
#include "fuzz/codec/codec.h"
#include "fuzz/codec/slots.h"

namespace {

using fuzz::Require;

constexpr std::size_t kPlans = 4;
// A case's bytes in the input; the steps stand behind all of them.
constexpr std::size_t kCaseBytes = conformance::codec::kRecipeBytes;
constexpr std::size_t kMostSteps = 64;

struct Live {
  conformance::Case test_case;
  deconv_plan* plan = nullptr;
  std::vector<std::uint8_t> data, packed, first_output;

  void Destroy() {
    deconv_plan_destroy(plan);
    plan = nullptr;
    packed.clear();
    first_output.clear();
  }
};

// Small values of any type: the bytes are those of small integers in two's complement and of tiny floats.
std::vector<std::uint8_t> Values(std::size_t bytes, std::uint8_t seed) {
  std::vector<std::uint8_t> values(bytes);
  for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::uint8_t>((i * 7 + seed) % 61);
  return values;
}

void Create(Live& live) {
  live.Destroy();
  const deconv_operator op = fuzz::KernelOperator(live.test_case);
  deconv_plan_create(&op, nullptr, &live.plan, nullptr);
}

void Pack(Live& live, std::uint8_t seed) {
  const std::vector<std::uint8_t> filter = Values(deconv_plan_filter_bytes(live.plan), seed);
  live.data = Values(deconv_plan_data_bytes(live.plan), static_cast<std::uint8_t>(seed + 1));
  live.packed.assign(deconv_plan_packed_filter_bytes(live.plan), seed);
  live.first_output.clear();
  const deconv_code code =
      deconv_pack_filter(live.plan, filter.data(), filter.size(), live.packed.data(), live.packed.size(), nullptr);
  Require(code == DECONV_OK, "packing with the right sizes was refused: " + ToLine(live.test_case));
}

void Run(Live& live, std::uint8_t poison) {
  if (fuzz::EnvironmentSettings().prints_cases) std::fprintf(stderr, "case: %s\n", ToLine(live.test_case).c_str());
  std::vector<std::uint8_t> output(deconv_plan_output_bytes(live.plan), poison);
  std::vector<std::uint8_t> workspace(deconv_plan_workspace_bytes(live.plan, 1), poison);
  deconv_run_args args = {};
  args.struct_bytes = sizeof args;
  args.data = live.data.data();
  args.data_bytes = live.data.size();
  args.packed_filter = live.packed.data();
  args.packed_filter_bytes = live.packed.size();
  args.output = output.data();
  args.output_bytes = output.size();
  args.workspace = workspace.data();
  args.workspace_bytes = workspace.size();
  deconv_status status = {};
  status.struct_bytes = sizeof status;
  const deconv_code code = deconv_run(live.plan, &args, &status);
  Require(code == DECONV_OK, std::string("a run with the right sizes was refused: ") + status.message);
  if (live.first_output.empty()) live.first_output = output;
  Require(output == live.first_output, "the same run gave other bits: " + ToLine(live.test_case));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::span<const std::uint8_t> input(bytes, size);
  std::array<Live, kPlans> all;
  for (Live& live : all) {
    const std::size_t length = std::min(input.size(), kCaseBytes);
    live.test_case = conformance::DecodeCase(input.first(length));
    input = input.subspan(length);
  }
  for (const std::uint8_t step : input.first(std::min(input.size(), kMostSteps))) {
    Live& live = all[step % kPlans];
    const std::uint8_t seed = step / 16;
    switch (step / kPlans % 4) {
      case 0:
        Create(live);
        break;
      case 1:
        if (live.plan != nullptr) Pack(live, seed);
        break;
      case 2:
        if (live.plan != nullptr && !live.packed.empty()) Run(live, seed % 2 == 0 ? 0x00 : 0xff);
        break;
      default:
        live.Destroy();
    }
  }
  for (Live& live : all) live.Destroy();
  return 0;
}
