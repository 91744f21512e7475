// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the kernel chooses the algorithms of choices.txt, for every layer (operator) and class of CPUs. So no
// change of costs alters a choice unnoticed. "--write FILE" writes the sections of this machine's targets (instruction
// sets) into the file instead.
#include "kernel/bench/choices.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/base/cpu_class.h"
#include "kernel/bench/layers.h"

namespace deconv::bench {
namespace {

constexpr const char* kFile = DECONV_BENCH_FOLDER "/choices.txt";

std::vector<Layer> AllLayers() {
  std::ifstream file(DECONV_BENCH_FOLDER "/layers.txt");
  std::vector<Layer> layers;
  std::string error;
  if (!ReadLayers(file, layers, error)) ADD_FAILURE() << error;
  return layers;
}

TEST(Choices, OfThisMachineAreThoseOfTheFile) {
  const ChoiceSections expected = ReadChoices(kFile);
  for (const auto& [key, lines] : ChoicesHere(AllLayers())) {
    const auto section = expected.find(key);
    ASSERT_NE(section, expected.end()) << "choices.txt has no section [" << key << "]";
    ASSERT_EQ(section->second.size(), lines.size()) << key;
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(section->second[i], lines[i])
          << "[" << key << "] has another choice (" << ChoiceHead()
          << "). If the change is intended, write the file anew; kernel/maintaining.md has it";
    }
  }
}

TEST(Choices, HaveASectionForEachClass) {
  const ChoiceSections sections = ReadChoices(kFile);
  std::set<std::string> classes;
  for (const auto& [key, lines] : sections) {
    classes.insert(key.substr(0, key.find(' ')));
    EXPECT_EQ(lines.size(), AllLayers().size()) << key;
  }
  for (const CpuClass& cpu : CpuClasses()) EXPECT_TRUE(classes.contains(cpu.name)) << cpu.name;
  EXPECT_EQ(classes.size(), CpuClasses().size());
}

TEST(Choices, AreReadAsTheyWereWritten) {
  const ChoiceSections sections = {{"zen3 AVX2", {"a rows phased", "b direct direct"}},
                                   {"zen4 AVX3", {"a rows rows"}},
                                   {"zen5 AVX3", {"a rows phased", "b direct direct"}}};
  const std::string path = ::testing::TempDir() + "choices_test.txt";
  ASSERT_TRUE(WriteChoices(path, sections));
  EXPECT_EQ(ReadChoices(path), sections);
  std::remove(path.c_str());
  EXPECT_FALSE(WriteChoices("/no/such/folder/choices.txt", sections));
}

// Writes the sections that this machine can compute into a file, and keeps the others. Returns the exit code.
int Write(const std::string& path) {
  std::ifstream file(DECONV_BENCH_FOLDER "/layers.txt");
  std::vector<Layer> layers;
  std::string error;
  if (!ReadLayers(file, layers, error)) {
    std::fprintf(stderr, "kernel_choices_test: " DECONV_BENCH_FOLDER "/layers.txt: %s\n", error.c_str());
    return 2;
  }
  ChoiceSections sections = ReadChoices(path);
  const ChoiceSections here = ChoicesHere(layers);
  for (const auto& [key, lines] : here) sections[key] = lines;
  if (!WriteChoices(path, sections)) {
    std::fprintf(stderr, "kernel_choices_test: %s: could not be written\n", path.c_str());
    return 6;
  }
  std::printf("%s: %zu of %zu sections written anew\n", path.c_str(), here.size(), sections.size());
  return 0;
}

}  // namespace
}  // namespace deconv::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--write") == 0) return deconv::bench::Write(argv[2]);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
