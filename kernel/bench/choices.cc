// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes, reads and writes choices.txt: for each class of CPUs on each target (instruction set), the algorithm that
// the kernel chooses for each layer (operator of layers.txt). CPUs of a class share the costs by which the kernel
// chooses.
#include "kernel/bench/choices.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "kernel/base/cpu_class.h"
#include "kernel/bench/layers.h"

namespace deconv::bench {
namespace {

constexpr std::array<ChoiceColumn, 6> kColumns = {{{"f32/ncx", DECONV_F32, DECONV_NCX},
                                                   {"f32/nxc", DECONV_F32, DECONV_NXC},
                                                   {"bf16/ncx", DECONV_BF16, DECONV_NCX},
                                                   {"bf16/nxc", DECONV_BF16, DECONV_NXC},
                                                   {"i8/ncx", DECONV_I8, DECONV_NCX},
                                                   {"i8/nxc", DECONV_I8, DECONV_NXC}}};

// Returns whether choices.txt has a section of the class "default" for a target. Targets with equal register tiles and
// costs choose alike, so one of them is enough. The class has costs for vectors of 512 bits on x86 (AVX3_ZEN4), for
// AVX2 and NEON, for SSE2, and for all other targets (CostsOf). NEON_BF16 has dot products that NEON lacks. SVE_256 and
// EMU128 stand for the other targets: vectors longer than 128 bits, and vectors of 128 bits.
bool HasSectionOfDefault(std::string_view target) {
  constexpr std::array<std::string_view, 7> kTargets = {"AVX3_ZEN4", "AVX2",    "SSE2",  "NEON_BF16",
                                                        "NEON",      "SVE_256", "EMU128"};
  return std::find(kTargets.begin(), kTargets.end(), target) != kTargets.end();
}

// Returns whether the vectors of this machine are as long as those of the CPU classes. Only RVV can differ: its target
// has one name for all lengths, and its classes have vectors of 256 bits.
bool VectorsFitClasses([[maybe_unused]] std::string_view target) {
#if defined(__riscv_v)
  uintptr_t bytes = 0;
  asm("csrr %0, vlenb" : "=r"(bytes));  // the bytes of a vector register
  return target != "RVV" || bytes == 32;
#else
  return true;
#endif
}

// Returns the line of a layer: its name and the chosen algorithm of each column, or in parentheses why there is no
// plan.
std::string LineOf(const Layer& layer, PlanSettings settings) {
  std::string line = layer.name;
  for (const ChoiceColumn& column : kColumns) {
    settings.type = column.type;
    settings.layout = column.layout;
    std::string error;
    const std::optional<Plan> plan = MakePlan(layer, settings, error);
    line += " " + (plan ? std::string(plan->AlgorithmName()) : "(" + error + ")");
  }
  return line;
}

}  // namespace

std::span<const ChoiceColumn> ChoiceColumns() { return kColumns; }

std::string ChoiceHead() {
  std::string columns = "layer";
  for (const ChoiceColumn& column : kColumns) columns += std::string(" ") + column.name;
  return columns;
}

ChoiceSections ChoicesHere(const std::vector<Layer>& layers) {
  ChoiceSections sections;
  for (const CpuClass& cpu : CpuClasses()) {
    for (size_t t = 0; deconv_target(t) != nullptr; ++t) {
      PlanSettings settings;
      settings.cpu = cpu.name;
      settings.target = deconv_target(t);
      const std::string_view target = settings.target;
      const bool has_section = cpu.target == nullptr ? HasSectionOfDefault(target) : target == cpu.target;
      if (!has_section || !VectorsFitClasses(target)) continue;
      std::vector<std::string>& lines = sections[std::string(settings.cpu) + " " + settings.target];
      for (const Layer& layer : layers) lines.push_back(LineOf(layer, settings));
    }
  }
  return sections;
}

ChoiceSections ReadChoices(const std::string& path) {
  ChoiceSections sections;
  std::ifstream file(path);
  std::vector<std::string> keys;  // keys of the lines that follow
  bool has_lines = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[' && line.back() == ']') {
      // Several keys may stand above the same lines. A key that follows lines begins a new section.
      if (std::exchange(has_lines, false)) keys.clear();
      keys.push_back(line.substr(1, line.size() - 2));
      continue;
    }
    has_lines = true;
    for (const std::string& key : keys) sections[key].push_back(line);
  }
  return sections;
}

bool WriteChoices(const std::string& path, const ChoiceSections& sections) {
  std::ofstream file(path, std::ios::binary);
  file << "# SPDX-FileCopyrightText: the deconv-cts authors\n"
          "# SPDX-License-Identifier: Apache-2.0\n"
          "#\n"
          "# The algorithm that each layer of layers.txt gets, for each class of CPUs on each target: [class target].\n"
          "# Classes that choose alike share their lines.\n"
          "# kernel_choices_test compares. After an intended change, write the file anew:\n"
          "#   build/release/bin/kernel_choices_test --write kernel/bench/choices.txt\n"
          "# That replaces the sections of targets that the machine runs. Those of NEON, SVE and RVV come from the "
          "tests\n"
          "# that ci/matrix builds for 64-bit ARM and RISC-V. kernel/maintaining.md has it.\n"
          "# "
       << ChoiceHead() << "\n";
  // Sections with equal lines are written once, in the place of the first of them, below the keys of all.
  std::map<std::vector<std::string>, std::vector<std::string>> keys_of;
  for (const auto& [key, lines] : sections) keys_of[lines].push_back(key);
  for (const auto& [first, lines] : sections) {
    const std::vector<std::string>& keys = keys_of[lines];
    if (keys.front() != first) continue;
    file << "\n";
    for (const std::string& key : keys) file << "[" << key << "]\n";
    for (const std::string& line : lines) file << line << "\n";
  }
  file.close();
  return static_cast<bool>(file);
}

}  // namespace deconv::bench
