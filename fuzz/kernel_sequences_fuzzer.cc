// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever order plans are created, packed, run and destroyed in, several alive at once: each run gives the bits that
// its plan gave first, from the same packed filter, whatever its workspace held and whoever else ran in between.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <deconv/deconv.h>

#include "conformance/byte_codec.h"
#include "fuzz/kernel_operator.h"
#include "fuzz/target.h"

namespace {

using fuzz::Require;

constexpr std::size_t kPlans = 4;
// A case's bytes in the input; the steps stand behind all of them.
constexpr std::size_t kCaseBytes = 84;
constexpr std::size_t kMostSteps = 64;

struct Slot {
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

void Create(Slot& slot) {
  slot.Destroy();
  const deconv_operator op = fuzz::KernelOperator(slot.test_case);
  deconv_plan_create(&op, nullptr, &slot.plan, nullptr);
}

void Pack(Slot& slot, std::uint8_t seed) {
  const std::vector<std::uint8_t> filter = Values(deconv_plan_filter_bytes(slot.plan), seed);
  slot.data = Values(deconv_plan_data_bytes(slot.plan), static_cast<std::uint8_t>(seed + 1));
  slot.packed.assign(deconv_plan_packed_filter_bytes(slot.plan), seed);
  slot.first_output.clear();
  const deconv_code code =
      deconv_pack_filter(slot.plan, filter.data(), filter.size(), slot.packed.data(), slot.packed.size(), nullptr);
  Require(code == DECONV_OK, "packing with the right sizes was refused: " + ToLine(slot.test_case));
}

void Run(Slot& slot, std::uint8_t poison) {
  std::vector<std::uint8_t> output(deconv_plan_output_bytes(slot.plan), poison);
  std::vector<std::uint8_t> workspace(deconv_plan_workspace_bytes(slot.plan, 1), poison);
  deconv_run_args args = {};
  args.struct_bytes = sizeof args;
  args.data = slot.data.data();
  args.data_bytes = slot.data.size();
  args.packed_filter = slot.packed.data();
  args.packed_filter_bytes = slot.packed.size();
  args.output = output.data();
  args.output_bytes = output.size();
  args.workspace = workspace.data();
  args.workspace_bytes = workspace.size();
  deconv_status status = {};
  status.struct_bytes = sizeof status;
  const deconv_code code = deconv_run(slot.plan, &args, &status);
  Require(code == DECONV_OK, std::string("a run with the right sizes was refused: ") + status.message);
  if (slot.first_output.empty()) slot.first_output = output;
  Require(output == slot.first_output, "the same run gave other bits: " + ToLine(slot.test_case));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::span<const std::uint8_t> input(bytes, size);
  std::array<Slot, kPlans> slots;
  for (Slot& slot : slots) {
    const std::size_t length = std::min(input.size(), kCaseBytes);
    slot.test_case = conformance::DecodeCase(input.first(length));
    input = input.subspan(length);
  }
  for (const std::uint8_t step : input.first(std::min(input.size(), kMostSteps))) {
    Slot& slot = slots[step % kPlans];
    const std::uint8_t seed = step / 16;
    switch (step / kPlans % 4) {
      case 0:
        Create(slot);
        break;
      case 1:
        if (slot.plan != nullptr) Pack(slot, seed);
        break;
      case 2:
        if (slot.plan != nullptr && !slot.packed.empty()) Run(slot, seed % 2 == 0 ? 0x00 : 0xff);
        break;
      default:
        slot.Destroy();
    }
  }
  for (Slot& slot : slots) slot.Destroy();
  return 0;
}
