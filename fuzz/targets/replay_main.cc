// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The main program of a fuzz target that is built without an engine such as libFuzzer. Tests run the target's seeds,
// the inputs with which fuzzing starts, through it. It gives each file, and each file below each directory, to the
// target once. Exit codes: 0 if all files ran (a finding aborts the program). 2 if no path is given, a path cannot be
// read, or the target rejects an input.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "fuzz/targets/seed_file.h"

// The functions of a target that an engine calls. Initialisation is weak, because some targets have none.
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* count, char*** values);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

int main(int argc, char** argv) {
  constexpr int kUsage = 2;  // the exit code of all errors
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE|DIRECTORY...\n", argv[0]);
    return kUsage;
  }
  const auto inputs = fuzz::FindInputs({argv + 1, argv + argc});
  if (!inputs) return kUsage;
  for (const auto& path : *inputs) {
    const auto bytes = fuzz::ReadInput(path);
    if (!bytes) return kUsage;
    // The buffer has exactly as many bytes as the input, so that memory checkers see a target that reads further.
    const auto buffer = std::make_unique<std::uint8_t[]>(bytes->size());
    std::copy(bytes->begin(), bytes->end(), buffer.get());
    if (LLVMFuzzerTestOneInput(buffer.get(), bytes->size()) != 0) {
      std::fprintf(stderr, "%s: is no input of this target, expected one that it runs\n", path.c_str());
      return kUsage;
    }
  }
  std::printf("%zu inputs replayed\n", inputs->size());
  return 0;
}
