// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the table of CPU classes, and that models of CPUs are found in it.
#include "kernel/base/cpu_class.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "kernel/base/cpu_detect.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

TEST(CpuClasses, HaveOwnNamesAndPositiveMainCosts) {
  std::set<std::string> names;
  for (const CpuClass& cpu : CpuClasses()) {
    EXPECT_TRUE(names.insert(cpu.name).second) << cpu.name;
    EXPECT_EQ(FindCpuClass(cpu.name), &cpu);
    EXPECT_GE(cpu.caches.first_level, 32 * 1024) << cpu.name;
    EXPECT_GT(cpu.caches.second_level, cpu.caches.first_level) << cpu.name;
    for (const int64_t target :
         {HWY_AVX3_ZEN4, HWY_AVX3, HWY_AVX2, HWY_SSE2, HWY_NEON, HWY_NEON_BF16, HWY_SVE_256, HWY_RVV, HWY_SCALAR}) {
      const Costs& costs = CostsOf({target, &cpu, false});
      for (const double cost : {costs.channels_product, costs.channels_pairs, costs.phased_product, costs.phased_load,
                                costs.aligned_product, costs.rows.product, costs.rows.load, costs.rows.call, costs.row,
                                costs.quad_output, costs.quad_narrow_output}) {
        EXPECT_GT(cost, 0) << cpu.name << " on " << hwy::TargetName(target);
      }
    }
  }
  EXPECT_STREQ(CpuClasses()[0].name, "default");
  EXPECT_EQ(FindCpuClass("Zen4"), nullptr);
  EXPECT_EQ(FindCpuClass(""), nullptr);
}

// Zen 5 and Zen 4 run the same target.
TEST(CpuClasses, ClassesHaveOwnCostsOnTheSameTarget) {
  const CpuClass* const zen4 = FindCpuClass("zen4");
  const CpuClass* const zen5 = FindCpuClass("zen5");
  ASSERT_TRUE(zen4 != nullptr && zen5 != nullptr);
  const auto product = [](const CpuClass* cpu, int64_t target) {
    return CostsOf({target, cpu, false}).channels_product;
  };
  // Twice as many products in a cycle take about half the time; 0.7 leaves room for new fits.
  EXPECT_LT(product(zen5, HWY_AVX3_ZEN4), 0.7 * product(zen4, HWY_AVX3_ZEN4));
  EXPECT_EQ(product(zen5, HWY_AVX2), product(zen4, HWY_AVX2));
  const CpuClass* const v1 = FindCpuClass("neoverse-v1");
  const CpuClass* const v2 = FindCpuClass("neoverse-v2");
  ASSERT_TRUE(v1 != nullptr && v2 != nullptr);
  EXPECT_LT(product(v1, HWY_SVE_256), 0.7 * product(v2, HWY_SVE_256));
  EXPECT_EQ(product(v2, HWY_SVE_256), product(v2, HWY_RVV));
  // All classes have the same costs for SSE2. Targets with wider vectors have others.
  EXPECT_EQ(product(zen5, HWY_SSE2), product(v1, HWY_SSE2));
  EXPECT_NE(product(zen5, HWY_SSE2), product(zen5, HWY_AVX3_ZEN4));
}

TEST(CpuClasses, ModelsOfX86AreFound) {
  struct {
    std::string_view vendor;
    uint32_t family, model;
    const char* expected;
  } const rows[] = {
      {"AuthenticAMD", 0x17, 0x01, "default"},           // Zen
      {"AuthenticAMD", 0x17, 0x31, "zen2"},              // Rome
      {"AuthenticAMD", 0x19, 0x01, "zen3"},              // Milan
      {"AuthenticAMD", 0x19, 0x21, "zen3"},              // Vermeer
      {"AuthenticAMD", 0x19, 0x11, "zen4"},              // Genoa
      {"AuthenticAMD", 0x19, 0x61, "zen4"},              // Raphael
      {"AuthenticAMD", 0x19, 0xa0, "zen4"},              // Bergamo
      {"AuthenticAMD", 0x1a, 0x02, "zen5"},              // Turin
      {"AuthenticAMD", 0x1a, 0x44, "zen5"},              // Granite Ridge
      {"AuthenticAMD", 0x1a, 0x24, "zen5-mobile"},       // Strix Point
      {"AuthenticAMD", 0x1b, 0x00, "default"},           // an unknown family
      {"GenuineIntel", 6, 0x3c, "intel-client"},         // Haswell
      {"GenuineIntel", 6, 0x97, "intel-client"},         // Alder Lake
      {"GenuineIntel", 6, 0x55, "skylake-sp"},           // Skylake-SP
      {"GenuineIntel", 6, 0x8c, "intel-client-avx512"},  // Tiger Lake
      {"GenuineIntel", 6, 0xa7, "intel-client-avx512"},  // Rocket Lake
      {"GenuineIntel", 6, 0x6a, "ice-lake-sp"},          // Ice Lake-SP
      {"GenuineIntel", 6, 0x8f, "sapphire-rapids"},      // Sapphire Rapids
      {"GenuineIntel", 6, 0xcf, "sapphire-rapids"},      // Emerald Rapids
      {"GenuineIntel", 6, 0xad, "sapphire-rapids"},      // Granite Rapids
      {"GenuineIntel", 6, 0x57, "default"},              // Knights Landing
      {"GenuineIntel", 15, 0x55, "default"},             // another family
      {"HygonGenuine", 0x18, 0x01, "default"},           // Dhyana
      {"", 6, 0x55, "default"},                          // a hypervisor that hides the vendor
  };
  for (const auto& row : rows) {
    const char* const found = ClassOfX86(row.vendor, row.family, row.model);
    EXPECT_STREQ(found, row.expected) << row.vendor << " " << row.family << " " << row.model;
    EXPECT_NE(FindCpuClass(found), nullptr) << found;
  }
}

TEST(CpuClasses, PartsOfArmAreFound) {
  struct {
    uint64_t midr;
    const char* expected;
  } const rows[] = {
      // Bits 24 to 31 are the implementer, bits 4 to 15 the part; the others are variants and revisions.
      {0x413fd0c1, "neoverse-n1"},
      {0x410fd490, "neoverse-n2"},
      {0x411fd401, "neoverse-v1"},
      {0x410fd4f0, "neoverse-v2"},
      {0x611f0221, "apple"},
      {0x413fd0b1, "default"},  // Cortex-A76
      {0x510fd0c1, "default"},  // another implementer
      {0, "default"},
  };
  for (const auto& row : rows) {
    EXPECT_STREQ(ClassOfMidr(row.midr), row.expected) << row.midr;
    EXPECT_NE(FindCpuClass(ClassOfMidr(row.midr)), nullptr);
  }
}

TEST(CpuClasses, CoresOfRiscvAreFound) {
  EXPECT_STREQ(ClassOfRiscv(0x710, 0x8000000058000001), "spacemit-x60");
  EXPECT_STREQ(ClassOfRiscv(0x710, 0x8000000058000002), "default");
  EXPECT_STREQ(ClassOfRiscv(0x489, 0x8000000058000001), "default");
  EXPECT_STREQ(ClassOfRiscv(0, 0), "default");  // emulated, or not known
  EXPECT_NE(FindCpuClass("spacemit-x60"), nullptr);
}

}  // namespace
}  // namespace deconv
